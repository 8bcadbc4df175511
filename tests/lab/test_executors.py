"""Executors give the same results: local processes, a Ray cluster, a cluster that loses a machine."""

from __future__ import annotations

import json
import os
import socket
import sys
from dataclasses import asdict

import pytest

import veillee
from veillee import Unknown
from veillee.bots.evaluation import Budget
from veillee.kernel.chance import Rng
from veillee.lab import executors, luck_correction, value_learning
from veillee.lab.arena import Contest, Played, find, run
from veillee.lab.executors import BatchingExecutor, open_executor
from veillee.match.analysis import analyse, to_json

pytestmark = [
    pytest.mark.filterwarnings("ignore"),  # of Ray's own
    pytest.mark.timeout(300),  # its processes start slowly where there is much else to do
]
WORLDS, GAMES = luck_correction.WORLDS_PER_ANSWER, luck_correction.GAMES_PER_WORLD
CONTEST = Contest("ghost-knights", ("novice/iterations=2", "random", "random", "random"), 6)


@pytest.fixture(autouse=True)
def as_much_as_elsewhere(little, monkeypatch):
    """Other machines know nothing of what tests change here."""
    monkeypatch.setattr(luck_correction, "WORLDS_PER_ANSWER", WORLDS)
    monkeypatch.setattr(luck_correction, "GAMES_PER_WORLD", GAMES)


def told(games: list[Played]) -> bytes:
    """All that a run found, but for how long it took."""
    return json.dumps([{**asdict(game), "clocks": None} for game in games]).encode()


@pytest.fixture(scope="module")
def two_machines():
    """A real cluster: a head that only keeps order, and two machines with a processor each."""
    import ray
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
        machines = [cluster.add_node(num_cpus=1) for _ in range(2)]
        ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
    yield cluster, machines
    ray.shutdown()
    cluster.shutdown()


def test_a_cluster_that_loses_a_machine_plays_the_same_games(two_machines, tmp_path):
    cluster, machines = two_machines
    here = run(CONTEST, record=tmp_path / "here.jsonl")

    def lose_one(game: Played) -> None:
        if game.number == 1:
            cluster.remove_node(machines.pop(), allow_graceful=False)

    there = run(CONTEST, record=tmp_path / "there.jsonl", progress=lose_one, on="ray")
    assert len(machines) == 1
    assert told(there) == told(here)
    # A run that was stopped goes on: here what was begun there.
    lines = (tmp_path / "there.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "there.jsonl").write_text("".join(lines[:4]))
    assert told(run(CONTEST, record=tmp_path / "there.jsonl")) == told(here)


def test_learning_notes_the_same_moments_there(two_machines):
    box = find("ghost-knights")
    noted = value_learning.moments(box, value_learning.QUICK_LEVEL, 3, 1)
    assert noted
    assert value_learning.moments(box, value_learning.QUICK_LEVEL, 3, 1, on="ray") == noted


def test_an_analysis_finds_the_same_there(two_machines):
    match, budget = finished(CONTEST.game), Budget(1, 4, 2)
    alone = [to_json(one) for one in analyse(match, 3, budget)]
    with open_executor("ray") as crew:
        assert [to_json(one) for one in analyse(match, 3, budget, over=crew.map)] == alone


def finished(game: str) -> veillee.Match:
    match, rng = veillee.new(game, seed=5), Rng(5)
    while not match.over:
        seat = match.to_act[0]
        match.play(seat, match.box.advisor.first_idea(match.state, seat, rng))
    return match


def test_processes_here_find_the_same_too():
    """The results do not show that another process computed them."""
    with open_executor("here", 2) as crew:
        pids = set(crew.map(_pid, range(4)))
        assert os.getpid() not in pids
        assert list(crew.map(abs, range(-999, 1))) == list(range(999, -1, -1))


def test_what_is_done_at_once_is_sent_together_and_what_takes_long_alone():
    sent, seconds = [], 0.001

    def send(work, jobs):
        sent.append(len(jobs))
        return [work(job) for job in jobs], seconds * len(jobs)

    assert list(BatchingExecutor(lambda: 2, send, lambda done: done).map(abs, range(1000))) == list(range(1000))
    assert sent[:8] == [1] * 8, "nobody knows yet how long one takes"
    assert set(sent[8:-1]) == {100}, "a tenth of a second"
    seconds, sent = 0.3, []
    list(BatchingExecutor(lambda: 2, send, lambda done: done).map(abs, range(50)))
    assert set(sent) == {1}


def _pid(_: int) -> int:
    return os.getpid()


@pytest.fixture
def elsewhere():
    """This machine is not part of a cluster."""
    import ray

    ray.shutdown()


@pytest.mark.parametrize(
    ("on", "sentence"),
    [
        ("ray://127.0.0.1:9", "Nobody answers at ray://127.0.0.1:9: is the cluster running there?"),
        ("ray://nowhere", "Nobody answers at ray://nowhere"),
        ("mars", "Work is done on here, ray, ray://HOST:PORT, not on 'mars'."),
    ],
)
def test_an_address_that_does_not_answer_is_a_sentence(elsewhere, on, sentence):
    with pytest.raises(Unknown, match=sentence):
        run(CONTEST, on=on)


def test_an_address_where_something_else_listens_is_the_same_sentence(elsewhere, monkeypatch):
    """Which Ray alone would find out after minutes."""
    monkeypatch.setattr(executors, "CLUSTER_CONNECT_TIMEOUT_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        address = f"127.0.0.1:{mute.getsockname()[1]}"
        for on, known in ((f"ray://{address}", ""), ("ray", address)):
            monkeypatch.setenv("RAY_ADDRESS", known)
            with pytest.raises(Unknown, match=f"Nobody answers at .*{address}"):
                run(CONTEST, on=on)


def test_without_ray_a_sentence_says_what_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(Unknown, match=r"pip install veillee\[cluster\]"):
        run(CONTEST, on="ray")
