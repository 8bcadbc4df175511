"""Invitations: an address that guests can open, a preview of the table, and one question for a name."""

from __future__ import annotations

import io
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from types import SimpleNamespace
from urllib.parse import urlsplit

import httpx
import pytest
import zxingcpp
from litestar.datastructures import State
from PIL import Image
from playwright.sync_api import expect

from veillee.games.catalogue import BOXES
from veillee.house.tables.seats import SeatPlan
from veillee.web.http import public_address
from veillee.web.http.public_address import ListenAddress, PublicAddress, addresses, own_addresses

pytestmark = pytest.mark.browser
GAME = "takara-island"
OPEN = [SeatPlan("me"), SeatPlan("open"), SeatPlan("bot", level="expert")]
LATELY = [SeatPlan("me"), SeatPlan("open")]


def read(png: bytes) -> str:
    """What a QR code in a picture says."""
    (found,) = zxingcpp.read_barcodes(Image.open(io.BytesIO(png)))
    return found.text


@pytest.fixture
def open_house(tmp_path) -> Iterator[str]:
    """`veillee serve --host 0.0.0.0`: its address on this machine."""
    command = [sys.executable, "-m", "veillee", "serve", "--host", "0.0.0.0", "--port", "0", "--data", str(tmp_path)]
    env = {**os.environ, "VEILLEE_LANG": "en"}
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True, encoding="utf-8") as house:
        assert house.stdout is not None
        yield house.stdout.readline().split()[3].rstrip("/")
        house.send_signal(signal.SIGINT)
        house.wait(20)


def test_two_browsers_meet_by_the_machines_own_address(room, open_house):
    """The host sits at "localhost"; the friend follows what the QR code says, which is no name for another machine."""
    host = room.page(None, "/")
    host.goto(f"{open_house}/games/{GAME}")
    host.locator("#seat-1").select_option("open")
    host.locator("#seat-2").select_option("none")
    host.locator("#my-name").fill("Hôte")
    host.locator("#set-table").click()
    invitation = host.locator("#invitation").input_value()
    at = urlsplit(invitation)
    assert at.port == urlsplit(open_house).port
    with socket.socket() as ours:
        ours.bind((at.hostname, 0))  # only an address of this machine can be bound
    assert not public_address.is_local_host(at.hostname)
    assert read(host.locator(".scan svg").screenshot()) == invitation
    friend = room.page(None, "/")
    friend.goto(invitation)
    expect(friend.locator("#h-invited")).to_contain_text("Hôte")
    friend.locator("#my-name").fill("Léa")
    friend.locator("#sit-down").click()
    expect(friend.locator("#act")).to_have_attribute("data-me", "1")
    expect(host.locator("#part-players")).to_contain_text("Léa")
    for page in (host, friend):
        page.context.clear_cookies()


def test_the_code_is_read_in_the_evening_and_on_a_phone_too(room, monkeypatch):
    monkeypatch.setattr(
        "veillee.web.http.request.public_address_of", lambda request: PublicAddress("http://games.example")
    )
    guest = room.guest()
    table = room.table(guest, GAME, 3, OPEN)
    page = room.page(guest, f"/t/{table.id}", size="small", theme="dark")
    assert read(page.locator(".scan svg").screenshot()) == f"http://games.example/t/{table.id}"


@pytest.mark.parametrize("secure", [True, False])
def test_the_address_is_copied(room, secure):
    """With the clipboard of secure pages, and without: a home network has no https."""
    guest = room.guest()
    table = room.table(guest, GAME, 3, OPEN)
    page = room.page(guest, f"/t/{table.id}", lang="en")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    if not secure:
        page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })")
    page.locator("#copy").click()
    expect(page.locator("#copy")).to_have_text("Copied", use_inner_text=True)
    page.evaluate("delete navigator.clipboard")
    assert page.evaluate("navigator.clipboard.readText()") == page.locator("#invitation").input_value()
    page.context.clear_permissions()


