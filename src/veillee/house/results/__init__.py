"""Results of finished games: stored results, ratings, guests' statistics and deals of the day."""
