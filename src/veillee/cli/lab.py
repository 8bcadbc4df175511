"""`veillee lab balance GAME`: measures the balance of a game, or compares two contents or options, and writes a report.
`veillee lab tournament GAME BOT …`: plays every bot against every other, and writes the cross table.
`veillee lab championships GAME`: simulates championships, and measures what their standings are worth.
`veillee lab puzzles GAME`: generates the puzzles of a box, or checks them.
`veillee lab insight GAME`: validates the figures on luck and skill, and writes a report.
`veillee lab train GAME`: trains the network of a box by self-play, generation after generation.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from veillee.cli.common import Contents, Game, Lang, On, Record, box_of, fail, in_plain_words, play_with, room
from veillee.games.box import Box
from veillee.words import spoken

if TYPE_CHECKING:
    from veillee.lab.balance.compare import Side

PAIR = 2

t = room(spoken())

lab = typer.Typer(help=t("Measure: balance, and what else the house wants to know."), no_args_is_help=True)


@in_plain_words
def balance(
    game: Game,
    lang: Lang,
    games: Annotated[int, typer.Option(min=1, help=t("How many games of the main kind; fewer of each other."))] = 2000,
    level: Annotated[
        str, typer.Option(help=t("Who plays: quick (first ideas), or a level as in the arena: expert/iterations=40."))
    ] = "quick",
    seed: Annotated[int, typer.Option(min=0, help=t("Another seed, other deals."))] = 1,
    workers: Annotated[int, typer.Option(min=0, help=t("How many processes; 0: one for each core."))] = 0,
    on: On = "here",
    record: Record = None,
    plan: Annotated[str, typer.Option(help=t("Only this kind of games, as the report names it: “4 players”."))] = "",
    out: Annotated[
        Path | None, typer.Option(help=t("The report, .md, .html or .json; by default docs/balance/GAME.md."))
    ] = None,
    content: Contents = None,
    compare: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE|OPTION=VALUE",
            help=t("Compare the usual game with this content or option, on the same deals; twice: these two."),
        ),
    ] = None,
    rulings: Annotated[
        bool,
        typer.Option(
            "--rulings",
            help=t("Also play the first kind of games, or the second side, by every other value of an option."),
        ),
    ] = False,
) -> None:
    from veillee.lab.arena import owner_content_option  # noqa: PLC0415  slow to load
    from veillee.lab.balance import (  # noqa: PLC0415  slow to load
        QUICK_LEVEL,
        generic_study,
        plans_of,
        play_all,
        study_of,
    )
    from veillee.lab.balance import compare as two  # noqa: PLC0415
    from veillee.lab.balance.report import write  # noqa: PLC0415

    t = room(lang)
    box, study = study_of(game)
    play_with(content, lang, box)
    own = list(owner_content_option(box).values())
    plans = plans_of(box.id, games, plan)
    sides = find_sides(box, compare, lang)
    if sides:
        plans = two.plans(plans[0], sides)
    usual = plans[-1] if sides else plans[0]  # what rulings are compared with
    ruling_sides = two.rulings(box, usual) if rulings else []
    ruled = two.ruling_plans(usual, ruling_sides)
    name = f"{box.id}-compared.html" if sides else f"{'-'.join([box.id, *own])}.md"
    path = out or Path("docs") / "balance" / name
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(t.name(box.title), total=sum(kind.games for kind in [*plans, *ruled]))
        played = play_all(
            box.id,
            [*plans, *ruled],
            level,
            seed,
            workers or os.cpu_count() or 1,
            lambda n: progress.advance(task, n),
            on,
            record,
        )
    by_ruling = {kind.name: played.pop(kind.name) for kind in ruled}
    criteria = [] if sides else study.judge(played)
    command = f"veillee lab balance {box.id} --games {games} --level {level} --seed {seed}"
    command += f' --plan "{plan}"' if plan else ""
    command += " --rulings" if rulings else ""
    command += f" --out {out}" if out else ""
    command += "".join(f" --content {path.name}" for path in content or ())
    command += "".join(f" --compare {Path(one).name}" for one in compare or ())
    opening = (
        f"Every seat is a bot of the level `{level}`; it knows only what its seat may know. Shared victories count 1/k, "
        "and ± is half the width of a 95 % interval. Intervals are counted by deal."
    )
    if level == QUICK_LEVEL:
        opening += " First ideas are sensible play, not the strongest."
    if own:
        opening += f" They play with an owner's own set: {own[0]}."
    title = f"Balance of {box.title['en']}"
    if sides:
        title += f": {sides[0].name} and {sides[1].name}"
        opening += f" Both are played on the same {plans[0].games} deals, with {plans[0].players} players."
        chapters = two.chapters(study, sides, *played.values())
    else:
        chapters = [*study.chapters(played), *generic_study.chapters(study, played)]
    if ruling_sides:
        chapters.append(two.ruling_chapter(study, played[usual.name], ruling_sides, by_ruling))
    try:
        files = write(path, title, opening, command, criteria, chapters)
    except OSError as error:
        fail(t("{file} cannot be written: {reason}.", file=path, reason=error.strerror))
    missed = [c for c in criteria if not c.holds]
    console = Console(highlight=False)
    for c in missed:
        console.print(t("{plan}: {name} is {value}.", plan=c.plan, name=c.name, value=c.said(c.value)), style="yellow")
    if not criteria:
        for line in chapters[0].points:
            console.print(line, markup=False)
        console.print(t("The report: {file}", file=files[0]))
        return
    console.print(
        t("{n} of {all} criteria hold: {file}", n=len(criteria) - len(missed), all=len(criteria), file=files[0])
    )


def find_sides(box: Box, asked: Sequence[str] | None, lang: str) -> list[Side]:
    """Returns the two sides of a comparison, or none. Loads an owner's file that is one of them."""
    from veillee.lab.balance import compare  # noqa: PLC0415  slow to load

    t = room(lang)
    if not asked:
        return []
    if len(asked) > PAIR:
        fail(t("Two are compared, not {n}.", n=len(asked)))
    base = compare.usual(box)
    sides = []
    for one in asked:
        if "=" in one and not Path(one).exists():
            sides.append(compare.side_with_options(box, one, base))
        else:
            play_with([Path(one)], lang, box)
            sides.append(compare.side_with_content(box, base))
    return sides if len(sides) == PAIR else [compare.against(box, sides[0], base), *sides]


