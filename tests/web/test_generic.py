"""Every game of the catalogue can be played in the browser, whether it has a board of its own or not."""

import pytest

from veillee.games.catalogue import BOXES

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("game", list(BOXES))
def test_every_game_shows_its_table(room, game):
    guest = room.guest()
    table = room.table(guest, game, BOXES[game].players[0])
    page = room.page(guest, f"/t/{table.id}")
    assert page.locator("#prompt").inner_text()
    room.healthy(page)
