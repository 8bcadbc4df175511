"""The parts of a table's page: public parts, rendered once; private parts, rendered per seat.

A page holds the same strings that the stream sends. Public parts get a spectator's view and nothing else: a template
that reads more fails to render. What is made of a moment is made once for all viewers; and a part whose template gets
the same input as before is not rendered again (web/rendering/part_cache.py).
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any, TypeVar

from msgspec import Raw
from msgspec.msgpack import encode
from rich.console import Console
from rich.markup import escape

from veillee.bots.strength_scale import marks
from veillee.games.box import Box, Line
from veillee.house.accounts.guest import Guest
from veillee.house.accounts.shields import shield_or_default
from veillee.house.tables.by_link import link_state
from veillee.house.tables.moment import Moment
from veillee.house.tables.repository import TableRow
from veillee.house.tables.seats import Seat
from veillee.kernel.log import END, NO_SEAT
from veillee.match.hints import Hint
from veillee.match.match import Match
from veillee.web.rendering.beats import happenings, lines
from veillee.web.rendering.guide_notes import guide
from veillee.web.rendering.level_names import level_choices
from veillee.web.rendering.presence_panel import house_lines
from veillee.web.rendering.seat_names import names_at
from veillee.web.rendering.templates import board_folder, box_translator, environment, translator

MOST_BESIDE = 3  # answers that stand on the board and beside the question, too
LOG_LINES = 40  # the page shows the last ones; the replay has them all
MAX_CACHED_MOMENTS = 64  # moments in the cache: the streams of a table ask for the same one after the other
MAX_ENTRIES_PER_MOMENT = 256  # entries per moment: bounds the memory that one client can fill
PER_SEAT_PREFIX = "each-"  # prefix of a template that is rendered for every seat
HOUSE_PRIVATE = ("log", "final", "prompt", "act")
REPLAYED = ("final", "prompt", "act")

Made = TypeVar("Made")


@dataclass(frozen=True)
class ChoiceView:
    """One answer to the question, in the reader's language."""

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
class QuestionView:
    """What a seat is asked, and what it may answer. Records which answers the board has placed on its own parts."""

    question: str = ""
    rule: str = ""
    choices: dict[int, ChoiceView] = field(default_factory=dict)
    placed: set[int] = field(default_factory=set)

    def choice(self, action: int) -> ChoiceView | None:
        """Returns the answer of that number and marks it as placed; None if it is no answer to the question."""
        self.placed.add(action)
        return self.choices.get(action)

    def find(self, verb: str, /, **args: int) -> ChoiceView | None:
        """Returns the answer of that verb and those arguments and marks it as placed; None if there is none."""
        for offer in self.verbs.get(verb, ()):
            if offer.args == args:
                self.placed.add(offer.id)
                return offer
        return None

    def all(self, verb: str) -> list[ChoiceView]:
        """Returns every answer of that verb and marks them as placed."""
        offers = self.verbs.get(verb, [])
        self.placed.update(offer.id for offer in offers)
        return offers

    @cached_property
    def verbs(self) -> dict[str, list[ChoiceView]]:
        found: dict[str, list[ChoiceView]] = {}
        for offer in self.choices.values():
            found.setdefault(offer.verb, []).append(offer)
        return found

    @cached_property
    def plain(self) -> Raw:
        """Everything that can be printed of it: part of the cache key of a sheet."""
        return Raw(encode((self.question, self.rule, list(self.choices.values()))))

    @property
    def rest(self) -> list[ChoiceView]:
        """The allowed answers that no part of the board shows."""
        return [offer for offer in self.choices.values() if offer.allowed and offer.id not in self.placed]

    @property
    def on_board(self) -> list[ChoiceView]:
        """The allowed answers that the board shows."""
        return [offer for offer in self.choices.values() if offer.allowed and offer.id in self.placed]

    @property
    def beside(self) -> list[ChoiceView]:
        """The few answers of one kind on the board, which stand beside the rest, too: a yes is not apart from its no."""
        of_one_kind = len({offer.verb for offer in self.on_board}) == 1
        return self.on_board if self.rest and of_one_kind and len(self.on_board) <= MOST_BESIDE else []

    @property
    def forbidden(self) -> list[ChoiceView]:
        return [offer for offer in self.choices.values() if not offer.allowed]


@dataclass(frozen=True)
class SeatView:
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
    shield: str = ""  # of a person