balance.__doc__ = t("Play many games between equal bots, and report what is even and what is not.")
lab.command()(balance)


@in_plain_words
def tournament(
    game: Game,
    entrants: Annotated[
        list[str], typer.Argument(metavar="BOT…", help=t("Levels, and bots of your own: novice expert mypackage:Bot"))
    ],
    lang: Lang,
    games: Annotated[int, typer.Option(min=1, help=t("How many games in each meeting of two."))] = 40,
    seed: Annotated[int, typer.Option(min=0, help=t("Another seed, other deals."))] = 1,
    limit: Annotated[
        float, typer.Option(help=t("How many seconds a bot of your own may think about an answer."))
    ] = 5.0,
    workers: Annotated[int, typer.Option(min=0, help=t("How many processes; 0: one for each core."))] = 0,
    on: On = "here",
    records: Annotated[
        Path | None, typer.Option(help=t("A folder for the games: a run that was stopped goes on where it was."))
    ] = None,
    duplicate: Annotated[
        bool,
        typer.Option("--duplicate", help=t("Everybody plays the same games alone against others, luck set aside.")),
    ] = False,
    against: Annotated[str, typer.Option(metavar="BOT", help=t("With --duplicate: who the others are."))] = "regular",
    to: Annotated[Path | None, typer.Option(help=t("The page, as Markdown; by default it is printed."))] = None,
) -> None:
    from veillee.lab.tournament import Duplicate, duplicate_page, enter, page  # noqa: PLC0415  slow to load

    t = room(lang)
    box = box_of(game, t)
    command = f"veillee lab tournament {box.id} {' '.join(entrants)} --games {games} --seed {seed}"
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    try:
        if records is not None:
            records.mkdir(parents=True, exist_ok=True)
        with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
            cores = workers or os.cpu_count() or 1
            if duplicate:
                alone = Duplicate(box, tuple(entrants), against, games, seed, limit)
                task = progress.add_task(t.name(box.title), total=games * len(entrants))
                results = alone.play(cores, records, lambda _: progress.advance(task), on)
                text = duplicate_page(alone, results, f"{command} --duplicate --against {against}")
            else:
                contest = enter(box.id, entrants, games, seed, limit)
                task = progress.add_task(t.name(box.title), total=games * len(contest.pairs))
                meetings = contest.play(cores, records, lambda _: progress.advance(task), on)
                text = page(contest, meetings, command)
        if to is None:
            typer.echo(text)
        else:
            to.write_text(text, encoding="utf-8")
    except OSError as error:
        fail(t("{file} cannot be written: {reason}.", file=error.filename, reason=error.strerror))


tournament.__doc__ = t("Let everybody play everybody, and write the page of it.")
lab.command()(tournament)


