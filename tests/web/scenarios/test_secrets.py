"""No page and no stream contains what its reader cannot know.

Resampled worlds give the same parts, byte by byte. And at tables that differ only in what one seat has answered in
secret, everybody else gets the same bytes: of pages, of the API, of the stream.
"""

import json
import random
import re
import threading
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from itertools import chain, islice, product
from unittest.mock import patch

import httpx
import pytest

import veillee
from helpers import EVERYTHING
from match.secret_picks import BOX as SECRET_PICKS
from veillee.conformance.forks import after, forks
from veillee.games.catalogue import BOXES
from veillee.house.accounts.personal_data import export_json
from veillee.house.circles.repository import register_table
from veillee.house.tables.seats import SeatPlan
from veillee.kernel.chance import Rng
from veillee.kernel.log import NO_SEAT
from veillee.match import seeds
from veillee.web.app import make_app
from veillee.web.rendering.table_parts import Audience, audience, parts_of, private_parts, public_parts

WORLDS = 3
LOOKS = 8
FORKS = 2  # of a game
SEEDS = range(7, 15)  # of games to look for them, until enough are found
PATIENCE = 60  # seconds for a message of a stream
HEARTBEAT = b": still here\n\n"
SHARED = {"/evening"}  # lists the tables of other tests, which go on meanwhile
LAST = "Zénobie"  # who comes to the table when everything has been seen


def everything(moment, match, viewer, lang):
    """Every part of the page, as the stream would send it."""
    return {
        **public_parts(moment, match, viewer, lang),
        **private_parts(moment, match, Audience(viewer), lang),
    }


def resampled(match, viewer, world):
    """The match as it might be, for all that the viewer knows."""
    other = match.copy()
    other.anchor = match.anchor.clone()
    for state in (other.state, other.anchor):
        state.determinize(viewer, Rng(world))
    return other


@pytest.mark.parametrize("game", list(BOXES))
def test_parts_do_not_depend_on_what_the_reader_cannot_know(served, game):
    house, rng = served[1], random.Random(game)
    guest = house.guests.new("Ada")
    seats = BOXES[game].players[0] + 1
    friends = [SeatPlan("hotseat", name) for name in "BCDEF"[: seats - 1]]
    table = house.tables.create(guest, game, [SeatPlan("me"), *friends], public=False)
    for _ in range(LOOKS):
        for _ in range(rng.randrange(1, 9)):
            if table.status == "playing":
                seat = rng.choice(table.match.to_act)
                table.answer(guest, seat, table.stamp(seat), [rng.choice(table.match.choices(seat)).id])
        if table.status != "playing":
            break
        moment = table.moment
        for viewer in (NO_SEAT, *range(seats)):
            shown = everything(moment, moment.match, viewer, "fr")
            for world in range(WORLDS):
                told = everything(moment, resampled(moment.match, viewer, world), viewer, "fr")
                changed = [name for name in shown if shown[name] != told[name]]
                assert not changed, f"{changed} of seat {viewer} tell something hidden"


def test_a_hand_that_is_shown_would_be_noticed(served):
    """The check above can fail: what a spectator cannot know, a seat's own page does show."""
    house = served[1]
    guest = house.guests.new("Ada")
    table = house.tables.create(guest, "ghost-knights", [SeatPlan("me"), *[SeatPlan("bot")] * 3], public=False)
    moment = table.moment
    shown = everything(moment, moment.match, 0, "fr")
    told = [everything(moment, resampled(moment.match, NO_SEAT, world), 0, "fr") for world in range(WORLDS)]
    assert any(other["hand"] != shown["hand"] for other in told)
    assert all(other["board"] == shown["board"] for other in told)


