"""The house: guests, tables, seats, bots, chat, results and the store that keeps them. Knows nothing of HTTP."""
