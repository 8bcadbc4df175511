"""Link previews without hidden information, icons, manifest, HEAD requests, service worker."""

from __future__ import annotations

import io
import json
import re
from html import unescape
from unittest.mock import patch

import httpx
import pytest
from PIL import Image
from playwright.sync_api import expect

from veillee.games.catalogue import BOXES
from veillee.house.profile import Profile
from veillee.house.tables.seats import SeatPlan
from veillee.match import seeds
from veillee.web.pages import link_previews
from veillee.web.rendering import images

GAME = "takara-island"
OPEN = [SeatPlan("me"), SeatPlan("open")]


@pytest.fixture
def web(served):
    with httpx.Client(base_url=served[0], headers={"Accept-Language": "en"}, timeout=60) as client:
        yield client


def tags(text: str) -> dict[str, str]:
    """The og: and twitter: tags of a page."""
    found = re.findall(r'<meta (?:property|name)="((?:og|twitter):[\w:]+)" content="([^"]*)"', text)
    return {name: unescape(content) for name, content in found}


def finished(house, guest):
    with patch.object(seeds, "new_seed", lambda: seeds.seed_from(7)):  # a game with a winner
        table = house.tables.create(guest, GAME, [SeatPlan("me"), SeatPlan("bot", level="novice")])
    while table.status == "playing":
        choices = table.match.choices(0)
        table.answer(guest, 0, table.stamp(0), [choices[len(table.match.answers) % len(choices)].id])
    return table


def places(house) -> dict[str, str]:
    """A page of every kind that is shared, and what its title must say."""
    ada = house.guests.new("Ada <3")
    over = finished(house, ada)
    return {
        "/": "Veillée",
        f"/games/{GAME}": "Takara Island",
        f"/t/{house.tables.create(ada, GAME, OPEN).id}": "Ada <3 invites you to play Takara Island",
        f"/t/{house.tables.create(ada, GAME, [SeatPlan('me'), SeatPlan('bot')]).id}": "Takara Island: Ada <3, ",
        f"/t/{over.id}": f"Takara Island: {over.seats[over.match.winners[0]].name} wins!",
        f"/t/{over.id}/replay": f"Takara Island: {over.seats[over.match.winners[0]].name} wins!",
    }


def test_a_link_shows_a_title_a_sentence_and_a_picture(web, served):
    drawn = set()
    for path, title in places(served[1]).items():
        told = tags(web.get(path).text)
        assert told["og:title"].startswith(title), path
        assert told["og:title"] == told["twitter:title"]
        assert told["og:description"], path
        assert told["og:url"] == served[0] + path
        assert told["twitter:card"] == "summary_large_image"
        assert told["og:image"] == told["twitter:image"]
        assert told["og:image"].startswith(served[0])
        drawn.add(told["og:image"])
    assert len(drawn) == 5  # a replay shows the table's
    for address in drawn:
        answer = web.get(address)
        assert answer.headers["cross-origin-resource-policy"] == "cross-origin"  # made to be shown elsewhere
        with Image.open(io.BytesIO(answer.content)) as image:
            assert (image.format, image.size) == ("PNG", (1200, 630))
            assert len(image.convert("RGB").getcolors(1_000_000)) > 1000, "something is drawn"


def test_a_preview_shows_no_hand(served):
    """Tables that differ in nothing but hands and what is done in secret have the same preview, to the letter."""
    house = served[1]
    ada = house.guests.new("Ada")

    def told(seed: int, answers: int):
        with patch.object(seeds, "new_seed", lambda: seeds.seed_from(seed)):
            table = house.tables.create(
                ada, "ghost-knights", [SeatPlan("me"), *[SeatPlan("hotseat", name) for name in "BCD"]]
            )
        for _ in range(answers):
            (seat,) = table.match.to_act
            table.answer(ada, seat, table.stamp(seat), [table.match.choices(seat)[0].id])
        now = table.moment
        shown = link_previews.of_table(now, "en")
        svg = images.preview_svg(
            (now.box.id,), "en", link_previews.preview_line(now, "en"), link_previews.chairs(now, "en")
        )
        return svg, shown.title, shown.about, str(now.match.view(0))

    seen = [told(seed, answers) for seed in (1, 2) for answers in (0, 5)]
    assert len({hands for *_, hands in seen}) == 4
    assert len({shown for *shown, _ in map(tuple, seen) for shown in [tuple(shown)]}) == 1


def test_a_name_is_drawn_as_it_is_and_nothing_of_it_is_run():
    chair = images.SeatImage("red", '<image href="/etc/passwd"/>&', "person")
    svg = images.preview_svg((GAME,), "fr", "", (chair, chair))
    assert "<image" not in svg
    assert "&lt;image" in svg


