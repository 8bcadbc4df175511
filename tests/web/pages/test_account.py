"""Personal data on the page: downloaded, deleted after a confirmation; "a former guest" in the reader's language."""

import json
import re
from contextlib import contextmanager
from hashlib import sha256

import httpx
import pytest
import sqlalchemy as sa
from playwright.sync_api import expect

from house.playing import ME, OPEN, play_on
from veillee.house.accounts.browsers import sharing_guests
from veillee.house.storage.schema import browsers


@contextmanager
def client(url, guest=None, lang="en"):
    cookies = {"guest": guest.token} if guest else {}
    with httpx.Client(base_url=url, cookies=cookies, headers={"Accept-Language": lang, "Origin": url}) as somebody:
        yield somebody


@pytest.fixture
def finished(served):
    house = served[1]
    ada, bob = house.guests.new("Ada"), house.guests.new("Bertille")
    table = house.tables.create(ada, "paper-tales", [ME, OPEN])
    table.sit(bob, 1)
    play_on(table, [ada, bob])
    return table, ada, bob


def test_my_data_and_leaving_for_good(served, finished):
    url, house = served
    table, ada, bob = finished
    with client(url, bob) as somebody:
        page = somebody.get("/me").text
        assert "/me/data.json" in page
        answer = somebody.get("/me/data.json")
        assert answer.headers["cache-control"] == "no-store"
        assert [game["id"] for game in json.loads(answer.text)["games"]] == [table.id]
        unsure = somebody.post("/me/leave", data={})
        assert unsure.status_code == 422
        assert "say first that you are sure" in unsure.text
        assert house.guests.find(bob.token) is not None
        gone = somebody.post("/me/leave", data={"sure": "yes"})
        assert gone.status_code == 303
        assert 'guest=""' in gone.headers["set-cookie"] or "guest=;" in gone.headers["set-cookie"]
    assert house.guests.find(bob.token) is None
    with client(url) as somebody:
        assert somebody.get("/me/data.json").status_code == 401
    for lang, name in (("en", "A former guest"), ("fr", "Un ancien invité")):
        with client(url, ada, lang) as somebody:
            for path in (f"/t/{table.id}", f"/t/{table.id}/replay", "/me", f"/api/tables/{table.id}"):
                text = somebody.get(path).text
                assert name in text, path
                assert "Bertille" not in text, path
            assert somebody.get(f"/t/{table.id}/picture.png?lang={lang}").status_code == 200


def test_ones_own_corner_is_healthy(room):
    guest = room.guest()
    page = room.page(guest, "/me", lang="fr", size="phone", theme="dark")
    page.locator("#leave summary").click()
    room.healthy(page)


def test_a_shield_is_made_with_a_form_and_shown_at_the_seat(served):
    url, house = served
    ada, bob = house.guests.new("Ada"), house.guests.new("Bertille")
    table = house.tables.create(ada, "takara-island", [ME, OPEN])
    table.sit(bob, 1)
    parts = {"shape": "round", "division": "bend", "first": "gold", "second": "black", "charge": "fish"}
    with client(url, ada) as somebody:
        assert somebody.post("/me/shield", data=parts).status_code == 303
        code = table.seats[0].shield
        assert somebody.post("/me/shield", data=parts | {"charge": "<script>"}).status_code == 422
        assert table.seats[0].shield == code
        for path in (f"/t/{table.id}", "/me", f"/games/{table.box.id}"):
            assert f"/shields/{code}.svg" in somebody.get(path).text, path
        picture = somebody.get(f"/shields/{code}.svg")
        assert picture.headers["content-type"].startswith("image/svg+xml")
        assert "immutable" in picture.headers["cache-control"]
        assert somebody.get("/shields/nonsense.svg").status_code == 404
        assert somebody.post("/me/shield", data={"another": "yes"}).status_code == 303
    with client(url, bob) as somebody:
        assert f"/shields/{table.seats[0].shield}.svg" in somebody.get("/me").text, "who one plays with"


def test_a_shield_is_seen_while_it_is_chosen(room):
    page = room.page(room.guest(), "/me", lang="en")
    page.get_by_label("Shape").select_option("lozenge")
    page.get_by_label("On it").select_option("tower")
    expect(page.locator("#my-arms")).to_have_attribute("src", re.compile(r"/shields/d...f\.svg"))
    room.healthy(page)


def test_a_browser_is_known_again_under_another_guest(served):
    """For the ratings: the cookie stays when the guest changes, is out of reach of scripts, and only its hash is kept."""
    url, house = served
    with httpx.Client(base_url=url, headers={"Sec-Fetch-Site": "same-origin"}) as client:
        first = client.post("/games/takara-island/play")
        (cookie,) = [one for one in first.headers.get_list("set-cookie") if one.startswith("browser=")]
        assert "HttpOnly" in cookie
        token = client.cookies["browser"]
        one = house.guests.find(client.cookies["guest"])
        client.cookies.delete("guest")
        again = client.post("/games/takara-island/play")
        assert not [one for one in again.headers.get_list("set-cookie") if one.startswith("browser=")]
        other = house.guests.find(client.cookies["guest"])
    with house.store.reading() as db:
        assert sharing_guests(db, {one.id, other.id, "nobody"}) == {one.id, other.id}
        kept = db.execute(sa.select(browsers.c.hash).where(browsers.c.guest == one.id)).scalar_one()
    assert kept == sha256(token.encode()).hexdigest()
