"""Notifications that it is a guest's turn: channels, the watcher that finds turns, the outbox."""