@dataclass(frozen=True)
class Audience:
    """The viewer: a seat, or a spectator (seat -1). `curtain`: seats of a shared screen that are asked, with their
    hands hidden."""

    seat: int
    curtain: tuple[int, ...] = ()
    several: bool = False  # several people share the screen (hot seat)
    mine: tuple[int, ...] = ()  # every seat of this guest


def audience(table: Moment, guest: Guest | None, wanted: int | None) -> Audience:
    """Returns which seat this screen shows. On a shared screen a hand stays hidden until its owner says "It's me"."""
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


def places(table: Moment, match: Match, lang: str) -> list[SeatView]:
    return once_per_moment(
        table, match, ("places", lang), lambda: _places(table.box, match, table.seats, names_at(table, lang))
    )


def _places(box: Box, match: Match, seats: Sequence[Seat], called: Sequence[str]) -> list[SeatView]:
    to_act = match.seen_by(NO_SEAT).to_act
    over, winners = match.over, match.winners
    return [
        SeatView(
            number,
            called[number],
            box.colours[number],
            seat.kind,
            seat.level,
            seat.away,
            number in to_act,
            number in winners,
            match.state.score(number) if over else None,
            shield_or_default(seat.shield, seat.guest),
        )
        for number, seat in enumerate(seats)
    ]


@cache
def own_parts(box: Box, side: str) -> tuple[str, ...]:
    """Returns the names of the board's own parts ("public" or "private")."""
    folder = board_folder(box) / side
    return tuple(
        sorted(file.stem for file in folder.glob("*.html") if not file.stem.startswith(("_", PER_SEAT_PREFIX)))
    )


@cache
def parts_of_each(box: Box) -> tuple[str, ...]:
    """Returns the names of the parts that the board renders per seat, so that a move sends only its own seat's: "zone"
    is rendered by public/each-zone.html as the parts zone-0, zone-1 …"""
    return tuple(
        sorted(
            file.stem.removeprefix(PER_SEAT_PREFIX)
            for file in (board_folder(box) / "public").glob(f"{PER_SEAT_PREFIX}*.html")
        )
    )


@cache
def has_board(box: Box) -> bool:
    return (board_folder(box) / "table.html").exists()


def template(box: Box, side: str, name: str) -> str:
    """Returns the board's own template of a part, else the house's."""
    return f"board/{side}/{name}.html" if name in own_parts(box, side) else f"table/{name}.html"


def turned_up(table: Moment, match: Match) -> dict[str, Any]:
    """Returns what a board turns up once the game is over; nothing of a daily deal, which others may still play."""
    box = match.box
    return box.turned_up(match.state) if match.over and not table.row.deal and box.turned_up is not None else {}


def public_view(match: Match, seat: int) -> dict[str, Any]:
    """Returns what every spectator may know of the position that the seat is shown: its own unfinished move
    included."""
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


class MomentCache:
    """Cache of what was made of the latest moments, shared by all viewers.

    Safe from any thread: two that come at the same time make the same value twice.
    """

    def __init__(self) -> None:
        self.moments: OrderedDict[int, tuple[Moment, dict[Hashable, Any]]] = OrderedDict()
        self.lock = threading.Lock()  # guards the order of moments

    def once(self, moment: Moment, key: Hashable, make: Callable[[], Made]) -> Made:
        kept = self.moments.get(id(moment))  # the cache holds the moment, so its id is not reused
        if kept is None:
            kept = (moment, {})
            with self.lock:
                self.moments[id(moment)] = kept
                while len(self.moments) > MAX_CACHED_MOMENTS:
                    self.moments.popitem(last=False)
        found: Made | None = kept[1].get(key)
        if found is None:
            found = make()
            if len(kept[1]) >= MAX_ENTRIES_PER_MOMENT:
                kept[1].clear()
            kept[1][key] = found
        return found


LATEST = MomentCache()


def once_per_moment(table: Moment, match: Match, key: Hashable, make: Callable[[], Made]) -> Made:
    """Returns a value cached for the moment, if the match is the moment's own. For other matches (replays) nothing is
    cached."""
    return LATEST.once(table, key, make) if match is table.game else make()


def public_parts(table: Moment, match: Match, seat: int, lang: str) -> dict[str, str]:
    """Renders what every spectator may see of the position that the seat is shown: the same for all but a seat in the
    middle of a move."""
    hand = match.in_hand()
    key = ("public", lang, hand == seat != NO_SEAT)
    return once_per_moment(table, match, key, lambda: _public_parts(table, match, seat, lang))


