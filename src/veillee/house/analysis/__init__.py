"""Analysis of finished games: the queue, guests' measured strength, and puzzles collected from played games."""
