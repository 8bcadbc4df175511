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
from veillee.lab.balance import Chapter, Comparison, Plan, Record, Study, Text
from veillee.lab.balance.generic_study import GROUPS, PARTS, WINS, Group, Measure, fair, measures
from veillee.lab.balance.report import number, percent, points, signed_number, whiskers
from veillee.lab.balance.statistics import Figure, difference, times
from veillee.match.errors import Unknown
from veillee.match.setup import complete


@dataclass(frozen=True)
class Side:
    """One of the two sides: its name, and its options."""

    name: str
    options: Mapping[str, str]
    words: Text = ""  # the name as the house says it


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
        compared = [_compare(a, b, found.get(key)) for key, (a, b) in pairs.items() if key[0] == group]
        if not compared:
            continue
        rows = [_row(one) for one in compared]
        names = [(name, figure) for (of, name), figure in found.items() if of == group]
        mark = fair(first) if group in (*WINS, PARTS) else None
        picture = whiskers(names, 0.0, points if group.is_share else signed_number) if names else ""
        head = (group.head, sides[0].name, sides[1].name, "difference", "95 % interval", "")
        told.append(Chapter(group.title, group.about, head, rows, picture, group.name, comparisons=compared, mark=mark))
    return told


# -- every ruling ------------------------------------------------------------------------------------------------------
def rulings(box: Box, plan: Plan) -> list[Side]:
    """Returns a side for every value of every option that the plan does not play with, the content's apart."""
    settled = complete(box, dict(plan.options))
    return [
        Side(
            f"{option.id}={value}",
            {**plan.options, option.id: value},
            t("{option}: {value}", option=dict(option.title), value=dict(name)),
        )
        for option in box.options
        for value, name in option.values.items()
        if settled.get(option.id) != value
    ]


def ruling_plans(plan: Plan, sides: Sequence[Side]) -> list[Plan]:
    """Returns a plan for each ruling, on the deals of this one."""
    return [Plan(side.name, plan.players, plan.games, side.options) for side in sides]


def ruling_chapter(
    study: Study, usual_records: Sequence[Record], sides: Sequence[Side], played: Mapping[str, Sequence[Record]]
) -> Chapter:
    """Returns who wins under each ruling, beside the usual game on the same deals."""
    ours = [measure for measure in measures(study, usual_records) if measure.group in WINS]
    rows, compared = [], []
    for ruling in sides:
        theirs = [measure for measure in measures(study, played[ruling.name]) if measure.group in WINS]
        for (group, _), (a, b) in _pairs(ours, theirs).items():
            found = difference(a.deals, b.deals) if times(a.deals) and times(b.deals) else None
            compared.append(_compare(a, b, found, ruling.words))
            rows.append([ruling.name, group.head, *_row(compared[-1])])
    about = t(
        "How often each seat, place and character wins under every other value of an option, and how much that differs "
        "from the usual game on the same deals."
    )
    head = ("ruling", "", "who", "usual", "with it", "difference", "95 % interval", "")
    return Chapter(
        t("Who wins, ruling by ruling"),
        about,
        head,
        rows,
        name="rulings",
        comparisons=compared,
        mark=fair(usual_records),
    )


def _pairs(first: Sequence[Measure], second: Sequence[Measure]) -> dict[tuple[Group, str], tuple[Measure, Measure]]:
    """Pairs each measure with that of the other side: a choice may exist on one side only."""
    left, right = ({(measure.group, str(measure.name)): measure for measure in side} for side in (first, second))
    every = sorted(left | right, key=lambda key: GROUPS.index(key[0]))
    return {key: (left.get(key) or _none(right[key]), right.get(key) or _none(left[key])) for key in every}


def _none(like: Measure) -> Measure:
    return Measure(like.group, like.name, [(0, 0)] * len(like.deals))


def _compare(a: Measure, b: Measure, found: Figure | None, ruling: Text = "") -> Comparison:
    is_same = found is not None and list(a.deals) == list(b.deals)
    return Comparison(b.name, b.group.is_share, a.figure(), b.figure(), found, is_same, ruling)


def _row(one: Comparison) -> list[str]:
    say = percent if one.is_share else number
    row = [str(one.name), *(say(side.value) if side else "–" for side in (one.first, one.second))]
    if one.difference is None:
        return [*row, "", "", "on one side alone"]
    say, found = points if one.is_share else signed_number, one.difference
    if one.is_same:
        return [*row, say(0.0), "", "the same in every deal"]
    between = f"{say(found.low)} to {say(found.high)}"
    return [*row, say(found.value), between, "**differs**" if found.beside(0.0) else ""]


def _unit(measure: Measure) -> Callable[[float], str]:
    return points if measure.group.is_share else signed_number


def _format_figure(measure: Measure, figure: Figure) -> str:
    say = _unit(measure)
    return f"{say(figure.value)} ({say(figure.low)} to {say(figure.high)})"
