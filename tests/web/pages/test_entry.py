"""The operator's choices on the pages: guests by invitation only, the house's own name, its imprint, its boxes."""

from __future__ import annotations

import re

import pytest
from litestar.testing import TestClient
from typer.testing import CliRunner

from house.playing import ME, OPEN, play_on
from veillee.cli import app as command
from veillee.house.accounts.entry_links import list_entry_links
from veillee.house.community.moderation import Moderator
from veillee.house.errors import BadRequest
from veillee.house.house import House
from veillee.house.profile import Profile
from veillee.house.storage.schema import guests
from veillee.house.tables.seats import SeatPlan
from veillee.web.app import create_app
from veillee.web.settings import Settings, settings

SAME_SITE = {"Sec-Fetch-Site": "same-origin", "Accept-Language": "en"}
FORM = {"name": "Eve", "my-name": "Eve", "seat": "1", "lang": "en", "kind": "feed", "want": "yes", "device": "here"}
BY_INVITATION = "open by invitation only"


@pytest.fixture
def house(tmp_path):
    house = House.open(tmp_path, workers=0)
    yield house
    house.close()


def visitor(house, guest=None):
    cookies = {"guest": guest.token} if guest else {}
    client = TestClient(create_app(house), cookies=cookies)
    client.headers.update(SAME_SITE)
    return client


def post(client, path, **data):
    return client.post(path, data=data, follow_redirects=False)


def fill(name, table):
    return {"table_id": table.id, "game": "takara-island", "deed": "away"}.get(name, "1")


def count_guests(house):
    with house.store.reading() as db:
        return len(db.execute(guests.select()).all())


def test_no_route_makes_a_guest_of_a_stranger_in_a_house_by_invitation_only(house):
    ada = house.guests.new("Ada")
    over = house.tables.create(ada, "takara-island", [ME, SeatPlan("bot")])
    play_on(over, [ada])
    public = house.tables.create(ada, "paper-tales", [ME, OPEN], public=True)
    house.profile = Profile(is_invitation_only=True)
    refused = set()
    with visitor(house) as stranger:
        for table in (over, public, house.tables.rematch(ada, over)):
            for route in stranger.app.routes:
                if "POST" not in getattr(route, "methods", ()):
                    continue
                path = re.sub(r"{(\w+)}", lambda part, at=table: fill(part[1], at), route.path_format)
                answer = post(stranger, path, **FORM)
                assert answer.status_code < 500, path
                assert "guest" not in stranger.cookies, path
                if BY_INVITATION in answer.text:
                    assert answer.status_code == 403
                    refused.add(route.path_format)
    assert count_guests(house) == 1
    assert {"/me", "/games/{game}/play", "/t/{table_id}/sit", "/evening", "/me/recovery"} <= refused
    with visitor(house) as stranger:
        program = stranger.post("/api/guests", json={"name": "Eve"})
        assert (program.status_code, BY_INVITATION in program.json()["sentence"]) == (403, True)
        shelf = stranger.get("/").text
        assert BY_INVITATION in shelf
        assert "/play" not in shelf, "no button that would be refused"
        corner = stranger.get("/me").text
        assert BY_INVITATION in corner
        assert 'name="name"' not in corner, "no form that would be refused"
    with visitor(house, ada) as guest:
        assert BY_INVITATION not in guest.get("/").text
        assert post(guest, "/games/takara-island/play").status_code == 303


def test_the_link_of_a_private_table_brings_one_guest_for_each_free_seat(house):
    ada = house.guests.new("Ada")
    table = house.tables.create(ada, "paper-tales", [ME, OPEN])
    house.profile = Profile(is_invitation_only=True)
    with visitor(house) as bob, visitor(house) as eve:
        assert post(bob, f"/t/{table.id}/talk", words="hello").status_code == 403, "watching is no invitation"
        assert post(bob, f"/t/{table.id}/sit", seat="1", name="Bob").status_code == 303
        assert post(eve, f"/t/{table.id}/sit", seat="1", name="Eve").status_code == 403
        assert post(bob, "/games/takara-island/play").status_code == 303, "a guest like any other from now on"
    assert [seat.name for seat in table.seats] == ["Ada", "Bob"]


def test_a_command_says_which_address_it_assumed_for_its_link(tmp_path, monkeypatch):
    for deed in ("invite", "operator"):
        monkeypatch.delenv("VEILLEE_PUBLIC_URL", raising=False)
        monkeypatch.setenv("VEILLEE_PORT", "8123")
        guessed = CliRunner().invoke(command, ["admin", deed, "--data", str(tmp_path)])
        assert guessed.stdout.startswith("http://localhost:8123/")
        assert "http://localhost:8123." in guessed.stderr
        assert "public_url" not in guessed.stdout, "programs read the link alone"
        monkeypatch.setenv("VEILLEE_PUBLIC_URL", "https://games.example")
        known = CliRunner().invoke(command, ["admin", deed, "--data", str(tmp_path)])
        assert known.stdout.startswith("https://games.example/")
        assert known.stderr == ""