# -- forks ------------------------------------------------------------------------------------------------------------
class Reader:
    """A reader of a table: a seat's guest, or a spectator. Follows the stream."""

    def __init__(self, url, table, seat, guest):
        self.table, self.seat, self.guest = table, seat, guest
        cookies = {"guest": guest.token} if guest else {}
        self.client = httpx.Client(base_url=url, cookies=cookies, headers={"Accept-Language": "en"}, timeout=PATIENCE)
        self.mine = [seat] if guest else []
        self.heard = b""
        self.news = threading.Condition()
        self.listening = threading.Thread(target=self.listen, daemon=True)
        self.listening.start()
        self.wait(b"event: parts")
        self.parts = self.drawn()

    def everything(self):
        """Returns every response of the server that this reader may request."""
        name, place = self.table.id, "watch" if self.guest is None else f"seats/{self.seat}"
        back = f"/t/{name}/replay"
        paths = [f"/api/tables/{name}", f"/api/tables/{name}/{place}", f"/t/{name}", back, f"{back}?at=9999"]
        last = self.table.history.last
        paths.append(f"{back}/moments?at={last}&to={last}&of={last}")
        return [self.plain(self.client.get(path)) for path in paths]

    def plain(self, answer):
        """Without the table's name, which the copies of a table do not share, and the time of day."""
        assert answer.status_code == 200, answer.text
        headers = sorted((name, value) for name, value in answer.headers.items() if name != "date")
        return headers, answer.text.replace(self.table.id, "TABLE")

    def listen(self):
        with self.client.stream("GET", f"/t/{self.table.id}/stream") as stream:
            for chunk in stream.iter_raw():
                with self.news:
                    self.heard += chunk
                    self.news.notify_all()
                if LAST.encode() in self.heard and self.heard.endswith(b"\n\n"):
                    return

    def wait(self, what):
        with self.news:
            assert self.news.wait_for(lambda: what in self.heard, PATIENCE), f"seat {self.seat} was not told {what!r}"

    def drawn(self):
        now = self.table.moment
        return parts_of(now, audience(now, self.guest, None), "en", self.guest, "")

    def catch_up(self):
        """Until the stream has told of the last change, if there was one to tell of: then no message swallows another."""
        before, self.parts = self.parts, self.drawn()
        if before != self.parts:
            self.wait(f"id: {self.table.moment.shown_version(self.mine)}\n".encode())

    def close(self):
        """All that the stream has said."""
        self.listening.join(PATIENCE)
        assert not self.listening.is_alive()
        self.client.close()
        return self.heard.replace(HEARTBEAT, b"").replace(self.table.id.encode(), b"TABLE")


def copy_of(fork, house, guests):
    """A table where the same was played under the same seed, each seat with a guest of its own."""
    box, options = fork.before.box, fork.before.options
    with patch.object(seeds, "new_seed", lambda: fork.before.seed):
        opened = [SeatPlan("me"), *[SeatPlan("open")] * (len(guests) - 1)]
        table = house.tables.create(guests[0], box.id, opened, options, public=False)
    for seat, guest in enumerate(guests[1:], 1):
        table.sit(guest, seat)
    for seat, action in fork.before.answers:
        table.answer(guests[seat], seat, table.stamp(seat), [action])
    assert table.match.state.dump() == fork.before.state.dump()
    return table


def rename(table, seat):
    """Something that everybody sees: a seat has another name."""

    def change(row):
        seats = [replace(taken, name=LAST) if n == seat else taken for n, taken in enumerate(row.seats)]
        return replace(row, seats=tuple(seats))

    table._reseat(seat, change)


def what_others_get(url, house, guests, fork, action):
    """For everybody but the seat: what they read before its answer, after it, after its undo and after another answer;
    and all that the stream told them meanwhile."""
    table, seat = copy_of(fork, house, guests), fork.seat
    readers = [Reader(url, table, who, guests[who]) for who in range(len(guests)) if who != seat]
    readers.append(Reader(url, table, NO_SEAT, None))
    for reader in readers:
        reader.everything()  # all are here from now on, which everybody may see
    read = [[reader.everything()] for reader in readers]
    mine = guests[seat]
    for do in (
        lambda: table.answer(mine, seat, table.stamp(seat), [action]),
        lambda: table.undo(mine, seat, table.stamp(seat)),
        lambda: table.answer(mine, seat, table.stamp(seat), [fork.actions[0]]),
    ):
        do()
        for reader, moments in zip(readers, read, strict=True):
            reader.catch_up()
            moments.append(reader.everything())
    rename(table, seat)
    return {reader.seat: (moments, reader.close()) for reader, moments in zip(readers, read, strict=True)}


def may_know(match, who):
    return match.view(who), match.log(who), who != NO_SEAT and match.can_undo(who)


@pytest.mark.parametrize("game", [*BOXES, SECRET_PICKS.id])
def test_tables_that_differ_in_a_secret_answer_give_everybody_else_the_same_bytes(served, game):
    url, house = served
    with patch.dict(BOXES, {SECRET_PICKS.id: SECRET_PICKS}):
        seats = min(BOXES[game].players[0] + 1, BOXES[game].players[-1])
        guests = [house.guests.new(name) for name in "ABCDEF"[:seats]]
        games = (forks(veillee.new(game, seats, seed=seed), seed, every=3) for seed in SEEDS)
        found = list(islice(chain.from_iterable(games), FORKS))
        assert found, "nobody ever answers in secret: this proves nothing"
        for fork in found:
            first, *others = [what_others_get(url, house, guests, fork, action) for action in fork.actions[:2]]
            then = after(fork.before, fork.seat, fork.actions[0])
            for who, (moments, heard) in first.items():
                if may_know(fork.before, who) == may_know(then, who):
                    assert moments[1:] == moments[:1] * 3, f"{who} is shown something of what {fork.seat} does"
                    at_first, at_last = re.findall(rb"^id: (\d+)\.(\S+)$", heard, re.MULTILINE)
                    renamed = (b"%d" % (int(at_first[0]) + 1), at_first[1])
                    assert at_last == renamed, f"{who} is told how much {fork.seat} does"
            assert others == [first] * len(others), f"what seat {fork.seat} has answered is no secret"


