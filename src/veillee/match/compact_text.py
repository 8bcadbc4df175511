"""The compact text of a position and of a question: what a seat may know, in few plain lines (docs/compact-text.md).

It is written from plain data alone (a view, sentences, labels), so that a client of a house writes the same text as the
process that holds the match. `veillee play --plain`, a table's page in words, `veillee mcp`, the models of the arena and
examples/text_env.py use it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape

from veillee.games.box import Box
from veillee.kernel.log import NO_SEAT
from veillee.match.errors import check_language, match_words

if TYPE_CHECKING:
    from veillee.match.match import Match

BARE_SIGN = re.compile(r"(?<=\S)(?<![\u00a0\u202f])([:;])(?= |$)")  # without the space that French puts before it
UNLIMITED = 10_000  # columns: lines are not wrapped
MAX_NEWS_LINES = 8  # of the chronicle since the seat's last answer: the latest


def player_names(seats: int, lang: str) -> list[str]:
    """Returns names for players without one: "Player 1", …"""
    t = match_words(lang)
    return [t("Player {n}", n=seat + 1) for seat in range(seats)]


def describe_view(box: Box, view: Mapping[str, Any], names: Sequence[str], lang: str) -> list[str]:
    """Returns the lines of a view: the game, the reader, what lies on the table, and the scores at the end."""
    t, words, who = match_words(lang), box.words(lang), names or player_names(view["seats"], lang)
    title, seat = words.name(box.title), view["seat"]
    lines = [t("{title}. You are {name}.", title=title, name=who[seat]) if seat != NO_SEAT else f"{title}."]
    if box.describe is not None:
        lines += box.describe(dict(view), who, words)
    else:
        text = StringIO()
        console = Console(file=text, width=UNLIMITED, color_system=None, highlight=False, force_jupyter=False)
        console.print(box.draw(dict(view), [escape(name) for name in who], words))
        lines += [line.strip() for line in text.getvalue().splitlines() if line.strip()]
    if view["over"]:
        scores = ", ".join(f"{name} {score}" for name, score in zip(who, view["scores"], strict=True))
        lines.append(t("The game is over. Points: {scores}", scores=scores))
    elif asked := ", ".join(who[other] for other in view["to_act"] if other != seat):
        lines.append(t("Still to answer: {names}", names=asked))
    return [_typeset(line, lang) for line in lines]


def _typeset(line: str, lang: str) -> str:
    """Puts the spaces before colons and semicolons that code has set without."""
    if lang != "fr":
        return line
    return BARE_SIGN.sub(lambda found: ("\u00a0" if found[1] == ":" else "\u202f") + found[1], line)


def describe_news(news: Iterable[tuple[str, str]], lang: str) -> list[str]:
    """Returns the latest lines of the chronicle, each with its rule."""
    t, lines = match_words(lang), [f"- {line} ({rule})" for rule, line in news]
    return [t("Since your last answer:"), *lines[-MAX_NEWS_LINES:]] if lines else []


def describe_question(question: str, rule: str, choices: Iterable[tuple[int, str]], lang: str) -> list[str]:
    """Returns the question with its rule, and a line for each choice: its id and its words. Only these lines begin with
    an id: a question may begin with a number, too, so a word is put before it.
    """
    t = match_words(lang)
    asked = t("Question: {question} ({rule})", question=question, rule=rule)
    return [asked, *(f"{number} {label}" for number, label in choices)]


def describe_position(match: Match, seat: int = NO_SEAT, lang: str = "", names: Sequence[str] = ()) -> str:
    """Returns what the seat may know of the position: table, and news since its last answer."""
    lang = check_language(lang)
    lines = describe_view(match.box, match.view(seat), names, lang)
    if seat != NO_SEAT:
        who = names or player_names(match.seats, lang)
        lines += describe_news(match.log(seat, lang, who, since=match.known(seat)), lang)
    return "\n".join(lines)


def describe_choices(match: Match, seat: int, lang: str = "") -> str:
    """Returns the question to the seat and its choices; empty if it is not asked."""
    lang = check_language(lang)
    question, rule = match.question(seat, lang)
    if not rule:
        return ""
    return "\n".join(describe_question(question, rule, [(c.id, c.label(lang)) for c in match.choices(seat)], lang))


def describe(match: Match, seat: int, lang: str = "", names: Sequence[str] = ()) -> str:
    """Returns position, question and choices: all that a player needs to answer."""
    parts = (describe_position(match, seat, lang, names), describe_choices(match, seat, lang))
    return "\n\n".join(filter(None, parts))
