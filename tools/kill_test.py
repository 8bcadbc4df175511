"""Kill -9 during play, again and again: whatever was acknowledged, or seen by anybody, must be there afterwards.

usage: python tools/kill_test.py [--kills 200] [--game ghost-knights] [--seed 1] [--folder DIR]

A child process plays at tables of a house on disk and says, after every change, which table it is, how many requests it
has answered, and a fingerprint of what every seat then sees. It is killed in the middle of that; then the store is
replayed, request by request, and every fingerprint that was said must come out again. The next child goes on with the
same tables.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

from veillee.games import catalogue
from veillee.kernel.log import NO_SEAT
from veillee.match.match import Match
from veillee.tables.house import House
from veillee.tables.people import Guest, SeatPlan
from veillee.tables.store import Store
from veillee.tables.table import Moment, Table


@dataclass(frozen=True)
class Said:
    """What the child said of a table before it died."""

    table: str
    requests: int
    seen: str
    reseated: int
    away: list[bool]


def fingerprint(match: Match) -> str:
    views = [match.view(seat) for seat in range(NO_SEAT, match.seats)]
    return sha256(json.dumps([views, match.answers], sort_keys=True).encode()).hexdigest()


# -- the child: plays until it is killed ------------------------------------------------------------------------------
def play(folder: str, token: str, game: str, seed: int) -> None:
    chance = random.Random(seed)
    house = House.open(folder, workers=0)
    guest = house.guest(token)
    assert guest is not None
    while True:
        running = [glance.id for glance in house.my_tables(guest) if glance.status == "playing"]
        table = house.table(running[0]) if running else house.new_table(guest, game, plans(game))
        unsubscribe = table.subscribe(lambda: say(table.now))  # noqa: B023 (unsubscribed before `table` is another)
        say(table.now)
        while table.status == "playing":
            move(table, guest, chance)
        unsubscribe()


def plans(game: str) -> list[SeatPlan]:
    box = catalogue.find(game)
    assert box is not None
    return [SeatPlan("me"), SeatPlan("hotseat", "Friend")] + [SeatPlan("bot")] * (box.players[-1] - 2)


def move(table: Table, guest: Guest, chance: random.Random) -> None:
    """Answer at random; now and then take back, leave, come back."""
    now = table.now
    away = [seat for seat in now.seats_of(guest) if now.seats[seat].away]
    if away:
        table.come_back(guest, away[0])
        return
    seat = chance.choice([seat for seat in now.match.to_act if seat in now.seats_of(guest)])
    if chance.random() < 0.03:
        table.leave(guest, seat)
    elif chance.random() < 0.2 and now.match.can_undo(seat):
        table.undo(guest, seat, now.stamp(seat))
    else:
        table.answer(guest, seat, now.stamp(seat), [chance.choice(now.match.choices(seat)).id])


def say(now: Moment) -> None:
    away = [seat.away for seat in now.seats]
    print(json.dumps([now.row.id, now.requests, fingerprint(now.match), now.row.reseated, away]), flush=True)


# -- the parent: kills and checks -------------------------------------------------------------------------------------
def killed(folder: str, token: str, game: str, chance: random.Random) -> list[Said]:
    """What a child said before it was killed, at a moment drawn by chance."""
    command = [sys.executable, __file__, f"--play={token}", "--folder", folder, "--game", game]
    with subprocess.Popen(
        [*command, "--seed", str(chance.randrange(10**9))], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        lines = [child.stdout.readline() for _ in range(chance.randrange(1, 60))]
        until = time.perf_counter() + chance.random() * 0.005
        while time.perf_counter() < until:
            pass
        child.kill()
        lines += child.stdout.readlines()
    assert lines[0], "the child died by itself: its story is above"
    return [Said(*json.loads(line)) for line in lines if line.endswith("\n")]


def moments(store: Store, table_id: str) -> Iterator[str]:
    """The fingerprints of a table after each of its requests, from the first position on."""
    found = store.find_table(table_id)
    assert found is not None, f"table {table_id} is lost"
    row, requests = found
    luck = [word for word in row.luck if word]
    match = Match(catalogue.BOXES[row.game], len(row.seats), row.options, row.seed, luck, row.version)
    yield fingerprint(match)
    for request in requests:
        if request.actions:
            match.play(request.seat, *request.actions)
        else:
            assert match.undo(request.seat)
        yield fingerprint(match)


def lost(folder: str, said: list[Said]) -> list[str]:
    """What was said and is not on disk."""
    missing = []
    store = Store.open(folder)
    try:
        for table_id in {one.table for one in said}:
            there = list(moments(store, table_id))
            found = store.find_table(table_id)
            assert found is not None
            row = found[0]
            for one in said:
                if one.table != table_id:
                    continue
                if one.requests >= len(there) or there[one.requests] != one.seen:
                    missing.append(f"table {table_id}: request {one.requests}")
                if row.reseated < one.reseated or (
                    row.reseated == one.reseated and one.away != [seat.away for seat in row.seats]
                ):
                    missing.append(f"table {table_id}: change of seats {one.reseated}")
    finally:
        store.close()
    return missing


def run(folder: str, kills: int, game: str, seed: int) -> int:
    chance = random.Random(seed)
    house = House.open(folder, workers=0)
    token = house.new_guest("Ada").token
    house.close()
    acknowledged, missing = 0, list[str]()
    for number in range(kills):
        said = killed(folder, token, game, chance)
        acknowledged += len(said)
        missing += lost(folder, said)
        if sys.stderr.isatty():
            print(f"\r{number + 1}/{kills} kills, {acknowledged} changes", end="", file=sys.stderr, flush=True)
    print(f"\r{game}: {kills} kills, {acknowledged} acknowledged changes, {len(missing)} lost")
    for line in missing:
        print(line)
    return 1 if missing else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--game", default="ghost-knights", choices=sorted(catalogue.BOXES))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", help="where the house is kept (by default a new folder, removed afterwards)")
    parser.add_argument("--play", metavar="TOKEN", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.play:
        play(args.folder, args.play, args.game, args.seed)
    if args.folder:
        return run(args.folder, args.kills, args.game, args.seed)
    with tempfile.TemporaryDirectory() as folder:
        return run(folder, args.kills, args.game, args.seed)


if __name__ == "__main__":
    sys.exit(main())
