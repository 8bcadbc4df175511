"""Contributions to the shuffle: drawn, sealed and opened by the pages, by programs, and not by pages without JavaScript."""

from __future__ import annotations

from hashlib import sha256

import httpx
import pytest
from playwright.sync_api import expect

from veillee.house.tables.seats import SeatPlan
from veillee.match import seeds
from veillee.match.verify import verify

GAME = "takara-island"
PLANS = [SeatPlan("me"), SeatPlan("open")]
ADAS, BOBS = "a1" * 32, "b0" * 32
HERE = {"Sec-Fetch-Site": "same-origin", "Accept-Language": "en"}


def finish(room, table, *guests):
    while table.status == "playing":
        for guest in guests:
            if set(table.seats_of(guest)) & set(table.match.to_act):
                room.advance(table, guest, 1)


def test_two_pages_seal_and_open_and_the_game_begins(room):
    ada, bob = room.guest("Ada"), room.guest("Bob")
    table = room.table(ada, GAME, 2, PLANS)
    host = room.page(ada, f"/t/{table.id}", lang="en")
    expect(host.locator("#part-lobby .seal-code")).to_be_visible()
    sealed = table.seats[0].sealed
    host.reload()
    expect(host.locator("#part-lobby .seal-code")).to_have_attribute("title", sealed)
    friend = room.page(bob, f"/t/{table.id}", lang="en")
    friend.locator("#sit-down").click()
    for page in (host, friend):
        expect(page.locator("#act")).to_be_attached()
        expect(page.locator("footer")).to_contain_text("Players who added to the shuffle: Ada, Bob.")
    first, second = table.match.contributions
    assert first.sealed == sealed
    assert first.holds
    assert second.holds
    assert len(first.opened) == len(second.opened) == 64
    assert first.opened != second.opened
    assert not table.moment.row.lines
    finish(room, table, ada, bob)
    verdict = verify(table.record())
    assert verdict.holds
    assert not verdict.notes
    assert not room.complaints
    # The rematch: the first page seals in its lobby, the second one when it sits down by the same button.
    host.reload()
    host.locator("#rematch").click()
    expect(host.locator("#part-lobby .seal-code")).to_be_visible()
    rematch = friend.locator("#to-rematch, #rematch")
    friend.reload()
    rematch.first.click()
    friend.locator("#sit-down").click()
    expect(friend.locator("#act")).to_be_attached()
    again = room.house.tables.find(table.rematch_id)
    assert [one.holds and bool(one.opened) for one in again.match.contributions] == [True, True]


def test_a_page_that_does_not_open_is_waited_for_no_longer_than_the_deadline(room, monkeypatch):
    ada, bob = room.guest("Ada"), room.guest("Bob")
    table = room.table(ada, GAME, 2, PLANS)
    table.seal(ada, 0, seeds.seal(ADAS))  # by a device that is away since
    page = room.page(bob, f"/t/{table.id}", lang="en")
    page.locator("#sit-down").click()
    expect(page.locator("#prompt")).to_have_text("Everybody is here: the cards are being shuffled…")
    room.accessible(page)
    while not table.seats[1].opened:
        page.wait_for_timeout(20)
    now = room.house.store.now()
    with monkeypatch.context() as later:
        later.setattr(room.house.store, "now", lambda: now + 60)
        room.house.timeouts.poll()
    expect(page.locator("#act")).to_be_attached()
    expect(page.locator("footer")).to_contain_text("Without an addition: Ada.")
    expect(page.locator("#part-log")).to_contain_text(
        "The shuffle was made without the randomness that Ada's page had sealed."
    )


def test_plain_http_has_the_same_hash(room):
    """Where crypto.subtle is missing, as on plain http from another machine."""
    page = room.page(None, "/")
    lengths = [0, 1, 53, 55, 56, 63, 64, 65, 119, 120, 1000]
    hashed = page.evaluate(
        """async lengths => {
            const { sha256 } = await import("/static/sha256.js");
            return lengths.map(n => [...sha256(new Uint8Array(n).map((_, i) => 7 * i + n))]);
        }""",
        lengths,
    )
    assert [bytes(one) for one in hashed] == [
        sha256(bytes((7 * i + n) % 256 for i in range(n))).digest() for n in lengths
    ]


def test_a_page_without_javascript_plays_too(room):
    ada, bob = room.guest("Ada"), room.guest("Bob")
    table = room.table(ada, GAME, 2, PLANS)
    host = room.page(ada, f"/t/{table.id}", lang="en")
    expect(host.locator("#part-lobby .seal-code")).to_be_visible()
    plain = room.page(bob, f"/t/{table.id}", lang="en", js=False)
    plain.locator("#sit-down").click()
    expect(plain.locator("#act")).to_be_attached()  # it was waited for the host's page
    expect(plain.locator("footer")).to_contain_text("Without an addition: Bob.")
    assert [one.seat for one in table.match.contributions] == [0]


def test_programs_seal_and_open(room):
    url = f"{room.url}/api/tables"

    def program(guest):
        return httpx.Client(headers={"Authorization": f"Bearer {guest.token}", "Accept-Language": "en"})

    ada, bob = room.guest("Ada"), room.guest("Bob")
    with program(ada) as one, program(bob) as other:
        table = one.post(url, json={"game": GAME, "seats": [{"kind": "me"}, {"kind": "open"}]}).json()
        mine, theirs = (f"{url}/{table['id']}/seats/{seat}" for seat in (0, 1))
        assert one.post(f"{mine}/seal", json={"sealed": "x"}).status_code == 422
        assert one.post(f"{mine}/seal", json={"sealed": seeds.seal(ADAS)}).json()["seats"][0]["sealed"]
        assert other.post(f"{mine}/seal", json={"sealed": seeds.seal(BOBS)}).status_code == 403
        told = other.post(theirs, json={"sealed": seeds.seal(BOBS), "luck": "brume"}).json()
        assert (told["status"], told["opening"]) == ("waiting", True)
        assert one.post(f"{mine}/open", json={"contribution": BOBS}).status_code == 422, "forged"
        assert not one.post(f"{mine}/open", json={"contribution": ADAS}).json()["seats"][0]["opened"], "not yet shown"
        told = other.post(f"{theirs}/open", json={"contribution": BOBS}).json()
    assert (told["status"], told["opening"]) == ("playing", False)
    assert [seat["opened"] for seat in told["seats"]] == [ADAS, BOBS]


def test_a_program_sits_down_without_a_body(room):
    ada, bob = room.guest("Ada"), room.guest("Bob")
    table = room.table(ada, GAME, 2, PLANS)
    headers = {"Authorization": f"Bearer {bob.token}"}
    assert httpx.post(f"{room.url}/api/tables/{table.id}/seats/1", headers=headers).json()["status"] == "playing"


@pytest.mark.parametrize(("path", "field"), [("seal", "sealed"), ("open", "contribution"), ("sit", "sealed")])
def test_forms_refuse_what_is_no_seal(room, path, field):
    ada, bob = room.guest("Ada"), room.guest("Bob")
    table = room.table(ada, GAME, 2, PLANS)
    seat, guest = (1, bob) if path == "sit" else (0, ada)
    answer = httpx.post(
        f"{room.url}/t/{table.id}/{path}",
        data={"seat": str(seat), field: "é" * 64},
        headers={**HERE, "X-Live": "1"},
        cookies={"guest": guest.token},
    )
    assert answer.status_code in (409, 422)
    assert not table.seats[seat].sealed
