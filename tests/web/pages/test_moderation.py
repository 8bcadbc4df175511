"""The operators' page: what `veillee admin` does, for the guest of an operator link and for nobody else."""

from __future__ import annotations

import re

import pytest
from litestar.testing import TestClient
from typer.testing import CliRunner

from house.playing import ME, OPEN
from veillee.cli import app as command
from veillee.house.accounts.entry_links import OPERATOR_LINK_DAYS, list_entry_links
from veillee.house.community.chat import TableAudience
from veillee.house.community.moderation import Moderator, find_guests, is_operator, load_acts, load_bans, load_reports
from veillee.house.errors import Banned
from veillee.house.house import House
from veillee.house.maintenance.cleanup import delete_expired
from veillee.house.storage.schema import guests, tokens
from veillee.web.app import create_app
from veillee.web.pages.moderation import DEEDS

SAME_SITE = {"Sec-Fetch-Site": "same-origin", "Accept-Language": "en"}


@pytest.fixture
def house(tmp_path):
    house = House.open(tmp_path, workers=0)
    yield house
    house.close()


def visitor(house, guest=None):
    client = TestClient(create_app(house), cookies={"guest": guest.token} if guest else {})
    client.headers.update(SAME_SITE)
    return client


def post(client, path="/admin", **data):
    return client.post(path, data=data, follow_redirects=False)


@pytest.fixture
def operator(house):
    guest = house.guests.new("Olga")
    keeper = Moderator(house.store, "owner")
    keeper.become_operator(keeper.make_operator_link(), guest.id)
    return guest


def test_the_link_of_the_command_makes_one_guest_an_operator_once(house, tmp_path):
    told = CliRunner().invoke(command, ["admin", "operator", "--data", str(tmp_path)]).stdout
    path = re.search(r"/admin/enter/\S+", told)[0]
    with visitor(house) as owner, visitor(house) as late:
        assert owner.get("/admin").status_code == 404
        for _ in range(2):
            assert "Become an operator" in owner.get(path).text, "to look at it does not use it up"
        assert post(owner, path).headers["location"] == "/admin"
        assert "Keeping order" in owner.get("/admin").text
        assert "/admin" in owner.get("/me").text
        assert post(late, path).status_code == 422
        assert "no longer, valid" in late.get(path).text
        assert "guest" not in late.cookies, "a link that is none makes no guest"
        (one,) = CliRunner().invoke(command, ["admin", "operators", "--data", str(tmp_path)]).stdout.splitlines()
        CliRunner().invoke(command, ["admin", "dismiss", one.split("\t")[0], "--data", str(tmp_path)])
        assert owner.get("/admin").status_code == 404, "at once"
        assert "/admin" not in owner.get("/me").text
    assert [act.what for act in load_acts(house.store)] == ["dismiss", "operator", "operator link"]


def test_an_operator_link_expires(house):
    guest = house.guests.new("Late")
    token = Moderator(house.store, "owner").make_operator_link()
    now = house.store.now
    house.store.now = lambda: now() + (OPERATOR_LINK_DAYS + 0.1) * 86_400
    with visitor(house, guest) as late:
        assert post(late, f"/admin/enter/{token}").status_code == 422
    assert not is_operator(house.store, guest.id)


def test_for_others_there_is_no_such_page_and_no_deed_is_done(house):
    ada = house.guests.new("Ada")
    for guest in (None, ada):
        with visitor(house, guest) as other:
            nowhere = other.get("/admins")
            assert (other.get("/admin").status_code, other.get("/admin").text) == (404, nowhere.text)
            for deed in DEEDS:
                answer = post(other, deed=deed, guest=ada.id, table="x", report="1", number="1", days="1", guests="1")
                assert answer.status_code == 404, deed
    assert load_acts(house.store) == []
    assert list_entry_links(house.store) == []


def test_a_forged_form_of_another_site_does_nothing(house, operator):
    with visitor(house, operator) as client:
        client.headers["Sec-Fetch-Site"] = "cross-site"
        assert post(client, deed="ban", guest="192.0.2.1").status_code == 403
    assert load_bans(house.store) == []


