"""Matches: play, undo, save, replay, verify; analysis, hints, puzzles and bots that play a match."""
