"""The file of a value network: network.json beside a game's bot.py, with the card that says how it was made (ADR 38).

A file that does not fit is never used in part: the linear evaluation takes its place, and the reason is a sentence in
the log and in `veillee doctor`. The weights are 16-bit numbers in base64.
"""

from __future__ import annotations

import json
import logging
import struct
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from math import isfinite
from pathlib import Path
from typing import Any

from veillee.games.box import Box
from veillee.kernel.advisor import Advisor
from veillee.kernel.chance import Rng
from veillee.kernel.network import InputPlane, Misfit, Network
from veillee.kernel.state import State
from veillee.words import Sentence, sentences

log: logging.Logger = logging.getLogger(__name__)
t: Callable[..., Sentence] = sentences(Path(__file__).parent / "locale")

NETWORK_FILE = "network.json"
SHIPPED = "shipped"  # the file of the box, in place of a path
FORMAT = 1
MOST_HIDDEN = 256  # units
MOST_WEIGHT = 1000.0
MOST_BYTES = 4_000_000


class BadNetwork(ValueError):
    """The file is no network of this game."""

    def __init__(self, said: Sentence) -> None:
        super().__init__(said)
        self.said = said


def advisor_with(box: Box, network: str) -> Advisor:
    """Returns the practised advisor of the box, with this network: SHIPPED, or a path.

    If the box ships none, or one that does not fit, returns the practised advisor alone. Raises BadNetwork for a path.
    """
    if network == SHIPPED:
        return _shipped(box)
    path = Path(network)
    return _read_once(box, path, path.stat().st_mtime_ns if path.exists() else 0)


def ships_network(box: Box) -> bool:
    return (box.folder / NETWORK_FILE).exists()


def refused(box: Box) -> Sentence | None:
    """Returns why the network that the box ships is not used; None: it is used, or there is none."""
    if ships_network(box):
        try:
            read(box, box.folder / NETWORK_FILE)
        except BadNetwork as error:
            return t("{game} is judged without its network: {why}", game=box.id, why=error.said)
    return None


@cache
def _shipped(box: Box) -> Advisor:
    if (why := refused(box)) is not None:
        log.warning("%s", why)
    elif ships_network(box):
        return read(box, box.folder / NETWORK_FILE)
    return box.adept or box.advisor


@cache
def _read_once(box: Box, path: Path, _changed: int) -> Advisor:
    return read(box, path)


def read(box: Box, path: Path) -> Advisor:
    """Returns an advisor with the network in that file. Raises BadNetwork."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BadNetwork(t("{file} is larger than {most} bytes.", file=path, most=MOST_BYTES))
        return load(box, json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise BadNetwork(t("{file} cannot be read: {reason}.", file=path, reason=error.strerror)) from None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        if isinstance(error, BadNetwork):
            raise
        reason = f"{type(error).__name__}: {error}"
        raise BadNetwork(
            t("{file} holds no network for {game} ({reason}).", file=path, game=box.id, reason=reason)
        ) from None


def load(box: Box, found: dict[str, Any]) -> Advisor:
    """Returns an advisor with this network. Raises ValueError (as Misfit), KeyError or TypeError if it is none."""
    advisor = fresh_advisor(box)
    for key, expected in identity(box, advisor).items():
        if found[key] != expected:
            raise Misfit(f"{key} {found[key]!r}, not {expected!r}")
    hidden, reach, whole_phases = found["hidden"], found["reach"], found["whole_phases"]
    if type(hidden) is not int or not 0 < hidden <= MOST_HIDDEN:
        raise Misfit(f"hidden {hidden!r}")
    if type(reach) is not int or reach < 1 or type(whole_phases) is not bool:
        raise Misfit(f"reach {reach!r}, whole_phases {whole_phases!r}")
    numbers = unpack(found["weights"])
    if not all(isfinite(number) and abs(number) <= MOST_WEIGHT for number in numbers):
        raise Misfit("a weight is not finite, or too large")
    planes = [
        InputPlane(str(name), places, times, each, things) for name, places, times, each, things in found["planes"]
    ]
    network = Network(found["features"], found["phases"], hidden, box.planes, planes, numbers)
    if planes:
        for seats in box.players:
            network.layout(example(box, seats))  # raises Misfit
    advisor.reach = reach
    advisor.whole_phases = whole_phases
    advisor.network = network
    return advisor


def identity(box: Box, advisor: Advisor) -> dict[str, Any]:
    """Returns what a file must agree with: a network corrects these weights of this game, and no others."""
    rows = [list(row) for row in advisor.weights]
    return {
        "format": FORMAT,
        "game": box.id,
        "rules": box.version,
        "linear": sha256(json.dumps(rows).encode()).hexdigest()[:16],
        "features": len(advisor.features(example(box, box.players[-1]), 0)),
        "phases": len(rows),
    }


def fresh_advisor(box: Box) -> Advisor:
    """Returns a new practised advisor of the box. Raises Misfit if its games cannot be evaluated early."""
    advisor = box.new_adept() if box.new_adept is not None else None
    if advisor is None or len(advisor.weights) == 0:
        raise Misfit("the game evaluates no position")
    return advisor


def example(box: Box, seats: int) -> State:
    """Returns a new game with the default options."""
    return box.new(seats, Rng(0), {option.id: next(iter(option.values)) for option in box.options}, None)


def pack(weights: Sequence[float]) -> str:
    return b64encode(struct.pack(f"<{len(weights)}e", *weights)).decode()


def unpack(text: str) -> list[float]:
    """Returns the weights. Raises ValueError (as binascii.Error and struct.error)."""
    data = b64decode(text, validate=True)
    if len(data) % 2:
        raise Misfit("half a weight")
    return list(struct.unpack(f"<{len(data) // 2}e", data))
