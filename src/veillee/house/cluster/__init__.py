"""Cooperation of several server processes on one PostgreSQL (ADR 16)."""
