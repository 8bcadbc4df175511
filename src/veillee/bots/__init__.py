"""Bots: levels of strength, search, evaluation of positions, advice."""
