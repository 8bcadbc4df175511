"""The parts of a table's page: what everybody sees, rendered once; what one seat sees, rendered for that seat.

A page prints the same strings that the stream sends. Public parts are given a spectator's view and nothing else: a
template that asks for more does not render.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from rich.console import Console
from rich.markup import escape

from veillee.games.box import Box
from veillee.kernel.log import NO_SEAT
from veillee.match.hint import Hint
from veillee.match.match import Match
from veillee.tables.people import Guest, Seat
from veillee.tables.table import Moment
from veillee.web.happenings import happenings
from veillee.web.notes import guide
from veillee.web.pages import board_folder, environment, house_words, words_of

LOG_LINES = 40  # the page shows the last ones; the replay has them all
KEPT = 400  # public parts kept ready
EACH = "each-"  # before the name of a template that is drawn for every seat
HOUSE_PRIVATE = ("log", "prompt", "act")
REPLAYED = ("prompt", "act")


@dataclass(frozen=True)
class Offer:
    """One answer to the question, in the reader's words."""

    id: int
    verb: str
    args: dict[str, int]
    label: str
    why: str  # empty if it is allowed
    rule: str

    @property
    def allowed(self) -> bool:
        return not self.rule


@dataclass
class Asked:
    """What a seat is asked, and what it may answer. Remembers which answers the board has put on their things."""

    question: str = ""
    rule: str = ""
    choices: dict[int, Offer] = field(default_factory=dict)
    placed: set[int] = field(default_factory=set)

    def choice(self, action: int) -> Offer | None:
        """The answer of that number, now placed; None if it is no answer to the question."""
        self.placed.add(action)
        return self.choices.get(action)

    def find(self, verb: str, /, **args: int) -> Offer | None:
        """The answer of that verb and those arguments, now placed."""
        for offer in self.choices.values():
            if offer.verb == verb and offer.args == args:
                self.placed.add(offer.id)
                return offer
        return None

    def all(self, verb: str) -> list[Offer]:
        """Every answer of that verb, now placed."""
        offers = [offer for offer in self.choices.values() if offer.verb == verb]
        self.placed.update(offer.id for offer in offers)
        return offers

    @property
    def rest(self) -> list[Offer]:
        """The allowed answers that no part of the board shows."""
        return [offer for offer in self.choices.values() if offer.allowed and offer.id not in self.placed]

    @property
    def forbidden(self) -> list[Offer]:
        return [offer for offer in self.choices.values() if not offer.allowed]


@dataclass(frozen=True)
class Place:
    """A seat as the templates see it."""

    number: int
    name: str
    colour: str
    kind: str
    level: str
    away: bool
    asked: bool
    winner: bool
    score: int | None


@dataclass(frozen=True)
class Audience:
    """Who looks: a seat, or a spectator (seat -1). `curtain`: seats of this screen that are asked behind the curtain."""

    seat: int
    curtain: tuple[int, ...] = ()
    several: bool = False  # people around one screen
    mine: tuple[int, ...] = ()  # every seat of this guest


def audience(table: Moment, guest: Guest | None, wanted: int | None) -> Audience:
    """Which seat this screen shows. Around one screen, a hand stays hidden until its owner says "It's me"."""
    mine = tuple(table.seats_of(guest))
    if not mine:
        return Audience(NO_SEAT)
    if len(mine) == 1 or table.status != "playing":
        return Audience(mine[0], several=len(mine) > 1, mine=mine)
    asked = tuple(seat for seat in mine if seat in table.match.to_act and not table.seats[seat].away)
    if wanted in mine and (wanted in asked or not asked):
        assert wanted is not None
        return Audience(wanted, several=True, mine=mine)
    return Audience(NO_SEAT, asked, several=True, mine=mine)


def places(box: Box, match: Match, seats: Sequence[Seat]) -> list[Place]:
    shown = match.seen_by(NO_SEAT)
    over, winners = match.over, match.winners
    return [
        Place(
            number,
            seat.name,
            box.colours[number],
            seat.kind,
            seat.level,
            seat.away,
            number in shown.to_act,
            number in winners,
            match.state.score(number) if over else None,
        )
        for number, seat in enumerate(seats)
    ]


@cache
def own_parts(box: Box, side: str) -> tuple[str, ...]:
    """The names of the board's own parts ("public" or "private")."""
    folder = board_folder(box) / side
    return tuple(sorted(file.stem for file in folder.glob("*.html") if not file.stem.startswith(("_", EACH))))


