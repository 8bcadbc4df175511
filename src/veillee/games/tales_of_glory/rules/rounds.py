"""The course of a game: TG-1 setup, TG-2 tiles are obtained, TG-3.0 and played, TG-4 the next round, TG-5 the end."""

from __future__ import annotations

from librt.vecs import append, extend, pop, remove, vec
from mypy_extensions import i64, mypyc_attr

from veillee.games.tales_of_glory.rules.adventurer import THERE, Adventurer, new_adventurer
from veillee.games.tales_of_glory.rules.components import (
    ASIDE,
    AT_END,
    CHEST,
    DROP,
    FIRST,
    FIRST_HERO,
    FIRST_QUEST,
    HAND,
    HERO_DEALT,
    HEROES,
    HOME,
    MAJORITIES,
    MAJORITY,
    MAJORITY_WON,
    NO_SLOT,
    NO_TILE,
    NOW,
    OFFERED,
    PAID_FIRST,
    QUEST_DEALT,
    QUEST_DROPPED,
    QUESTS,
    REVEALED,
    ROUND,
    ROUNDS,
    SELECT,
    SELECTED,
    SELECTS,
    SLOT_CLEARED,
    SLOTS,
    SOURCES,
    TAKE,
    TAKEN,
    TAKES,
    THROWN,
)
from veillee.games.tales_of_glory.rules.play import Gaining, PlayTile, Rewards, gain, push_turn
from veillee.games.tales_of_glory.rules.table import TalesOfGlory
from veillee.games.tales_of_glory.rules.tiles import BY_NUMBER, SETS
from veillee.kernel.chance import Rng, arrange
from veillee.kernel.log import NO_SEAT, Log
from veillee.kernel.state import ALLOWED, Moves, Phase, Step


# -- TG-1 Setup -------------------------------------------------------------------------------------------
def new_game(players: i64, rng: Rng, options: dict[str, str], log: Log | None = None) -> TalesOfGlory:
    """A game about to be asked its first question."""
    g = TalesOfGlory(
        SETS[options["tiles"]] if "tiles" in options else BY_NUMBER[0],
        vec[Adventurer](),
        slots=vec[i64](),
        pile=vec[i64](),
        aside=vec[i64](),
        discards=vec[i64](),
        undealt=vec[i64](),
        round=1,
        first=NO_SEAT,
        token=NO_SEAT,
        with_quests=options.get("quests", "no") == "yes",
        together=options.get("play", "in-turn") == "together",
        ending=False,
        threads=vec[vec[Step]](),
    )
    if options.get("gains", "each") == "paid-first":
        g.readings = PAID_FIRST
    heroes = row(FIRST_HERO, HEROES)
    rng.shuffle(heroes)
    g.adventurers = vec[Adventurer]([new_adventurer(heroes[seat]) for seat in range(players)])
    g.begin(Setup(), rng, log)
    return g


class Setup(Phase):
    """TG-1.5, TG-1.6 Heroes; the first player at random; a tile of Age 1 on each slot. TG-6.1 Then the quests."""

    def run(self, g: TalesOfGlory, rng: Rng) -> None:
        set_out(g)
        g.first = rng.below(len(g.adventurers))
        g.note("TG-1.6", FIRST, g.first)
        build_piles(g, rng)
        g.slots = draw_tiles(g, SLOTS[len(g.adventurers)], rng)
        for slot in range(len(g.slots)):
            g.reveal("TG-1.6", OFFERED, NO_SEAT, g.named(g.slots[slot]), slot)
        g.push(Selection(g.first))
        if g.with_quests:
            deal_quests(g, rng)


def row(first: i64, n: i64) -> vec[i64]:
    """So many numbers, from the first one on."""
    return vec[i64]([first + i for i in range(n)])


def set_out(g: TalesOfGlory) -> None:
    """TG-1.5 A random hero each, first tile of the zone, with its starting gain; chests stay closed."""
    for seat in range(len(g.adventurers)):
        a = g.adventurers[seat]
        a.settle(g.tiles, a.hero, HOME)
        g.note("TG-1.5", HERO_DEALT, seat, g.named(a.hero))
        gain(g, seat, a.hero * SOURCES, 0, NOW)


