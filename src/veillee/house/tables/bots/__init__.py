"""Bots at tables: when they think, what they are asked, and their scripted answers in a guided first game."""
