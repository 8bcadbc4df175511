"""The value of a guest."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Guest:
    """A visitor with a cookie. `token` is only set right after it was created: the store keeps its hash."""

    id: str
    name: str
    token: str = ""
    has_chosen_name: bool = True  # false: a newcomer's default name; they are asked for one on sitting down with others
    shield: str = ""  # chosen (shields.py); empty: the default
