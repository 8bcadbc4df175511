"""Guests: cookies and sessions, names, shields, quiet hours, personal data."""
