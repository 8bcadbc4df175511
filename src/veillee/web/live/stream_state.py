"""What a stream has sent its reader, and what it sends next: happenings, then the parts that differ after them.

Readers who have the same and see the same are sent the same bytes, made once: twenty spectators cost what one does. Of the
parts a stream remembers no more than what tells them from others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from veillee.house.accounts.people import Guest
from veillee.house.tables.moment import Moment
from veillee.kernel.log import NO_SEAT
from veillee.web.rendering.beats import told
from veillee.web.rendering.table_parts import LATEST, Audience, audience, parts_of


class Reader(Protocol):
    """As much of a visit as a stream needs."""

    @property
    def guest(self) -> Guest | None: ...
    @property
    def lang(self) -> str: ...
    @property
    def origin(self) -> str: ...


@dataclass(frozen=True, eq=False)  # it is itself: readers who have been sent the same share it
class Shown:
    """What a reader has been sent."""

    name: str  # of it, as Moment.name calls it
    seat: int = NO_SEAT
    events: int = 0  # that it tells of
    known: int = 0  # of these, those that were no news
    names: Sequence[str] = ()  # of the people
    lines: int = 0  # of the house, in the chronicle
    parts: Mapping[str, int] = field(
        default_factory=dict
    )  # their texts' hashes. Empty: it is not known what the page has


@dataclass(frozen=True)
class News:
    """What follows on something that was shown."""

    shown: Shown
    texts: Sequence[str]
    message: bytes  # for the stream; empty: there is nothing to say


class Sent:
    """What one stream has sent its reader. `name`: what the page had before."""

    def __init__(self, name: str) -> None:
        self.shown = Shown(name)

    @property
    def name(self) -> str:
        return self.shown.name

    def news(self, v: Reader, now: Moment, wanted: int | None) -> News:
        """What the reader has not got. From then on it has."""
        who, has = audience(now, v.guest, wanted), self.shown
        if now.game is None:
            found = lobby(has, now, who, v)
        elif not has.parts:  # of this stream alone
            found = news(has, now, who, v.lang, v.origin)
        else:
            key = ("news", has, who, v.lang, v.origin)
            found = LATEST.once(now, key, lambda: news(has, now, who, v.lang, v.origin))
        self.shown = found.shown
        return found


def news(has: Shown, now: Moment, who: Audience, lang: str, origin: str) -> News:
    match, seat = now.match, who.seat
    heard, known = match.heard(seat), match.known(seat) if seat != NO_SEAT else 0
    then = now.glimpse(has.name, seat)
    texts = []
    if then is not None and then.events < heard:
        texts.append(told(now, match, seat, lang, then.events))
    # The happenings are the chronicle's new lines: it is sent, and drawn, only where they are not all that has changed.
    follows = (
        bool(has.parts)
        and (seat, *written(now)) == (has.seat, has.names, has.lines)
        and then is not None
        and then.events == has.events
    )
    same = heard == has.events and known == has.known
    log = who.several or not follows or not (texts or same)
    parts = parts_of(now, who, lang, None, origin, log=log)

    def show() -> Shown:
        marks = {name: hash(text) for name, text in parts.items()}
        return Shown(now.name(who.mine), seat, heard, known, *written(now), marks)

    shown = LATEST.once(now, ("shown", who, lang, origin, log), show)
    told_already = {"log"} if follows and texts else set()
    fresh = {name for name, mark in shown.parts.items() if has.parts.get(name) != mark} - told_already
    texts += [text for name, text in parts.items() if name in fresh]
    return News(shown, texts, sse(shown.name, texts))


def written(now: Moment) -> tuple[Sequence[str], int]:
    """What the chronicle goes by, besides what has happened: the names, and how many lines are the house's own."""
    return now.names, len(now.row.lines)


def lobby(has: Shown, now: Moment, who: Audience, v: Reader) -> News:
    parts = parts_of(now, who, v.lang, v.guest, v.origin)
    shown = {name: hash(text) for name, text in parts.items()}
    texts = [text for name, text in parts.items() if has.parts.get(name) != shown[name]]
    name = now.name(who.mine)
    return News(Shown(name, who.seat, parts=shown), texts, sse(name, texts))


def sse(name: str, texts: Iterable[str]) -> bytes:
    """A message of the stream; none if there is nothing in it."""
    body = "".join(texts).encode().replace(b"\r", b"").replace(b"\n", b"\ndata: ")
    return b"id: %s\nevent: parts\ndata: %s\n\n" % (name.encode(), body) if body else b""
