"""Every game can be played in the browser, whether it has a board of its own or not."""

from unittest.mock import patch

import pytest

from veillee.games.catalogue import BOXES
from veillee.web.pages import table as table_page
from veillee.web.rendering import table_parts

pytestmark = pytest.mark.browser


@pytest.fixture
def no_boards(served):
    """As if no game had a board of its own: the house's plain table."""
    with (
        patch.object(table_parts, "has_board", lambda box: False),
        patch.object(table_page, "has_board", lambda box: False),
        patch.object(table_parts, "own_parts", lambda box, side: ()),
    ):
        table_parts.LATEST.moments.clear()
        yield
    table_parts.LATEST.moments.clear()


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