def _public_parts(table: Moment, match: Match, seat: int, lang: str) -> dict[str, str]:
    box = table.box
    env = environment(lang, box)
    called = names_at(table, lang)
    context: dict[str, Any] = {
        "v": public_view(match, seat) if match.in_hand() == seat else view_of(table, match, NO_SEAT),
        "seats": places(table, match, lang),
        "names": called,
        "table_id": table.id,
    }
    own = own_parts(box, "public")
    parts = {name: env.sheet(f"board/public/{name}.html").draw(context) for name in own}
    for name in parts_of_each(box):
        sheet = env.sheet(f"board/public/{PER_SEAT_PREFIX}{name}.html")
        parts |= {f"{name}-{place.number}": sheet.draw(context | {"s": place}) for place in context["seats"]}
    if "players" not in own:
        parts["players"] = env.sheet("table/players.html").draw(context)
    return parts


def question_view(match: Match, seat: int, lang: str) -> QuestionView:
    if seat == NO_SEAT or seat not in match.to_act:
        return QuestionView()
    question, rule = match.question(seat, lang)
    shown, words, label = match.seen_by(seat), match.words(lang), match.box.speech.label
    offers = {
        c.id: ChoiceView(c.id, c.verb, dict(c.args), label(shown, seat, c.id, words), c.why(lang), c.rule)
        for c in match.all_choices(seat)
    }
    return QuestionView(question, rule, offers)


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
    """Renders the parts of one audience. `live`: the seat may answer; a replay only shows, and has its log apart.
    `hint`: the expert's advice, if the seat has asked."""
    box, seat = table.box, who.seat
    env = environment(lang, box)
    away = live and seat != NO_SEAT and table.seats[seat].away
    question = replace(question_of(table, match, seat, lang), placed=set()) if live and not away else QuestionView()
    called = names_at(table, lang)
    context: dict[str, Any] = {
        "v": view_of(table, match, seat),
        "seats": places(table, match, lang),
        "names": called,
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
        name: env.sheet(f"board/private/{name}.html").draw(context, question)
        for name in own
        if name not in HOUSE_PRIVATE
    }
    if not has_board(box):
        text = text_board(box, context["v"], called, lang)
        parts["board"] = env.sheet("table/text_board.html").draw({"drawn": text})
    lines = happenings(table, match, seat, lang, most=LOG_LINES) if log else []
    context |= {
        "asked": question,
        "audience": who,
        "away": away,
        "live": live,
        "can_undo": live and seat != NO_SEAT and not away and table.can_undo(seat),
        "stamp": table.stamp(seat) if live and seat != NO_SEAT else "",
        "hints": live and table.hints,
        "hint": None if hint is None else advice(hint, lang),
        "lines": [(n, beat.rule, beat.sentence) for n, beat in reversed(lines) if beat.sentence],
        "house_lines": house_lines(table, lang) if log and live else [],
        "known": match.known(seat) if live and seat != NO_SEAT else 0,
        "waiting_for": [place for place in context["seats"] if place.asked],
        "winners": [place for place in context["seats"] if place.winner],
        "link_state": link_state(table) if live and who.mine else "",
        "place": place_of(match, seat),
        "result": result_of(table, match, seat, lang) if match.over else None,
        "rematch_id": table.rematch_id,
        "deal": deal_address(table.row),
        "origin": origin,
    }
    # The prompt after the board's parts: it offers what they have not placed.
    for name in HOUSE_PRIVATE if log else REPLAYED:
        parts[name] = env.sheet(template(box, "private", name)).draw(context, question)
    return parts


def view_of(table: Moment, match: Match, seat: int) -> dict[str, Any]:
    """Returns what the seat may know."""
    return once_per_moment(table, match, ("view", seat), lambda: match.view(seat) | turned_up(table, match))


def question_of(table: Moment, match: Match, seat: int, lang: str) -> QuestionView:
    """Returns what the seat is asked, from the cache: callers that place its answers copy it first."""
    return once_per_moment(table, match, ("asked", seat, lang), lambda: question_view(match, seat, lang))


def place_of(match: Match, seat: int) -> int:
    """Returns the seat's place at the end, 1 for the best; 0 while the game goes on, and for a spectator."""
    return match.place(seat) if match.over and seat != NO_SEAT else 0


