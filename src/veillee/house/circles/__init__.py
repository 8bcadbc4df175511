"""Circles: guests who keep together, with tables, ratings and an evening of their own."""
