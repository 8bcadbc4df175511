"""What a stream has sent, and what it sends next: beats (what happened), then the parts that differ after them.

Streams that have sent the same to the same audience get the same bytes, made once: twenty spectators cost what one
does. Of the parts a stream keeps hashes only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from veillee.house.accounts.guest import Guest
from veillee.house.tables.moment import Moment
from veillee.kernel.log import NO_SEAT
from veillee.web.rendering.beats import render_beats
from veillee.web.rendering.table_parts import LATEST, Audience, audience, parts_of


class Reader(Protocol):
    """The attributes of a visit that a stream needs."""

    @property
    def guest(self) -> Guest | None: ...
    @property
    def lang(self) -> str: ...
    @property
    def origin(self) -> str: ...


@dataclass(frozen=True, eq=False)  # compared by identity: streams that have sent the same share it
class SentVersion:
    """What a stream has sent."""

    name: str  # name of the view (Moment.name)
    seat: int = NO_SEAT
    events: int = 0  # events told
    known: int = 0  # of these, known to the seat when it last answered
    names: Sequence[str] = ()  # of the seats
    lines: int = 0  # house lines in the chronicle
    parts: Mapping[str, int] = field(default_factory=dict)  # hash of each part's text. Empty: unknown what the page has


@dataclass(frozen=True)
class StreamUpdate:
    """What to send next, and the state after it."""

    shown: SentVersion
    texts: Sequence[str]
    message: bytes  # for the stream; empty: nothing to send


class StreamState:
    """State of one stream. `name`: the view that the page had before."""

    def __init__(self, name: str) -> None:
        self.shown = SentVersion(name)

    @property
    def name(self) -> str:
        return self.shown.name

    def next_update(self, v: Reader, now: Moment, wanted: int | None) -> StreamUpdate:
        """Returns what the client does not have yet, and records it as sent."""
        who, has = audience(now, v.guest, wanted), self.shown
        if now.game is None:
            found = lobby(has, now, who, v)
        elif not has.parts:  # specific to this stream: not cached
            found = make_update(has, now, who, v.lang, v.origin)
        else:
            key = ("news", has, who, v.lang, v.origin)
            found = LATEST.once(now, key, lambda: make_update(has, now, who, v.lang, v.origin))
        self.shown = found.shown
        return found


def make_update(has: SentVersion, now: Moment, who: Audience, lang: str, origin: str) -> StreamUpdate:
    match, seat = now.match, who.seat
    heard, known = match.heard(seat), match.known(seat) if seat != NO_SEAT else 0
    then = now.seen_state(has.name, seat)
    texts = []
    if then is not None and then.events < heard:
        texts.append(render_beats(now, match, seat, lang, then.events))
    # The beats hold the chronicle's new lines: it is rendered and sent only if more than these has changed.
    follows = (
        bool(has.parts)
        and (seat, *chronicle_key(now)) == (has.seat, has.names, has.lines)
        and then is not None
        and then.events == has.events
    )
    same = heard == has.events and known == has.known
    log = who.several or not follows or not (texts or same)
    parts = parts_of(now, who, lang, None, origin, log=log)

    def show() -> SentVersion:
        marks = {name: hash(text) for name, text in parts.items()}
        return SentVersion(now.shown_version(who.mine), seat, heard, known, *chronicle_key(now), marks)

    shown = LATEST.once(now, ("shown", who, lang, origin, log), show)
    told_already = {"log"} if follows and texts else set()
    fresh = {name for name, mark in shown.parts.items() if has.parts.get(name) != mark} - told_already
    texts += [text for name, text in parts.items() if name in fresh]
    return StreamUpdate(shown, texts, sse(shown.name, texts))


def chronicle_key(now: Moment) -> tuple[Sequence[str], int]:
    """Returns what the chronicle depends on besides the events: the names, and the number of house lines."""
    return now.names, len(now.row.lines)


def lobby(has: SentVersion, now: Moment, who: Audience, v: Reader) -> StreamUpdate:
    parts = parts_of(now, who, v.lang, v.guest, v.origin)
    shown = {name: hash(text) for name, text in parts.items()}
    texts = [text for name, text in parts.items() if has.parts.get(name) != shown[name]]
    name = now.shown_version(who.mine)
    return StreamUpdate(SentVersion(name, who.seat, parts=shown), texts, sse(name, texts))


def sse(name: str, texts: Iterable[str]) -> bytes:
    """Returns a message of the stream; empty if there is nothing in it."""
    body = "".join(texts).encode().replace(b"\r", b"").replace(b"\n", b"\ndata: ")
    return b"id: %s\nevent: parts\ndata: %s\n\n" % (name.encode(), body) if body else b""
