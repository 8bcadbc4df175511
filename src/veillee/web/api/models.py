"""Bodies of the JSON API's requests and responses."""

from __future__ import annotations

from typing import Any, Literal

import msgspec


class ContentInfo(msgspec.Struct):
    """Content added by the owner of a game: the option that selects it, its id there, and its name."""

    option: str
    id: str
    name: str


class GameInfo(msgspec.Struct):
    id: str
    title: str
    pitch: str
    authors: str
    players: tuple[int, int]
    minutes: tuple[int, int]
    options: dict[str, list[str]]
    contents: list[ContentInfo]


class NewGuest(msgspec.Struct):
    name: str
    invitation: str = ""  # the end of an invitation to the house, where it is open by invitation only


class GuestInfo(msgspec.Struct):
    id: str
    name: str
    token: str


class SeatWish(msgspec.Struct):
    kind: Literal["me", "bot", "open", "hotseat"]
    name: str = ""
    level: str = "regular"


class PaceInfo(msgspec.Struct):
    """Time control: `reserve` seconds for the whole game (kind `evening`), `each` for every question or move."""

    kind: Literal["", "evening", "post"] = ""
    reserve: int = 0
    each: int = 0
    then: Literal["bot", "wait"] = "bot"


class NewTable(msgspec.Struct):
    game: str
    seats: list[SeatWish]
    options: dict[str, str] = {}
    luck: str = ""
    public: bool = False
    hints: bool = True
    rated: bool = False
    pace: PaceInfo = msgspec.field(default_factory=PaceInfo)


class SeatInfo(msgspec.Struct):
    """A seat. `sealed`: hash of its contribution to the shuffle, or empty; `opened`: the contribution, once the match
    has begun."""

    kind: str
    name: str
    level: str
    away: bool
    sealed: str
    opened: str


class SitDown(msgspec.Struct):
    """What you add to the shuffle: a word, and the SHA-256 hash of `veillee contribution\\n` and 16 to 64 random bytes,
    in hexadecimal. Once `opening` of the table is true, open the bytes: the match begins when all have."""

    luck: str = ""
    sealed: str = ""


class Sealed(msgspec.Struct):
    """Hash of a contribution to the shuffle: see SitDown."""

    sealed: str


class Opened(msgspec.Struct):
    """The bytes of a contribution to the shuffle, in hexadecimal: see SitDown."""

    contribution: str


class TableInfo(msgspec.Struct):
    id: str
    game: str
    status: str
    revision: int
    commitment: str
    hints: bool
    rated: bool
    seats: list[SeatInfo]
    mine: list[int]
    options: dict[str, str]
    content: ContentInfo | None
    pace: PaceInfo
    opening: bool  # all seats are taken, and contributions to the shuffle are opened


class ChoiceInfo(msgspec.Struct):
    """A legal choice, as match.choices() of the Python package returns it and as a custom bot gets it
    (match/custom_bot.py)."""

    id: int
    verb: str
    args: dict[str, int]
    label: str


class RefusedInfo(ChoiceInfo):
    """An answer that a rule forbids: why, and which rule."""

    why: str
    rule: str


class LogLine(msgspec.Struct):
    rule: str
    text: str


class Position(msgspec.Struct):
    """What one seat may know; seat -1 is a spectator.

    `heard` is how many events the seat has been told of. A client that sends that number back (?heard=) gets only what
    came after: in `events` for programs (kind, rule, seat, and figures by their names), in `log` as sentences.
    """

    seat: int
    stamp: str
    question: str
    rule: str
    view: dict[str, Any]
    choices: list[ChoiceInfo]
    refused: list[RefusedInfo]
    can_undo: bool
    heard: int
    events: list[dict[str, Any]]
    log: list[LogLine]


class Answers(msgspec.Struct):
    """One answer, or several in a row: all of them are given, or none. `stamp` as in the position that was read."""

    stamp: str
    answers: list[int]


class Stamp(msgspec.Struct):
    stamp: str


class ChanceInfo(msgspec.Struct):
    """A choice, the probability that the seat wins after it (0 to 1), and the number of simulated games behind it."""

    choice: int
    label: str
    wins: float
    games: int


class HintInfo(msgspec.Struct):
    """The choice that an expert bot would take, why, and the chances of the best few."""

    choice: int
    label: str
    reason: str
    chances: list[ChanceInfo]


class Refusal(msgspec.Struct):
    """What is wrong, in your language, and the rule that says so, or empty."""

    sentence: str
    rule: str
