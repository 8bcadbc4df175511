"""With what a match is played: an owner's file that is brought, the set that a match names, and one that is not here."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from veillee.games import owners
from veillee.games.box import Box
from veillee.games.content import BUILT_IN, Content
from veillee.match.errors import BadContent, t
from veillee.words import LANGUAGES, Sentence

LONGEST = 80  # of a name that a record gives


def bring(path: str | Path) -> Content:
    """Play with an owner's file from now on: new games of its box do, unless they say otherwise. Raises BadContent."""
    return add(owners.check(Path(path)))


def add(checked: owners.Checked) -> Content:
    """The same for a file that was read (games/owners.py)."""
    if not owners.bring(checked) or checked.content is None:
        raise BadContent(checked.errors)
    return checked.content


def named(box: Box, options: Mapping[str, Any]) -> str:
    """The id of the set that a game with these options is played with."""
    return str(options.get(box.contents.option.id, BUILT_IN)) if box.contents is not None else BUILT_IN


def played(box: Box, options: Mapping[str, str]) -> Content | None:
    """The owner's set that a game with these options is played with; None: what lies in the box, or it is not here."""
    if box.contents is None:
        return None
    id_ = named(box, options)
    return None if id_ == BUILT_IN else box.contents.sets.get(id_)


def missing(box: Box, options: Mapping[str, Any], about: object = None) -> Sentence | None:
    """Why a game with these options cannot be played here: its set is not at hand. `about`: what its record says of it."""
    if box.contents is None:
        return None
    id_ = named(box, options)
    if id_ in box.contents.sets:
        return None
    names = about if isinstance(about, dict) else {}
    if all(isinstance(names.get(lang), str) for lang in LANGUAGES):
        return t(
            "It is played with “{name}” ({id}), which is not at hand: give that file with --content.",
            name={lang: names[lang][:LONGEST] for lang in LANGUAGES},
            id=id_[:LONGEST],
        )
    return t("It is played with {id}, which is not at hand: give that owner's file with --content.", id=id_[:LONGEST])
