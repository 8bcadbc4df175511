"""Championships in the browser and over HTTP: created, joined by the link, played, compared; nothing told too early."""

from __future__ import annotations

import csv
import io
import json
import re

import httpx
import pytest
from playwright.sync_api import expect

from house.playing import play_on
from veillee.house.championships import pairing, repository
from veillee.house.championships.terms import ChampionshipTerms
from veillee.house.storage.schema import tables
from veillee.match.championship_file import verify_championship
from veillee.web.app import create_app

pytestmark = pytest.mark.browser
GAME = "takara-island"


def championship(room, organiser, deals=2, hours=4, name="Coupe d’hiver"):
    made = room.house.championships.create(
        organiser, GAME, name, {}, ChampionshipTerms(deals=deals, level="novice", hours=hours)
    )
    room.house.championships.enter(organiser, made)
    return made


def rounds(room, guests, deals=2, game="tales-of-glory"):
    """A round of tables that has begun: two tables of three, drawn in the order of joining."""
    terms = ChampionshipTerms(form="rounds", deals=deals, level="novice", hours=2)
    made = room.house.championships.create(guests[0], game, "Coupe", {}, terms)
    for guest in guests:
        room.house.championships.enter(guest, made)
    room.house.championships.rounds.start(guests[0], made)
    now = room.house.championships.standings(made, None)
    return made, [room.house.tables.find(one.table_id) for one in now.tables]


def finish(room, guest, made, deal, choose=None):
    table = room.house.championships.open_table(guest, made, deal)
    room.advance(table, guest, 3000, *([choose] if choose else []))
    assert table.status == "over"
    return table


def read(room, path, guest=None):
    cookies = {"lang": "en"} | ({"guest": guest.token} if guest else {})
    return httpx.get(room.url + path, cookies=cookies)


def send(room, path, guest=None, **fields):
    cookies = {"lang": "en"} | ({"guest": guest.token} if guest else {})
    return httpx.post(room.url + path, data=fields, cookies=cookies, headers={"Origin": room.url})


def test_from_the_shelf_to_the_standings_without_javascript(room):
    host = room.guest("Laudine")
    page = room.page(host, "/", js=False, lang="en")
    page.locator("#to-championships").click()
    page.locator(f"a[href='/games/{GAME}/championship']").click()
    page.locator("#championship-name").fill("Winter cup")
    page.locator("#deals").fill("2")
    page.locator("#level").select_option("novice")
    page.locator("#create").click()
    expect(page.locator("h1")).to_have_text("Winter cup")
    address = page.url
    friend = room.guest("Yvain")
    other = room.page(friend, address.removeprefix(room.url), js=False, lang="en")
    other.locator("#join").click()
    other.locator("#deal-1").click()
    expect(other.locator("#prompt")).to_be_visible()
    made = room.house.championships.find(address.rpartition("/")[2])
    for guest in (host, friend):
        finish(room, guest, made, 1)
    other.goto(address)
    rows = other.locator("main table tbody tr")
    expect(rows).to_have_count(2)
    expect(other.locator("tr.reader th")).to_have_text("Yvain")
    expect(other.locator(".own-deals li").first).to_contain_text("My game")
    assert not room.complaints, room.complaints


def test_the_pages_are_healthy(room):
    host, friend = room.guest("Anne-Charlotte de La Rochefoucault"[:30]), room.guest("Yvain")
    made = championship(room, host)
    room.house.championships.enter(friend, made)
    for guest in (host, friend):
        finish(room, guest, made, 1)
    room.look_at(host, f"/championships/{made.id}")
    room.glance_at(None, f"/championships/{made.id}")
    room.glance_at(host, "/championships")
    room.look_at(None, f"/games/{GAME}/championship")
    guests = [host, friend, *[room.guest(name) for name in ("Enide", "Perceval", "Gauvain", "Lunete")]]
    made, (table, _) = rounds(room, guests)
    play_on(table, guests)
    seated = next(guest for guest in guests if table.seats_of(guest))
    room.look_at(seated, f"/championships/{made.id}")


def test_nothing_of_a_deal_is_told_to_an_entrant_who_has_still_to_play_it(room):
    """Two championships whose deals differ, and in which others have played differently: all that a reader can fetch of
    them is the same but for their links and seals."""
    ada, bob = room.guest("Ada"), room.guest("Bob")
    told = {}
    for choose in (None, lambda match, seat: match.choices(seat)[-1].id):
        made = championship(room, ada)
        room.house.championships.enter(bob, made)
        played = finish(room, ada, made, 1, choose)
        names = {made.id: "ID", played.id: "TABLE"} | {made.commitment(deal): f"SEAL {deal}" for deal in made.deals}
        for who, reader in (("bob", bob), ("nobody", None)):
            for path in paths_of(room, made, played):
                answer = read(room, path, reader)
                text = re.sub(
                    r'<div class="qr-code">.*?</div>|\d+ \w+ \d+, \d\d:\d\d UTC|<updated>.*?</updated>', "", answer.text
                )  # the link as a QR code
                for secret, name in names.items():
                    text, path = text.replace(secret, name), path.replace(secret, name)
                told.setdefault((who, path), []).append((answer.status_code, text))
                if "TABLE" in path:
                    assert answer.status_code in (403, 404, 405), path
        assert made.seed(1).hex() not in str(told)
    assert len(told) >= 2 * 12, "of so many routes at least"
    assert {one: [first for first, _ in answers] for one, answers in told.items() if answers[0] != answers[1]} == {}
    seen_by_ada = read(room, f"/championships/{made.id}/standings.csv", ada).text
    assert len(list(csv.reader(io.StringIO(seen_by_ada)))) == 2, "who has played it sees it: this proves something"


