"""Every game: its table can be looked at from every seat at every question, and its board names nothing that is not there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from litestar.testing import TestClient

from veillee.conformance.test_words import Strict
from veillee.games.box import Box
from veillee.house.house import House
from veillee.house.tables.seats import SeatPlan
from veillee.match import seeds
from veillee.web.app import create_app
from veillee.web.rendering import table_parts, templates

Client = TestClient[Any]
ICON = re.compile(r'href="([^"?#]*icons\.svg)[^"#]*#([^"]*)"')
SYMBOL = re.compile(r'<symbol[^>]* id="([^"]+)"')


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    house = House.open(tmp_path_factory.mktemp("house"), workers=0)
    yield house
    house.close()


@pytest.fixture(scope="module")
def client(house: House) -> Iterator[Client]:
    with TestClient(create_app(house)) as client:
        yield client


@pytest.fixture
def verbs(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """Records the verbs that templates look up, and checks that their words are in the French catalogues."""
    asked: set[str] = set()
    find, every, words_of = table_parts.QuestionView.find, table_parts.QuestionView.all, templates.box_translator

    def find_it(self: table_parts.QuestionView, verb: str, /, **args: int) -> table_parts.ChoiceView | None:
        asked.add(verb)
        return find(self, verb, **args)

    def find_all(self: table_parts.QuestionView, verb: str) -> list[table_parts.ChoiceView]:
        asked.add(verb)
        return every(self, verb)

    monkeypatch.setattr(table_parts.QuestionView, "find", find_it)
    monkeypatch.setattr(table_parts.QuestionView, "all", find_all)
    monkeypatch.setattr(templates, "box_translator", lambda box, lang: Strict(lang, words_of(box, "fr").catalogue))
    templates.environment.cache_clear()
    yield asked
    templates.environment.cache_clear()


def test_the_table_is_shown_to_every_seat_at_every_question(
    box: Box, house: House, client: Client, verbs: set[str], caplog: pytest.LogCaptureFixture
) -> None:
    guest = house.guests.new("Ada")
    plans = [SeatPlan("me"), *[SeatPlan("hotseat")] * (box.players[-1] - 1)]  # one screen, which is shown every seat
    with patch.object(seeds, "new_seed", lambda: seeds.seed_from(13)):
        table = house.tables.create(guest, box.id, plans, public=False)
    pick, looked = Random(13), set()
    while table.status == "playing":
        seat = pick.choice(table.match.to_act)
        question = type(table.match.state.question)
        if question not in looked:
            looked.add(question)
            for cookies, path in (({"guest": guest.token}, f"?as={seat}"), ({"guest": guest.token}, ""), ({}, "")):
                shown(box, client, cookies, f"/t/{table.id}{path}", caplog)
        table.answer(guest, seat, table.stamp(seat), [pick.choice(table.match.choices(seat)).id])
    shown(box, client, {"guest": guest.token}, f"/t/{table.id}", caplog)
    state = table.match.state
    assert verbs <= {state.choice(action)[0] for action in range(state.answers())}, "a verb that no answer has"


def shown(box: Box, client: Client, cookies: dict[str, str], path: str, caplog: pytest.LogCaptureFixture) -> None:
    """Checks that the page loads, has every part of the board, names each thing once, and uses images that exist."""
    client.cookies.clear()
    page = client.get(path, headers={"Cookie": "; ".join(f"{k}={v}" for k, v in ({"lang": "fr"} | cookies).items())})
    assert page.status_code == 200, f"{path} cannot be shown:\n{caplog.text[-3000:]}"
    each = [f"{name}-{seat}" for name in table_parts.parts_of_each(box) for seat in (0, 1)]
    own = (*table_parts.own_parts(box, "public"), *table_parts.own_parts(box, "private"), *each)
    for part in ("act", *(f"part-{name}" for name in {"prompt", "players", "log", *own})):
        assert page.text.count(f' id="{part}"') == 1, f"{part} is not, or not once, on the page: see board/table.html"
    for attribute in ("id", "data-vt"):
        names = re.findall(rf'\s{attribute}="([^"]*)"', page.text)
        assert len(set(names)) == len(names), f"{attribute} twice: {sorted(n for n in names if names.count(n) > 1)}"
    for address, name in ICON.findall(page.text):
        folder = templates.STATIC if address.startswith("/static/") else templates.board_folder(box)
        there = SYMBOL.findall((folder / "icons.svg").read_text(encoding="utf-8"))
        assert name in there, f"there is no icon {name!r} in {folder / 'icons.svg'}"
