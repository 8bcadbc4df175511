"""Long test runs of the lab's interfaces: the frameworks' own tests at full length, secrecy over many games, the lab on Ray, a
learning seat.

usage: python tools/stress/soak_doors.py [--games 20] [--seconds 100]       run by `make soak`

tests/lab has the same in seconds: fewer cycles, games cut short.
"""

from __future__ import annotations

import argparse
import random
import re
import socket
import subprocess
import sys
import tempfile
import warnings
from functools import partial
from pathlib import Path

import pyspiel
from ray.cluster_utils import Cluster

import veillee.lab.spiel
from veillee.games.catalogue import BOXES
from veillee.kernel.chance import Rng
from veillee.lab import executors, zoo
from veillee.lab.arena import Contest, run
from veillee.lab.simulate import Observer
from veillee.match.setup import complete

with warnings.catch_warnings(action="ignore"):
    from pettingzoo.test import api_test, seed_test

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "learn_a_seat.py"
CYCLES = 500
QUARTER = 25.0  # per cent of the victories: what a seat among four gets that has learned nothing


def secrets(game: str, games: int) -> int:
    """Checks in whole games that positions a seat cannot tell apart give the same row. Returns the number of rows."""
    box, compared = BOXES[game], 0
    for seed in range(games):
        seats = box.players[seed % len(box.players)]
        rng, pick = Rng(seed), random.Random(seed)
        options = {option.id: pick.choice(list(option.values)) for option in box.options}
        state = box.new(seats, rng, complete(box, options), None)
        observer = Observer(box, state)
        while state.to_act:
            for seat in range(seats):
                world = state.clone()
                world.determinize(seat, rng)
                same = (observer.row(state, seat) == observer.row(world, seat)).all()
                assert same, f"{game}, {seats} seats, seed {seed}: seat {seat} is told what it cannot know"
                compared += 1
            seat = pick.choice(state.to_act)
            state.apply(seat, pick.choice(state.legal(seat)), rng)
    return compared


def as_here_on_ray() -> None:
    """Checks that the commands of the lab write the same files locally and with two Ray workers."""
    python = [sys.executable, "-m"]
    commands = {
        "weights.toml": [*python, "veillee.lab.value_learning", "takara-island", "--games", "60"],
        "balance.md": [*python, "veillee", "lab", "balance", "tales-of-glory", "--games", "16"],
        "insight.md": [*python, "veillee", "lab", "insight", "sourire-du-dragon", "--games", "8", "--analysed", "2"]
        + ["--each", "0", "--contest", "8"],
    }
    with tempfile.TemporaryDirectory() as folder:
        for on in ("here", "ray"):
            there = Path(folder) / on
            there.mkdir()
            for name, command in commands.items():
                whole = [*command, "--workers", "2", "--on", on, "--out", name]
                ran = subprocess.run(whole, check=False, cwd=there, capture_output=True, text=True)
                assert (there / name).exists(), f"{' '.join(whole)}: {ran.stderr[-2000:]}"
        written = [{file.name: file.read_bytes() for file in (Path(folder) / on).iterdir()} for on in ("here", "ray")]
    assert written[0] == written[1], "Ray has found something else"
    print(f"{len(written[0])} files are the same, written here and by Ray", flush=True)


def reached_by_its_address() -> None:
    """Checks that a remote cluster plays the same games. It may respond slowly on a busy machine."""
    contest = Contest("ghost-knights", ("novice/iterations=2", "random", "random", "random"), 6)
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    head = {"num_cpus": 2, "include_dashboard": False, "ray_client_server_port": port}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    executors.CLUSTER_CONNECT_TIMEOUT_SECONDS = 60.0
    here, there = (
        [(game.points, game.shares) for game in run(contest, on=on)] for on in ("here", f"ray://127.0.0.1:{port}")
    )
    cluster.shutdown()  # type: ignore[no-untyped-call]
    assert here == there, "the cluster has played something else"
    print("A cluster that is reached by its address plays the same games", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20, help="of each box, looked at for secrets")
    parser.add_argument("--seconds", type=float, default=100.0, help="for a seat to learn")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    for game in BOXES:
        print(f"{game}: {secrets(game, given.games)} rows tell no secret", flush=True)
        api_test(zoo.env(game), num_cycles=CYCLES)
        seed_test(partial(zoo.env, game), num_cycles=CYCLES)
        pyspiel.random_sim_test(pyspiel.load_game(veillee.lab.spiel.name_of(BOXES[game])), 1, True, False)
    as_here_on_ray()
    reached_by_its_address()
    command = [sys.executable, str(EXAMPLE), "--seconds", str(given.seconds), "--games", "1000"]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    print(told)
    after, sure = (float(figure) for figure in re.findall(r"([0-9.]+)%", told.splitlines()[-1]))
    assert after - sure > QUARTER, "the seat has learned nothing"
    return 0


if __name__ == "__main__":
    sys.exit(main())