def test_an_invitation_to_the_house_makes_so_many_guests_and_no_more(house, tmp_path, monkeypatch):
    monkeypatch.setenv("VEILLEE_PUBLIC_URL", "https://games.example")
    asked = CliRunner().invoke(command, ["admin", "invite", "--guests", "2", "--data", str(tmp_path)])
    path = asked.stdout.strip().removeprefix("https://games.example")
    token = path.rpartition("/")[2]
    house.profile = Profile(is_invitation_only=True)
    with visitor(house) as bob, visitor(house) as eve, visitor(house) as late:
        assert "You are invited" in bob.get(path).text
        assert "You are invited" in bob.get(path).text, "to look at it does not use it up"
        refused = post(bob, path, name="")
        assert (refused.status_code, count_guests(house)) == (422, 0), "nor does a name that cannot be"
        assert post(bob, path, name="Bob").status_code == 303
        assert bob.get("/me").text.count("Bob")
        assert "already" in bob.get(path).text
        assert eve.post("/api/guests", json={"name": "Eve", "invitation": token}).status_code == 201
        assert "no longer, valid" in late.get(path).text
        assert post(late, path, name="Late").status_code == 422
    assert count_guests(house) == 2
    assert list_entry_links(house.store) == []


def test_an_invitation_expires_and_can_be_revoked(house):
    keeper = Moderator(house.store, "keeper")
    for days, spent in ((30, 0), (1, 2)):
        token = keeper.invite(days=days)
        (link,) = list_entry_links(house.store)
        now = house.store.now
        if spent:
            house.store.now = lambda now=now, spent=spent: now() + spent * 86_400
        else:
            keeper.revoke_link(link.id)
        assert list_entry_links(house.store) == []
        with pytest.raises(BadRequest, match="no longer, valid"):
            house.guests.new_invited(token, "Late")
        house.store.now = now
    with pytest.raises(BadRequest, match="1 to 1000 guests"):
        keeper.invite(guests=0)
    assert count_guests(house) == 0


def test_the_house_has_its_own_name_and_imprint_on_every_page(house):
    house.profile = Profile(name="Chez <b>Nous</b>", imprint="Club Nous\n12 rue des Jeux & Cie")
    with visitor(house) as somebody:
        for path in ("/", "/games/paper-tales", "/me", "/nowhere", "/offline", "/fair", "/evening"):
            text = somebody.get(path).text
            assert "Chez &lt;b&gt;Nous&lt;/b&gt;" in re.search("<title>(.*?)</title>", text, re.DOTALL)[1], path
            assert "Club Nous\n12 rue des Jeux &amp; Cie" in text, path
            assert "<b>Nous" not in text
        assert somebody.get("/manifest.webmanifest").json()["name"] == "Chez <b>Nous</b>"
        house.profile = Profile(imprint="https://nous.example/imprint")
        assert '<a class="imprint" href="https://nous.example/imprint">Imprint</a>' in somebody.get("/").text


def test_a_box_that_is_not_on_the_shelf_is_not_begun_and_what_was_played_of_it_is_there(house):
    ada = house.guests.new("Ada")
    over = house.tables.create(ada, "takara-island", [ME, SeatPlan("bot")])
    play_on(over, [ada])
    running = house.tables.create(ada, "takara-island", [ME, SeatPlan("bot")])
    house.profile = Profile(boxes=("tales-of-glory", "paper-tales"))
    with visitor(house, ada) as guest:
        shelf = guest.get("/").text
        assert shelf.index("/games/tales-of-glory") < shelf.index("/games/paper-tales"), "in the operator's order"
        assert "/games/takara-island" not in shelf
        assert [game["id"] for game in guest.get("/api/games").json()] == ["tales-of-glory", "paper-tales"]
        for path in ("/games/takara-island", "/games/takara-island/puzzles"):
            assert guest.get(path).status_code == 404, path
        for path in ("play", "friend", "first", "day", "tables"):
            assert post(guest, f"/games/takara-island/{path}").status_code == 404, path
        assert post(guest, f"/t/{over.id}/rematch").status_code == 422
        made = guest.post("/api/tables", json={"game": "takara-island", "seats": [{"kind": "me"}, {"kind": "bot"}]})
        assert "not on the shelf" in made.json()["sentence"]
        for path in (f"/t/{over.id}", f"/t/{over.id}/replay", f"/t/{running.id}", "/rules/takara-island", "/me"):
            assert guest.get(path).status_code == 200, path
        assert "takara-island" not in guest.get("/day").text
    play_on(running, [ada], 2)


def test_the_choices_are_settings_of_file_environment_and_flag(tmp_path):
    file = tmp_path / "veillee.toml"
    file.write_text('house_name = "Nous"\nboxes = ["ti", "paper-tales"]\ninvitation_only = true\nimprint = "a\\nb"\n')
    assert settings({}, file, {}).profile == Profile("Nous", "a\nb", ("takara-island", "paper-tales"), True)
    assert settings({}, None, {"VEILLEE_INVITATION_ONLY": "yes", "VEILLEE_BOXES": "pt, ti"}).profile == Profile(
        boxes=("paper-tales", "takara-island"), is_invitation_only=True
    )
    assert settings({"boxes": "pt", "house_name": "Eux"}, file, {}).profile.name == "Eux"
    assert Settings().profile == Profile()
    for name, value in (
        ("house_circle", "chess"),
        ("boxes", "chess"),
        ("house_name", " "),
        ("house_name", "x" * 41),
        ("imprint", "x" * 1001),
    ):
        with pytest.raises(BadRequest):
            settings({name: value}, None, {})
