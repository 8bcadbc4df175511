"""Many games at once on several processes: `veillee.simulate(…, processes=2)`.

Each process steps a part of the tables and copies its arrays into a file in memory that all of them map; the first part
is played in the caller's process. A command is a line on a pipe, and so is its answer, which also orders the accesses to
memory. Threads would gain nothing: the engine holds Python's lock.
"""

from __future__ import annotations

import json
import mmap
import os
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Self

import numpy as np

import veillee
from veillee.games.box import Box
from veillee.games.catalogue import BOXES
from veillee.kernel.chance import Rng
from veillee.kernel.planes import Plane
from veillee.kernel.state import State
from veillee.lab.simulate import BatchedGames, NotAllowed, Numbers, check_answers, t
from veillee.match.errors import Unknown

MAX_PROCESSES = 64
IN_MEMORY = Path("/dev/shm")  # noqa: S108  where there is one, else a temporary file
ALIGNMENT_BYTES = 64
TABLES_PER_BATCH = 256  # their positions and rows fit into the cache of a core


class SharedArrays:
    """The arrays of all tables, in one file that several processes map."""

    def __init__(self, file: int, tables: int, seats: int, row: int, answers: int) -> None:
        """file: descriptor of the file; its size is set."""
        layout: list[tuple[str, Any, tuple[int, ...]]] = [
            ("observations", np.int16, (tables, row)),
            ("masks", np.bool_, (tables, answers)),
            ("seat", np.int64, (tables,)),
            ("over", np.bool_, (tables,)),
            ("shares", np.float64, (tables, seats)),
            ("scores", np.int64, (tables, seats)),
            ("actions", np.int64, (tables,)),
            ("random", np.int64, (tables,)),
        ]
        starts, size = [], 0
        for _, kind, shape in layout:
            starts.append(size)
            size += -(-int(np.prod(shape)) * np.dtype(kind).itemsize // ALIGNMENT_BYTES) * ALIGNMENT_BYTES
        if os.fstat(file).st_size < size:
            os.ftruncate(file, size)
        self.memory: mmap.mmap = mmap.mmap(file, size)
        self.by_name: dict[str, Numbers] = {
            name: np.frombuffer(self.memory, kind, int(np.prod(shape)), start).reshape(shape)
            for (name, kind, shape), start in zip(layout, starts, strict=True)
        }


class Part:
    """The tables of one process, in batches that its cache holds."""

    def __init__(self, box: Box, seats: int, options: dict[str, str], part: slice) -> None:
        self._first = part.start
        self._batches: list[tuple[BatchedGames, slice]] = []
        for start in range(part.start, part.stop, TABLES_PER_BATCH):
            tables = slice(start, min(start + TABLES_PER_BATCH, part.stop))
            self._batches.append((BatchedGames(box, seats, tables.stop - tables.start, 0, options), tables))
        self.first_batch: BatchedGames = self._batches[0][0]

    def reset(self, shared: SharedArrays, seeds: Sequence[int], random: int) -> None:
        chance = Rng(random)
        for games, tables in self._batches:
            own = seeds[tables.start - self._first : tables.stop - self._first]
            games.reset_tables(own, chance.seed())
            _publish(shared, games, tables)

    def step(self, shared: SharedArrays) -> None:
        """Gives the answers in the shared array, which are allowed."""
        for games, tables in self._batches:
            games.step(shared.by_name["actions"][tables])
            _publish(shared, games, tables)

    def draw(self, shared: SharedArrays) -> None:
        for games, tables in self._batches:
            shared.by_name["random"][tables] = games.random()

    def state(self, table: int) -> State:
        """Returns a copy of the position at a table of this part."""
        batch, place = divmod(table - self._first, TABLES_PER_BATCH)
        state: State = self._batches[batch][0].state(place)
        return state


def _publish(shared: SharedArrays, games: BatchedGames, tables: slice) -> None:
    """Copies the arrays of a batch, and random answers for it."""
    for name in ("observations", "masks", "seat", "over", "shares", "scores"):
        shared.by_name[name][tables] = getattr(games, name)
    shared.by_name["random"][tables] = games.random()


class ParallelGames:
    """Batch of tables of one game on several processes. Made by veillee.simulate(); used like BatchedGames.

    The same seed gives the same games to the same answers, on however many processes; `random()` differs. `close()` ends
    the processes, and so does the end of a `with` block or of the object.
    """

    def __init__(self, box: Box, seats: int, tables: int, seed: int, options: dict[str, str], processes: int) -> None:
        if not 2 <= processes <= min(MAX_PROCESSES, tables):
            raise Unknown(
                t("{n} games can be played by 1 to {most} processes.", n=tables, most=min(MAX_PROCESSES, tables))
            )
        parts = [slice(tables * n // processes, tables * (n + 1) // processes) for n in range(processes)]
        self._part = parts[0]
        self._own = Part(box, seats, options, self._part)
        first = self._own.first_batch
        self.box: Box = box
        self.seats: int = seats
        self.tables: int = tables
        self.options: dict[str, str] = first.options
        self.planes: list[Plane] = first.planes
        self.answers: int = first.answers
        folder = IN_MEMORY if os.access(IN_MEMORY, os.W_OK) else None
        with tempfile.NamedTemporaryFile(prefix="veillee-", dir=folder) as file:
            self._shared = SharedArrays(file.fileno(), tables, seats, self.planes[-1].stop, self.answers)
            self._workers = [
                _Worker(
                    {
                        "file": file.name,
                        "box": box.id,
                        "seats": seats,
                        "options": self.options,
                        "tables": tables,
                        "part": [part.start, part.stop],
                    }
                )
                for part in parts[1:]
            ]
            self._end = weakref.finalize(self, _end_all, self._workers)
            for worker in self._workers:
                worker.answer()  # it has mapped the file, which is deleted now
        views = {name: _read_only(array) for name, array in self._shared.by_name.items()}
        self.observations: Numbers = views["observations"]
        self.masks: Numbers = views["masks"]
        self.seat: Numbers = views["seat"]
        self.over: Numbers = views["over"]
        self.shares: Numbers = views["shares"]
        self.scores: Numbers = views["scores"]
        self._rows = np.arange(tables)
        self._has_random = False
        self.reset(seed)

    def reset(self, seed: int = 0) -> None:
        """Starts new games at all tables. The same seed gives the same games to the same answers."""
        seeds = Rng(seed)
        of_tables = [seeds.seed() for _ in range(self.tables)]
        chance = [seeds.seed() for _ in range(len(self._workers) + 1)]
        for worker, own in zip(self._workers, chance[1:], strict=True):
            worker.send({"reset": of_tables[slice(*worker.part)], "random": own})
        self._own.reset(self._shared, of_tables[self._part], chance[0])
        self._wait()
        self._has_random = True

    def step(self, actions: Any) -> None:
        """Gives an answer at every table. Raises NotAllowed; then nothing was changed."""
        given = check_answers(actions, self.tables)
        known = (given >= 0) & (given < self.answers)
        allowed = known & self.masks[self._rows, np.where(known, given, 0)]
        if not allowed.all():
            table = int(np.argmin(allowed))
            state, seat, action = self.state(table), int(self.seat[table]), int(given[table])
            raise NotAllowed(self.box, state, seat, action, state.explain(seat, action), table)
        self._shared.by_name["actions"][:] = given
        for worker in self._workers:
            worker.send("step")
        self._own.step(self._shared)
        self._wait()
        self._has_random = True

    def random(self) -> Numbers:
        """Returns a uniformly random legal answer for every table."""
        if not self._has_random:
            for worker in self._workers:
                worker.send("random")
            self._own.draw(self._shared)
            self._wait()
        self._has_random = False
        return self._shared.by_name["random"].copy()

    def state(self, table: int) -> State:
        """Returns a copy of the full position at a table, including hidden information: for the program that runs the
        games, not for players."""
        table = range(self.tables)[table]
        if table < self._part.stop:
            return self._own.state(table)
        worker = next(one for one in self._workers if table < one.part[1])
        worker.send({"dump": table})
        return self.box.load(worker.answer())

    def close(self) -> None:
        """Ends the other processes. The arrays stay readable."""
        self._end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _wait(self) -> None:
        for worker in self._workers:
            worker.answer()


class _Worker:
    """One of the other processes, as its parent sees it."""

    def __init__(self, task: dict[str, Any]) -> None:
        self.part: tuple[int, int] = tuple(task["part"])
        home = str(Path(veillee.__file__).parent.parent)
        path = os.pathsep.join([home, *filter(None, [os.environ.get("PYTHONPATH")])])
        self._process = subprocess.Popen(  # noqa: S603  this module
            [sys.executable, "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path},
        )
        self.send(task)

    def send(self, message: Any) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        try:
            stdin.write(json.dumps(message).encode() + b"\n")
            stdin.flush()
        except OSError:
            raise Unknown(t("A process that played some of the games has ended.")) from None

    def answer(self) -> Any:
        stdout = self._process.stdout
        assert stdout is not None
        line = stdout.readline()
        if not line:
            raise Unknown(t("A process that played some of the games has ended."))
        return json.loads(line)

    def end(self) -> None:
        """Closes the pipe, which ends the process."""
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with suppress(OSError):
                pipe.close()
        self._process.wait()


def _end_all(workers: Sequence[_Worker]) -> None:
    for worker in workers:
        worker.end()


def _read_only(array: Numbers) -> Numbers:
    view = array.view()
    view.flags.writeable = False
    return view


# -- in the other process ---------------------------------------------------------------------------------------------
def play_part(commands: IO[bytes], answers: IO[bytes]) -> None:
    """Plays the tables of one part, command by command, until the pipe is closed."""
    task = json.loads(commands.readline())
    part = Part(BOXES[task["box"]], task["seats"], task["options"], slice(*task["part"]))
    with Path(task["file"]).open("r+b") as file:
        row, choices = part.first_batch.planes[-1].stop, part.first_batch.answers
        shared = SharedArrays(file.fileno(), task["tables"], task["seats"], row, choices)
    said: Any = None
    while True:
        answers.write(json.dumps(said).encode() + b"\n")
        answers.flush()
        line = commands.readline()
        if not line:
            return
        command, said = json.loads(line), None
        if command == "step":
            part.step(shared)
        elif command == "random":
            part.draw(shared)
        elif "reset" in command:
            part.reset(shared, command["reset"], command["random"])
        else:
            said = part.state(command["dump"]).dump()


if __name__ == "__main__":
    with suppress(KeyboardInterrupt, BrokenPipeError):
        play_part(sys.stdin.buffer, sys.stdout.buffer)
