"""What can be wrong with what a caller asks: each error is a sentence for people."""

from __future__ import annotations


class VeilleeError(Exception):
    """The sentence is the message."""


class Forbidden(VeilleeError):
    """A choice that a rule (or the moment) forbids. `rule` is the rule's id, or empty."""

    def __init__(self, sentence: str, rule: str = "") -> None:
        super().__init__(f"{sentence} ({rule})" if rule else sentence)
        self.sentence = sentence
        self.rule = rule


class BadSave(VeilleeError):
    """A saved game that cannot be read or does not match itself."""


class Unknown(VeilleeError):
    """No such game, seat or option."""