@dataclass(frozen=True)
class ResultView:
    """How a game has ended."""

    ranking: list[list[int]]  # seats from first to last
    account: list[list[Line]]  # of each seat
    why: str  # the game is over, in a sentence
    rule: str
    tied: tuple[str, ...]  # names of those who have as many points as the only winner


def deal_address(row: TableRow) -> str:
    """Returns the page on which the players of this deal are compared; empty for a deal of one table."""
    if row.sealed_until is not None:
        return f"/championships/{row.deal}"
    return f"/day/{row.deal}#{row.game}" if row.deal else ""


def result_of(table: Moment, match: Match, seat: int, lang: str) -> ResultView:
    called, winners = names_at(table, lang), match.winners
    ends = [(e, said) for e, said in lines(table, match, seat, lang, match.heard(seat) - LOG_LINES) if e.kind is END]
    why, rule = (ends[-1][1], ends[-1][0].rule) if ends else ("", "")
    scores = [match.state.score(s) for s in range(match.seats)]
    tied = [s for s in range(match.seats) if len(winners) == 1 and s not in winners and scores[s] == scores[winners[0]]]
    return ResultView(match.ranking, match.account(lang, called), why, rule, tuple(called[s] for s in tied))


@dataclass(frozen=True)
class HintView:
    """A hint in the reader's language."""

    label: str
    reason: str
    chances: tuple[tuple[str, int], ...]  # of the best few choices: their labels, and per cent


def advice(hint: Hint, lang: str) -> HintView:
    chances = [(chance.choice.label(lang), round(chance.wins * 100)) for chance in hint.chances if chance.games]
    return HintView(hint.choice.label(lang), hint.reason(lang), tuple(chances))


def advice_part(stamp: str, box: Box, hint: Hint, lang: str) -> str:
    """Renders the hint alone, to put into the prompt that shows the question of that stamp."""
    return (
        environment(lang, box)
        .get_template("table/advice.html")
        .render(stamp=stamp, hint=advice(hint, lang), alone=True)
    )


def text_board(box: Box, view: dict[str, Any], names: Sequence[str], lang: str) -> str:
    """Returns the board as text, for a game that has no board of its own."""
    console = Console(width=100, no_color=True, highlight=False)
    with console.capture() as got:
        console.print(box.draw(view, [escape(name) for name in names], box_translator(box, lang)))
    return got.get().rstrip()


def parts_of(
    table: Moment,
    who: Audience,
    lang: str,
    guest: Guest | None,
    origin: str,
    hint: Hint | None = None,
    *,
    log: bool = True,
) -> dict[str, str]:
    """Renders every part of the page for this audience; `log`: with the chronicle."""
    if table.status == "waiting":
        return {"lobby": lobby(table, who, lang)}
    match = table.match

    def draw() -> dict[str, str]:
        public = public_parts(table, match, who.seat, lang)
        private = private_parts(table, match, who, lang, log=log, hint=hint, origin=origin)
        return {**public, **private, **guide(table, who.seat, lang)}

    return draw() if hint is not None else LATEST.once(table, ("parts", who, lang, origin, log), draw)


def replay_parts(table: Moment, match: Match, who: Audience, lang: str, *, log: bool = False) -> dict[str, str]:
    """Renders a past moment, by default without the chronicle: the replay shows that whole, beside every moment."""
    private = private_parts(table, match, who, lang, live=False, log=log)
    return {**public_parts(table, match, who.seat, lang), **private}


def lobby(table: Moment, who: Audience, lang: str) -> str:
    seats = [
        SeatView(
            n,
            seat.name,
            table.box.colours[n],
            seat.kind,
            seat.level,
            seat.away,
            False,
            False,
            None,
            shield_or_default(seat.shield, seat.guest),
        )
        for n, seat in enumerate(table.seats)
    ]
    return (
        environment(lang, table.box)
        .get_template("table/lobby.html")
        .render(
            table_id=table.id,
            seats=seats,
            mine=who.mine,
            levels=level_choices(translator(lang)),
            measured=bool(marks(table.box)),
            hints=table.hints,
            own=table.seats[who.mine[0]] if who.mine else None,
            seals=[seat.sealed for seat in table.seats],
            is_opening=table.row.opens_until is not None,
        )
    )
