"""Pictures of the rulebooks are rendered by the boards' own templates."""

from __future__ import annotations

import httpx
import jinja2
import pytest
from playwright.sync_api import expect

from veillee.games.catalogue import BOXES
from veillee.web.rendering import rulebook_positions
from veillee.web.rendering.rulebook_positions import NoPicture, RulebookPosition, render_position
from veillee.web.rendering.templates import environment

BOX = BOXES["ghost-knights"]
COUNT = f"/rules/{BOX.id}/positions/count"


def test_a_picture_changes_with_the_template_of_its_board(monkeypatch):
    before = render_position(BOX, "count", "fr")["board"]
    assert 'id="part-board"' in before
    env = environment("fr", BOX)
    other = jinja2.DictLoader({"board/public/board.html": "{{ v.dolmens|length }} dolmens, {{ names[1] }}"})
    monkeypatch.setattr(env, "loader", jinja2.ChoiceLoader([other, env.loader]))
    monkeypatch.setattr(env, "cache", {})
    monkeypatch.setattr(env, "ready", {})
    monkeypatch.setattr(env, "sheets", {})
    assert render_position(BOX, "count", "fr")["board"] == "5 dolmens, Barnabé"


def test_a_picture_shows_the_position_that_its_file_says(served):
    """GK-5.3: four blue guards and four white ones at the second dolmen."""
    page = httpx.get(served[0] + COUNT, headers={"Accept-Language": "en"})
    assert "frame-ancestors 'self'" in page.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in httpx.get(served[0]).headers["content-security-policy"]
    match = rulebook_positions.match_of(BOX, "count")
    assert [match.state.dump()["knights"][seat][5][1] for seat in range(4)] == [4, 4, 2, 0]


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"seats": 4, "changes": {"guards": []}}, "has no guards"),
        ({"seats": 4, "shows": ("sky",)}, "has no part sky"),
        ({"answers": 100_000}, "over before 100000 answers"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_by_name(monkeypatch, wanted, said):
    monkeypatch.setattr(rulebook_positions, "position", lambda *_: RulebookPosition(**({"shows": ("board",)} | wanted)))
    with pytest.raises(NoPicture, match=said):
        render_position(BOX, "count", "en")


@pytest.mark.parametrize("name", ["none", "COUNT", "%2e%2e%2fmarks"])
def test_there_is_no_picture_of_another_name(served, name):
    assert httpx.get(f"{served[0]}/rules/{BOX.id}/positions/{name}").status_code == 404


@pytest.mark.browser
def test_a_picture_stands_in_the_book_and_in_the_sheet_and_leaves_the_real_board_alone(room):
    guest = room.guest()
    table = room.table(guest, BOX.id, 4)
    page = room.page(guest, f"/t/{table.id}", lang="en", size="phone")
    page.locator("#to-rules").click()
    picture = page.locator("#rule-sheet figure.position")
    picture.scroll_into_view_if_needed()
    expect(page.frame_locator("#rule-sheet iframe").locator("#part-board")).to_be_visible()
    expect(page.locator("#part-board")).to_have_count(1)
    room.healthy(page)
    page.goto(f"{room.url}/rules/{BOX.id}")
    page.locator("figure.position").scroll_into_view_if_needed()
    expect(page.frame_locator("figure.position iframe").locator("#part-board")).to_be_visible()
    room.healthy(page)