def test_a_house_that_lets_nobody_in_says_how_to(room):
    guest = room.guest()
    table = room.table(guest, GAME, 3, OPEN)
    page = room.page(guest, f"/t/{table.id}", lang="en", js=False)
    expect(page.locator(".reach")).to_contain_text("--host 0.0.0.0")
    expect(page.locator(".scan")).to_have_count(0)
    expect(page.locator("#copy")).to_be_hidden()  # without JavaScript one selects the field


def test_what_the_house_is_reached_by(monkeypatch):
    def reached(host: str, door: ListenAddress | None = None, public: str = "") -> PublicAddress:
        app = SimpleNamespace(state=State({"doorway": door, "public_url": public}))
        return public_address.public_address_of(
            SimpleNamespace(app=app, headers={"host": host}, url=SimpleNamespace(scheme="http"))
        )

    mine = {socket.AF_INET: ["192.168.1.20", "10.8.0.3"], socket.AF_INET6: ["2001:db8::20"]}
    monkeypatch.setattr(public_address, "own_addresses", lambda family: mine[family])
    everywhere, home, lan = (
        ListenAddress("0.0.0.0", 8000),
        ListenAddress("127.0.0.1", 8000),
        ListenAddress("192.168.1.20", 80),
    )
    assert reached("localhost:8000", home) == PublicAddress("http://localhost:8000", is_open=False)
    assert reached("localhost:8000", everywhere) == PublicAddress("http://192.168.1.20:8000", ("http://10.8.0.3:8000",))
    assert reached("[::1]:8000", ListenAddress("::", 8000)).others[-1] == "http://[2001:db8::20]:8000"
    assert reached("0.0.0.0:8000", everywhere).origin == "http://192.168.1.20:8000"
    assert reached("127.0.0.1", lan) == PublicAddress("http://192.168.1.20:80")
    assert reached("games.local:8000", everywhere) == PublicAddress(
        "http://games.local:8000"
    )  # it has worked for this reader
    assert reached("localhost", home, "https://games.example/") == PublicAddress("https://games.example")
    assert reached("", home) == PublicAddress("http://", is_open=False)
    monkeypatch.setattr(public_address, "own_addresses", lambda family: [])  # on no network
    assert addresses(everywhere) == []


def test_a_machine_knows_addresses_of_its_own():
    for family in (socket.AF_INET, socket.AF_INET6):
        for host in own_addresses(family):
            with socket.socket(family) as ours:
                ours.bind((host, 0))


# -- names ------------------------------------------------------------------------------------------------------------
def test_a_name_is_asked_once_and_not_before_there_are_others(room):
    ada = room.guest("Ada")
    first, second = (room.table(ada, GAME, 2, LATELY) for _ in range(2))
    page = room.page(None, f"/games/{GAME}", lang="en")
    expect(page.locator("#my-name")).to_be_hidden()
    page.locator("#play-now").click()
    expect(page.locator("#act")).to_have_attribute("data-me", "0")  # alone against bots: nothing was asked
    page.goto(f"{room.url}/t/{first.id}")
    page.locator("#sit-down").click()
    expect(page.locator("#my-name:invalid")).to_be_focused()  # the browser asks for it
    page.locator("#my-name").fill("Léa")
    page.locator("#sit-down").click()
    expect(page.locator("#act")).to_have_attribute("data-me", "1")
    page.goto(f"{room.url}/t/{second.id}")
    expect(page.locator("#my-name")).to_have_count(0)
    expect(page.locator("#sit-down")).to_have_text("Sit down as Léa")
    page.locator("#sit-down").click()
    expect(page.locator("#act")).to_have_attribute("data-me", "1")
    assert [table.seats[1].name for table in (first, second)] == ["Léa", "Léa"]
    page.goto(f"{room.url}/games/{GAME}")
    page.locator("#seat-1").select_option("open")
    expect(page.locator("#my-name")).to_have_count(0)