def test_nothing_of_a_round_is_told_to_entrants_who_still_play_it(room, monkeypatch):
    """The same of a round of tables: those at the second table, a latecomer and visitors learn nothing of the first."""
    monkeypatch.setattr(pairing, "draw_order", lambda seed, entrants: sorted(entrants))
    guests = [room.guest(name) for name in ("Ada", "Bob", "Cléa", "Dan", "Eva", "Fay")]
    late, told = room.guest("Guy"), {}
    for seed in (1, 2):
        made, (played, other) = rounds(room, guests)
        room.house.championships.enter(late, made)
        play_on(played, guests[:3], seed=seed)
        assert played.status == "over"
        names = {made.id: "ID", played.id: "TABLE", other.id: "OTHER"}
        names |= {made.commitment(deal): f"SEAL {deal}" for deal in made.deals}
        for who, reader in (("dan", guests[3]), ("late", late), ("nobody", None)):
            for path in paths_of(room, made, played):
                answer = read(room, path, reader)
                text = re.sub(
                    r'<div class="qr-code">.*?</div>|\d+ \w+ \d+, \d\d:\d\d UTC|<updated>.*?</updated>', "", answer.text
                )
                for secret, name in names.items():
                    text, path = text.replace(secret, name), path.replace(secret, name)
                told.setdefault((who, path), []).append((answer.status_code, text))
                if "TABLE" in path:
                    assert answer.status_code in (403, 404, 405), path
        assert made.seed(1).hex() not in str(told)
    assert len(told) >= 3 * 12, "of so many routes at least"
    assert {one: [first for first, _ in answers] for one, answers in told.items() if answers[0] != answers[1]} == {}
    seen_by_ada = read(room, f"/championships/{made.id}/standings.csv", guests[0]).text
    assert len(list(csv.reader(io.StringIO(seen_by_ada)))) == 4, "who has played it sees it: this proves something"
    play_on(other, guests)
    assert read(room, f"/t/{played.id}/replay").status_code == 200, "the round is over"


def test_the_page_shows_what_is_new_and_stays_as_the_reader_left_it(room):
    """Focus, scroll position, what is unfolded, and what is being typed."""
    ada, bob, visitor = room.guest("Ada"), room.guest("Bob"), room.house.guests.new("Visitor", chosen=False)
    made = championship(room, ada)
    room.house.championships.enter(bob, made)
    finish(room, bob, made, 1)
    path = f"/championships/{made.id}"
    page, other = room.page(ada, path, lang="en"), room.page(visitor, path, lang="en")
    look = "document.dispatchEvent(new Event('visibilitychange'))"
    page.set_viewport_size({"width": 800, "height": 300})
    page.locator("details.how summary").click()
    page.locator("#deal-2").focus()
    top = page.evaluate("scrollBy({top: 40, behavior: 'instant'}), scrollY")
    other.locator("#my-name").type("Clé")
    standings = page.locator("[aria-labelledby=h-standings]").element_handle()

    seen = page.locator("main").get_attribute("data-seen")
    assert read(room, f"{path}?seen={seen}", ada).status_code == 204
    finish(room, ada, made, 1)
    assert read(room, f"{path}?seen={seen}", ada).status_code == 200
    for one in (page, other):
        one.evaluate(look)
        expect(one.locator(".entrants li").first).to_contain_text("deals: 1 of 2")
    expect(page.locator("[aria-labelledby=h-standings] tbody tr")).to_have_count(2)
    assert not standings.evaluate("part => part.isConnected")
    expect(page.locator("#deal-2")).to_be_focused()
    expect(page.locator("details.how")).to_have_attribute("open", "")
    assert page.evaluate("scrollY") == top > 0
    expect(other.locator("#my-name")).to_be_focused()
    expect(other.locator("#my-name")).to_have_value("Clé")
    how = page.locator("details.how").element_handle()
    room.house.championships.enter(visitor, made)
    page.evaluate(look)
    expect(page.locator(".entrants li")).to_have_count(3)
    assert how.evaluate("part => part.isConnected"), "what has not changed is not replaced"
    assert not room.complaints, room.complaints


