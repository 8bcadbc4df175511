"""Checkpoint file of a run: results are appended line by line, so that a stopped run continues without repeating them.

    executor = with_checkpoint(executor, Path("run.jsonl"), game="takara-island", seed=1)

The first line identifies the run, each further one is the result of one job. A run has the same jobs in the same order
whichever executor runs them (executors.py), so the file may be continued on any machine.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

import msgspec

from veillee.lab.executors import Executor, t
from veillee.match.errors import Unknown

Job = TypeVar("Job")
Result = TypeVar("Result")


def with_checkpoint(crew: Executor, record: Path | None, **about: Any) -> Executor:
    """Wraps an executor with a checkpoint file; without a file returns it as it is. Raises Unknown for the file of
    another run, and for one that cannot be written."""
    if record is None:
        return crew
    try:
        return Remembering(crew, record, about)
    except OSError as error:
        raise Unknown(t("{file} cannot be written: {reason}.", file=record, reason=error.strerror)) from None


class Remembering:
    """Executor that saves its results. The return annotation of the work function gives the type to decode."""

    def __init__(self, crew: Executor, file: Path, about: Mapping[str, Any]) -> None:
        self.crew, self.file = crew, file
        self.known = deque(_lines(file, about))

    def map(self, work: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[Result]:
        todo = iter(jobs)
        decode = msgspec.json.Decoder(_kind(work)).decode
        while self.known:
            for _ in todo:
                break
            else:
                return
            try:
                yield decode(self.known.popleft())
            except msgspec.MsgspecError:
                raise Unknown(
                    t("{file} has a line that is no result: name another file, or remove it.", file=self.file)
                ) from None
        for result in self.crew.map(work, todo):
            with self.file.open("ab") as file:
                file.write(msgspec.json.encode(result) + b"\n")
            yield result


def _kind(work: Callable[..., Any]) -> Any:
    return get_type_hints(work.func if isinstance(work, partial) else work)["return"]


def _lines(file: Path, about: Mapping[str, Any]) -> list[bytes]:
    """Returns the results of this run in the file. Raises Unknown."""
    head = (json.dumps(about, sort_keys=True) + "\n").encode()
    if not file.exists():
        file.write_bytes(head)
        return []
    first, *lines = file.read_bytes().splitlines(keepends=True) or [b""]
    if first != head:
        raise Unknown(t("{file} is the record of another run: name another file, or remove it.", file=file))
    if lines and not lines[-1].endswith(b"\n"):  # the run was stopped in the middle of a line
        file.write_bytes(b"".join([first, *lines[:-1]]))
        lines.pop()
    return lines
