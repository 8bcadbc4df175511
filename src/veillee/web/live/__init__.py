"""Live updates: open streams, what each has sent, and submitted answers."""
