"""Many games at once on several processes: `veillee.simulate(…, processes=2)`.

Each process steps a part of the tables and copies its arrays into a file in memory that all of them map; the first part
is played in the caller's process. A command is a line on a pipe, and so is its answer, which also orders the accesses to
memory. A process that waits for a line polls the pipe for a moment before it sleeps: to wake one takes as long as some
hundred answers. Threads would gain nothing: the engine holds Python's lock.
"""

from __future__ import annotations

import json
import mmap
import os
import select
import subprocess
import sys
import tempfile
import time
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
POLLING_S = 0.0003  # of a line that comes soon; as long as a step of some hundred tables
STEP, STEP_AND_DRAW, DRAW, DONE = b'"step"\n', b'"step and draw"\n', b'"draw"\n', b"null\n"
PUBLISHED = ("observations", "masks", "seat", "over", "shares", "scores")


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
        self._tables = part
        self._batches: list[BatchedGames] = []
        for start in range(part.start, part.stop, TABLES_PER_BATCH):
            tables = min(TABLES_PER_BATCH, part.stop - start)
            self._batches.append(BatchedGames(box, seats, tables, 0, options))
        self.first_batch: BatchedGames = self._batches[0]

    def share(self, shared: SharedArrays) -> None:
        """Sets the arrays that answers are read from and the batches' arrays are copied into."""
        self._actions = self._slices(shared.by_name["actions"])
        self._random = self._slices(shared.by_name["random"])
        self._copies: list[list[tuple[Numbers, Numbers]]] = [[] for _ in self._batches]
        for name in PUBLISHED:
            for batch, games, to in zip(self._copies, self._batches, self._slices(shared.by_name[name]), strict=True):
                batch.append((to, getattr(games, name)))

    def reset(self, seeds: Sequence[int], random: int) -> None:
        chance = Rng(random)
        for number, games in enumerate(self._batches):
            own = seeds[number * TABLES_PER_BATCH : (number + 1) * TABLES_PER_BATCH]
            games.reset_tables(own, chance.seed())
            for to, array in self._copies[number]:
                np.copyto(to, array)

    def step(self, *, draw: bool) -> None:
        """Gives the answers in the shared array, which are allowed. draw: random answers for the next step, too."""
        for number, games in enumerate(self._batches):
            games.step(self._actions[number])
            for to, array in self._copies[number]:
                np.copyto(to, array)
            if draw:
                self._random[number][:] = games.random()

    def draw(self) -> None:
        for games, to in zip(self._batches, self._random, strict=True):
            to[:] = games.random()

    def state(self, table: int) -> State:
        """Returns a copy of the position at a table of this part."""
        batch, place = divmod(table - self._tables.start, TABLES_PER_BATCH)
        state: State = self._batches[batch].state(place)
        return state

    def _slices(self, array: Numbers) -> list[Numbers]:
        """Returns the part of an array that belongs to each batch."""
        own = array[self._tables]
        return [own[start : start + TABLES_PER_BATCH] for start in range(0, len(own), TABLES_PER_BATCH)]


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
        self._own.share(self._shared)
        views = {name: _read_only(array) for name, array in self._shared.by_name.items()}
        self.observations: Numbers = views["observations"]
        self.masks: Numbers = views["masks"]
        self.seat: Numbers = views["seat"]
        self.over: Numbers = views["over"]
        self.shares: Numbers = views["shares"]
        self.scores: Numbers = views["scores"]
        self._masks = self.masks.reshape(-1)
        self._rows = np.arange(tables) * self.answers
        self.reset(seed)

    def reset(self, seed: int = 0) -> None:
        """Starts new games at all tables. The same seed gives the same games to the same answers."""
        seeds = Rng(seed)
        of_tables = [seeds.seed() for _ in range(self.tables)]
        chance = [seeds.seed() for _ in range(len(self._workers) + 1)]
        for worker, own in zip(self._workers, chance[1:], strict=True):
            worker.send({"reset": of_tables[slice(*worker.part)], "random": own})
        self._own.reset(of_tables[self._part], chance[0])
        self._wait()
        self._has_random = False
        self._is_asked_for_random = False

    def step(self, actions: Any) -> None:
        """Gives an answer at every table. Raises NotAllowed; then nothing was changed."""
        given = check_answers(actions, self.tables)
        if (given.view(np.uint64) >= self.answers).any() or not self._masks[self._rows + given].all():
            self._refuse(given)
        self._shared.by_name["actions"][:] = given
        draw, self._is_asked_for_random = self._is_asked_for_random, False  # a caller who asked once asks again
        for worker in self._workers:
            worker.send_line(STEP_AND_DRAW if draw else STEP)
        self._own.step(draw=draw)
        self._wait()
        self._has_random = draw

    def random(self) -> Numbers:
        """Returns a uniformly random legal answer for every table."""
        if not self._has_random:
            for worker in self._workers:
                worker.send_line(DRAW)
            self._own.draw()
            self._wait()
        self._has_random = False
        self._is_asked_for_random = True
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

    def _refuse(self, given: Numbers) -> None:
        """Raises NotAllowed for the first table with an answer that is not allowed."""
        known = (given >= 0) & (given < self.answers)
        allowed = known & self._masks[self._rows + np.where(known, given, 0)]
        table = int(np.argmin(allowed))
        state, seat, action = self.state(table), int(self.seat[table]), int(given[table])
        raise NotAllowed(self.box, state, seat, action, state.explain(seat, action), table)

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
        assert self._process.stdout is not None
        self._lines = Lines(self._process.stdout)
        self.send(task)

    def send(self, message: Any) -> None:
        self.send_line(json.dumps(message).encode() + b"\n")

    def send_line(self, line: bytes) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        try:
            stdin.write(line)
            stdin.flush()
        except OSError:
            raise Unknown(t("A process that played some of the games has ended.")) from None

    def answer(self) -> Any:
        line = self._lines.read()
        if not line:
            raise Unknown(t("A process that played some of the games has ended."))
        return None if line == DONE else json.loads(line)

    def end(self) -> None:
        """Closes the pipe, which ends the process."""
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with suppress(OSError):
                pipe.close()
        self._process.wait()