@in_plain_words
def championships(
    game: Game,
    lang: Lang,
    pool: Annotated[int, typer.Option(min=2, help=t("How many deals are played by everybody."))] = 40,
    deals: Annotated[int, typer.Option(min=2, help=t("How many of them a championship has."))] = 6,
    number: Annotated[int, typer.Option(min=1, help=t("How many championships."))] = 200,
    position: Annotated[int, typer.Option(min=1, help=t("How many simulated games judge a position."))] = 60,
    seed: Annotated[int, typer.Option(min=0, help=t("Another seed, other deals."))] = 1,
    workers: Annotated[int, typer.Option(min=0, help=t("How many processes; 0: one for each core."))] = 0,
    on: On = "here",
    record: Record = None,
) -> None:
    from veillee.lab.championship_study import ChampionshipStudy, page  # noqa: PLC0415  slow to load
    from veillee.lab.checkpoint import with_checkpoint  # noqa: PLC0415
    from veillee.lab.executors import open_executor  # noqa: PLC0415

    t = room(lang)
    box = box_of(game, t)
    if deals > pool:
        fail(t("A championship has at most as many deals as there are: {pool}.", pool=pool))
    study = ChampionshipStudy(box, pool, deals, number, seed, position)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    asked = {"championships": box.id, "version": box.version, "pool": pool, "seed": seed, "position": position}
    with (
        open_executor(on, workers or os.cpu_count() or 1) as hands,
        Progress(*columns, console=Console(stderr=True), transient=True) as progress,
    ):
        task = progress.add_task(t.name(box.title), total=len(study.jobs()))
        results = study.play(with_checkpoint(hands, record, **asked), lambda: progress.advance(task))
    command = f"veillee lab championships {box.id} --pool {pool} --deals {deals} --number {number}"
    typer.echo(page(study, study.methods(results), f"{command} --position {position} --seed {seed}"))


championships.__doc__ = t(
    "Let entrants of known strength play championships, and measure what the standings are worth."
)
lab.command()(championships)


@in_plain_words
def puzzles(
    game: Game,
    lang: Lang,
    seed: Annotated[int, typer.Option(min=0, help=t("Another seed, other deals."))] = 1,
    number: Annotated[int, typer.Option(min=1, help=t("How many puzzles."))] = 30,
    out: Annotated[Path | None, typer.Option(help=t("The file; by default puzzles.json in the game's folder."))] = None,
    check: Annotated[
        bool,
        typer.Option("--check", help=t("Make none: ask the expert with ten times its budget about those there are.")),
    ] = False,
    renew: Annotated[
        bool, typer.Option("--renew", help=t("Keep those that the check finds right, and make the others anew."))
    ] = False,
) -> None:
    from veillee.lab import puzzle_generation as maker  # noqa: PLC0415  slow to load
    from veillee.lab.arena import find  # noqa: PLC0415
    from veillee.match.puzzles import puzzles as shipped  # noqa: PLC0415

    t, box = room(lang), find(game)
    console = Console(highlight=False)
    if check:
        every = list(shipped(box).values())
        doubted = maker.check(box, every, seed)
        agreed = len(every) - len(doubted)
        console.print(t("{game}: the expert agrees with {n} of {all} answers.", game=box.id, n=agreed, all=len(every)))
        if doubted:
            console.print(t("Not with: {numbers}", numbers=", ".join(str(one.number) for one in doubted)))
        raise typer.Exit(0 if every and agreed >= maker.AGREED * len(every) else 1)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(t.name(box.title), total=number)
        there = list(shipped(box).values()) if renew else []
        every = maker.renew(box, there, seed, lambda _found: progress.advance(task), number)
    command = f"veillee lab puzzles {box.id} --seed {seed} --number {number}" + " --renew" * renew
    try:
        path = maker.write(box, every, command, out)
    except OSError as error:
        fail(t("{file} cannot be written: {reason}.", file=out or box.folder, reason=error.strerror))
    console.print(t("{n} puzzles: {file}", n=len(every), file=path))


puzzles.__doc__ = t(
    "Make the puzzles of a box from games between bots: positions in which one choice is clearly the best."
)
lab.command()(puzzles)


