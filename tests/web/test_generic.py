"""Every game can be played in the browser, whether it has a board of its own or not."""

from unittest.mock import patch

import pytest

from veillee.games.catalogue import BOXES
from veillee.web import parts, play

pytestmark = pytest.mark.browser


@pytest.fixture
def no_boards(served):
    """As if no game had a board of its own: the house's plain table."""
    with (
        patch.object(parts, "has_board", lambda box: False),
        patch.object(play, "has_board", lambda box: False),
        patch.object(parts, "own_parts", lambda box, side: ()),
    ):
        parts.LATEST.moments.clear()
        yield
    parts.LATEST.moments.clear()


@pytest.mark.parametrize("game", list(BOXES))
def test_a_game_without_a_board_can_be_played(room, no_boards, game):
    guest = room.guest()
    table = room.table(guest, game, BOXES[game].players[0])
    page = room.page(guest, f"/t/{table.id}", js=False)
    for _ in range(2):
        (seat,) = table.seats_of(guest)
        answered = len(table.match.answers)
        room.move(page, table, seat)
        assert len(table.match.answers) > answered


def test_the_plain_table_is_healthy(room, no_boards):
    room.look(next(iter(BOXES)), 4, answers=4)
