"""Who does the work of the lab: this process, others on this machine, or a cluster. One interface, whoever it is.

    with hired("ray", 8) as crew:
        for result in crew.map(work, jobs):     # in the order of the jobs
            …

A job is small plain data, and what comes out depends on it alone: so it does not matter who does it, nor how often it is
tried. A run gives the same results here, in eight processes, and on machines of which one is lost in the middle.
"""

from __future__ import annotations

import os
import socket
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Protocol, TypeVar

from veillee.games.catalogue import WITH
from veillee.games.owners import BROUGHT, take
from veillee.match.errors import Unknown
from veillee.words import sentences

t = sentences(Path(__file__).parent / "locale")

HERE = "here"
RAY = "ray"
CLIENT = "ray://"
AHEAD = 4  # jobs that lie ready for each processor of a cluster: nobody waits for the one whose turn it is
PATIENCE = 5.0  # seconds until an address has not answered

Job = TypeVar("Job")
Result = TypeVar("Result")


class Crew(Protocol):
    def map(self, work: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[Result]:
        """The results, in the order of the jobs, each as soon as those before it are there."""


@contextmanager
def hired(on: str = HERE, workers: int = 1) -> Iterator[Crew]:
    """A crew: `here` in so many processes, or on Ray (`ray`: this machine, or what RAY_ADDRESS names; `ray://host:port`).

    They play with what owners have brought, too. Raises Unknown for an address that does not answer.
    """
    if on == HERE:
        if workers <= 1:
            yield Alone()
            return
        pool = ProcessPoolExecutor(workers, get_context("spawn"), initializer=take, initargs=(BROUGHT,))
        try:
            yield Processes(pool)
        finally:
            pool.shutdown(cancel_futures=True)
        return
    if on != RAY and not on.startswith(CLIENT):
        raise Unknown(
            t("Work is done on {known}, not on {on}.", known=f"{HERE}, {RAY}, {CLIENT}HOST:PORT", on=repr(on))
        )
    with cluster(on, workers) as crew:
        yield crew


class Alone:
    """In this process."""

    def map(self, work: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[Result]:
        return map(work, jobs)


class Processes:
    """On this machine."""

    def __init__(self, pool: ProcessPoolExecutor) -> None:
        self.pool = pool

    def map(self, work: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[Result]:
        return self.pool.map(work, jobs)


# -- Ray ----------------------------------------------------------------------------------------------------------------
@contextmanager
def cluster(on: str, workers: int) -> Iterator[Crew]:
    """Connected as long as it is needed; a connection that is there already is used, and stays."""
    try:
        import ray  # noqa: PLC0415  an extra, and slow to load
    except ImportError:
        raise Unknown(t("Ray is not installed: `pip install veillee[cluster]` brings it.")) from None
    if ray.is_initialized():
        yield OnRay(ray)
        return
    address = on if on != RAY else os.environ.get("RAY_ADDRESS", "")
    if address:
        _answers(address)
    paths = [str(Path.cwd()), *filter(None, sys.path)]  # own bots lie where one is
    settings: dict[str, Any] = {
        "log_to_driver": False,
        "logging_level": "ERROR",
        "runtime_env": {"env_vars": {"PYTHONPATH": os.pathsep.join(dict.fromkeys(paths)), **_passed_on()}},
    }
    if address:
        settings["address"] = address
    else:
        settings |= {"address": "local", "num_cpus": workers, "include_dashboard": False}
    try:
        ray.init(**settings)
    except (OSError, RuntimeError, ValueError) as error:
        why = str(error).strip().split("\n")[0]
        raise Unknown(t("Ray cannot be used at {address}: {why}", address=address or RAY, why=why)) from None
    try:
        yield OnRay(ray)
    finally:
        ray.shutdown()


def _passed_on() -> dict[str, str]:
    return {name: os.environ[name] for name in (WITH, "VEILLEE_ENGINES") if name in os.environ}


def _answers(address: str) -> None:
    """Raises Unknown if nobody does. (Ray itself would try for minutes.)"""
    host, _, port = address.removeprefix(CLIENT).rpartition(":")
    try:
        with socket.create_connection((host.strip("[]") or "127.0.0.1", int(port)), PATIENCE):
            pass
    except (OSError, ValueError):
        raise Unknown(t("Nobody answers at {address}: is the cluster running there?", address=address)) from None


class OnRay:
    """A job whose machine is lost is done again elsewhere."""

    def __init__(self, ray: Any) -> None:
        self.ray = ray
        self.brought = ray.put(list(BROUGHT))
        self.do = ray.remote(num_cpus=1, max_retries=-1)(_do)

    def map(self, work: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[Result]:
        processors = max(1, int(self.ray.cluster_resources().get("CPU", 1)))
        under_way: deque[Any] = deque()
        for job in jobs:
            under_way.append(self.do.remote(work, job, self.brought))
            if len(under_way) >= processors * AHEAD:
                yield self.ray.get(under_way.popleft())
        while under_way:
            yield self.ray.get(under_way.popleft())


def _do(work: Callable[[Any], Any], job: Any, brought: list[Any]) -> Any:
    """On whatever machine: with what owners have brought."""
    if brought != BROUGHT:
        take(brought)
    return work(job)