@cache
def parts_of_each(box: Box) -> tuple[str, ...]:
    """The names of what the board shows of every seat as a part of its own, so that a move sends that of its seat alone:
    "zone" is drawn by public/each-zone.html as the parts zone-0, zone-1 …"""
    return tuple(sorted(file.stem.removeprefix(EACH) for file in (board_folder(box) / "public").glob(f"{EACH}*.html")))


@cache
def has_board(box: Box) -> bool:
    return (board_folder(box) / "table.html").exists()


def template(box: Box, side: str, name: str) -> str:
    """The board's own template of a part, else the house's."""
    return f"board/{side}/{name}.html" if name in own_parts(box, side) else f"table/{name}.html"


def public_view(match: Match, seat: int) -> dict[str, Any]:
    """What everybody may know of the position that the seat is shown: its own move in hand included."""
    state = match.seen_by(seat)
    return {
        "game": match.box.id,
        "seat": NO_SEAT,
        "seats": match.seats,
        "to_act": list(state.to_act),
        "over": not state.to_act,
        "scores": [state.score(s) for s in range(match.seats)] if not state.to_act else None,
        **match.box.view(state, NO_SEAT),
    }


class Kept:
    """The public parts of the tables looked at last."""

    def __init__(self) -> None:
        self.ready: OrderedDict[tuple[str, str, bool], tuple[Match, Sequence[Seat], dict[str, str]]] = OrderedDict()

    def public(self, table: Moment, match: Match, seat: int, lang: str) -> dict[str, str]:
        mid_move = match.in_hand() == seat != NO_SEAT
        key = (table.id, lang, mid_move)
        kept = self.ready.get(key)
        if kept is not None and kept[0] is match and kept[1] == table.seats:
            return kept[2]
        parts = public_parts(table, match, seat, lang)
        self.ready[key] = (match, table.seats, parts)
        while len(self.ready) > KEPT:
            self.ready.popitem(last=False)
        return parts


KEEP = Kept()


def public_parts(table: Moment, match: Match, seat: int, lang: str) -> dict[str, str]:
    box = table.box
    env = environment(lang, box)
    names = list(table.names)
    context: dict[str, Any] = {
        "v": public_view(match, seat),
        "seats": places(box, match, table.seats),
        "names": names,
        "table_id": table.id,
    }
    own = own_parts(box, "public")
    parts = {name: env.get_template(f"board/public/{name}.html").render(context) for name in own if name != "final"}
    for name in parts_of_each(box):
        drawing = env.get_template(f"board/public/{EACH}{name}.html")
        parts |= {f"{name}-{place.number}": drawing.render(context, s=place) for place in context["seats"]}
    if "players" not in own:
        parts["players"] = env.get_template("table/players.html").render(context)
    final = {
        "account": match.account(lang, names) if match.over else [],
        "ranking": match.ranking if match.over else [],
    }
    parts["final"] = env.get_template(template(box, "public", "final")).render(context | final)
    return parts


def asked(match: Match, seat: int, lang: str) -> Asked:
    if seat == NO_SEAT or seat not in match.to_act:
        return Asked()
    question, rule = match.question(seat, lang)
    offers = {
        c.id: Offer(c.id, c.verb, dict(c.args), c.label(lang), c.why(lang), c.rule) for c in match.all_choices(seat)
    }
    return Asked(question, rule, offers)