def test_every_deed_has_its_effect_at_once_and_is_logged_under_the_operator(house, operator):
    ada, bob = house.guests.new("Ada"), house.guests.new("Bob")
    table = house.tables.create(ada, "paper-tales", [ME, OPEN])
    table.sit(bob, 1)
    said = house.chat.say(
        bob, TableAudience(table.id, table.status, table.seats), table.box, "boo", address="192.0.2.7"
    )
    house.chat.report(ada, table.id, said.number)
    (report,) = load_reports(house.store)
    with visitor(house, operator) as client:
        page = client.get("/admin").text
        assert "boo" in page
        assert "192.0.2.7" not in page, "an address is for the command"
        assert post(client, deed="remove", table=table.id, number=said.number, why="rude").status_code == 303
        assert house.chat.find(table.id, said.number).words == ""
        assert post(client, deed="settle", report=report["id"]).status_code == 303
        assert load_reports(house.store) == []
        assert post(client, deed="mute", guest=bob.id, days="7").status_code == 303
        assert post(client, deed="ban", guest=bob.id, why="rude", days="1").status_code == 303
        with pytest.raises(Banned, match="rude"):
            house.bans.check("guest", bob.id)
        assert post(client, deed="unban", guest=bob.id).status_code == 303
        house.bans.check("guest", bob.id)
        assert post(client, deed="unmute", guest=bob.id).status_code == 303
        assert post(client, deed="ban", guest="192.0.2.1").status_code == 303
        assert post(client, deed="unban", guest="192.0.2.1").status_code == 303
        assert post(client, deed="rename", guest=bob.id, name="Robert").status_code == 303
        assert house.tables.find(table.id).seats[1].name == "Robert"
        assert post(client, deed="close", table=table.id).status_code == 303
        with pytest.raises(Banned):
            house.tables.find(table.id)
        assert post(client, deed="open", table=table.id).status_code == 303
        circle = house.circles.create(ada, "Rude")
        assert post(client, deed="rename-circle", circle=circle.id, name="Nice").status_code == 303
        assert house.circles.find(circle.id).name == "Nice"
        assert post(client, deed="delete-circle", circle=circle.id).status_code == 303
        assert house.circles.list_mine(ada) == []
        made = post(client, deed="invite", guests="3", days="5")
        assert re.search(r"http://\S+/come/[\w-]{43}", made.text)
        (link,) = list_entry_links(house.store)
        assert post(client, deed="revoke", link=link.id).status_code == 303
        other = house.guests.new("Otto")
        keeper = Moderator(house.store, "owner")
        keeper.become_operator(keeper.make_operator_link(), other.id)
        assert post(client, deed="dismiss", guest=other.id).status_code == 303
        assert not is_operator(house.store, other.id)
        page = client.get("/admin?done").text
        assert "Done, and in the log." in page
    mine = [act.what for act in load_acts(house.store) if act.who == f"Olga ({operator.id})"]
    assert len(mine) == len(DEEDS) + 2, "two bans and two liftings of two kinds"


def test_what_cannot_be_done_is_said(house, operator):
    with visitor(house, operator) as client:
        for data, status, said in (
            ({"deed": "ban", "guest": "nobody"}, 404, "There is no guest nobody"),
            ({"deed": "ban", "guest": "1.2.3"}, 422, "not a valid address"),
            ({"deed": "ban", "guest": operator.id}, 422, "That would be yourself"),
            ({"deed": "mute", "guest": operator.id, "days": "x"}, 422, "yourself"),
            ({"deed": "settle", "report": "9"}, 404, "no report 9"),
            ({"deed": "settle", "report": "x"}, 422, "not a number"),
            ({"deed": "invite", "guests": "0", "days": "1"}, 422, "1 to 1000 guests"),
            ({"deed": "revoke", "link": "x"}, 404, "no such link"),
            ({"deed": "nonsense"}, 404, "nothing at this address"),
        ):
            answer = post(client, **data)
            assert (answer.status_code, said in answer.text) == (status, True), data
    assert [act.what for act in load_acts(house.store)] == ["operator", "operator link"]


def test_an_operator_is_kept_although_long_away(house, operator):
    other, ago = house.guests.new("Ada"), house.store.now() - 100 * 86_400
    with house.store.writing() as db:
        db.execute(guests.update().values(created=ago))
        db.execute(tokens.delete())
    assert delete_expired(house.store).guests == 1
    assert is_operator(house.store, operator.id)
    assert not find_guests(house.store, other.name)


def test_the_page_is_used_by_keyboard_and_without_javascript(room):
    guest, bob = room.guest("Olga"), room.guest("Bob the Rude")
    keeper = Moderator(room.house.store, "owner")
    keeper.become_operator(keeper.make_operator_link(), guest.id)
    table = room.table(bob, "takara-island", 2)
    page = room.page(guest, "/admin?name=Rude", lang="en", js=False)
    page.get_by_role("group").filter(has_text="Bob the Rude").first.locator("summary").press("Enter")
    page.get_by_label("Reason").and_(page.locator("details[open] input")).press_sequentially("shouting")
    page.get_by_role("button", name="Mute · Bob the Rude").press("Enter")
    page.get_by_text("Done, and in the log.").wait_for()
    page.get_by_role("button", name=f"Lift · {bob.id}").press("Enter")
    page.get_by_role("cell", name="unmute").first.wait_for()
    assert room.house.tables.find(table.id)
    room.leave(page)
    room.look_at(guest, "/admin")
