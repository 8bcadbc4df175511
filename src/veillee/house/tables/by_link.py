"""Tables that two browsers play by sending each other links, without a server (ADR 36).

A link holds what the friend's browser needs, as compressed JSON, and each browser has its own copy of the table. Three
kinds follow each other, so that neither side chooses the deal (ADR 5):

1. *invitation*: what is played, and the commitment of a seed that stays in the first browser;
2. *reply*: random bytes of the friend's browser, drawn when the seed was fixed already;
3. *match*: the seed and all answers so far (`Match.save`). From here on both browsers could look at the whole deal.

A link may add answers of the friend and of bots to the copy here, and change nothing else. A link is only written when
nobody but the friend is left to answer, so bots have answered in the browser where the last person did.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import secrets
import zlib
from dataclasses import dataclass
from typing import Any, Literal

from veillee.games.box import Box
from veillee.house.accounts.guest import Guest
from veillee.house.accounts.names import clean_name, make_distinct
from veillee.house.errors import BadRequest, NoTable, NotNow, NotYours, t
from veillee.house.tables.creation import TABLE_ID, TableTerms, find_box
from veillee.house.tables.moment import Moment
from veillee.house.tables.seats import SeatPlan, check_level
from veillee.house.tables.service import Tables
from veillee.house.tables.table import Table
from veillee.kernel.log import NO_SEAT
from veillee.match import saves, seeds
from veillee.match.errors import BadSave, Unknown
from veillee.match.match import Match
from veillee.match.owner_content import missing
from veillee.match.seeds import Contribution
from veillee.match.setup import complete

FORMAT = "veillee-table/1"
MAX_LINK_LENGTH = 12_000  # characters: the longest whole games of our boxes take 4000
MAX_JSON_BYTES = 300_000  # of what a link holds
LINK = re.compile(r"[A-Za-z0-9_-]+")
CONTRIBUTION_BYTES = 32

Kind = Literal["invitation", "reply", "match"]

NOT_OURS = t("This link holds no table of Veillée, or it was cut off on its way. Nothing was changed.")
TOO_LONG = t("This link is longer than any table of Veillée. Nothing was changed.")
FORGED = t("This link does not fit the table here: it is another deal than the one you agreed on. Nothing was changed.")
FORKED = t(
    "This link and the table here went different ways: an answer was given twice. Nothing was changed; send your friend your own latest link."
)
OWN_ANSWER = t("This link holds an answer for your own seat that you did not give here. Nothing was changed.")


class BadLink(BadRequest):
    """A link that holds no table, or one that does not fit the table here."""


@dataclass(frozen=True)
class Invitation:
    """What a guest is invited to play by link."""

    table_id: str
    box: Box
    version: int
    options: dict[str, str]
    commitment: str
    hints: bool
    plans: tuple[SeatPlan, ...]  # as seen by the invited guest
    seat: int  # of the invited guest
    host: str  # name of the friend


# -- the text of a link -----------------------------------------------------------------------------------------------
def encode(data: dict[str, Any]) -> str:
    """Returns the text of a link: letters, digits, - and _ only."""
    packed = zlib.compress(json.dumps(data, separators=(",", ":")).encode(), 9)
    return base64.urlsafe_b64encode(packed).rstrip(b"=").decode()


def decode(text: str) -> dict[str, Any]:
    """Returns what a link, or the whole address that ends with it, holds. Raises BadLink."""
    text = "".join(text.split()).rpartition("/link/")[2]
    if len(text) > MAX_LINK_LENGTH:
        raise BadLink(TOO_LONG)
    if not LINK.fullmatch(text):
        raise BadLink(NOT_OURS)
    try:
        unpacking = zlib.decompressobj()
        plain = unpacking.decompress(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), MAX_JSON_BYTES)
        if unpacking.unconsumed_tail:
            raise BadLink(TOO_LONG)
        if not unpacking.eof:
            raise BadLink(NOT_OURS)
        data = json.loads(plain)
    except (ValueError, zlib.error, binascii.Error, RecursionError):
        raise BadLink(NOT_OURS) from None
    if not isinstance(data, dict) or data.get("format") != FORMAT or not isinstance(data.get("table"), str):
        raise BadLink(NOT_OURS)
    if not TABLE_ID.fullmatch(data["table"]):
        raise BadLink(NOT_OURS)
    return data


# -- what a table needs -----------------------------------------------------------------------------------------------
def link_seat(now: Moment) -> int:
    """Returns the seat of the friend in another browser; NO_SEAT if the table is not played by link."""
    return next((number for number, seat in enumerate(now.seats) if seat.kind == "link"), NO_SEAT)


def link_state(now: Moment) -> Literal["", "send", "sent"]:
    """Returns whether the friend waits for a link, or has been sent everything; empty: somebody is still to answer here,
    or the table is not played by link."""
    friend = link_seat(now)
    if friend == NO_SEAT:
        return ""
    if now.game is None:
        return "send"
    if set(now.game.to_act) - {friend}:
        return ""
    return "sent" if now.sent_answers >= len(now.game.answers) else "send"


def kind_of(now: Moment, guest: Guest) -> Kind:
    """Returns which link the friend needs now."""
    if now.game is not None:
        return "match"
    return "reply" if any(now.seats[seat].sealed for seat in now.seats_of(guest)) else "invitation"


class TableLinks:
    """Writes and reads the links of the tables of one house."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def write(self, guest: Guest, table: Table) -> str:
        """Returns the link that the friend needs now; what it holds can no longer be undone here. Raises NotYours,
        NotNow."""
        now = table.moment
        mine, friend = now.seats_of(guest), link_seat(now)
        if not mine:
            raise NotYours(t("Only players of this table can send it."))
        if not link_state(now):
            raise NotNow(t("There is nothing to send yet: somebody is still to answer here."))
        about = {"format": FORMAT, "table": now.id, "you": friend, "from": mine[0]}
        kind = kind_of(now, guest)
        if kind == "reply":
            added = now.seats[mine[0]]
            return encode({**about, "is": kind, "seal": now.row.seed.hex(), "name": added.name, "adds": added.opened})
        about |= {"seats": [[seat.name, seat.level if seat.kind == "bot" else ""] for seat in now.seats]}
        about |= {"hints": now.hints}
        if kind == "invitation":
            playing = Match(now.box, len(now.seats), now.row.options, now.row.seed, version=now.row.version).record()
            return encode({**about, "is": kind, "match": playing})
        table.mark_sent()
        return encode({**about, "is": kind, "match": table.match.save()})

    def read(self, guest: Guest | None, text: str) -> Table | Invitation:
        """Takes over what a link holds: returns the table as it is now, or an invitation that the guest may accept.
        Raises BadLink, and then nothing has changed."""
        data = decode(text)
        table = self._find(data["table"])
        match data.get("is"):
            case "invitation":
                return table or _read_invitation(data)
            case "reply":
                return self._take_reply(guest, table, data)
            case "match":
                return self._take_match(guest, table, data)
        raise BadLink(NOT_OURS)

    def accept(self, guest: Guest, invitation: Invitation) -> Table:
        """Creates the guest's own copy of the table. It waits for the seed, and keeps its commitment in the place of it."""
        if (table := self._find(invitation.table_id)) is not None:
            return table
        adds = secrets.token_hex(CONTRIBUTION_BYTES)
        terms = TableTerms(
            invitation.box,
            invitation.plans,
            invitation.options,
            hints=invitation.hints,
            seed=bytes.fromhex(invitation.commitment),
            version=invitation.version,
            contributions=[Contribution(invitation.seat, seeds.seal(adds), adds)],
            table_id=invitation.table_id,
        )
        return self._tables.create_on(guest, terms)

    # -- internals ----------------------------------------------------------------------------------------------
    def _find(self, table_id: str) -> Table | None:
        try:
            table = self._tables.find(table_id)
        except NoTable:
            return None
        if link_seat(table.moment) == NO_SEAT:
            raise BadLink(FORGED)
        return table

    def _take_reply(self, guest: Guest | None, table: Table | None, data: dict[str, Any]) -> Table:
        """Seats the friend who has replied to an invitation, and starts the match."""
        if table is None:
            raise BadLink(t("This is an answer to an invitation that was sent from another browser: open it there."))
        now, seat, adds = table.moment, data.get("from"), data.get("adds")
        if not isinstance(adds, str) or not seeds.is_contribution(adds) or type(seat) is not int:
            raise BadLink(NOT_OURS)
        if guest is not None and seat in now.seats_of(guest) and now.seats[seat].opened == adds:
            return table  # the guest's own reply
        if seat != link_seat(now):
            raise BadLink(FORGED)
        if now.game is not None:
            if now.seats[seat].opened != adds:
                raise BadLink(t("Somebody else has taken this seat before. Nothing was changed."))
            return table
        if data.get("seal") != now.commitment or not now.seats[seat].is_awaited:
            raise BadLink(FORGED)
        table.seat_friend(seat, _name(data.get("name")), adds)
        return table

    def _take_match(self, guest: Guest | None, table: Table | None, data: dict[str, Any]) -> Table:
        """Plays the answers of a link that the table here does not have."""
        try:
            theirs = saves.load(data.get("match"))
        except BadSave as error:
            raise BadLink(error.said, error.rule) from None
        if table is None or table.status == "waiting":
            return self._begin(guest, table, data, theirs)
        mine, now = table.match, table.moment
        if _deal(mine) != _deal(theirs):
            raise BadLink(FORGED)
        known, told = mine.answers, theirs.answers
        if told == known[: len(told)]:
            return table  # an older link, or the same again
        if told[: len(known)] != known:
            raise BadLink(FORKED)
        further = told[len(known) :]
        if {seat for seat, _ in further} & set(now.seats_of(guest)):
            raise BadLink(OWN_ANSWER)
        table.take_answers(further)
        return table

    def _begin(self, guest: Guest | None, waiting: Table | None, data: dict[str, Any], theirs: Match) -> Table:
        """Creates the guest's copy of a match that has begun; in place of the one that waited for its seed."""
        if guest is None:
            raise NotYours(t("Only players of this table can send it."))
        plans, seat, _ = _read_seats(data, theirs.seats)
        if waiting is not None:
            now = waiting.moment
            added = [Contribution(n, one.sealed, one.opened) for n, one in enumerate(now.seats) if one.opened]
            promised = (now.row.seed.hex(), now.row.options, now.box.id, now.row.version, added, now.seats_of(guest))
            kept = (theirs.commitment, theirs.options, theirs.box.id, theirs.version, [*theirs.contributions], [seat])
            if promised != kept:
                raise BadLink(FORGED)
        answers = theirs.answers
        if len(theirs.contributions) != 1 or theirs.contributions[0].seat not in (seat, data["from"]):
            raise BadLink(FORGED)  # the sender alone has made this deal
        terms = TableTerms(
            theirs.box,
            plans,
            theirs.options,
            hints=data.get("hints") is not False,
            seed=theirs.seed,
            version=theirs.version,
            luck_of=tuple(theirs.luck) + ("",) * (theirs.seats - len(theirs.luck)),
            contributions=theirs.contributions,
            played=answers,
            table_id=data["table"],
            sent=len(answers),
        )
        terms.validated_options()
        if waiting is not None:
            waiting.delete(guest)
            self._tables.cache.drop(waiting.id)
        return self._tables.create_on(guest, terms)