def test_pictures_bear_the_name_of_the_house(web, served):
    house = served[1]
    with patch.object(house, "profile", Profile("Les Amis & Cie")):
        renamed = web.get("/picture.png?lang=en").content
    assert renamed != web.get("/picture.png?lang=en").content
    for games in ((GAME,), tuple(BOXES)):
        svg = images.preview_svg(games, "en", house="Les Amis & Cie")
        assert "Les Amis &amp; Cie</text>" in svg
        assert "Veillée" not in svg


def test_every_box_of_the_shelf_is_drawn_in_both_languages():
    for game in BOXES:
        for lang in ("fr", "en"):
            assert images.Cover(BOXES[game], lang).title.split()[0] in images.preview_svg((game,), lang)


# -- HEAD -------------------------------------------------------------------------------------------------------------
def test_head_is_get_without_a_body(web, served):
    guest = served[1].guests.new("Ada")
    table = served[1].tables.create(guest, GAME, [SeatPlan("me"), SeatPlan("bot")])
    plain = [route.path for route in web_routes(served) if "{" not in route.path]
    paths = [*plain, f"/games/{GAME}", f"/rules/{GAME}", f"/t/{table.id}", f"/t/{table.id}/replay", "/static/base.css"]
    assert "/" in plain
    assert "/me" in plain
    for path in paths:
        get, head = web.get(path), web.head(path)
        assert (head.status_code, head.content) == (get.status_code, b""), path
        assert head.headers["content-type"] == get.headers["content-type"]
        assert head.headers.get("content-security-policy") == get.headers.get("content-security-policy")
    assert web.head(f"/t/{table.id}/stream").headers["content-type"].startswith("text/event-stream")
    assert web.head("/nowhere").status_code == 404
    assert web.head("/prefs").status_code == 405


def web_routes(served):
    """What can be fetched."""
    from veillee.web.app import create_app

    return [route for route in create_app(served[1]).routes if "GET" in getattr(route, "methods", ())]


# -- on a device ----------------------------------------------------------------------------------------------------------
def test_icons_of_every_size_are_there(web):
    for path, size in {"/icons/fire-32.png": 32, "/icons/ground-512.png": 512, "/apple-touch-icon.png": 180}.items():
        with Image.open(io.BytesIO(web.get(path).content)) as image:
            assert image.size == (size, size)
    with Image.open(io.BytesIO(web.get("/favicon.ico").content)) as image:
        assert image.format == "ICO"
    for path in ("/icons/fire-33.png", "/icons/fire-192", "/icons/x", "/icons/-192.png"):
        assert web.get(path).status_code == 404


@pytest.mark.browser
def test_the_house_can_be_installed(served, chromium, web):
    context = chromium.new_context()
    page = context.new_page()
    page.goto(served[0])
    page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    session = context.new_cdp_session(page)
    manifest = session.send("Page.getAppManifest")
    assert not manifest["errors"]
    assert json.loads(manifest["data"])["start_url"] == "/"
    errors = {error["errorId"] for error in session.send("Page.getInstallabilityErrors")["installabilityErrors"]}
    assert errors <= {"in-incognito"}, errors  # which every window of a test is
    for icon in json.loads(manifest["data"])["icons"]:
        assert web.get(icon["src"]).headers["content-type"] == icon["type"]
    context.close()


@pytest.mark.browser
def test_the_worker_never_shows_a_board_that_has_passed(served, chromium):
    url, house = served
    perceval = house.guests.new("Perceval")
    table = house.tables.create(
        perceval, "ghost-knights", [SeatPlan("me"), *[SeatPlan("hotseat", name) for name in "BCD"]]
    )
    context = chromium.new_context()
    context.add_cookies(
        [{"name": "guest", "value": perceval.token, "url": url}, {"name": "lang", "value": "en", "url": url}]
    )
    page = context.new_page()
    page.goto(url)
    page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    seat = table.match.to_act[0]
    for _ in range(2):  # the second time everything that may be kept is
        page.goto(f"{url}/t/{table.id}?as={seat}")
        expect(page.locator("#act [name=stamp]")).to_have_value(table.stamp(seat))
    table.answer(perceval, seat, table.stamp(seat), [table.match.choices(seat)[0].id])
    seat = table.match.to_act[0]
    page.goto(f"{url}/t/{table.id}?as={seat}")
    expect(page.locator("#act [name=stamp]")).to_have_value(table.stamp(seat))
    kept = page.evaluate(
        "caches.keys().then(all => Promise.all(all.map(name => caches.open(name).then(c => c.keys()))))"
        ".then(all => all.flat().map(request => new URL(request.url).pathname))"
    )
    assert all(path == "/offline" or path.startswith(("/static/", "/boards/")) for path in kept), kept
    assert "/static/table.css" in kept
    assert len(kept) == len(set(kept)), "one of each"
    context.set_offline(True)
    page.goto(f"{url}/t/{table.id}")
    expect(page.locator("h1")).to_contain_text(re.compile("cannot be reached|injoignable"))
    assert "Perceval" not in page.content()
    context.set_offline(False)
    page.locator("main a").click()
    expect(page.locator("#part-prompt")).to_be_visible()
    context.close()
