"""What every box promises, whoever made it: pytest --pyargs veillee.conformance --game my-game

Games end, are never stuck and lose nothing; they can be copied, saved, replayed and undone; what a seat cannot know
changes nothing that it is shown; everything is said in both languages; what was once played can be played again.

This room needs pytest, which the house does not: nothing else imports it.
"""
