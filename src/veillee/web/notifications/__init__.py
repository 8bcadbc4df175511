"""Sending notifications: delivery of queued notices, and the transports."""
