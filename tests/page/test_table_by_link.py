"""Two browsers without a server play a whole game by sending each other links."""

from __future__ import annotations

import asyncio
import html
import json
import random
import re
from itertools import product
from urllib.parse import quote

import pytest
from tests.page.test_house_in_page import BASE, Browser, pools, run

from helpers import EVERYTHING
from veillee.games.catalogue import BOXES
from veillee.house.tables import by_link
from veillee.house.tables.by_link import FORGED, FORKED, NOT_OURS, OWN_ANSWER, TOO_LONG, link_seat, link_state
from veillee.kernel.chance import Rng
from veillee.web.rendering.table_parts import Audience, replay_parts

__all__ = ["pools"]

LINK = re.compile(r'id="table-link" readonly value="([^"]+)"')
MAX_LINKS = 600
MAX_DEALS = 40  # until the first player begins


class Player(Browser):
    """One of the two browsers, with a table that is played by link."""

    address = ""

    async def think(self, line):
        """Lets bots answer without thinking: here it matters where they do."""
        return await super().think(json.dumps(json.loads(line) | {"level": "random"}))

    @property
    def table(self):
        return self.house.house.tables.find(self.address.rpartition("/")[2])

    @property
    def seat(self):
        return next(number for number, seat in enumerate(self.table.seats) if seat.guest)

    async def begin(self, game, seats=()):
        """Opens a table; seats: what the form for a new table says of each, instead of one friend."""
        body = "&".join(f"seat.{number}={kind}" for number, kind in enumerate(seats)) or "level=regular"
        _, headers, _ = await self.ask("POST", f"/games/{game}/{'tables' if seats else 'by-link'}", body)
        self.address = headers["location"].removeprefix(BASE)

    async def link(self):
        """Returns the link that the page shows to send."""
        page = self.address if self.table.status == "waiting" else f"{self.address}/link"
        if self.table.status != "waiting":
            status, _, _ = await self.ask("POST", f"{self.address}/send", "a=1")
            assert status == 303
        status, _, text = await self.ask("GET", page)
        assert status == 200
        return html.unescape(LINK.search(text)[1])

    async def open(self, link, **fields):
        """Opens a link; returns the status and the page."""
        body = "&".join(f"{name}={quote(value)}" for name, value in {"link": link, **fields}.items())
        status, headers, text = await self.ask("POST", "/link", body)
        if status == 303:
            self.address = headers["location"].removeprefix(BASE)
        return status, text

    async def answer(self, rng):
        """Gives one answer of this browser's seat."""
        table, seat = self.table, self.seat
        choice = rng.choice(table.match.choices(seat)).id
        stamp = table.stamp(seat)
        status, _, _ = await self.ask(
            "POST", f"{self.address}/act", f"seat={seat}&stamp={stamp}&sure={stamp}&a={choice}"
        )
        assert status in (204, 303)

    async def play(self, rng):
        """Answers until the friend is asked."""
        while not link_state(self.table.moment):
            if self.seat in self.table.match.to_act:
                await self.answer(rng)
            else:
                await asyncio.sleep(0)  # bots think


