"""People at tables: guests, seats, invitations, bots that take part, and the store that loses nothing."""
