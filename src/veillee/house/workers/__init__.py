"""Worker processes: the pool that computes bots' answers and advice, and the programs it and the analysis run."""
