"""No page and no stream tells what its reader cannot know: resampled worlds give the same parts, byte by byte."""

import random

import pytest

from veillee.games.catalogue import BOXES
from veillee.kernel.chance import Rng
from veillee.kernel.log import NO_SEAT
from veillee.tables.people import SeatPlan
from veillee.web.parts import Audience, private_parts, public_parts

WORLDS = 3
LOOKS = 8


def everything(moment, match, viewer, lang):
    """Every part of the page, as the stream would send it."""
    return {
        **public_parts(moment, match, viewer, lang),
        **private_parts(moment, match, Audience(viewer), lang),
    }


def resampled(match, viewer, world):
    """The match as it might be, for all that the viewer knows."""
    other = match.copy()
    other.anchor = match.anchor.clone()
    for state in (other.state, other.anchor):
        state.determinize(viewer, Rng(world))
    return other


@pytest.mark.parametrize("game", list(BOXES))
def test_parts_do_not_depend_on_what_the_reader_cannot_know(served, game):
    house, rng = served[1], random.Random(game)
    guest = house.new_guest("Ada")
    seats = BOXES[game].players[0] + 1
    friends = [SeatPlan("hotseat", name) for name in "BCDEF"[: seats - 1]]
    table = house.new_table(guest, game, [SeatPlan("me"), *friends], public=False)
    for _ in range(LOOKS):
        for _ in range(rng.randrange(1, 9)):
            if table.status == "playing":
                seat = rng.choice(table.match.to_act)
                table.answer(guest, seat, table.stamp(seat), [rng.choice(table.match.choices(seat)).id])
        if table.status != "playing":
            break
        moment = table.now
        for viewer in (NO_SEAT, *range(seats)):
            shown = everything(moment, moment.match, viewer, "fr")
            for world in range(WORLDS):
                told = everything(moment, resampled(moment.match, viewer, world), viewer, "fr")
                changed = [name for name in shown if shown[name] != told[name]]
                assert not changed, f"{changed} of seat {viewer} tell something hidden"


def test_a_hand_that_is_shown_would_be_noticed(served):
    """The check above can fail: what a spectator cannot know, a seat's own page does show."""
    house = served[1]
    guest = house.new_guest("Ada")
    table = house.new_table(guest, "ghost-knights", [SeatPlan("me"), *[SeatPlan("bot")] * 3], public=False)
    moment = table.now
    shown = everything(moment, moment.match, 0, "fr")
    told = [everything(moment, resampled(moment.match, NO_SEAT, world), 0, "fr") for world in range(WORLDS)]
    assert any(other["hand"] != shown["hand"] for other in told)
    assert all(other["board"] == shown["board"] for other in told)
