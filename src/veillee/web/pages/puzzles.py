"""Puzzles of a box, and those collected from games played on this server: the board as the asked seat sees it, the
question, and after the answer what an expert would do and why.

Only the seat's own view and chronicle are rendered: the page knows no more of the game behind a puzzle than that seat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from babel.numbers import format_decimal
from litestar import Response, get, post
from litestar.params import FromPath

from veillee.games.box import Box
from veillee.house.analysis.puzzles import Attempt, CollectedPuzzle, load_attempts, save_first_answer
from veillee.house.errors import BadRequest, NotFound
from veillee.house.house import House
from veillee.house.tables.moment import detached_moment
from veillee.house.tables.seats import BOT_NAMES
from veillee.match.match import Match
from veillee.match.puzzles import Puzzle, match_of_puzzle, puzzles
from veillee.web.http.forms import field, parse_number, read_form
from veillee.web.http.request import AnyRequest, RequestContext, find_box_on_shelf, request_context
from veillee.web.http.work_pools import to_thread
from veillee.web.live.submit_answer import NOTHING_CHOSEN
from veillee.web.rendering.table_parts import Audience, has_board, replay_parts
from veillee.web.rendering.templates import board_folder, environment, markup, t, translator


@dataclass(frozen=True)
class RatedChoice:
    """A choice as it is shown after the answer: its label, and the chance to win after it in per cent."""

    label: str
    wins: int
    error: str  # two standard errors of its distance to the best one; empty: it is the best one
    mine: bool


@dataclass(frozen=True)
class OpenPuzzle:
    """A puzzle with its match at the position, in a copy of its own."""

    puzzle: Puzzle
    match: Match


@get("/games/{game:str}/puzzles")
async def every(request: AnyRequest, game: FromPath[str]) -> Response[str]:
    """Lists the puzzles of a box and of this server, and which of them the guest has solved."""
    v = await request_context(request)
    box = with_puzzles(v.house, game)
    mine = await answers_of(v, box)
    own = await to_thread(v.house.puzzles.load, box)
    shipped = puzzles(box).values()
    return v.page(
        "puzzles.html", box, shipped=shipped, own=own, where=where, mine=mine, **count_solved([*shipped, *own], mine)
    )


@get("/games/{game:str}/puzzles/{number:str}")
async def one(request: AnyRequest, game: FromPath[str], number: FromPath[str]) -> Response[str]:
    v = await request_context(request)
    return await page(v, await of_the_box(with_puzzles(v.house, game), number))


@get("/games/{game:str}/puzzles/here/{number:str}")
async def one_of_ours(request: AnyRequest, game: FromPath[str], number: FromPath[str]) -> Response[str]:
    v = await request_context(request)
    return await page(v, await of_the_house(v, with_puzzles(v.house, game), number))


@post("/games/{game:str}/puzzles/{number:str}", status_code=200)
async def answer(request: AnyRequest, game: FromPath[str], number: FromPath[str]) -> Response[Any]:
    v = await request_context(request)
    return await take(v, await of_the_box(with_puzzles(v.house, game), number))


@post("/games/{game:str}/puzzles/here/{number:str}", status_code=200)
async def answer_ours(request: AnyRequest, game: FromPath[str], number: FromPath[str]) -> Response[Any]:
    v = await request_context(request)
    return await take(v, await of_the_house(v, with_puzzles(v.house, game), number))


def with_puzzles(house: House, game: str) -> Box:
    box = find_box_on_shelf(house, game)
    if not puzzles(box):
        raise NotFound(t("This box has no puzzles."))
    return box


def where(puzzle: Puzzle) -> str:
    """Returns its address, relative to that of the list."""
    return f"here/{puzzle.number}" if is_ours(puzzle) else f"{puzzle.number}"


def is_ours(puzzle: Puzzle) -> bool:
    """Returns whether it comes from a game played on this server."""
    return isinstance(puzzle, CollectedPuzzle)


async def of_the_box(box: Box, number: str) -> OpenPuzzle:
    puzzle = puzzles(box).get(parse_number(number) or 0)
    return or_not_found(puzzle, await to_thread(match_of_puzzle, box, puzzle.number) if puzzle is not None else None)


async def of_the_house(v: RequestContext, box: Box, number: str) -> OpenPuzzle:
    wanted = parse_number(number)

    def find() -> OpenPuzzle:
        puzzle = next((one for one in v.house.puzzles.load(box) if one.number == wanted), None)
        return or_not_found(puzzle, v.house.puzzles.load_position(puzzle) if puzzle is not None else None)

    return await to_thread(find)


def or_not_found(puzzle: Puzzle | None, match: Match | None) -> OpenPuzzle:
    if puzzle is None or match is None:
        raise NotFound(t("There is nothing at this address."))
    return OpenPuzzle(puzzle, match)


async def answers_of(v: RequestContext, box: Box) -> Mapping[int, Attempt]:
    return await to_thread(load_attempts, v.house.store, v.guest.id, box.id) if v.guest else {}


def count_solved(here: Sequence[Puzzle], mine: Mapping[int, Attempt]) -> dict[str, Any]:
    """Returns how many are solved, how many answered, and the address of the next one."""
    answered = [mine[puzzle.seed] for puzzle in here if puzzle.seed in mine]
    return {
        "solved": sum(one.is_solved for one in answered),
        "answered": len(answered),
        "next": next((where(puzzle) for puzzle in here if puzzle.seed not in mine), ""),
    }


async def take(v: RequestContext, one: OpenPuzzle) -> Response[Any]:
    """Stores the answer. The first one counts: a guest who answers again is shown the same."""
    puzzle, box = one.puzzle, one.match.box
    choice = parse_number(field(await read_form(v.request), "a"))
    if choice is None or choice not in one.match.state.legal(puzzle.seat):
        raise BadRequest(NOTHING_CHOSEN)
    guest = await v.get_or_create_guest()
    await to_thread(save_first_answer, v.house.store, guest.id, box.id, puzzle, choice)
    return v.redirect(f"/games/{box.id}/puzzles/{where(puzzle)}#prompt")


async def page(v: RequestContext, one: OpenPuzzle) -> Response[str]:
    puzzle, match = one.puzzle, one.match
    box, folder = match.box, board_folder(match.box)
    mine = await answers_of(v, box)

    def build() -> Response[str]:
        own = has_board(box)
        after = count_solved([*puzzles(box).values(), *v.house.puzzles.load(box)], mine)["next"]
        return v.page(
            "puzzle.html",
            box,
            p=markup(render_position(puzzle, match, mine.get(puzzle.seed), after, v.lang)),
            title=title(puzzle, v.lang),
            own_board=own,
            sheets=sorted(file.name for file in folder.glob("*.css") if file.name != "palette.css") if own else [],
            table_id="",
        )

    return await to_thread(build)


def title(puzzle: Puzzle, lang: str) -> str:
    t = translator(lang)
    return t("Puzzle {n} of this house", n=puzzle.number) if is_ours(puzzle) else t("Puzzle {n}", n=puzzle.number)


def render_position(puzzle: Puzzle, match: Match, given: Attempt | None, after: str, lang: str) -> dict[str, str]:
    """Renders the board as the seat sees it, its own chronicle, and in place of the prompt the question or the
    solution."""
    names = BOT_NAMES[: match.seats]
    parts = replay_parts(detached_moment(match, names), match, Audience(puzzle.seat), lang, log=True)
    question, rule = match.question(puzzle.seat, lang)
    context: dict[str, Any] = {
        "title": title(puzzle, lang),
        "who": names[puzzle.seat],
        "colour": match.box.colours[puzzle.seat],
        "question": question,
        "rule_id": rule,
        "choices": [(choice.id, choice.label(lang)) for choice in match.choices(puzzle.seat)],
        "given": given,
        "next": after,
    }
    if given is not None:
        context["weighed"] = rate_choices(puzzle, match, given.choice, lang)
        context["reasons"] = [reason.say(puzzle.seat, names, lang) for reason in puzzle.reasons]
    prompt = environment(lang, match.box).get_template("puzzle_prompt.html").render(context)
    return parts | {"prompt": prompt, "act": "", "final": ""}


def rate_choices(puzzle: Puzzle, match: Match, given: int, lang: str) -> list[RatedChoice]:
    """Returns the compared choices, the best first."""
    words, label = match.words(lang), match.box.speech.label
    return [
        RatedChoice(
            label(match.state, puzzle.seat, option.action, words),
            round(100 * option.wins),
            format_decimal(200 * option.error, "0.0", lang) if option.error else "",
            option.action == given,
        )
        for option in puzzle.options
    ]


ROUTES = [every, one, one_of_ours, answer, answer_ours]
