"""Result of a balance study (house/workers/balance_study.py) in the reader's language: tables, and an interval drawn in
each row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from babel.numbers import format_decimal

from veillee.web.rendering.templates import t

WIDTH, MARGIN = 200, 6  # of a drawing, in its own units
ONE_DIGIT, SIGNED = "#,##0.0", "+#,##0.0;-#,##0.0"
PER_CENT = 100


@dataclass(frozen=True)
class Span:
    """An estimate in a drawing: its position, and both ends of its interval."""

    at: float
    low: float
    high: float


@dataclass(frozen=True)
class Row:
    name: str
    first: str
    second: str
    difference: str
    remark: str
    is_different: bool
    spans: tuple[Span | None, Span | None]


@dataclass(frozen=True)
class StudyTable:
    """A chapter of the result. `parts` are named by their ruling; a comparison has one part without a name."""

    title: str
    text: str
    is_ruling: bool
    mark: float | None  # position of an even share in the drawings
    parts: Sequence[tuple[str, Sequence[Row]]]


def study_tables(result: Mapping[str, Any], lang: str) -> list[StudyTable]:
    """Returns the chapters that compare something."""
    return [_table(chapter, lang) for chapter in result.get("chapters", ()) if chapter.get("comparisons")]


def what_differs(tables: Sequence[StudyTable]) -> list[tuple[str, str, str]]:
    """Returns the chapter, the name and the difference of each row whose interval leaves 0 out."""
    return [
        (table.title, row.name, row.difference)
        for table in tables
        if not table.is_ruling
        for _, rows in table.parts
        for row in rows
        if row.is_different
    ]


def _table(chapter: Mapping[str, Any], lang: str) -> StudyTable:
    compared = chapter["comparisons"]
    mark = chapter.get("mark")
    ends = [end for one in compared for side in _sides(one) if side for end in side]
    ends += [] if mark is None else [mark]
    least, most = min(ends, default=0.0), max(ends, default=0.0)

    def place(value: float) -> float:
        part = (value - least) / (most - least) if most > least else 0.5
        return round(MARGIN + (WIDTH - 2 * MARGIN) * part, 1)

    def row(one: Mapping[str, Any]) -> Row:
        spans = [Span(*map(place, side)) if side else None for side in _sides(one)]
        first, second = (_with_interval(side, lang, is_share=one["is_share"]) for side in _sides(one))
        differs = one["difference"] is not None and not one["difference"][1] <= 0 <= one["difference"][2]
        return Row(
            one["name"][lang],
            first,
            second,
            _difference(one, lang),
            _remark(one, lang),
            differs and not one["is_same"],
            (spans[0], spans[1]),
        )

    parts = [
        (ruling, [row(one) for one in some]) for ruling, some in groupby(compared, lambda one: one["ruling"][lang])
    ]
    words = chapter["words"][lang]
    return StudyTable(words["title"], words["text"], bool(parts[0][0]), None if mark is None else place(mark), parts)


def _sides(one: Mapping[str, Any]) -> tuple[list[float] | None, list[float] | None]:
    return one["first"], one["second"]


def _with_interval(side: Sequence[float] | None, lang: str, *, is_share: bool) -> str:
    """Formats an estimate: "25.0 % (21.3 to 29.1)"."""
    if side is None:
        return "–"
    value, low, high = (format_decimal(PER_CENT * one if is_share else one, ONE_DIGIT, lang) for one in side)
    if is_share:
        return t("{value} % ({low} to {high})", value=value, low=low, high=high).say(lang)
    return t("{value} ({low} to {high})", value=value, low=low, high=high).say(lang)


def _difference(one: Mapping[str, Any], lang: str) -> str:
    if one["difference"] is None or one["is_same"]:
        return "–"
    scale = PER_CENT if one["is_share"] else 1
    value, low, high = (format_decimal(scale * end, SIGNED, lang) for end in one["difference"])
    if one["is_share"]:
        return t("{value} points ({low} to {high})", value=value, low=low, high=high).say(lang)
    return t("{value} ({low} to {high})", value=value, low=low, high=high).say(lang)


def _remark(one: Mapping[str, Any], lang: str) -> str:
    if one["is_same"]:
        return t("the same in every deal").say(lang)
    return t("on one side alone").say(lang) if one["difference"] is None else ""