class Lines:
    """Reads lines of a pipe, polling it for a moment before it waits. It is never read ahead: each line is an answer to
    the one before."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._poll: select.poll | None = None
        if hasattr(select, "poll"):  # not on Windows
            self._poll = select.poll()
            self._poll.register(pipe, select.POLLIN)

    def read(self) -> bytes:
        """Returns the next line; b"": the pipe is closed."""
        if self._poll is not None:
            until = time.perf_counter() + POLLING_S
            while not self._poll.poll(0) and time.perf_counter() < until:
                pass
        return self._pipe.readline()


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
    lines = Lines(commands)
    task = json.loads(lines.read())
    part = Part(BOXES[task["box"]], task["seats"], task["options"], slice(*task["part"]))
    with Path(task["file"]).open("r+b") as file:
        row, choices = part.first_batch.planes[-1].stop, part.first_batch.answers
        part.share(SharedArrays(file.fileno(), task["tables"], task["seats"], row, choices))
    answer = DONE
    while True:
        answers.write(answer)
        answers.flush()
        line, answer = lines.read(), DONE
        if not line:
            return
        if line in (STEP, STEP_AND_DRAW):
            part.step(draw=line == STEP_AND_DRAW)
        elif line == DRAW:
            part.draw()
        else:
            command = json.loads(line)
            if "reset" in command:
                part.reset(command["reset"], command["random"])
            else:
                answer = json.dumps(part.state(command["dump"]).dump()).encode() + b"\n"


if __name__ == "__main__":
    with suppress(KeyboardInterrupt, BrokenPipeError):
        play_part(sys.stdin.buffer, sys.stdout.buffer)
