"""Kernel of every game: states, steps on an agenda, random generators passed in, and a log with visibility."""
