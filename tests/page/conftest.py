"""Fixtures of the house in a page."""

from reused import reused_apps

__all__ = ["reused_apps"]
