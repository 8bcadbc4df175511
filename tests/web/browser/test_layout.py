"""Layout: the question and its answers are in view, at every size, light and dark.

Every game, at its first, a middle and its last question; where there is least room, at each kind of question, too. What is measured is what a player would see before scrolling:
the question, every answer (on the board, in the bar, or in a strip that scrolls by itself), nothing cut, covered or
smaller than 12 px, nothing to scroll sideways, no picture without words; that neither advice nor "why not?" moves any
of it, and that what happens meanwhile is told beside it. Positions are the same in both lights, so they are measured
once, at the two tight sizes and two others in turn; axe looks at every position at another size and in another light,
in turn, until it has seen each size in both.
Every kind of question at every size, and the whole product of sizes and lights, takes minutes: `make soak` asks for
it (VEILLEE_TESTS=all).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, cycle, product

import pytest

from helpers import EVERYTHING
from in_view import SIZES, TIGHT, faults_at
from veillee.games.catalogue import BOXES
from veillee.house.tables.table import Table

pytestmark = pytest.mark.browser

LOOKS = list(product(SIZES, ("light", "dark")))
ROOMY = [size for size in SIZES if size not in TIGHT]
TURN = count(step=5)  # of the looks, the next one for axe


def moments(room, guest, game: str) -> Iterator[tuple[str, Table]]:
    """A table at the first, a middle and the last question, and at the first of each kind; the largest company, for it
    needs the most room."""
    seats = BOXES[game].players[-1]
    whole = room.table(guest, game, seats)
    answers, kinds = 0, {}
    while whole.status == "playing":
        kinds.setdefault(whole.match.question(0)[1], answers)  # by the rule that asks
        room.advance(whole, guest, 1)
        answers += 1
    wanted = {number: rule for rule, number in kinds.items()}
    wanted |= {0: "first", answers // 2: "middle", answers - 1: "last"}
    table, given = room.table(guest, game, seats), 0
    for number, name in sorted(wanted.items()):
        room.advance(table, guest, number - given)
        given = number
        assert table.status == "playing"
        yield name, table


@pytest.mark.parametrize("game", list(BOXES))
def test_the_question_and_its_answers_are_in_view(room, game):
    guest = room.guest("Gauvain")
    told, roomy = [], cycle(ROOMY)
    page = room.page(guest, "/fair")
    for moment, table in moments(room, guest, game):
        page.goto(f"{room.url}/t/{table.id}?now")
        is_one_of_three = moment in ("first", "middle", "last")
        also = [next(roomy), next(roomy)] if is_one_of_three else []
        looks = [LOOKS[next(TURN) % len(LOOKS)]] if is_one_of_three else []
        told += [f"{moment} {fault}" for fault in faults_at(page, SIZES if EVERYTHING else [*TIGHT, *also])]
        for (width, height), light in LOOKS if EVERYTHING else looks:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("light => document.documentElement.dataset.theme = light", light)
            room.healthy(page)
    assert not told, "\n".join(told)
    assert not room.complaints, room.complaints


# The board, and the places of it and of one's own pieces. Dice that were thrown, a card that was drawn and the cards in hand
# are as large as they are; so is the end of a part that goes on below.
FRAME = """() => {
  const shown = e => e.checkVisibility({ visibilityProperty: true }) && e.getClientRects().length;
  const at = e => { const r = e.getBoundingClientRect(); return [r.x + scrollX, r.y + scrollY, r.width, r.height].map(Math.round); };
  const board = document.querySelector(".stage"), all = board ? { board: at(board), frame: at(board.firstElementChild) } : {};
  const loose = /^(dice|pile|report|discards|hand.*|cards-.*|row-\\d-[23])$/, mine = `realm-${document.getElementById("act")?.dataset.me}`;
  for (const e of document.querySelectorAll(".middle [data-place]")) {
    const name = e.dataset.place;
    if (!loose.test(name) && shown(e)) all[name] = name === mine ? at(e).slice(0, 3) : at(e);
  }
  return all;
}"""
STILL = list(BOXES)
WINDOWS = [(1440, 900), (1280, 720), (390, 844)]


@pytest.mark.parametrize(
    ("game", "window"),
    list(product(STILL, WINDOWS)) if EVERYTHING else [(game, WINDOWS[i % 3]) for i, game in enumerate(STILL)],
)
def test_the_board_keeps_its_size_and_place_from_question_to_question(room, game, window):
    guest = room.guest("Gauvain")
    table = room.table(guest, game, max(3, BOXES[game].players[0]))
    page = room.page(guest, f"/t/{table.id}")
    page.set_viewport_size({"width": window[0], "height": window[1]})
    (seat,) = table.seats_of(guest)
    before: dict[str, list[int]] = {}
    moved = []
    while room.asked(table, [seat]) is not None:
        room.catch_up(page, table, seat)
        now = page.evaluate(FRAME)
        rule = table.match.question(seat)[1]
        moved += [
            f"{rule}: {name} {before[name]} → {now[name]}" for name in before.keys() & now if before[name] != now[name]
        ]
        before = now
        room.advance(table, guest, 1)
    assert before
    assert not moved, "\n".join(moved[:20])