def test_whoever_sets_a_table_for_others_is_asked_there(room):
    page = room.page(None, f"/games/{GAME}", lang="en", js=False)
    page.locator("#seat-1").select_option("open")
    expect(page.locator("#my-name")).to_be_visible()
    page.locator("#set-table").click()
    table = room.house.tables.find(page.url.rpartition("/")[2])
    assert not table.moment.row.public  # "anyone may join" is a choice
    page.locator("#my-name").fill("Countess")  # who has left the field empty is asked on the table's page
    page.locator("#keep-name").click()
    assert page.url.endswith(f"/t/{table.id}")
    expect(page.locator("#my-name")).to_have_count(0)
    assert table.seats[0].name == "Countess"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("   ", "A name is needed"),
        ("x" * 10_000, "at most 30 letters"),
        ("\u3164", "A name is needed"),
        ("👩\u200d🚀", ""),
    ],
)
def test_a_strange_name_is_a_sentence_or_clean(room, name, said):
    table = room.table(room.guest(), GAME, 2, LATELY)
    headers = {"Origin": room.url, "Accept-Language": "en"}
    answer = httpx.post(f"{room.url}/t/{table.id}/sit", data={"seat": "1", "name": name}, headers=headers)
    assert (answer.status_code, said in answer.text) == (422 if said else 303, True)
    assert table.seats[1].name == ("" if said else name)
    if said:
        assert "set-cookie" not in answer.headers, "nobody has become a guest"
        assert 'id="sit-down"' in answer.text


# -- preview of an invitation ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("game", list(BOXES))
def test_the_invited_are_told_what_to(room, game):
    box = BOXES[game]
    plans = [SeatPlan("me"), *[SeatPlan("bot", level="expert")] * (box.players[0] - 2), SeatPlan("open")]
    options = {option.id: list(option.values)[-1] for option in box.options}
    table = room.house.tables.create(room.guest("Hôte"), game, plans, options)
    text = httpx.get(f"{room.url}/t/{table.id}", headers={"Accept-Language": "en"}).text
    told = [box.title["en"], box.pitch["en"], f"{box.minutes[0]}–{box.minutes[1]} min", "Hôte"]
    told += [name["en"] for option in box.options for name in (option.title, list(option.values.values())[-1])]
    told += ["bot, expert"] if box.players[0] > 2 else []
    missing = [one for one in told if one.replace("'", "&#39;") not in text]
    assert not missing
    assert box.folder.joinpath("board/cover.svg").read_text("utf-8")[:60] in text


def test_an_invitation_that_comes_too_late_says_what_to_do_next(room):
    ada, bob = room.guest("Ada"), room.guest("Bob")
    table = room.table(ada, GAME, 2, LATELY)
    headers = {"Origin": room.url, "Accept-Language": "en"}
    table.sit(bob, 1)
    late = httpx.post(f"{room.url}/t/{table.id}/sit", data={"seat": "1", "name": "Eve"}, headers=headers)
    assert late.status_code == 409
    assert "Somebody sits on that seat already." in late.text
    page = room.page(None, f"/t/{table.id}", lang="en")
    expect(page.locator("#too-late")).to_contain_text("All the chairs are taken: you are watching.")
    expect(page.locator("#too-late a[href='/games/takara-island']")).to_be_visible()
    room.accessible(page)
    finished = room.table(ada, GAME, 2)
    room.advance(finished, ada, 3000)
    page.goto(f"{room.url}/t/{finished.id}")
    expect(page.locator("#too-late")).to_contain_text("This game is over.")
    expect(page.locator(f"#too-late a[href='/t/{finished.id}/replay']")).to_be_visible()
    room.accessible(page)
    gone = httpx.get(f"{room.url}/t/2222-3333-4444", headers=headers)
    assert gone.status_code == 404
    assert "There is no table" in gone.text
    assert 'href="/"' in gone.text