def build_piles(g: TalesOfGlory, rng: Rng) -> None:
    """TG-1.1, TG-1.4 Three piles, one on the other; with 2-3 players two of Age 1 are laid aside, unseen."""
    age_1, age_2, age_3 = g.tiles.ages[0][:], g.tiles.ages[1][:], g.tiles.ages[2][:]
    rng.shuffle(age_1)
    rng.shuffle(age_2)
    rng.shuffle(age_3)
    if len(g.adventurers) < 4:
        for _tile in range(ASIDE):
            age_1, tile = pop(age_1)
            g.aside = append(g.aside, tile)
    g.pile = extend(extend(age_3, age_2), age_1)


def draw_tiles(g: TalesOfGlory, n: i64, rng: Rng) -> vec[i64]:
    """The next tiles, in any order: two Ages may meet."""
    drawn = vec[i64](capacity=n)
    for _tile in range(n):
        g.pile, tile = pop(g.pile)
        drawn = append(drawn, tile)
    rng.shuffle(drawn)
    return drawn


def deal_quests(g: TalesOfGlory, rng: Rng) -> None:
    """TG-6.1 Three quests each, secretly, after heroes and first slots are seen."""
    quests = row(FIRST_QUEST, QUESTS)
    rng.shuffle(quests)
    for seat in range(len(g.adventurers)):
        hand = vec[i64](capacity=HAND)
        for _quest in range(HAND):
            quests, quest = pop(quests)
            hand = append(hand, quest)
        arrange(hand)
        g.adventurers[seat].hand = hand
        for quest in hand:
            g.reveal("TG-6.1", QUEST_DEALT, seat, g.named(quest), to=1 << seat)
    arrange(quests)
    g.undealt = quests
    g.push(DropQuest(g.first))


@mypyc_attr(acyclic=True, free_list_len=1)
class DropQuest(Step):
    """TG-6.1 Of three quests, one goes out of the game unseen. Everyone is asked."""

    def run(self, g: TalesOfGlory, rng: Rng) -> None:
        g.ask_all(self, g.everyone())

    def options(self, g: TalesOfGlory, seat: i64) -> vec[i64]:
        return vec[i64]([DROP + quest - FIRST_QUEST for quest in g.adventurers[seat].hand])

    def answer(self, g: TalesOfGlory, seat: i64, action: i64, rng: Rng) -> None:
        quest = action - DROP + FIRST_QUEST
        a = g.adventurers[seat]
        a.hand = remove(a.hand, quest)
        a.dropped = quest
        g.note("TG-6.1", QUEST_DROPPED, seat, g.named(quest), to=1 << seat)


# -- TG-2 Obtain a tile -----------------------------------------------------------------------------------
@mypyc_attr(acyclic=True, free_list_len=1)
class Selection(Step):
    """TG-2.1 Everyone chooses a slot secretly, at the same time; choices are revealed together."""

    def run(self, g: TalesOfGlory, rng: Rng) -> None:
        g.ask_all(self, g.everyone())

    def options(self, g: TalesOfGlory, seat: i64) -> vec[i64]:
        return SELECTS[len(g.slots)]

    def allow(self, g: TalesOfGlory, seat: i64, moves: Moves) -> None:
        moves.add_all(SELECTS[len(g.slots)])

    def answer(self, g: TalesOfGlory, seat: i64, action: i64, rng: Rng) -> None:
        g.adventurers[seat].selected = action - SELECT
        g.note("TG-2.1", SELECTED, seat, action - SELECT, to=1 << seat)
        if g.waiting == 0:
            for chooser in range(len(g.adventurers)):
                g.reveal("TG-2.1", REVEALED, chooser, g.adventurers[chooser].selected)
            take_tiles(g)