def test_a_round_of_tables_without_javascript(room):
    host, friend = room.guest("Laudine"), room.guest("Yvain")
    page = room.page(host, "/games/tales-of-glory/championship", js=False, lang="en")
    page.locator("#championship-name").fill("Winter cup")
    page.locator("#form-rounds").check()
    expect(page.locator("#seasons")).to_be_hidden()
    page.locator("#deals").fill("1")
    page.locator("#level").select_option("novice")
    page.locator("#lasts").select_option("evening")
    page.locator("#create").click()
    address = page.url.removeprefix(room.url)
    page.locator("#start").click()
    expect(page.locator(".oops")).to_contain_text("at least two players")
    other = room.page(friend, address, js=False, lang="en")
    other.locator("#join").click()
    assert other.locator("#start").count() == 0
    page.locator("#start").click()
    page.locator(".own-deals .reader a").click()
    expect(page.locator("#prompt")).to_be_visible()
    other.goto(room.url + address)
    other.locator("#withdraw").click()
    expect(other.locator("#join")).to_contain_text("from the next round on")
    made = room.house.championships.find(address.rpartition("/")[2])
    (table,) = room.house.championships.standings(made, None).tables
    play_on(room.house.tables.find(table.table_id), [host, friend])
    page.goto(room.url + address)
    rows = page.locator("main table tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.filter(has_text="Yvain")).to_contain_text("with a bot")
    expect(page.locator(".state")).to_contain_text("This championship is over")
    assert not room.complaints, room.complaints


def paths_of(room, made, table):
    """The addresses of every route that names a championship or a table."""
    for route in create_app(room.house).routes:
        if "GET" in getattr(route, "methods", ()) and re.search("{championship_id|{table_id", route.path_format):
            fill = {"championship_id": made.id, "table_id": table.id, "game": GAME, "seat": 0, "number": 1, "name": "x"}
            fill["entrant"] = 1
            yield route.path_format.format(**fill)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"deals": "99"}, "1 to 24 deals"),
        ({"deals": "many"}, "1 to 24 deals"),
        ({"name": " "}, "needs a name"),
        ({"level": "random"}, "There is no level"),
        ({"lasts": "a century"}, "one hour to three months"),
        ({"form": "knockout"}, "a duplicate, a round of tables, or a league"),
        ({"form": "league", "seasons": "none"}, "1 to 12 seasons"),
        ({"form": "rounds", "level": "measure"}, "in a duplicate only"),
        ({"scoring": "beauty"}, "by victories, or by points"),
    ],
)
def test_a_form_that_cannot_be_is_refused_in_a_sentence(room, fields, sentence):
    form = {"name": "Cup", "deals": "2", "level": "novice", "lasts": "week", "my-name": "Gauvain"} | fields
    answer = send(room, f"/games/{GAME}/championship", room.guest("Gauvain"), **form)
    assert answer.status_code in (409, 422)
    assert sentence in answer.text
    assert 'id="create"' in answer.text, "the form is there again"


def test_what_is_not_there_or_over_is_said(room):
    guest = room.guest("Perceval")
    made = championship(room, room.guest("Enide"))
    for path in ("/championships/2222-2222-2222", f"/championships/{made.id}x", "/championships/%00"):
        assert read(room, path).status_code == 404
    assert send(room, f"/championships/{made.id}/deals/1", guest).status_code == 403
    send(room, f"/championships/{made.id}/join", guest)
    assert send(room, f"/championships/{made.id}/deals/9", guest).status_code == 404
    with room.house.store.writing() as db:
        db.execute(repository.championships.update().where(repository.championships.c.id == made.id).values(ends=1.0))
    late = send(room, f"/championships/{made.id}/deals/1", guest)
    assert late.status_code == 409
    assert "This championship is over." in late.text
    opened = read(room, f"/championships/{made.id}").text
    assert made.seed(1).hex() in opened


def test_all_games_of_a_round_of_tables_verify(room):
    guests = [room.guest(name) for name in ("Ada", "Bob", "Cléa", "Dan")]
    made, (table,) = rounds(room, guests, deals=1)
    assert len(table.seats) == 4
    play_on(table, guests)
    lines = [json.loads(line) for line in read(room, f"/championships/{made.id}/games.jsonl").text.splitlines()]
    assert sorted(lines[1]["entrants"]) == [1, 2, 3, 4]
    verdict = verify_championship(lines)
    assert (verdict.games, verdict.faults) == (1, [])
    rows = list(csv.DictReader(io.StringIO(read(room, f"/championships/{made.id}/standings.csv").text)))
    assert {(row["round"], row["group"], row["seat"]) for row in rows} == {("1", "1", str(seat)) for seat in range(4)}


def test_all_games_are_handed_out_at_the_end_and_verify(room):
    ada, bob = room.guest("Ada"), room.guest("Bob")
    made = championship(room, ada, deals=1)
    room.house.championships.enter(bob, made)
    for guest in (ada, bob):
        finish(room, guest, made, 1)
    address = f"/championships/{made.id}/games.jsonl"
    assert read(room, address, ada).status_code == 409
    now = room.house.store.now()
    with room.house.store.writing() as db:
        db.execute(repository.championships.update().values(ends=now).where(repository.championships.c.id == made.id))
        db.execute(tables.update().values(sealed_until=now).where(tables.c.deal == made.id))
    lines = [json.loads(line) for line in read(room, address).text.splitlines()]
    verdict = verify_championship(lines)
    assert (verdict.games, verdict.faults) == (2, [])
