"""Clocks of a table: time control, time used per seat, and what happens on a timeout."""