@in_plain_words
def insight(
    game: Game,
    lang: Lang,
    games: Annotated[
        int, typer.Option(min=0, help=t("How many games show that luck is fair; 0: that is left out."))
    ] = 2000,
    analysed: Annotated[
        int, typer.Option(min=0, help=t("How many games show that it adds up; 0: that is left out."))
    ] = 40,
    each: Annotated[
        int, typer.Option(min=0, help=t("How many games of each level show what is skill; 0: that is left out."))
    ] = 24,
    contest: Annotated[
        int, typer.Option(min=0, help=t("How many games show what the arena saves; 0: that is left out."))
    ] = 1000,
    seed: Annotated[int, typer.Option(min=0, help=t("Another seed, other deals."))] = 1,
    workers: Annotated[int, typer.Option(min=0, help=t("How many processes; 0: one for each core."))] = 0,
    on: On = "here",
    record: Record = None,
    out: Annotated[Path | None, typer.Option(help=t("The report; by default docs/insight/GAME.md."))] = None,
) -> None:
    from veillee.lab import analysis_validation as study  # noqa: PLC0415  slow to load
    from veillee.lab.checkpoint import with_checkpoint  # noqa: PLC0415
    from veillee.lab.executors import open_executor  # noqa: PLC0415

    t = room(lang)
    box = box_of(game, t)
    asked = {"insight": box.id, "version": box.version, "games": games, "analysed": analysed, "each": each}
    asked |= {"contest": contest, "seed": seed}
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    parts: list[study.Part] = []
    with (
        open_executor(on, workers or os.cpu_count() or 1) as hands,
        Progress(*columns, console=Console(stderr=True), transient=True) as progress,
    ):
        crew = with_checkpoint(hands, record, **asked)
        task = progress.add_task(
            t.name(box.title), total=games + analysed + each * len(study.COMPARED_LEVELS) + contest
        )

        def tell() -> None:
            progress.advance(task)

        if analysed:
            parts.append(study.check_sums(box, analysed, seed, tell, crew))
        if games:
            parts.append(study.check_even_bots(box, games, seed, tell, crew))
        if each:
            parts.append(study.check_levels(box, each, seed, tell, crew))
        if contest:
            parts.append(study.measure_saving(box, contest, seed, tell, crew))
    command = f"veillee lab insight {box.id} --games {games} --analysed {analysed} --each {each}"
    command += f" --contest {contest} --seed {seed}"
    path = out or Path("docs") / "insight" / f"{box.id}.md"
    try:
        text = study.report(box, command, parts, path.read_text(encoding="utf-8") if path.exists() else "")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        fail(t("{file} cannot be written: {reason}.", file=path, reason=error.strerror))
    typer.echo(text)
    raise typer.Exit(0 if all(part.holds for part in parts) else 1)


insight.__doc__ = t("Measure whether what is said about luck and skill is true, and report it.")
lab.command()(insight)


@in_plain_words
def train(
    game: Game,
    lang: Lang,
    folder: Annotated[
        Path | None,
        typer.Option(help=t("A folder for all of it: a run that was stopped goes on there. By default training/GAME.")),
    ] = None,
    generations: Annotated[int, typer.Option(min=1, help=t("How many times it plays and learns."))] = 3,
    games: Annotated[int, typer.Option(min=20, help=t("How many games of each generation."))] = 2000,
    iterations: Annotated[
        int, typer.Option(min=1, help=t("How much is thought about each answer in these games."))
    ] = 100,
    hidden: Annotated[int, typer.Option(min=4, max=256, help=t("How many hidden units: a multiple of 4."))] = 32,
    planes: Annotated[
        str, typer.Option(metavar="all|seats|none", help=t("What it reads of the position, besides the features."))
    ] = "all",
    reach: Annotated[
        int, typer.Option(min=0, help=t("After how many answers quick games are evaluated; 0: as they are now."))
    ] = 0,
    results: Annotated[
        float, typer.Option(min=0.0, max=1.0, help=t("How much results count; the rest is what the search expects."))
    ] = 0.5,
    contest: Annotated[
        int, typer.Option(min=1, help=t("How many games decide whether a generation is accepted."))
    ] = 400,
    seconds: Annotated[float, typer.Option(min=0.001, help=t("How long is thought about each answer in them."))] = 0.01,
    seed: Annotated[int, typer.Option(min=0, help=t("Another seed, other deals."))] = 1,
    workers: Annotated[int, typer.Option(min=0, help=t("How many processes; 0: one for each core."))] = 0,
    on: On = "here",
    out: Annotated[
        Path | None,
        typer.Option(help=t("The file for the last accepted network; by default network.json in the game's sources.")),
    ] = None,
) -> None:
    from veillee.lab.training import Plan, ship, train  # noqa: PLC0415  slow to load

    t, box = room(lang), box_of(game, room(lang))
    console = Console(highlight=False, soft_wrap=True)
    plan = Plan(
        box.id,
        generations,
        games,
        iterations,
        hidden,
        planes,
        reach,
        results,
        contest=contest,
        seconds=seconds,
        seed=seed,
    )
    place = folder or Path("training") / box.id
    accepted = [
        one
        for one in train(plan, place, workers or os.cpu_count() or 1, on, lambda line: console.print(line.say(lang)))
        if one.accepted
    ]
    if not accepted:
        console.print(t("No generation was better: nothing is changed."))
        return
    shipped = ship(plan, place / accepted[-1].network, out)
    if shipped is None:
        fail(t("The sources of {game} are not here: say --out FILE.", game=box.id))
    console.print(t("The network: {file}", file=shipped))


train.__doc__ = t("Train the network of a box by self-play; a generation takes over only if it is better.")
lab.command()(train)
