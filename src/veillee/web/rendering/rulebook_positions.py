"""Pictures of positions in the rulebooks, drawn by the boards' own templates so that they change with them (ADR 17).

A rulebook says `![What one sees.](position:tie "wide")`, in a paragraph of its own (the shapes are rulebook.SHAPES);
`rulebook/positions/tie.toml` says which:

    answers = 27            # the guided first game of the box after this many answers; or
    seats = 4               # a new game with this many seats,
    seed = 1                # and this seed
    seat = 0                # the viewer; a spectator by default
    shows = ["board"]       # the parts that are drawn, on the board's own table.html

    [changes]               # overrides in the dumped state (kernel/plain.py)
    top = 3

A picture is a small page in an iframe: the ids and names of its board do not clash with those of a real one.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from markupsafe import Markup

from veillee.games.box import Box
from veillee.games.first_game import first_game
from veillee.house.tables.moment import detached_moment
from veillee.house.tables.seats import BOT_NAMES
from veillee.kernel.log import NO_SEAT
from veillee.match import seeds
from veillee.match.guided_game import scripted_answer
from veillee.match.match import Match
from veillee.match.setup import complete
from veillee.web.rendering.table_parts import Audience, replay_parts

NAME = re.compile(r"[a-z0-9-]{1,40}")
BOX_PAGE_POSITION = "board"  # the one that the page of a box shows


class NoPicture(LookupError):
    """A position that does not exist or cannot be drawn; the message says why. Found by the conformance suite."""


@dataclass(frozen=True)
class RulebookPosition:
    shows: tuple[str, ...]
    answers: int = -1
    seats: int = 0
    seed: int = 0
    seat: int = NO_SEAT
    changes: dict[str, Any] = field(default_factory=dict)


class RenderedPosition(dict[str, Markup]):
    """The parts of a picture; those it does not show are empty."""

    def __missing__(self, name: str) -> Markup:
        return Markup("")


def has_board(box: Box) -> bool:
    """Returns whether the box has a position that shows its whole board, for its page: positions/board.toml."""
    return (box.folder / "rulebook" / "positions" / f"{BOX_PAGE_POSITION}.toml").exists()


@cache
def position(box: Box, name: str) -> RulebookPosition:
    """Returns what the box's file of that name says. Raises NoPicture."""
    file = box.folder / "rulebook" / "positions" / f"{name}.toml"
    if not NAME.fullmatch(name) or not file.exists():
        raise NoPicture(f"{box.id}: there is no rulebook/positions/{name}.toml.")
    data = tomllib.loads(file.read_text("utf-8"))
    try:
        return RulebookPosition(**(data | {"shows": tuple(data["shows"])}))
    except (TypeError, KeyError) as error:
        raise NoPicture(f"{box.id}, position {name}: {error}") from None


def match_of(box: Box, name: str) -> Match:
    """Returns the match at that position. Raises NoPicture."""
    wanted = position(box, name)
    match = in_first_game(box, wanted.answers) if wanted.answers >= 0 else start_match(box, wanted)
    written = match.state.dump()
    if unknown := wanted.changes.keys() - written.keys():
        raise NoPicture(f"{box.id}, position {name}: a position of this game has no {', '.join(sorted(unknown))}.")
    if wanted.changes:
        match.state = box.load(written | wanted.changes)
        match.settle()
    return match


def start_match(box: Box, wanted: RulebookPosition) -> Match:
    return Match(box, wanted.seats, complete(box, {}, begun=True), seeds.seed_from(wanted.seed))


def in_first_game(box: Box, answers: int) -> Match:
    """Returns the guided first game after so many answers. Raises NoPicture."""
    first = first_game(box)
    if first is None:
        raise NoPicture(f"{box.id} has no guided first game to draw a position of.")
    match = Match(box, first.seats, complete(box, first.options, begun=True), seeds.seed_from(first.seed))
    for _ in range(answers):
        asked = [(seat, scripted_answer(first, match, seat)) for seat in match.to_act]
        seat, action = next(((seat, action) for seat, action in asked if action is not None), (NO_SEAT, None))
        if action is None:
            raise NoPicture(f"{box.id}: its guided first game is over before {answers} answers.")
        match.play(seat, action)
    return match


def render_position(box: Box, name: str, lang: str) -> RenderedPosition:
    """Renders the parts that the picture shows. Raises NoPicture."""
    wanted, match = position(box, name), match_of(box, name)
    table = detached_moment(match, BOT_NAMES[: match.seats])
    parts = replay_parts(table, match, Audience(wanted.seat), lang)
    if missing := set(wanted.shows) - parts.keys():
        raise NoPicture(f"{box.id}, position {name}: the board has no part {', '.join(sorted(missing))}.")
    return RenderedPosition({part: Markup(parts[part]) for part in wanted.shows})  # noqa: S704 - rendered by our own templates
