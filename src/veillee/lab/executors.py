"""Executors for the lab's work: this process, a process pool on this machine, or a Ray cluster, behind one interface.

    with open_executor("ray", 8) as executor:
        for result in executor.map(work, jobs):     # in the order of the jobs
            …

A job is small plain data, and its result depends on it alone, so it does not matter where it runs, nor how often it is
tried. A run gives the same results here, in eight processes, and on machines of which one is lost in the middle.
"""

from __future__ import annotations

import os
import socket
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol, TypeVar

from veillee.games.catalogue import BOX_PATH_VARIABLE
from veillee.games.owners import BROUGHT, take
from veillee.match.errors import Unknown
from veillee.words import sentences

t = sentences(Path(__file__).parent / "locale")

IN_THIS_PROCESS = "here"
RAY = "ray"
CLIENT = "ray://"
QUEUED_BATCHES_PER_WORKER = 4  # batches queued per worker, so that none waits for the result that is due next
A_WHILE = 0.1  # seconds of work per batch
MOST_AT_ONCE = 256
CLUSTER_CONNECT_TIMEOUT_SECONDS = 5.0  # seconds: connection timeout

Job = TypeVar("Job")
Result = TypeVar("Result")


class Executor(Protocol):
    def map(self, work: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[Result]:
        """Yields the results in the order of the jobs, each as soon as those before it are there."""


@contextmanager
def open_executor(on: str = IN_THIS_PROCESS, workers: int = 1) -> Iterator[Executor]:
    """Opens an executor: `here` in so many processes, or on Ray (`ray`: this machine, or RAY_ADDRESS;
    `ray://host:port`).

    Content that owners have brought is loaded there, too. Raises Unknown for an address that does not answer.
    """
    if on == IN_THIS_PROCESS:
        if workers <= 1:
            yield InlineExecutor()
            return
        pool = ProcessPoolExecutor(workers, get_context("spawn"), initializer=take, initargs=(BROUGHT,))
        try:
            yield BatchingExecutor(lambda: workers, lambda work, jobs: pool.submit(_some, work, jobs), Future.result)
        finally:
            pool.shutdown(cancel_futures=True)
        return
    if on != RAY and not on.startswith(CLIENT):
        raise Unknown(
            t(
                "Work is done on {known}, not on {on}.",
                known=f"{IN_THIS_PROCESS}, {RAY}, {CLIENT}HOST:PORT",
                on=repr(on),
            )
        )
    with cluster(on, workers) as crew:
        yield crew


class InlineExecutor:
    """Runs jobs in this process."""

    def map(self, work: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[Result]:
        return map(work, jobs)


class BatchingExecutor:
    """Runs jobs in a process pool or on Ray. hands: returns the number of workers; send: starts a batch of jobs; get:
    waits for its results.

    Short jobs are sent in batches of about 0.1 s of work: short enough that the last worker does not delay the end by
    much.
    """

    def __init__(self, hands: Callable[[], int], send: Callable[..., Any], get: Callable[[Any], Any]) -> None:
        self.hands, self.send, self.get = hands, send, get

    def map(self, work: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[Result]:
        todo, under_way, at_once, most = iter(jobs), deque[Any](), 1, self.hands() * QUEUED_BATCHES_PER_WORKER
        while True:
            while len(under_way) < most and (some := list(islice(todo, at_once))):
                under_way.append(self.send(work, some))
            if not under_way:
                return
            results, seconds = self.get(under_way.popleft())
            at_once = max(1, min(MOST_AT_ONCE, int(len(results) * A_WHILE / max(seconds, 1e-9))))
            yield from results


def _some(work: Callable[[Any], Any], jobs: list[Any]) -> tuple[list[Any], float]:
    """Returns the results of these jobs, and how many seconds they took."""
    start = perf_counter()
    return [work(job) for job in jobs], perf_counter() - start


# -- Ray ----------------------------------------------------------------------------------------------------------------
@contextmanager
def cluster(on: str, workers: int) -> Iterator[Executor]:
    """Connects to Ray for the duration of the context; an existing connection is reused and stays open."""
    try:
        import ray  # noqa: PLC0415  an extra, and slow to load
    except ImportError:
        raise Unknown(t("Ray is not installed: `pip install veillee[cluster]` brings it.")) from None
    if ray.is_initialized():
        yield on_ray(ray)
        return
    address = on if on != RAY else os.environ.get("RAY_ADDRESS", "")
    if address:
        _answers(address)
    paths = [str(Path.cwd()), *filter(None, sys.path)]  # custom bots may be in the current directory
    settings: dict[str, Any] = {
        "log_to_driver": False,
        "logging_level": "ERROR",
        "runtime_env": {"env_vars": {"PYTHONPATH": os.pathsep.join(dict.fromkeys(paths)), **_inherited_environment()}},
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
        yield on_ray(ray)
    finally:
        ray.shutdown()


def _inherited_environment() -> dict[str, str]:
    return {name: os.environ[name] for name in (BOX_PATH_VARIABLE, "VEILLEE_ENGINES") if name in os.environ}


def _answers(address: str) -> None:
    """Checks that a gRPC server, as Ray runs, answers at the address. Raises Unknown. (Ray itself would retry for
    minutes.)"""
    import grpc  # noqa: PLC0415  comes with Ray

    host, _, port = address.removeprefix(CLIENT).rpartition(":")
    try:
        with socket.create_connection((host.strip("[]") or "127.0.0.1", int(port)), CLUSTER_CONNECT_TIMEOUT_SECONDS):
            pass
        if "RAY_USE_TLS" not in os.environ:  # Ray handles its TLS keys itself
            with grpc.insecure_channel(f"{host or '127.0.0.1'}:{port}") as channel:
                grpc.channel_ready_future(channel).result(CLUSTER_CONNECT_TIMEOUT_SECONDS)
    except (OSError, ValueError, grpc.FutureTimeoutError):
        raise Unknown(t("Nobody answers at {address}: is the cluster running there?", address=address)) from None


def on_ray(ray: Any) -> Executor:
    """Returns an executor on Ray. A job whose machine is lost runs again elsewhere."""
    brought = ray.put(list(BROUGHT))
    do = ray.remote(num_cpus=1, max_retries=-1)(_with)
    return BatchingExecutor(
        lambda: max(1, int(ray.cluster_resources().get("CPU", 1))),
        lambda work, jobs: do.remote(brought, work, jobs),
        ray.get,
    )


def _with(brought: list[Any], work: Callable[[Any], Any], jobs: list[Any]) -> tuple[list[Any], float]:
    """Runs a batch on a Ray worker, with the content that owners have brought."""
    if brought != BROUGHT:
        take(brought)
    return _some(work, jobs)
