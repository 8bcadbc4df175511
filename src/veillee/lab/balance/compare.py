"""Comparison of two contents, or two rulings, on the same deals: what differs, and how certain that is.

A deal is a seed: both begin with the same shuffles, and the same bots think with the same seeds until a choice differs.
Differences are taken deal by deal, so that what a deal does to both cancels out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from veillee.games.box import Box
from veillee.games.content import BUILT_IN
from veillee.lab.arena import owner_content_option, t
from veillee.lab.balance import Chapter, Plan, Record, Study
from veillee.lab.balance.generic_study import GROUPS, WINS, Group, Measure, measures
from veillee.lab.balance.report import points, signed_number, whiskers
from veillee.lab.balance.statistics import Figure, difference, times
from veillee.match.errors import Unknown
from veillee.match.setup import complete


@dataclass(frozen=True)
class Side:
    """One of the two sides: its name, and its options."""

    name: str
    options: Mapping[str, str]


def usual(box: Box) -> dict[str, str]:
    """Returns the default content as explicit options, because an owner's file may be added later."""
    return owner_content_option(box) or ({box.contents.option.id: BUILT_IN} if box.contents else {})


def side_with_options(box: Box, asked: str, base: Mapping[str, str]) -> Side:
    """Returns a side with other options: "quests=yes", or several: "quests=yes,play=together". Raises Unknown."""
    changes = {}
    for one in asked.split(","):
        option, equals, value = one.partition("=")
        if not equals:
            raise Unknown(
                t("What is compared is a file, or an option and its value (a=b), not {asked}.", asked=repr(one))
            )
        changes[option.strip()] = value.strip()
    options = {**base, **changes}
    complete(box, options)
    return Side(", ".join(f"{option}={value}" for option, value in changes.items()), options)


def side_with_content(box: Box, base: Mapping[str, str]) -> Side:
    """Returns a side with the content that an owner brought last, or ours if there is none. Raises Unknown."""
    if box.contents is None:
        raise Unknown(t("{title} has no content that an owner may bring.", title=box.title))
    *others, content = box.contents.offered
    name = content.names["en"]
    if any(other.names["en"] == name for other in others):
        name = f"{name}, {content.file}"
    return Side(name, {**base, box.contents.option.id: content.id})


def against(box: Box, other: Side, base: Mapping[str, str]) -> Side:
    """Returns the default side to compare with, named by what the other one changes."""
    settled = complete(box, dict(base))
    known = box.contents.sets if box.contents else {}
    changed = [option for option, value in other.options.items() if settled.get(option) != value]
    said = [
        known[settled[option]].names["en"]
        if box.contents and option == box.contents.option.id
        else f"{option}={settled[option]}"
        for option in changed
    ]
    return Side(", ".join(said) or "as usual", base)


def plans(plan: Plan, sides: Sequence[Side]) -> list[Plan]:
    """Returns the plans of both sides: the same numbers are the same deals. At least two games, because one has no
    interval."""
    games = max(2, plan.games)
    return [Plan(f"{n}", plan.players, games, {**plan.options, **side.options}) for n, side in enumerate(sides, 1)]


def chapters(study: Study, sides: Sequence[Side], first: Sequence[Record], second: Sequence[Record]) -> list[Chapter]:
    """Returns the significant differences first, then all."""
    pairs = _pairs(measures(study, first), measures(study, second))
    found = {key: difference(a.deals, b.deals) for key, (a, b) in pairs.items() if times(a.deals) and times(b.deals)}
    outstanding = [
        f"{group.title}, {name}: {_format_figure(pairs[group, name][0], figure)}."
        for (group, name), figure in found.items()
        if figure.beside(0.0)
    ]
    told = [
        Chapter(
            "What differs",
            "Differences whose interval leaves 0 out. One in twenty does so by chance; where many are counted, some will.",
            points=outstanding or ["Nothing that these games are sure of."],
        )
    ]
    for group in GROUPS:
        rows = [_row(a, b, found.get(key)) for key, (a, b) in pairs.items() if key[0] == group]
        if not rows:
            continue
        names = [(name, figure) for (of, name), figure in found.items() if of == group]
        picture = whiskers(names, 0.0, points if group.is_share else signed_number) if names else ""
        head = (group.head, sides[0].name, sides[1].name, "difference", "95 % interval", "")
        told.append(Chapter(group.title, group.about, head, rows, picture, group.name))
    return told


# -- every ruling ------------------------------------------------------------------------------------------------------
def rulings(box: Box, plan: Plan) -> list[Side]:
    """Returns a side for every value of every option that the plan does not play with, the content's apart."""
    settled = complete(box, dict(plan.options))
    return [
        Side(f"{option.id}={value}", {**plan.options, option.id: value})
        for option in box.options
        for value in option.values
        if settled.get(option.id) != value
    ]


def ruling_plans(plan: Plan, sides: Sequence[Side]) -> list[Plan]:
    """Returns a plan for each ruling, on the deals of this one."""
    return [Plan(side.name, plan.players, plan.games, side.options) for side in sides]


def ruling_chapter(study: Study, usual_records: Sequence[Record], played: Mapping[str, Sequence[Record]]) -> Chapter:
    """Returns who wins under each ruling, beside the usual game on the same deals."""
    ours = [measure for measure in measures(study, usual_records) if measure.group in WINS]
    rows = []
    for ruling, records in played.items():
        for (group, _), (a, b) in _pairs(ours, [m for m in measures(study, records) if m.group in WINS]).items():
            found = difference(a.deals, b.deals) if times(a.deals) and times(b.deals) else None
            rows.append([ruling, group.head, *_row(a, b, found)])
    about = (
        "How often each seat, place and character wins under every other value of an option, and how much that differs "
        "from the usual game on the same deals."
    )
    head = ("ruling", "", "who", "usual", "with it", "difference", "95 % interval", "")
    return Chapter("Who wins, ruling by ruling", about, head, rows)


def _pairs(first: Sequence[Measure], second: Sequence[Measure]) -> dict[tuple[Group, str], tuple[Measure, Measure]]:
    """Pairs each measure with that of the other side: a choice may exist on one side only."""
    left, right = ({(measure.group, measure.name): measure for measure in side} for side in (first, second))
    every = sorted(left | right, key=lambda key: GROUPS.index(key[0]))
    return {key: (left.get(key) or _none(right[key]), right.get(key) or _none(left[key])) for key in every}


def _none(like: Measure) -> Measure:
    return Measure(like.group, like.name, [(0, 0)] * len(like.deals))


def _row(a: Measure, b: Measure, found: Figure | None) -> list[str]:
    values = [side.said(figure.value) if (figure := side.figure()) else "–" for side in (a, b)]
    if found is None:
        return [a.name, *values, "", "", "on one side alone"]
    say = _unit(a)
    if list(a.deals) == list(b.deals):
        return [a.name, *values, say(0.0), "", "the same in every deal"]
    return [
        a.name,
        *values,
        say(found.value),
        f"{say(found.low)} to {say(found.high)}",
        "**differs**" if found.beside(0.0) else "",
    ]


def _unit(measure: Measure) -> Callable[[float], str]:
    return points if measure.group.is_share else signed_number


def _format_figure(measure: Measure, figure: Figure) -> str:
    say = _unit(measure)
    return f"{say(figure.value)} ({say(figure.low)} to {say(figure.high)})"
