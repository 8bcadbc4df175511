"""Loads a match from a save or a record: replays its answers, each checked again."""

from __future__ import annotations

from typing import Any

from veillee.games import catalogue
from veillee.match import seeds
from veillee.match.errors import BadSave, Forbidden, Unknown, t
from veillee.match.match import SAVE_FORMAT, Match
from veillee.match.owner_content import missing
from veillee.match.setup import start

MAX_ANSWERS_PER_SAVE = 100_000  # a save with more is rejected


def load(data: object) -> Match:
    """Loads a match from save(), or from a finished one's record: replayed answer by answer, each checked again.
    Raises BadSave.
    """
    if not isinstance(data, dict):
        raise BadSave(t("A saved game is a JSON object."))
    if data.get("format") != SAVE_FORMAT:
        raise BadSave(t("The field 'format' is not {format!r}: this is no saved game of Veillée.", format=SAVE_FORMAT))
    seats, luck, answers = _field(data, "seats", int), _field(data, "luck", list), _field(data, "answers", list)
    options, version = _field(data, "options", dict), _field(data, "version", int)
    if not all(isinstance(word, str) for word in luck):
        raise BadSave(t("The field 'luck' is a list of words."))
    if len(answers) > MAX_ANSWERS_PER_SAVE:
        raise BadSave(t("The field 'answers' has {n} entries, more than any game of ours.", n=len(answers)))
    try:
        seed = bytes.fromhex(_field(data, "seed", str))
    except ValueError:
        raise BadSave(t("The field 'seed' is not hexadecimal.")) from None
    game = _field(data, "game", str)
    box = catalogue.find(game)
    if box is not None and (why := missing(box, options, data.get("content"))) is not None:
        raise BadSave(why)
    try:
        match = start(game, seats, seed, luck, options, version, _contributions(data, seats))
    except Unknown as error:
        raise BadSave(error.said) from None
    if data.get("commitment", match.commitment) != match.commitment:
        raise BadSave(t("The seed does not match the commitment that was published before the first move."))
    for number, answer in enumerate(answers):
        if not (isinstance(answer, list) and len(answer) == 2 and all(type(x) is int for x in answer)):
            raise BadSave(t("Answer {n} is not a pair of numbers.", n=number + 1))
        try:
            match.play(answer[0], answer[1])
        except (Forbidden, Unknown) as error:
            raise BadSave(t("Answer {n} cannot be given: {why}", n=number + 1, why=error), error.rule) from None
    return match


def _contributions(data: dict[str, Any], seats: int) -> list[seeds.Contribution]:
    """Returns what the players' pages added to the shuffle, each checked against its seal. Raises BadSave."""
    found = []
    for one in _field(data, "contributions", list) if "contributions" in data else ():
        try:
            contribution = seeds.Contribution(**one)
        except TypeError:
            raise BadSave(t("The field 'contributions' is a list of seat, sealed and opened.")) from None
        seat, sealed, opened = contribution
        is_text = isinstance(sealed, str) and isinstance(opened, str)
        if not (type(seat) is int and 0 <= seat < seats and is_text and seeds.is_seal(sealed)):
            raise BadSave(t("The field 'contributions' is a list of seat, sealed and opened."))
        if not contribution.holds:
            raise BadSave(
                t("What seat {seat} added to the shuffle is not what was sealed before it began.", seat=seat + 1)
            )
        found.append(contribution)
    if [one.seat for one in found] != sorted({one.seat for one in found}):
        raise BadSave(t("The field 'contributions' names a seat twice, or not in order."))
    return found


def _field(data: dict[str, Any], name: str, kind: type) -> Any:
    value = data.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise BadSave(t("The field {name!r} is missing or is no {kind}.", name=name, kind=kind.__name__))
    return value
