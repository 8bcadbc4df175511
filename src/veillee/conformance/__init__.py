"""Conformance suite for every box, including those of other packages: pytest --pyargs veillee.conformance --game
my-game

Checks that games end, are never stuck and lose nothing; can be copied, saved, replayed and undone; that what a seat
cannot know changes nothing that it is shown; that everything is said in both languages; and that recorded games can be
replayed.

This package needs pytest, which the others do not: nothing else imports it.
"""