# -- every route ------------------------------------------------------------------------------------------------------
# Streams and the long poll do not end by themselves: the forks above follow a stream from its first byte on.
ENDLESS = {
    "/t/{table_id}/stream",
    "/t/{table_id}/screen/stream",
    "/api/tables/{table_id}/seats/{seat}/stream",
    "/api/tables/{table_id}/seats/{seat}/turn",
}
EXAMPLES = {
    "/admin/enter/{token}": "/admin/enter/x",
    "/back/{token}": "/back/x",
    "/come/{token}": "/come/x",
    "/boards/{game}/{name}": "/boards/{game}/icons.svg",
    "/day/{day}": f"/day/{datetime.now(UTC).date()}",
    "/games/{game}/puzzles/{number}": "/games/{game}/puzzles/1",
    "/games/{game}/puzzles/here/{number}": "/games/{game}/puzzles/here/1",
    "/icons/count/{name}": "/icons/count/3.svg",
    "/icons/{name}": "/icons/fire-192.png",
    "/lab/{game}/{number}": "/lab/{game}/1",
    "/lab/{game}/files/{kind}": "/lab/{game}/files/toml",
    "/rules/{game}/positions/{name}": "/rules/{game}/positions/setup",
    "/shields/{name}": "/shields/x.svg",
    "/static/{file_path}": "/static/base.css",
    "/api/schema/{path}": "/api/schema/openapi.json",
    "/t/{table_id}/talk/{number}": "/t/{table_id}/talk/1",
    "/t/{table_id}/replay/moments": "/t/{table_id}/replay/moments?at=1&to=3&of={last}",
    "/feed/{token}": "/feed/x",
    "/notices/stop/{token}": "/notices/stop/x",
    "/notices/yes/{token}": "/notices/yes/x",
    "/circles/{circle_id}/join/{token}": "/circles/{circle_id}/join/x",
    "/circles/{circle_id}/feed/{token}": "/circles/{circle_id}/feed/{feed}",
    "/championships/{championship_id}": "/championships/x",
    "/championships/{championship_id}/standings.csv": "/championships/x/standings.csv",
    "/championships/{championship_id}/games.jsonl": "/championships/x/games.jsonl",
    "/championships/{championship_id}/screen": "/championships/x/screen",
    "/championships/{championship_id}/certificate/{entrant}": "/championships/x/certificate/1",
    "/championships/{championship_id}/review": "/championships/x/review",
    "/championships/{championship_id}/feed": "/championships/x/feed",
}


# Of finished games, for the owner of a link, and what these tables do not have.
REFUSED = {
    *("/t/{table_id}/analysis", "/t/{table_id}/record.json", "/api/tables/{table_id}/record"),
    *(
        "/admin",
        "/me/identities/back",
        "/admin/enter/{token}",
        "/back/{token}",
        "/feed/{token}",
        "/notices/stop/{token}",
        "/notices/yes/{token}",
    ),
    *("/t/{table_id}/talk/{number}", "/shields/{name}", "/rules/{game}/positions/{name}"),
    *("/games/{game}/puzzles/{number}", "/games/{game}/puzzles/here/{number}"),
    *("/lab", "/lab/{game}", "/lab/{game}/{number}", "/lab/{game}/files/{kind}"),  # of designs that are not there
    "/t/{table_id}/next",  # leads elsewhere
    "/circles/{circle_id}/join/{token}",  # too
    "/championships/{championship_id}",
    "/championships/{championship_id}/standings.csv",
    "/championships/{championship_id}/games.jsonl",
    "/championships/{championship_id}/screen",
    "/championships/{championship_id}/certificate/{entrant}",
    "/championships/{championship_id}/review",
    "/championships/{championship_id}/feed",
}


FETCHED = 60  # routes at least, besides those that do not end


@cache
def get_routes():
    """The paths of the application that can be fetched."""
    return {route.path_format for route in make_app().routes if "GET" in getattr(route, "methods", ())}


