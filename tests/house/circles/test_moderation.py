"""What moderators do about circles: on the page and by the command; and the circle of a house by invitation only."""

from __future__ import annotations

import pytest
from litestar.testing import TestClient
from typer.testing import CliRunner

from veillee.cli import app as command
from veillee.house.circles.moderation import load_circles, report_circle
from veillee.house.circles.repository import load_members
from veillee.house.community.moderation import Moderator, load_acts, load_reports
from veillee.house.errors import NotFound
from veillee.house.profile import Profile
from veillee.web.app import create_app


@pytest.fixture
def club(house, ada):
    return house.circles.create(ada, "Rude name")


def test_an_operator_renames_and_deletes_a_reported_circle(house, club, ada, bob):
    for _ in range(2):
        report_circle(house.store, bob, club)
    (report,) = load_reports(house.store)
    assert (report["words"], report["about"], report["number"]) == ("Rude name", ada.id, 0)
    keeper = Moderator(house.store, "owner")
    keeper.become_operator(keeper.make_operator_link(), bob.id)
    with TestClient(create_app(house), cookies={"guest": bob.token, "lang": "en"}) as client:
        client.headers["Sec-Fetch-Site"] = "same-origin"
        page = client.get("/admin").text
        assert f"/circles/{club.id}" in page
        assert f"/t/{club.id}" not in page
        for deed in ("rename-circle", "delete-circle"):
            assert client.post("/admin", data={"deed": deed, "circle": club.id}).url.query == b"done"
            if deed == "rename-circle":
                assert house.circles.find(club.id).name == f"Cercle {club.id[:4]}"
                taken = house.circles.create(bob, "Other")
                fault = client.post("/admin", data={"deed": deed, "circle": taken.id, "name": f"cercle {club.id[:4]}"})
                assert (fault.status_code, "looks the same" in fault.text) == (422, True)
        assert client.post("/admin", data={"deed": "delete-circle", "circle": club.id}).status_code == 404
    with pytest.raises(NotFound):
        house.circles.find(club.id)
    assert [act.what for act in load_acts(house.store)][:2] == ["delete circle", "rename circle"]


def test_the_command_does_the_same(house, club, tmp_path):
    def run(*words):
        return CliRunner().invoke(command, ["admin", *words, "--data", str(tmp_path)])

    assert run("circles", "rude").stdout.split("\t")[:2] == [club.id, "Rude name"]
    assert run("rename-circle", club.id, "Nice").stdout == "Nice\n"
    assert run("delete-circle", club.id).exit_code == 0
    assert load_circles(house.store) == []
    assert run("delete-circle", club.id).exit_code == 2


def test_who_comes_into_a_house_by_invitation_only_is_in_its_circle(house, club, ada):
    house.profile = Profile(is_invitation_only=True, house_circle=club.id)
    keeper = Moderator(house.store, "owner")
    eve = house.guests.new_invited(keeper.invite(), "Eve")
    assert [one.name for one in load_members(house.store, club.id)] == ["Ada", "Eve"]
    with TestClient(create_app(house)) as stranger:
        stranger.headers["Sec-Fetch-Site"] = "same-origin"
        link = f"/circles/{club.id}/join/{house.circles.invitation(club)}"
        assert stranger.post(link, data={"my-name": "Stranger"}).status_code == 403, "a circle invites guests alone"
        assert "guest" not in stranger.cookies
    house.circles.leave(eve, club)
    house.circles.leave(ada, club)
    assert house.guests.new_invited(keeper.invite(), "Late").name == "Late", "though the circle is gone"
    house.profile = Profile(house_circle=house.circles.create(ada, "Another").id)
    house.guests.new("Stranger")
    assert len(load_members(house.store, house.profile.house_circle)) == 1, "in a house that is open to all"