def _deal(match: Match) -> tuple[Any, ...]:
    """Returns what two copies of one match have in common from the start."""
    deal = (match.seed, match.seats, match.options, match.luck, match.contributions)
    return (match.box.id, match.version, *deal)


def _name(name: object) -> str:
    """Returns the name of a friend as it may be shown; empty if there is none."""
    if not isinstance(name, str) or not name:
        return ""
    try:
        return clean_name(name)
    except BadRequest as error:
        raise BadLink(error.said) from None


def _read_seats(data: dict[str, Any], number: int) -> tuple[tuple[SeatPlan, ...], int, str]:
    """Returns the seats as the receiver has them, the receiver's seat, and the sender's name. Raises BadLink."""
    told, me, friend = data.get("seats"), data.get("you"), data.get("from")
    if not isinstance(told, list) or len(told) != number or type(me) is not int or type(friend) is not int:
        raise BadLink(NOT_OURS)
    if not (0 <= me < number and 0 <= friend < number and me != friend):
        raise BadLink(NOT_OURS)
    plans: list[SeatPlan] = []
    for seat, one in enumerate(told):
        if not (isinstance(one, list) and len(one) == 2 and all(isinstance(text, str) for text in one)):
            raise BadLink(NOT_OURS)
        name, level = make_distinct(_name(one[0]), [plan.name for plan in plans]) if one[0] else "", one[1]
        if seat in (me, friend):
            plans.append(SeatPlan("me") if seat == me else SeatPlan("link", name))
            continue
        try:
            plans.append(SeatPlan("bot", name, check_level(level)))
        except BadRequest as error:
            raise BadLink(error.said) from None
    return tuple(plans), me, plans[friend].name


def _read_invitation(data: dict[str, Any]) -> Invitation:
    """Checks an invitation. Raises BadLink."""
    about = data.get("match")
    if not isinstance(about, dict):
        raise BadLink(NOT_OURS)
    game, version, seats = about.get("game"), about.get("version"), about.get("seats")
    options, commitment = about.get("options"), about.get("commitment")
    if not (isinstance(game, str) and type(version) is int and type(seats) is int and isinstance(options, dict)):
        raise BadLink(NOT_OURS)
    if not (isinstance(commitment, str) and seeds.is_seal(commitment)):
        raise BadLink(NOT_OURS)
    try:
        box = find_box(game)
        if (why := missing(box, options, about.get("content"))) is not None:
            raise BadLink(why)
        if version not in box.versions or seats not in box.players:
            raise BadLink(t("This table is played under rules that this page does not have: get its latest version."))
        agreed = complete(box, options, begun=True, version=version)
    except (Unknown, BadRequest) as error:
        raise BadLink(error.said) from None
    plans, me, host = _read_seats(data, seats)
    hints = data.get("hints") is not False
    return Invitation(data["table"], box, version, agreed, commitment, hints, plans, me, host)
