"""Rate limits per guest and per address: token buckets, and limits of what is open at once. Generous enough for a school
class behind one router.

A bucket holds a burst of tokens and refills at a steady rate; every request takes one. A request that finds it empty is
told how long to wait. The processes of one server count together (web/http/shared_counters.py).
"""

from __future__ import annotations

import math
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from hashlib import sha256

from veillee.house.errors import BadRequest, TooMany
from veillee.web.http.shared_counters import SharedCounters
from veillee.web.rendering.templates import t
from veillee.words import Sentence

SPANS = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400}
LIMIT_PATTERN = re.compile(rf"([0-9]{{1,6}}) *, *([0-9]{{1,6}}) */ *({'|'.join(SPANS)})")


@dataclass(frozen=True)
class Rate:
    """Parameters of a token bucket: its size, and tokens per second."""

    burst: int
    refill: float

    @classmethod
    def parse(cls, text: str) -> Rate:
        """Parses "60, 2/minute": sixty at once, then two a minute. Raises BadRequest."""
        if not (found := LIMIT_PATTERN.fullmatch(text.strip())) or not (int(found[1]) and int(found[2])):
            raise BadRequest(
                t("{text} is no rate: write “60, 2/minute” for sixty at once and then two a minute.", text=text)
            )
        return cls(int(found[1]), int(found[2]) / SPANS[found[3]])


@dataclass(frozen=True)
class Limits:
    """Limits per guest, and per address, which many guests may share."""

    guests: Rate = Rate(60, 1 / 30)  # of an address: new guests
    tables: Rate = Rate(20, 1 / 20)  # of a guest: new tables
    tables_of_address: Rate = Rate(120, 1 / 3)
    requests: Rate = Rate(300, 30.0)  # of a guest
    requests_of_address: Rate = Rate(2000, 200.0)
    health: Rate = Rate(60, 10.0)  # of an address: health checks
    under_way: int = 40  # of a guest: requests at once, streams not counted
    under_way_of_address: int = 240
    bodies: int = 8  # of a guest: requests whose body is still to come
    bodies_of_address: int = 60
    work_of_address: int = 2  # requests worked on at once in each process; the others of the address wait in turn
    hints_of_address: int = 4  # hints thought about or queued at once in each process; the others of it wait in turn
    exports: int = 1  # of a guest: downloads of all their data or games at once
    exports_of_address: int = 4
    streams: int = 24  # of a guest: open at once
    streams_of_address: int = 200
    connections_of_address: int = 400
    connections: int = 4000  # of all
    changes: Rate = Rate(20, 1 / 6)  # of a guest: new names and shields, which reach all their tables
    changes_of_address: Rate = Rate(120, 2.0)
    talk: Rate = Rate(10, 1 / 3)  # of a guest: messages and gestures
    talk_of_address: Rate = Rate(200, 20.0)
    letters: Rate = Rate(3, 3 / 86_400)  # to one mail address: letters that ask it to confirm

    @classmethod
    def parse(cls, settings: dict[str, str]) -> Limits:
        """Parses the limits of a settings file or the environment; a limit not named keeps its default. Raises
        BadRequest."""
        read: dict[str, Rate | int] = {}
        kinds = {field.name: type(field.default) for field in fields(cls)}
        for name, text in settings.items():
            if kinds[name] is Rate:
                read[name] = Rate.parse(text)
            elif text.isascii() and text.isdigit() and 0 < int(text) < 10**6:
                read[name] = int(text)
            else:
                raise BadRequest(t("{text} is no number for {name}.", text=text, name=name))
        return cls(**read)  # type: ignore[arg-type]


