"""Operator's tasks: backup and restore, daily cleanup, check before an upgrade."""
