"""Generated owners' files, valid and invalid, and games with those that are accepted.

A game with a reconstruction describes such files in `conformance/contents.py`: `FILES` are Hypothesis strategies, by
name, for what tomllib would read from them. Used by test_contents.py and tools/stress/soak.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from importlib import import_module
from random import Random
from typing import Any

from hypothesis import strategies as st

from veillee.conformance.beside import Missing, census_of
from veillee.conformance.cases import NAMES
from veillee.games.box import Box
from veillee.games.content import Content, ContentKind
from veillee.games.content_table import to_toml
from veillee.games.owners import Checked, check_text
from veillee.kernel.advisor import Advisor
from veillee.kernel.chance import Rng
from veillee.kernel.log import NO_SEAT, Log
from veillee.match.setup import complete
from veillee.words import LANGUAGES

FILE = "mine.toml"
MOST_DECISIONS = 20_000  # no game is longer, even at random
CUTS = st.lists(
    st.tuples(
        st.integers(0, 1_000_000),
        st.integers(0, 30),
        st.one_of(st.text(max_size=3), st.sampled_from("[]\"'=:,+#\n{}")),
    ),
    min_size=1,
    max_size=3,
)


class Broken(Exception):
    """Raised for a fault of an accepted file, or of the way a file was refused."""


def kind_of(box: Box) -> ContentKind:
    assert box.contents is not None
    return box.contents


def files_of(box: Box) -> dict[str, st.SearchStrategy[str]]:
    """Returns strategies for texts of files, by name."""
    name = f"{box.package}.conformance.contents"
    try:
        made: Mapping[str, st.SearchStrategy[dict[str, Any]]] = import_module(name).FILES
    except ModuleNotFoundError:
        raise Missing(f"{name} must have FILES: what an owner's file may look like.") from None
    return {how: files.map(to_toml) for how, files in made.items()} | {
        "spoilt": CUTS.map(lambda cuts: spoilt(box, cuts))
    }


def spoilt(box: Box, cuts: list[tuple[int, int, str]]) -> str:
    """Returns the built-in file, cut and overwritten at some places."""
    text = kind_of(box).built_in()
    for at, length, new in cuts:
        place = at % len(text)
        text = text[:place] + new.encode(errors="replace").decode() + text[place + length :]
    return text


# -- trials -----------------------------------------------------------------------------------------------------
@dataclass
class Trial:
    """Result of trying a file."""

    checked: Checked
    games: int = 0
    decisions: int = 0
    final: str = ""  # fingerprint of how all games ended: the same on every engine


def tried(box: Box, text: str, games: int, seed: int, *, advised: bool = False) -> Trial:
    """Checks that a file is refused with sentences, or plays so many random games to the end for each number of
    players. Raises Broken.

    advised: also plays one game of the fewest players by the game's advisor.
    """
    checked = check_text(FILE, text)
    trial = Trial(checked)
    if checked.content is None:
        check_refusal(checked)
        return trial
    if checked.box is not box:
        raise Broken(f"it is taken for a file of {checked.box}")
    kind_of(box).know(checked.content)
    ends = blake2b(digest_size=8)
    for players in box.players:
        for number in range(games):
            ends.update(play(box, checked.content, players, seed + number, trial))
    if advised:
        play(box, checked.content, box.players[0], seed, trial, box.advisor)
    trial.final = ends.hexdigest()
    return trial


def check_refusal(checked: Checked) -> None:
    """Checks that there is at least one sentence, in both languages, each with the name of the file."""
    if not checked.errors:
        raise Broken("it is refused without a reason")
    for error in checked.errors:
        for lang in LANGUAGES:
            if not error.say(lang).startswith(checked.file):
                raise Broken(f"{error.say(lang)!r} does not begin with the file")


def play(box: Box, content: Content, players: int, seed: int, trial: Trial, advisor: Advisor | None = None) -> bytes:
    """Plays one random game, or one by an advisor, with each option now and then. Checks that components are conserved,
    and that everything can be shown and said."""
    wanted = {option.id: list(option.values)[(seed + n) % len(option.values)] for n, option in enumerate(box.options)}
    options = complete(box, {**wanted, kind_of(box).option.id: content.id})
    rng, pick = Rng(seed), Random(seed)
    log = Log() if trial.games % 16 == 0 else None  # one game in 16 is logged, too
    g = box.new(players, rng, options, log)
    census = census_of(box)
    components = census(g)
    decisions = 0
    while g.to_act:
        seat = pick.choice(g.to_act)
        legal = g.legal(seat)
        if not legal:
            raise Broken(f"seat {seat} is asked and can answer nothing")
        action = pick.choice(legal) if advisor is None else advisor.first_idea(g.clone(), seat, rng)
        g.apply(seat, action, rng, log)
        decisions += 1
        if decisions > MOST_DECISIONS:
            raise Broken("it does not end")
    if census(g) != components:
        raise Broken("components were lost or made")
    if sum(g.returns()) not in (0, 1) and abs(sum(g.returns()) - 1) > 1e-9:
        raise Broken(f"the victory is shared out as {g.returns()}")
    if log is not None:
        for sentence in told(box, g, log, players):
            if not sentence:
                raise Broken("something is said without words")
    trial.games += 1
    trial.decisions += decisions
    return json.dumps(g.dump(), sort_keys=True).encode()


def told(box: Box, g: Any, log: Log, players: int) -> Iterator[str]:
    """Yields the final board as every audience sees it, and the final account."""
    names = NAMES[:players]
    for lang in LANGUAGES:
        t = box.words(lang)
        for event in log.events:
            box.speech.event(event, names, t)
        for seat in range(NO_SEAT, players):
            yield box.draw({**box.view(g, seat), **around(g, seat, players)}, names, t)
        yield from (line.text for lines in box.speech.account(g, log.events, names, t) for line in lines)


def around(g: Any, seat: int, players: int) -> dict[str, Any]:
    """Returns what a match adds to every view."""
    return {"seat": seat, "seats": players, "to_act": [], "over": True, "scores": [g.score(s) for s in range(players)]}
