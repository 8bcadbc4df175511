"""Submitting answers: from a posted form to the disk. A move may be several small answers in one request.

`a=17` is one answer. `a.1=4`, `a.2?=9`, `a.3=14` are several, in the order of their numbers. A name that ends in `?` is
left out where it does not answer the question then asked; of a value `13|18` the first that does is taken.

The event loop plays an answer, which is quicker than handing it to a thread, and queues it for the batch writer
(house/storage/batch_writer.py). A thread is used only where that is not possible at once.
"""

from __future__ import annotations

import re
from asyncio import Event
from collections.abc import Iterable, Sequence

from veillee.house.accounts.guest import Guest
from veillee.house.errors import BadRequest
from veillee.house.storage.store import Conflict
from veillee.house.tables.table import Table
from veillee.kernel.chance import Rng
from veillee.kernel.log import Log
from veillee.match.match import Match
from veillee.web.http.work_pools import to_thread
from veillee.web.live.streams import loop_waker
from veillee.web.rendering.templates import t

FIELD = re.compile(r"a\.([0-9]{1,3})(\??)")
VALUE = re.compile(r"[0-9]{1,9}(\|[0-9]{1,9}){0,99}")  # at most a hundred alternatives
MAX_ANSWERS_PER_REQUEST = 50  # in one request
NOTHING_CHOSEN = t("Nothing was chosen: choose first.")


WantedAnswer = tuple[bool, list[int]]  # is it optional; alternatives, of which the first that fits is taken


def is_answer(name: str) -> bool:
    """Returns whether a field of that name is an answer."""
    return name == "a" or FIELD.fullmatch(name) is not None


def parse_form(fields: Iterable[tuple[str, str]]) -> list[WantedAnswer]:
    """Returns the answers of a form, in order. A plain `a` counts alone: others in the form are ignored.

    Raises BadRequest for a malformed form.
    """
    found: list[tuple[int, bool, list[int]]] = []
    for name, value in fields:
        if name != "a" and not name.startswith("a."):
            continue
        if len(found) >= MAX_ANSWERS_PER_REQUEST:
            raise BadRequest(NOTHING_CHOSEN)
        matched = FIELD.fullmatch(name)
        if not VALUE.fullmatch(value) or (name != "a" and matched is None):
            raise BadRequest(NOTHING_CHOSEN)
        actions = [int(part) for part in value.split("|")]
        if matched is None:
            return [(False, actions)]
        found.append((int(matched[1]), matched[2] == "?", actions))
    if not found:
        raise BadRequest(NOTHING_CHOSEN)
    return [(optional, actions) for _, optional, actions in sorted(found, key=lambda field: field[0])]


def resolve(match: Match, seat: int, wishes: list[WantedAnswer]) -> list[int]:
    """Returns the answers to submit. All but the last are tried on a copy with a dummy random generator: after the first
    one that uses chance or reveals something the others are taken as they are."""
    trial = match.state
    answers: list[int] = []
    blind = False
    for number, (optional, actions) in enumerate(wishes, 1):
        fitting = actions[:1] if blind else [a for a in actions if trial.takes(seat, a)]
        if not fitting and optional:
            continue
        action = (fitting or actions)[0]
        answers.append(action)
        if blind or number == len(wishes):
            continue
        if trial.explain(seat, action) == "":
            if trial is match.state:
                trial = trial.clone()
            rng, log = Rng(0), Log()
            trial.apply(seat, action, rng, log)
            blind = bool(rng.used or log.reveals)
        else:
            blind = True  # it will be refused: the match says why
    return answers


async def submit_answer(table: Table, guest: Guest, seat: int, stamp: str, actions: Sequence[int]) -> None:
    """Submits the answer; it is on disk when this returns. Raises what Table.answer does."""
    if len(actions) > MAX_ANSWERS_PER_REQUEST:
        raise BadRequest(t("That is too much to read."))
    written, ring = Event(), loop_waker().wake
    wrong: Exception | None = None

    def done(why: Exception | None) -> None:
        nonlocal wrong
        wrong = why
        ring(written)

    if table.submit_answer(guest, seat, stamp, actions, done):
        await written.wait()
        if wrong is None:
            return
        if not isinstance(wrong, Conflict):
            raise wrong
    await to_thread(table.answer, guest, seat, stamp, actions)
