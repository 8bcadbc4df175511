"""Guests among each other: chat, presence, invitations, substitutes for absent players, and moderation."""
