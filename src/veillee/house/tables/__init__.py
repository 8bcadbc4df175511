"""Tables: their state, seats, clocks, bots, history and in-memory cache."""