def take_tiles(g: TalesOfGlory) -> None:
    """TG-2.2 From the first player, clockwise, each takes the tile of their slot if it is still there."""
    g.push(TokenMoves(g.first))
    late: i64 = 0  # who could not: the sum of 1 << seat
    seat = g.first
    for _turn in range(len(g.adventurers)):
        a = g.adventurers[seat]
        if g.slots[a.selected] != NO_TILE:
            take(g, "TG-2.2", seat, a.selected)
        else:
            late |= 1 << seat
        a.selected = NO_SLOT
        seat = g.left_of(seat)
    for _turn in range(len(g.adventurers)):  # The last of the agenda comes first.
        seat = g.right_of(seat)
        if (late >> seat) & 1 == 1:
            g.push(CatchUp(seat))


def take(g: TalesOfGlory, rule: str, seat: i64, slot: i64) -> None:
    a = g.adventurers[seat]
    a.taken = g.slots[slot]
    a.slot = slot
    g.slots[slot] = NO_TILE
    g.note(rule, TAKEN, seat, g.named(a.taken), slot)


@mypyc_attr(acyclic=True, free_list_len=1)
class CatchUp(Step):
    """TG-2.3 Those who could not take one choose, in the same order, any tile left."""

    def options(self, g: TalesOfGlory, seat: i64) -> vec[i64]:
        return TAKES[len(g.slots)]

    def forbids(self, g: TalesOfGlory, seat: i64, action: i64) -> str:
        slot = action - TAKE
        return ALLOWED if g.slots[slot] != NO_TILE else "TG-2.3"

    def answer(self, g: TalesOfGlory, seat: i64, action: i64, rng: Rng) -> None:
        take(g, "TG-2.3", seat, action - TAKE)


@mypyc_attr(acyclic=True, free_list_len=1)
class TokenMoves(Step):
    """TG-2.4 The token goes to the one who took from the lowest slot; if that is the holder, to the second lowest."""

    def run(self, g: TalesOfGlory, rng: Rng) -> None:
        lowest = len(g.slots)
        holder = g.first
        for seat in range(len(g.adventurers)):
            slot = g.adventurers[seat].slot
            if seat != g.first and slot < lowest:
                lowest = slot
                holder = seat
        g.first = holder
        g.note("TG-2.4", FIRST, holder)
        play_tiles(g)


# -- TG-3.0 Everyone plays a tile -------------------------------------------------------------------------
def play_tiles(g: TalesOfGlory) -> None:
    """TG-3.0 In order from the (new) first player, clockwise; or all at the same time."""
    g.push(NextRound(g.first))
    if g.together:
        g.push(Together(g.first))
        return
    seat = g.first
    for _turn in range(len(g.adventurers)):  # The last of the agenda comes first.
        seat = g.right_of(seat)
        push_turn(g, seat)


def own_turn(g: TalesOfGlory, seat: i64) -> vec[Step]:
    """The agenda of a seat that plays at the same time as the others: its question on top."""
    if g.readings & PAID_FIRST != 0:
        return vec[Step]([Rewards(seat, len(g.adventurers[seat].ground)), PlayTile(seat)])
    return vec[Step]([PlayTile(seat)])


@mypyc_attr(acyclic=True, free_list_len=1)
class Together(Step):
    """TG-3.0 All play their tiles at the same time: each seat goes through its own steps at its own pace."""

    def run(self, g: TalesOfGlory, rng: Rng) -> None:
        g.threads = vec[vec[Step]]([own_turn(g, seat) for seat in range(len(g.adventurers))])
        g.ask_all(self, g.everyone())

    def options(self, g: TalesOfGlory, seat: i64) -> vec[i64]:
        return g.asked(seat).options(g, seat)

    def forbids(self, g: TalesOfGlory, seat: i64, action: i64) -> str:
        return g.asked(seat).forbids(g, seat, action)

    def allow(self, g: TalesOfGlory, seat: i64, moves: Moves) -> None:
        g.asked(seat).allow(g, seat, moves)

    def answer(self, g: TalesOfGlory, seat: i64, action: i64, rng: Rng) -> None:
        """As if the seat were alone: its own agenda is carried out up to its next question."""
        steps, depth, others = g.steps, g.depth, g.waiting
        question = g.asked(seat)
        g.depth = len(g.threads[seat]) - 1
        g.steps = g.threads[seat][: g.depth]
        g.waiting = 0
        question.answer(g, seat, action, rng)
        g.proceed(rng)
        asked = g.asks(seat)
        own = g.steps[: g.depth]
        g.threads[seat] = append(own, g.question) if asked else own
        g.steps, g.depth, g.waiting = steps, depth, others
        g.question = self
        if asked:
            g.ask_again(seat)


