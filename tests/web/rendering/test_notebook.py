"""A match in a notebook: its board is self-contained, in light and dark, and loads nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

import veillee
from veillee.bots.planning import fallback
from veillee.match.match import Match

DRAWN = """() => [...document.querySelectorAll(".middle use")].filter(use => use.checkVisibility()).map(use => {
    const box = use.getBoundingClientRect();
    return document.querySelector(use.getAttribute("href")) && box.width * box.height;
})"""


def begun(box: str) -> Match:
    match = veillee.new(box, seed=5)
    for number in range(40):
        seat = match.to_act[0]
        match.play(seat, fallback(match.box, match.state, seat, number))
    return match


@pytest.mark.parametrize("box", [box.id for box in veillee.boxes()])
def test_its_board_is_drawn_by_itself(chromium, box):
    match, page, asked = begun(box), chromium.new_page(), []
    page.on("request", lambda request: asked.append(request.url))
    grounds = set()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.set_content(f'<meta name="color-scheme" content="light dark">{match._repr_html_()}')
        frame = page.frames[1]
        frame.wait_for_load_state()
        drawings = frame.evaluate(DRAWN)
        assert len(drawings) > 4, "the board is not there"
        assert all(drawings), "a drawing is missing"
        assert frame.locator(".player").count() == frame.locator(".player:visible").count() == match.seats
        grounds.add(frame.evaluate("getComputedStyle(document.querySelector('.players')).backgroundColor"))
    assert len(grounds) == 2
    assert asked == []
    page.close()


def test_a_box_without_a_board_shows_its_text(tmp_path):
    match = begun("takara-island")
    match.box = replace(match.box, folder=tmp_path)
    assert match._repr_html_().startswith("<pre ")
