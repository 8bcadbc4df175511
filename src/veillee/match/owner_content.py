"""Owners' content files of matches: adding one, finding the one a match uses, and the message if it is missing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from veillee.games import owners
from veillee.games.box import Box
from veillee.games.content import BUILT_IN, Content
from veillee.match.errors import BadContent, t
from veillee.words import LANGUAGES, Sentence

MAX_RECORD_NAME_LENGTH = 80  # characters of a name from a record


def bring(path: str | Path) -> Content:
    """Adds an owner's file: new games of its box use it by default from now on. Raises BadContent."""
    return add(owners.check(Path(path)))


def add(checked: owners.Checked) -> Content:
    """Like bring(), for a file that was read already (games/owners.py)."""
    if not owners.bring(checked) or checked.content is None:
        raise BadContent(checked.errors)
    return checked.content


def content_id(box: Box, options: Mapping[str, Any]) -> str:
    """Returns the id of the content that a game with these options uses."""
    return str(options.get(box.contents.option.id, BUILT_IN)) if box.contents is not None else BUILT_IN


def content_of(box: Box, options: Mapping[str, str]) -> Content | None:
    """Returns the owner's content that a game with these options uses; None: it is the built-in one, or not loaded."""
    if box.contents is None:
        return None
    id_ = content_id(box, options)
    return None if id_ == BUILT_IN else box.contents.sets.get(id_)


def missing(box: Box, options: Mapping[str, Any], about: object = None) -> Sentence | None:
    """Returns why a game with these options cannot be played here: its content is not loaded. None: it is. `about`:
    the description of it in the record.
    """
    if box.contents is None:
        return None
    id_ = content_id(box, options)
    if id_ in box.contents.sets:
        return None
    names = about if isinstance(about, dict) else {}
    if all(isinstance(names.get(lang), str) for lang in LANGUAGES):
        return t(
            "It is played with “{name}” ({id}), which is not at hand: give that file with --content.",
            name={lang: names[lang][:MAX_RECORD_NAME_LENGTH] for lang in LANGUAGES},
            id=id_[:MAX_RECORD_NAME_LENGTH],
        )
    return t(
        "It is played with {id}, which is not at hand: give that owner's file with --content.",
        id=id_[:MAX_RECORD_NAME_LENGTH],
    )