async def two(tmp_path, game="takara-island", seats=()):
    """Returns two browsers whose match has just begun, in the first one."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    first, second = Player(tmp_path / "a"), Player(tmp_path / "b")
    await first.begin(game, seats)
    status, text = await second.open(await first.link())
    assert status == 200
    assert 'id="sit-down"' in text
    status, _ = await second.open(await first.link(), sit="yes", name="Lucie")
    assert status == 303
    assert second.table.status == "waiting"
    status, _ = await first.open(await second.link())
    assert status == 303
    assert first.table.status == "playing"
    return first, second


async def sent_over(first, second, rng):
    """Lets the first browser answer, and opens its link in the second one."""
    await first.play(rng)
    assert link_state(first.table.moment) == "send"
    _, _, text = await first.ask("GET", first.address)
    assert 'id="send-table"' in text
    link = await first.link()
    status, text = await second.open(link)
    assert status == 303, text
    return link


def forge(link, change):
    """Returns the link with its content changed."""
    data = by_link.decode(link)
    change(data)
    return "https://localhost/#/link/" + by_link.encode(data)


def close(*browsers):
    for one in browsers:
        one.house.close()


def seats_with_bots(game):
    """Returns a friend on the last seat and bots in between, on as many seats as the box usually has."""
    usual = BOXES[game].usual
    return ["me", *["bot:novice"] * (usual - 2), "link", *["none"] * (BOXES[game].players[-1] - usual)]


WITH_BOTS = ("takara-island", "paper-tales")
CHOSEN = [(game, game in WITH_BOTS) for game in BOXES]


@pytest.mark.parametrize(("game", "with_bots"), list(product(BOXES, (False, True))) if EVERYTHING else CHOSEN)
def test_two_browsers_play_a_whole_game_by_links(tmp_path, game, with_bots):
    async def play():
        first, second = await two(tmp_path, game, seats_with_bots(game) if with_bots else ())
        rng = random.Random(game)
        for n in range(MAX_LINKS):
            sender, receiver = (first, second) if n % 2 == 0 else (second, first)
            await sent_over(sender, receiver, rng)
            assert receiver.table.match.answers == sender.table.match.answers
            if sender.table.status == "over":
                break
        assert first.table.status == second.table.status == "over"
        assert first.table.match.record() == second.table.match.record()
        assert first.seat == link_seat(second.table.moment)
        assert second.seat == link_seat(first.table.moment)
        assert first.table.names == [*second.table.names]
        (added,) = first.table.match.contributions
        assert added.seat == second.seat
        assert added.holds
        close(first, second)

    run(play())


def test_no_link_is_made_while_somebody_is_still_to_answer_here(tmp_path):
    async def play():
        for n in range(MAX_DEALS):
            (tmp_path / str(n)).mkdir()
            first, second = await two(tmp_path / str(n))
            if first.seat in first.table.match.to_act:  # chance decides who begins
                break
            close(first, second)
        status, _, _ = await first.ask("POST", f"{first.address}/send", "a=1")
        assert status == 409
        close(first, second)

    run(play())


def test_the_invitation_holds_neither_seed_nor_cards(tmp_path):
    async def play():
        (tmp_path / "a").mkdir()
        first = Player(tmp_path / "a")
        await first.begin("takara-island")
        told = json.dumps(by_link.decode(await first.link()))
        seed = first.table.moment.row.seed.hex()
        assert seed not in told
        assert first.table.commitment in told
        close(first)

    run(play())


def test_another_deal_than_the_one_that_was_sealed_is_refused(tmp_path):
    """The first browser cannot replace its seed, nor what the second one has added, once both are told."""

    async def play():
        first, second = await two(tmp_path)
        await first.play(random.Random(1))
        link = await first.link()

        def other_seed(data):
            data["match"] |= {"seed": "00" * 32, "answers": []}
            del data["match"]["commitment"]

        def without_mine(data):
            data["match"] |= {"contributions": [], "answers": []}

        for change in (other_seed, without_mine):
            status, text = await second.open(forge(link, change))
            assert status == 422
            assert FORGED.say("fr") in html.unescape(text)
            assert second.table.status == "waiting"
        status, _ = await second.open(link)
        assert status == 303
        close(first, second)

    run(play())


def test_damaged_forged_forked_and_too_long_links_change_nothing(tmp_path):
    async def play():
        first, second = await two(tmp_path)
        rng = random.Random(2)
        await sent_over(first, second, rng)
        await sent_over(second, first, rng)
        await first.play(rng)
        link = await first.link()
        known = second.table.match.answers
        assert by_link.decode(link)["match"]["answers"][: len(known)] == [list(one) for one in known]

        def forbidden(data):
            data["match"]["answers"][-1][1] = 99_999

        def forked(data):
            data["match"]["answers"] = []

            def take(match, n):
                return [[seat, action] for seat, action in match.answers[:n]]

            other = second.table.match.from_the_start()
            for seat, action in known[:-1]:
                other.play(seat, action)
            seat, action = known[-1]
            another = next(choice.id for choice in other.choices(seat) if choice.id != action)
            other.play(seat, another)
            data["match"]["answers"] = take(other, len(known))

        def for_you(data):
            match = first.table.match.copy()
            while second.seat in match.to_act:
                match.play(second.seat, match.choices(second.seat)[0])
            data["match"]["answers"] = [list(one) for one in match.answers]

        def huge(data):
            data["match"]["answers"] = [[0, 0]] * 90_000

        refused = [
            (link[:-30], NOT_OURS),
            (link[:-60] + ("B" if link[-60] == "A" else "A") + link[-59:], NOT_OURS),
            ("", NOT_OURS),
            ("https://example.org/", NOT_OURS),
            ("https://localhost/#/link/" + "A" * 13_000, TOO_LONG),
            (forge(link, huge), TOO_LONG),
            (forge(link, lambda data: data.pop("match")), None),
            (forge(link, lambda data: data.update({"is": "gift"})), NOT_OURS),
            (forge(link, lambda data: data["match"].update(game="chess")), None),
            (forge(link, forbidden), None),
            (forge(link, forked), FORKED),
            (forge(link, for_you), OWN_ANSWER),
        ]
        for bad, why in refused:
            before = second.table.moment
            status, text = await second.open(bad)
            assert status == 422, (bad[:80], status)
            if why is not None:
                assert why.say("fr") in html.unescape(text)
            assert second.table.moment is before
        status, _ = await second.open(link)
        assert status == 303
        assert len(second.table.match.answers) > len(known)
        close(first, second)

    run(play())


def test_an_older_link_and_the_same_again_just_show_the_table(tmp_path):
    async def play():
        first, second = await two(tmp_path)
        rng = random.Random(3)
        old = await sent_over(first, second, rng)
        await sent_over(second, first, rng)
        await sent_over(first, second, rng)
        for link in (old, await first.link()):
            before = second.table.match.answers
            status, _ = await second.open(link)
            assert status == 303
            assert second.table.match.answers == before
        own = await first.link()
        status, _ = await first.open(own)
        assert status == 303
        close(first, second)

    run(play())


def test_what_was_sent_stands_and_what_was_not_can_be_undone(tmp_path):
    async def play():
        first, second = await two(tmp_path, "ghost-knights")
        rng = random.Random(4)
        undone = 0
        for n in range(60):
            one, other = (first, second) if n % 2 == 0 else (second, first)
            await one.play(rng)
            table, seat = one.table, one.seat
            could = table.match.can_undo(seat)
            link = await one.link()
            assert not table.moment.can_undo(seat)
            if could:
                status, _, text = await one.ask("POST", f"{one.address}/undo", f"seat={seat}&stamp={table.stamp(seat)}")
                assert status == 409
                assert "se" in text
                undone += 1
            await other.open(link)
            if one.table.status == "over":
                break
        close(first, second)
        assert undone, "in no move of this game was there anything to refuse"

    run(play())


@pytest.mark.parametrize("game", BOXES)
def test_a_page_is_the_same_whatever_the_other_seats_hold(tmp_path, game):
    """The link holds everything, and the page says so; what a table's page draws depends on the own seat's view alone."""

    async def play():
        first, second = await two(tmp_path, game, seats_with_bots(game))
        await sent_over(first, second, random.Random(5))
        _, _, text = await second.ask("GET", second.address)
        match, seat = second.table.match, second.seat
        seed = match.seed.hex()
        assert seed not in text
        before = draw(second)
        other = match.copy()
        other.state.determinize(seat, Rng(7))
        assert replay_parts(second.table.moment, other, Audience(seat), "fr") == before
        await second.play(random.Random(6))
        await second.ask("POST", f"{second.address}/send", "a=1")
        _, _, text = await second.ask("GET", f"{second.address}/link")
        assert seed not in text.replace(LINK.search(text)[1], "")
        close(first, second)

    def draw(one):
        return replay_parts(one.table.moment, one.table.match.copy(), Audience(one.seat), "fr")

    run(play())


def test_a_rematch_by_link_begins_with_a_new_invitation(tmp_path):
    async def play():
        first, second = await two(tmp_path, "tales-of-glory")  # the shortest
        rng, sides = random.Random(8), (first, second)
        while first.table.status != "over":
            await sent_over(*sides, rng)
            sides = sides[::-1]
        _, headers, _ = await first.ask("POST", f"{first.address}/rematch", "sealed=")
        first.address = headers["location"].removeprefix(BASE)
        assert by_link.decode(await first.link())["is"] == "invitation"
        assert "Lucie" in first.table.names
        close(first, second)

    run(play())


def test_a_page_that_waits_for_a_link_seals_nothing_else(tmp_path):
    async def play():
        first = Player(tmp_path)
        await first.begin("takara-island")
        _, _, text = await first.ask("GET", first.address)
        assert "data-seat=" not in text
        await first.ask("POST", f"{first.address}/seal", f"seat=0&sealed={'ab' * 32}")
        assert not first.table.seats[0].sealed
        close(first)

    run(play())


@pytest.mark.parametrize("seats", [["me", "link", "link"], ["me", "link", "hotseat"]])
def test_one_friend_alone_plays_by_link(tmp_path, seats):
    async def play():
        first = Player(tmp_path)
        body = "&".join(f"seat.{number}={kind}&name.{number}=Zoé" for number, kind in enumerate(seats))
        more = "".join(f"&seat.{n}=none" for n in range(len(seats), BOXES["takara-island"].players[-1]))
        status, _, _ = await first.ask("POST", "/games/takara-island/tables", body + more)
        assert status == 422
        close(first)

    run(play())


def test_a_house_with_a_server_has_no_tables_by_link():
    from veillee.web.pages import page_routes

    paths = {path for route in page_routes() for path in getattr(route, "paths", ())}
    assert paths
    assert not [path for path in paths if path in ("/link", "/t/{table_id:str}/send")]
