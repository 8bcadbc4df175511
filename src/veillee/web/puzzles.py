"""What would you do? The puzzles of a box: the board as the seat that is asked sees it, the question, and after the answer
what an expert would do and why.

Nothing but the seat's own view is drawn, and its own chronicle: of the game behind a puzzle the page knows no more than
whoever sits there.
"""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from babel.numbers import format_decimal
from litestar import Response, get, post
from litestar.params import FromPath

from veillee.games.box import Box
from veillee.match.match import Match
from veillee.match.puzzles import Puzzle, asked, puzzles
from veillee.tables.errors import BadRequest, NotHere
from veillee.tables.moment import still
from veillee.tables.people import BOT_NAMES
from veillee.tables.puzzles import Tried, keep, tried
from veillee.web.moves import NOTHING_CHOSEN
from veillee.web.pages import board_folder, environment, markup, t
from veillee.web.parts import Audience, has_board, replay_parts
from veillee.web.play import field
from veillee.web.play import number as whole
from veillee.web.visit import AnyRequest, Visit, form, the_box, visit


@dataclass(frozen=True)
class Weighed:
    """A choice as it is told after the answer: how it is called, and the chances to win after it, in per cent."""

    label: str
    wins: int
    error: str  # of how far it is from the best one, twice over; empty: it is the best one
    mine: bool


@get("/games/{game:str}/puzzles")
async def every(request: AnyRequest, game: FromPath[str]) -> Response[str]:
    """All of a box, and which of them the guest has solved."""
    v = await visit(request)
    box = with_puzzles(game)
    mine = await answers_of(v, box)
    return v.page("puzzles.html", box, every=puzzles(box).values(), mine=mine, **counted(box, mine))


@get("/games/{game:str}/puzzles/{number:str}")
async def one(request: AnyRequest, game: FromPath[str], number: FromPath[str]) -> Response[str]:
    v = await visit(request)
    box = with_puzzles(game)
    puzzle, match = await the_puzzle(box, number)
    mine = await answers_of(v, box)
    return await to_thread(page, v, puzzle, match, mine)


@post("/games/{game:str}/puzzles/{number:str}", status_code=200)
async def answer(request: AnyRequest, game: FromPath[str], number: FromPath[str]) -> Response[Any]:
    """The first answer counts; whoever answers again is shown the same."""
    v = await visit(request)
    box = with_puzzles(game)
    puzzle, match = await the_puzzle(box, number)
    choice = whole(field(await form(request), "a"))
    if choice is None or choice not in match.state.legal(puzzle.seat):
        raise BadRequest(NOTHING_CHOSEN)
    guest = await v.sure_guest()
    await to_thread(keep, v.house.store, guest.id, box.id, puzzle, choice)
    return v.go(f"/games/{box.id}/puzzles/{puzzle.number}#prompt")


def with_puzzles(game: str) -> Box:
    box = the_box(game)
    if not puzzles(box):
        raise NotHere(t("This box has no puzzles."))
    return box


async def the_puzzle(box: Box, number: str) -> tuple[Puzzle, Match]:
    """The puzzle, and its game at the position: to be looked at alone."""
    wanted = whole(number)
    puzzle = puzzles(box).get(wanted) if wanted is not None else None
    match = await to_thread(asked, box, puzzle.number) if puzzle is not None else None
    if puzzle is None or match is None:
        raise NotHere(t("There is nothing at this address."))
    return puzzle, match


async def answers_of(v: Visit, box: Box) -> Mapping[int, Tried]:
    return await to_thread(tried, v.house.store, v.guest.id, box.id) if v.guest else {}


def counted(box: Box, mine: Mapping[int, Tried]) -> dict[str, Any]:
    """How many are solved, how many answered, and the next one."""
    here = puzzles(box).values()
    answered = [mine[puzzle.seed] for puzzle in here if puzzle.seed in mine]
    return {
        "solved": sum(one.solved for one in answered),
        "answered": len(answered),
        "next": next((puzzle.number for puzzle in here if puzzle.seed not in mine), 0),
    }


def page(v: Visit, puzzle: Puzzle, match: Match, mine: Mapping[int, Tried]) -> Response[str]:
    box, folder = match.box, board_folder(match.box)
    given = mine.get(puzzle.seed)
    own, count = has_board(box), counted(box, mine)
    return v.page(
        "puzzle.html",
        box,
        p=markup(drawn(puzzle, match, given, count["next"], v.lang)),
        puzzle=puzzle,
        own_board=own,
        sheets=sorted(file.name for file in folder.glob("*.css") if file.name != "palette.css") if own else [],
        table_id="",
    )


def drawn(puzzle: Puzzle, match: Match, given: Tried | None, after: int, lang: str) -> dict[str, str]:
    """The board as the seat sees it, its own chronicle, and in the place of the prompt the question or the answer."""
    names = BOT_NAMES[: match.seats]
    parts = replay_parts(still(match, names), match, Audience(puzzle.seat), lang, log=True)
    question, rule = match.question(puzzle.seat, lang)
    context: dict[str, Any] = {
        "puzzle": puzzle,
        "who": names[puzzle.seat],
        "colour": match.box.colours[puzzle.seat],
        "question": question,
        "rule_id": rule,
        "choices": [(choice.id, choice.label(lang)) for choice in match.choices(puzzle.seat)],
        "given": given,
        "next": after,
    }
    if given is not None:
        context["weighed"] = weighed(puzzle, match, given.choice, lang)
        context["reasons"] = [reason.say(puzzle.seat, names, lang) for reason in puzzle.reasons]
    prompt = environment(lang, match.box).get_template("puzzle_prompt.html").render(context)
    return parts | {"prompt": prompt, "act": "", "final": ""}


def weighed(puzzle: Puzzle, match: Match, given: int, lang: str) -> list[Weighed]:
    """What was compared, the best first."""
    words, label = match.words(lang), match.box.speech.label
    return [
        Weighed(
            label(match.state, puzzle.seat, option.action, words),
            round(100 * option.wins),
            format_decimal(200 * option.error, "0.0", lang) if option.error else "",
            option.action == given,
        )
        for option in puzzle.options
    ]
