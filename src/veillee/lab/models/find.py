"""Finds the model of a name: `program:COMMAND` or `chat:MODEL`."""

from __future__ import annotations

from veillee.lab.models.model import Model, t
from veillee.lab.models.program import PREFIX as PROGRAM
from veillee.lab.models.program import Program
from veillee.match.errors import Unknown

CHAT = "chat:"


def model_of(name: str, seconds: float) -> Model | None:
    """Returns the model of that name; None if it is none. Raises Unknown if a package is missing."""
    if name.startswith(PROGRAM):
        return Program(name, seconds)
    if name.startswith(CHAT):
        try:
            from veillee.lab.models.chat import ChatModel  # noqa: PLC0415  an extra
        except ModuleNotFoundError:
            raise Unknown(t("This needs more packages: pip install {package}", package='"veillee[chat]"')) from None
        return ChatModel(name, seconds)
    return None
