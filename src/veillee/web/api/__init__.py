"""JSON API for programs."""