class TokenBuckets:
    """Token buckets of one limit, one per guest or address."""

    def __init__(
        self, name: str, rate: Rate, ledger: SharedCounters | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._name = name
        self._rate = rate
        self._ledger = ledger or SharedCounters()
        self._clock = clock

    def wait(self, who: str) -> float:
        """Takes one token. Returns 0.0, or the seconds until one is available."""
        return self._ledger.wait(f"{self._name} {who}", self._rate.burst, self._rate.refill, self._clock())


class Count:
    """Counts what is open (streams, connections) per guest or address, over all processes."""

    def __init__(self, name: str, ledger: SharedCounters) -> None:
        self._name = name
        self._ledger = ledger
        self._here = Counter[str]()

    def __getitem__(self, who: str) -> int:
        return self._here[who] + self._ledger.count_in_other_processes(f"{self._name} {who}")

    def add(self, who: str, number: int) -> None:
        """Adds so many; negative: subtracts."""
        self._here[who] += number
        self._ledger.set_own_count(f"{self._name} {who}", self._here[who])
        if not self._here[who]:
            del self._here[who]

    def count(self) -> int:
        """Returns the count in this process, over all guests and addresses."""
        return self._here.total()


class RateLimiter:
    """Applies the limits of one server to requests and streams."""

    def __init__(
        self, limits: Limits, ledger: SharedCounters | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """ledger: counters shared with the other processes."""
        ledger = ledger or SharedCounters()
        self.limits = limits
        self.refused_count = Counter[str]()  # refusals by limit, for the metrics
        self._buckets = {
            name: TokenBuckets(name, rate, ledger, clock)
            for name in (field.name for field in fields(limits))
            if isinstance(rate := getattr(limits, name), Rate)
        }
        self.open_count = Counter[str]()  # what is open in this process by limit, for the metrics
        self._open = {kind: Count(kind, ledger) for kind in ("streams", "under_way", "bodies", "exports")}

    def spend(self, kind: str, address: str, guest: str) -> None:
        """Takes a token for one request, new guest, new table, message or letter (`guest` is then its recipient). Raises
        TooMany."""
        for name, who in ((kind, address if kind in PER_ADDRESS else guest), (f"{kind}_of_address", address)):
            if who and name in self._buckets and (wait := self._buckets[name].wait(who)):
                self.refused_count[name] += 1
                raise TooMany(REFUSAL_SENTENCES[kind], wait)

    @contextmanager
    def hold(self, kind: str, address: str, guest: str) -> Iterator[None]:
        """Counts one more stream, request under way or body to come, while the context lasts. Raises TooMany."""
        mine = [
            (f"{whose} {who}", getattr(self.limits, name))
            for whose, who, name in (("address", address, f"{kind}_of_address"), ("guest", guest, kind))
            if who
        ]
        opened = self._open[kind]
        if any(opened[who] >= most for who, most in mine):
            self.refused_count[kind] += 1
            raise TooMany(REFUSAL_SENTENCES[kind], RETRY_SECONDS[kind])
        for who, _ in mine:
            opened.add(who, 1)
        self.open_count[kind] += 1
        try:
            yield
        finally:
            self.open_count[kind] -= 1
            for who, _ in mine:
                opened.add(who, -1)


PER_ADDRESS = ("guests", "health")  # limits that no guest has of their own
RETRY_SECONDS = {"streams": 30.0, "under_way": 2.0, "bodies": 10.0, "exports": 10.0}  # after a refusal of hold()
TOO_MANY_REQUESTS = t("Too many requests: wait a moment.")
REFUSAL_SENTENCES: dict[str, Sentence] = {
    "guests": t("Many new guests have come from where you are: wait a moment, then come in."),
    "tables": t("You have opened many tables: play at them, or wait a moment before the next one."),
    "talk": t("You are writing very fast: wait a moment."),
    "letters": t("Several messages have gone to this address already: look for them there, or try again tomorrow."),
    "changes": t("You have changed much in a short time: wait a moment."),
    "requests": TOO_MANY_REQUESTS,
    "health": TOO_MANY_REQUESTS,
    "under_way": TOO_MANY_REQUESTS,
    "exports": TOO_MANY_REQUESTS,
    "bodies": TOO_MANY_REQUESTS,
    "streams": t("You follow many tables at once: close some of their pages first."),
}


def token_fingerprint(token: str) -> str:
    """Returns a hash that identifies the token; empty for no token."""
    return sha256(token.encode(errors="surrogateescape")).hexdigest()[:20] if token else ""


def retry_after(wait: float) -> str:
    """Returns the value of the Retry-After header."""
    return str(max(1, math.ceil(wait)))