def private_parts(
    table: Moment,
    match: Match,
    who: Audience,
    lang: str,
    *,
    live: bool = True,
    log: bool = True,
    hint: Hint | None = None,
    origin: str = "",
) -> dict[str, str]:
    """`live`: the seat may answer. A replay only shows, and has its log apart. `hint`: what an expert would answer, if the seat has asked."""
    box, seat = table.box, who.seat
    env = environment(lang, box)
    away = live and seat != NO_SEAT and table.seats[seat].away
    question = asked(match, seat, lang) if live and not away else Asked()
    names = list(table.names)
    context: dict[str, Any] = {
        "v": match.view(seat),
        "seats": places(box, match, table.seats),
        "names": names,
        "table_id": table.id,
        "me": seat,
        "mine": bool(question.choices),
        "over": match.over,
        "choices": question.choices,
        "choice": question.choice,
        "find": question.find,
        "every": question.all,
    }
    own = own_parts(box, "private")
    parts = {
        name: env.get_template(f"board/private/{name}.html").render(context)
        for name in own
        if name not in HOUSE_PRIVATE
    }
    if not has_board(box):
        text = drawn(box, context["v"], names, lang)
        parts["board"] = env.get_template("table/board.html").render(context | {"drawn": text})
    lines = happenings(table, match, seat, lang, most=LOG_LINES) if log else []
    context |= {
        "asked": question,
        "audience": who,
        "away": away,
        "live": live,
        "can_undo": live and seat != NO_SEAT and not away and match.can_undo(seat),
        "stamp": table.stamp(seat) if live and seat != NO_SEAT else "",
        "hints": live and table.hints,
        "hint": None if hint is None else advice(hint, lang),
        "lines": [(n, beat) for n, beat in reversed(lines) if beat.sentence],
        "known": match.known(seat) if live and seat != NO_SEAT else 0,
        "waiting_for": [place for place in context["seats"] if place.asked],
        "winners": [place for place in context["seats"] if place.winner],
        "place": place_of(match, seat),
        "rematch_id": table.rematch_id,
        "origin": origin,
    }
    # The prompt after the board's parts: it offers what they have not placed.
    for name in HOUSE_PRIVATE if log else REPLAYED:
        parts[name] = env.get_template(template(box, "private", name)).render(context)
    return parts


def place_of(match: Match, seat: int) -> int:
    """The seat's place at the end, 1 for the best; 0 while the game goes on, and for a spectator."""
    if not match.over or seat == NO_SEAT:
        return 0
    better = 0
    for group in match.ranking:
        if seat in group:
            break
        better += len(group)
    return better + 1


@dataclass(frozen=True)
class Advice:
    """A hint in the reader's words."""

    label: str
    reason: str
    chances: tuple[tuple[str, int], ...]  # of the best few choices: their labels, and per cent


def advice(hint: Hint, lang: str) -> Advice:
    chances = [(chance.choice.label(lang), round(chance.wins * 100)) for chance in hint.chances if chance.games]
    return Advice(hint.choice.label(lang), hint.reason(lang), tuple(chances))


def advice_part(stamp: str, box: Box, hint: Hint, lang: str) -> str:
    """The hint alone, to put into the prompt that shows the question of that stamp."""
    return (
        environment(lang, box)
        .get_template("table/advice.html")
        .render(stamp=stamp, hint=advice(hint, lang), alone=True)
    )


def drawn(box: Box, view: dict[str, Any], names: Sequence[str], lang: str) -> str:
    """The board as text, for a game that has no board of its own."""
    console = Console(width=100, no_color=True, highlight=False)
    with console.capture() as got:
        console.print(box.draw(view, [escape(name) for name in names], words_of(box, lang)))
    return got.get().rstrip()


def parts_of(
    table: Moment, who: Audience, lang: str, guest: Guest | None, origin: str, hint: Hint | None = None
) -> dict[str, str]:
    """Every part of the page for this audience."""
    if table.status == "waiting":
        return {"lobby": lobby(table, who, lang, guest, origin)}
    match = table.match
    return {
        **KEEP.public(table, match, who.seat, lang),
        **private_parts(table, match, who, lang, hint=hint, origin=origin),
        **guide(table, who.seat, lang),
    }


def replay_parts(table: Moment, match: Match, who: Audience, lang: str, *, log: bool = False) -> dict[str, str]:
    """A past moment, but for the chronicle: that one is whole, and stands beside every moment."""
    private = private_parts(table, match, who, lang, live=False, log=log)
    return {**public_parts(table, match, who.seat, lang), **private}


def lobby(table: Moment, who: Audience, lang: str, guest: Guest | None, origin: str) -> str:
    seats = [
        Place(n, seat.name, table.box.colours[n], seat.kind, seat.level, seat.away, False, False, None)
        for n, seat in enumerate(table.seats)
    ]
    return (
        environment(lang, table.box)
        .get_template("table/lobby.html")
        .render(
            table_id=table.id,
            seats=seats,
            mine=who.mine,
            my_name=guest.name if guest else "",
            invitation=f"{origin}/t/{table.id}",
            levels=level_names(lang),
            hints=table.hints,
        )
    )


def level_names(lang: str) -> dict[str, str]:
    """The levels that people may sit down with."""
    t = house_words(lang)
    return {"novice": t("novice"), "regular": t("regular"), "expert": t("expert")}