# -- TG-4 Next round --------------------------------------------------------------------------------------
@mypyc_attr(acyclic=True, free_list_len=1)
class NextRound(Step):
    """TG-4.1 Discard the lowest-numbered remaining tiles; TG-4.2 slide the rest; TG-4.3 draw. Not after round 10."""

    def run(self, g: TalesOfGlory, rng: Rng) -> None:
        g.threads = vec[vec[Step]]()
        if g.round == ROUNDS:
            g.push(Majorities(g.first))
            return
        thrown = THROWN[len(g.adventurers)]
        kept = vec[i64](capacity=len(g.slots))
        for slot in range(len(g.slots)):
            tile = g.slots[slot]
            if tile == NO_TILE:
                continue
            if thrown > 0:
                thrown -= 1
                g.discard(tile)
                g.note("TG-4.1", SLOT_CLEARED, NO_SEAT, g.named(tile), slot)
            else:
                kept = append(kept, tile)
        if g.token != NO_SEAT:
            g.first = g.token
            g.token = NO_SEAT
        g.round += 1
        g.note("TG-4.2", ROUND, g.first, g.round)
        drawn = draw_tiles(g, len(g.slots) - len(kept), rng)
        free = len(kept)
        g.slots = extend(kept, drawn)
        for slot in range(free, len(g.slots)):
            g.reveal("TG-4.3", OFFERED, NO_SEAT, g.named(g.slots[slot]), slot)
        g.push(Selection(g.first))


# -- TG-5 End ---------------------------------------------------------------------------------------------
class Majorities(Step):
    """TG-5.1 Four majorities, 4 Prestige each: all tied players get it, at least 1 is needed."""

    def run(self, g: TalesOfGlory, rng: Rng) -> None:
        for place in range(len(MAJORITIES)):
            kind = MAJORITIES[place]
            most = most_of(g, kind)
            for seat in range(len(g.adventurers)):
                a = g.adventurers[seat]
                if most > 0 and a.has(kind) == most:
                    a.majorities |= 1 << place
                    a.prestige += MAJORITY
                    g.note("TG-5.1", MAJORITY_WON, seat, kind, MAJORITY)
        g.ending = True
        g.push(Finish(g.first))
        push_end_gains(g)


def most_of(g: TalesOfGlory, kind: i64) -> i64:
    """Returns the largest amount that a seat has of it."""
    most: i64 = 0
    for a in g.adventurers:
        most = max(most, a.has(kind))
    return most


def push_end_gains(g: TalesOfGlory) -> None:
    """TG-5.2 The "end of game" gains, those of open chests too: seat by seat, in the order of placement."""
    for seat in range(len(g.adventurers) - 1, -1, -1):  # The last of the agenda comes first.
        a = g.adventurers[seat]
        for place in range(len(a.ground) - 1, -1, -1):
            tile = a.ground[place] & THERE
            for chest in range(g.tiles.chests[tile] - 1, -1, -1):
                if 2 * tile + chest in a.open:
                    push_end_gain(g, seat, tile * SOURCES + CHEST + chest)
            push_end_gain(g, seat, tile * SOURCES)


def push_end_gain(g: TalesOfGlory, seat: i64, source: i64) -> None:
    if any(printed.at_end for printed in g.tiles.gains[source]):
        g.push(Gaining(seat, source, 0, AT_END))


class Finish(Step):
    """TG-5.3 Most Prestige wins."""

    def run(self, g: TalesOfGlory, rng: Rng) -> None:
        g.end_game("TG-5.3")
