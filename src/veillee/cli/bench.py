"""`veillee bench GAME`: measures the speed of the rules on this machine."""

from __future__ import annotations

import json
import time
from typing import Annotated

import typer
from rich.console import Console

from veillee import engine
from veillee.bots.compiled.search import playout
from veillee.cli.common import Contents, Game, Lang, box_of, in_plain_words, play_with, room, seats_of
from veillee.games.box import Box, Options
from veillee.kernel.chance import Rng
from veillee.kernel.state import Moves
from veillee.match.owner_content import content_of
from veillee.match.setup import complete
from veillee.words import spoken

GAMES_PER_CLOCK_CHECK = 20  # games between two looks at the clock

t = room(spoken())


def measure(box: Box, seats: int, options: Options, seconds: float) -> tuple[float, float]:
    """Plays random games from the deal to the end, one after the other. Returns games/s and decisions/s."""
    rng, moves = Rng(1), Moves()
    games = decisions = 0
    start = time.process_time()  # processor time: other load on the machine does not count
    while (spent := time.process_time() - start) < seconds or games == 0:
        for _ in range(GAMES_PER_CLOCK_CHECK):
            decisions += playout(box.new(seats, rng, options, None), rng, moves)
        games += GAMES_PER_CLOCK_CHECK
    return games / spent, decisions / spent


@in_plain_words
def bench(
    game: Game,
    lang: Lang,
    seats: Annotated[int | None, typer.Option(help=t("How many play; by default as many as possible."))] = None,
    seconds: Annotated[float, typer.Option(min=0.0, max=3600.0, help=t("How long to measure."))] = 3.0,
    as_json: Annotated[bool, typer.Option("--json", help=t("Print the figures as JSON."))] = False,
    content: Contents = None,
) -> None:
    t = room(lang)
    box = box_of(game, t)
    play_with(content, lang, box)
    seats = seats_of(box, box.players[-1] if seats is None else seats, t)
    compiled = engine.is_compiled(box.state.__module__)
    options = complete(box, {})
    measure(box, seats, options, 0.0)  # warm up: one-time work is not measured
    playouts, decisions = measure(box, seats, options, seconds)
    if as_json:
        figures = {"playouts_per_s": round(playouts, 1), "decisions_per_s": round(decisions, 1)}
        own = content_of(box, options)
        with_it = {"content": own.id} if own is not None else {}
        typer.echo(json.dumps({"game": box.id, "seats": seats, "compiled": compiled, **figures, **with_it}))
        return
    how = t("compiled") if compiled else t("interpreted: a C compiler and `make install` make it ten times faster")
    Console(highlight=False).print(
        t(
            "{title}, {seats} players, {how}: {playouts} games/s, {decisions} decisions/s.",
            title=t.name(box.title),
            seats=seats,
            how=how,
            playouts=f"{playouts:,.0f}".replace(",", "\u202f"),
            decisions=f"{decisions:,.0f}".replace(",", "\u202f"),
        )
    )


bench.__doc__ = t("Play random games for a while, and say how many a second.")
