"""A game being played: chance sealed, choices checked, undo, save, replay, verify."""