def fetch_all(url, house, table, seat, guest, circle=None):
    """Returns what each route answers to that reader, by route."""
    cookies = {"guest": guest.token} if guest else {}
    fill = {"table_id": table.id, "game": table.box.id, "seat": max(seat, 0), "last": table.history.last}
    view = house.circles.view(circle, guest) if circle else None
    fill |= {"circle_id": circle.id if circle else "x", "feed": house.circles.feed_token(view) if view else "x"}
    got = {}
    with httpx.Client(base_url=url, cookies=cookies, headers={"Accept-Language": "en"}, timeout=PATIENCE) as client:
        for route in sorted(get_routes() - ENDLESS):
            answer = client.get(EXAMPLES.get(route, route).format(**fill))
            headers = sorted((name, value) for name, value in answer.headers.items() if name != "date")
            got[route] = answer.status_code, headers, answer.content
    return got


PLACES = ("sqlite", "postgresql")
SECRETIVE = ("paper-tales", "tales-of-glory")
CHOSEN = list(zip(PLACES, SECRETIVE, strict=True))


@pytest.mark.parametrize(
    ("served_from", "game"), list(product(PLACES, SECRETIVE)) if EVERYTHING else CHOSEN, indirect=["served_from"]
)
def test_no_route_tells_others_that_a_seat_has_answered_in_secret(served_from, game):
    url, house = served_from
    guests = [house.guests.new(name) for name in "ABC"]
    games = (forks(veillee.new(game, len(guests), seed=seed), seed, every=1) for seed in SEEDS)
    fork = next(fork for fork in chain.from_iterable(games) if may_know_nothing(fork))
    table, seat = copy_of(fork, house, guests), fork.seat
    readers = [(who, guests[who]) for who in range(len(guests)) if who != seat] + [(NO_SEAT, None)]
    circle = house.circles.create(guests[0], f"Cercle {table.id}")
    for guest in guests[1:]:
        house.circles.join(guest, circle, house.circles.invitation(circle))
    with house.store.writing() as db:
        register_table(circle.id, db, table.moment.row)

    def look():
        return {who: fetch_all(url, house, table, who, guest, circle) for who, guest in readers}

    look()  # all are here from now on
    before = look()
    mine = guests[seat]
    for do in (
        lambda: table.answer(mine, seat, table.stamp(seat), [fork.actions[0]]),
        lambda: table.undo(mine, seat, table.stamp(seat)),
        lambda: table.answer(mine, seat, table.stamp(seat), [fork.actions[1]]),
    ):
        do()
        told = [
            (who, route)
            for who, answers in look().items()
            for route, answer in answers.items()
            if answer != before[who][route] and (route not in SHARED or table.id.encode() in answer[2])
        ]
        assert not told
    numbers = [
        line["number"]
        for game in json.loads(b"".join(export_json(house.store, guests[readers[0][0]])))["games"]
        if game["id"] == table.id
        for line in game["my_answers"]
    ]
    assert numbers == list(range(1, len(numbers) + 1)), "counted by themselves"
    answered = {route for route, (status, *_) in before[readers[0][0]].items() if status == 200}
    assert {"/notices/waiting", "/me/data.json", "/t/{table_id}", "/api/tables/{table_id}"} <= answered
    assert {"/circles/{circle_id}", "/circles/{circle_id}/feed/{token}"} <= answered
    assert set(before[readers[0][0]]) - answered <= REFUSED
    assert len(before[NO_SEAT]) >= FETCHED


def test_no_route_shows_private_notes_to_others(served):
    url, house = served
    ada, bob = house.guests.new("Ada"), house.guests.new("Bob")
    table = house.tables.create(ada, "takara-island", [SeatPlan("me"), SeatPlan("open")], public=True)
    table.sit(bob, 1)
    secret = "quetzalcoatlus"
    house.private_notes.save(ada, table, secret)
    shown = [route for route, (_, _, body) in fetch_all(url, house, table, 0, ada).items() if secret.encode() in body]
    assert sorted(shown) == ["/me/data.json", "/t/{table_id}"]
    for seat, guest in ((1, bob), (NO_SEAT, house.guests.new("Eve")), (NO_SEAT, None)):
        told = fetch_all(url, house, table, seat, guest)
        assert not [route for route, (_, _, body) in told.items() if secret.encode() in body]


def may_know_nothing(fork):
    """Nobody else may know of that seat's answer that it was given."""
    then = after(fork.before, fork.seat, fork.actions[0])
    others = [who for who in (NO_SEAT, *range(fork.before.seats)) if who != fork.seat]
    return all(may_know(fork.before, who) == may_know(then, who) for who in others)
