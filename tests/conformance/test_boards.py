"""The suite finds planted faults in the page of a table."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from veillee.conformance.test_boards import shown
from veillee.games.catalogue import BOXES
from veillee.web.rendering import table_parts

BOX = BOXES["takara-island"]
OWN = {"prompt", "players", "log", *table_parts.own_parts(BOX, "public"), *table_parts.own_parts(BOX, "private")}
PAGE = '<form id="act"></form>' + "".join(f'<section id="part-{name}"></section>' for name in sorted(OWN))


def look(page: str, status: int = 200) -> None:
    client = SimpleNamespace(cookies={}, get=lambda path, headers: SimpleNamespace(text=page, status_code=status))
    shown(BOX, client, {}, "/t/x", SimpleNamespace(text="'dict object' has no attribute 'piel'"))


def test_nothing_is_wrong_with_a_page_that_has_everything():
    look(PAGE + '<use href="/static/icons.svg?1#card" /><i data-vt="a"></i><i data-vt="b"></i>')


@pytest.mark.parametrize(
    ("page", "sentence"),
    [
        (PAGE.replace(' id="part-log"', ""), "part-log is not, or not once, on the page"),
        (PAGE + '<i id="part-log"></i>', "part-log is not, or not once, on the page"),
        (PAGE.replace(' id="act"', ""), "act is not, or not once"),
        (PAGE + '<i data-vt="card-1"></i><i data-vt="card-1"></i>', "data-vt twice: .*card-1"),
        (PAGE + '<i id="do-1"></i><i id="do-1"></i>', "id twice: .*do-1"),
        (PAGE + '<use href="/static/icons.svg?1#crad" />', r"no icon 'crad' in .*static.icons\.svg"),
        (
            PAGE + '<use href="/boards/takara-island/icons.svg?1#crad" />',
            r"no icon 'crad' in .*takara_island.board.icons",
        ),
    ],
)
def test_what_is_wrong_is_named(page, sentence):
    with pytest.raises(AssertionError, match=sentence):
        look(page)


def test_a_page_that_cannot_be_shown_says_why():
    with pytest.raises(AssertionError, match=r"(?s)/t/x cannot be shown:.*no attribute 'piel'"):
        look("", 500)
