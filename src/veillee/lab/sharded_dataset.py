"""Datasets of very many games: a folder of Parquet files with a row for each game, and its description.

A row has the seed, the answers and the result, from which everything else follows: reading replays each game. Each file
is written under a temporary name and renamed when complete, so a stopped run goes on with the files that are missing.
The folder is complete when it has its description: `croissant.json` (the Croissant format of MLCommons) and `README.md`.
"""

from __future__ import annotations

import errno
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from hashlib import file_digest
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import veillee
from veillee.games.box import Box
from veillee.games.catalogue import BOXES
from veillee.lab.datasets import MARK, PARQUET, open_parquet, parquet_modules, verify_record
from veillee.lab.executors import Executor
from veillee.lab.game_measures import play_at_random
from veillee.lab.simulate import t
from veillee.match.autoplay import play
from veillee.match.errors import BadSave, Unknown
from veillee.match.match import SAVE_FORMAT, Match, digest
from veillee.match.seeds import commitment
from veillee.match.setup import complete

SHARD_FORMAT = "veillee-game-shards/1"
GAMES_PER_SHARD = 10_000
RANDOM = "random"  # the level that answers at random, without a search
DESCRIPTION, CARD = "croissant.json", "README.md"
CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "extract": "cr:extract",
    "field": "cr:field",
    "fileSet": "cr:fileSet",
    "includes": "cr:includes",
    "recordSet": "cr:recordSet",
    "repeated": "cr:repeated",
    "sc": "https://schema.org/",
    "source": "cr:source",
}

# Each column: name, Arrow type, Croissant type, whether it is a list, and description.
GAME_COLUMNS = (
    ("game", "int64", "sc:Integer", False, "the number of the game in the dataset, from 0"),
    ("seed", "string", "sc:Text", False, "the seed of the deal and of all later chance, as hexadecimal digits"),
    ("seats", "int8", "sc:Integer", True, "whose answer it was, from 0, in the order of the answers"),
    ("choices", "int16", "sc:Integer", True, "the answers: ids of choices"),
    ("shares", "float", "sc:Float", True, "each seat's share of the victory"),
    ("scores", "int32", "sc:Integer", True, "each seat's points"),
    ("final", "string", "sc:Text", False, "a hash of the final position"),
)

EXAMPLES = """How long games are, and what seats win, by Polars, which reads no more than it needs:

```python
import polars as pl

games = pl.scan_parquet("games-*.parquet")
print(games.select(pl.col("choices").list.len().mean()).collect())
print(games.select(pl.col("shares").list.first().alias("share of the first seat").mean()).collect())
```

The same by pandas, of the first file:

```python
import pandas as pd

games = pd.read_parquet("games-00000.parquet")
print(games["choices"].str.len().mean())
print(pd.DataFrame(games["shares"].tolist()).mean())  # of each seat
```""".splitlines()


@dataclass(frozen=True)
class DatasetPlan:
    """What the games of a dataset depend on, besides their number."""

    game: str
    version: int
    seats: int
    level: str
    seed: int

    @property
    def box(self) -> Box:
        return BOXES[self.game]


@dataclass(frozen=True)
class Shard:
    """One file of a dataset, as plain data for another process."""

    plan: DatasetPlan
    folder: str
    first: int  # number of its first game
    count: int

    @property
    def path(self) -> Path:
        return Path(self.folder) / f"games-{self.first // GAMES_PER_SHARD:05}{PARQUET}"

    @property
    def mark(self) -> dict[str, Any]:
        return {"format": SHARD_FORMAT, **asdict(self.plan), "first": self.first, "count": self.count}


@dataclass(frozen=True)
class ShardFigures:
    """A complete file of a dataset."""

    name: str
    games: int
    answers: int
    size_bytes: int
    sha256: str
    seconds: float  # for playing and writing it


def write_dataset(
    folder: Path, plan: DatasetPlan, games: int, executor: Executor, told: Callable[[int], None] = lambda _: None
) -> list[ShardFigures]:
    """Plays the games that are missing in the folder, and describes them. told: called with the number of games of each
    complete file. Raises Unknown if the folder holds another dataset or cannot be written; then the files that are
    complete stay, and the next call goes on."""
    parquet_modules()
    shards = [
        Shard(plan, str(folder), first, min(GAMES_PER_SHARD, games - first))
        for first in range(0, games, GAMES_PER_SHARD)
    ]
    figures: list[ShardFigures] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in (DESCRIPTION, CARD):  # they say that all is there
            (folder / name).unlink(missing_ok=True)
        for one in executor.map(write_shard, shards):
            figures.append(one)
            told(one.games)
        _write_whole(folder / CARD, card(plan, figures))
        _write_whole(folder / DESCRIPTION, json.dumps(describe(plan, figures), indent=1, ensure_ascii=False) + "\n")
    except OSError as error:
        reason = t("the disk is full") if error.errno == errno.ENOSPC else error.strerror or str(error)
        raise Unknown(
            t(
                "{folder} cannot be written: {reason}. {n} of {all} files are complete; the same command goes on from there.",
                folder=folder,
                reason=reason,
                n=len(figures),
                all=len(shards),
            )
        ) from None
    return figures


def write_shard(shard: Shard) -> ShardFigures:
    """Plays and writes the games of a file, unless it is there. Raises Unknown if there is another file in its place."""
    path = shard.path
    if not path.exists() or not _is_complete(shard):
        _play_shard(shard)
    _, parquet = parquet_modules()
    known = json.loads(parquet.read_schema(path).metadata[MARK])
    with path.open("rb") as file:
        digest_of_file = file_digest(file, "sha256").hexdigest()
    return ShardFigures(path.name, shard.count, known["answers"], path.stat().st_size, digest_of_file, known["seconds"])


def _is_complete(shard: Shard) -> bool:
    """Returns whether the file has these games; False if it has the first of them. Raises Unknown for any other file."""
    known = _mark_of(shard.path)
    if known | {"count": 0, "answers": 0, "seconds": 0} != shard.mark | {"count": 0, "answers": 0, "seconds": 0}:
        raise Unknown(t("{file} is of another dataset: name another folder.", file=shard.path))
    return bool(known["count"] == shard.count)


def _play_shard(shard: Shard) -> None:
    pa, parquet = parquet_modules()
    plan, start = shard.plan, perf_counter()
    columns: dict[str, list[Any]] = {name: [] for name, *_ in GAME_COLUMNS}
    answers = 0
    for number in range(shard.first, shard.first + shard.count):
        match = _play(plan, number)
        answers += len(match.answers)
        row = {
            "game": number,
            "seed": match.seed.hex(),
            "seats": [seat for seat, _ in match.answers],
            "choices": [choice for _, choice in match.answers],
            "shares": match.state.returns(),
            "scores": match.scores,
            "final": digest(match.state),
        }
        for name, value in row.items():
            columns[name].append(value)
    mark = shard.mark | {"answers": answers, "seconds": round(perf_counter() - start, 3)}
    fields = []
    for name, kind, _, repeated, about in GAME_COLUMNS:
        values = {"int64": pa.int64(), "string": pa.string(), "float": pa.float32()}.get(kind) or getattr(pa, kind)()
        fields.append(pa.field(name, pa.list_(values) if repeated else values, metadata={"about": about}))
    schema = pa.schema(fields, metadata={MARK: json.dumps(mark).encode()})
    part = shard.path.with_name(shard.path.name + ".part")
    try:
        parquet.write_table(pa.table(columns, schema=schema), part, compression="zstd")
        part.replace(shard.path)
    finally:
        part.unlink(missing_ok=True)


def _play(plan: DatasetPlan, number: int) -> Match:
    seed = plan.seed + number
    if plan.level == RANDOM:
        return play_at_random(plan.box, plan.seats, seed)
    return play(plan.game, [plan.level] * plan.seats, plan.seats, seed)


# -- reading ------------------------------------------------------------------------------------------------------------
def read_dataset(folder: Path | str, games: int | None = None, seed: int = 0) -> Iterator[Match]:
    """Yields the games of a folder, each replayed and verified; `games`: only so many, drawn by the seed. Raises BadSave
    for a folder that is not complete, or a game that is not what the rules make of its seed."""
    folder = Path(folder)
    paths = sorted(folder.glob(f"games-*{PARQUET}"))
    if not (folder / DESCRIPTION).exists() or not paths:
        raise BadSave(
            t("{folder} is no complete dataset: the command that writes it goes on where it stopped.", folder=folder)
        )
    marks = [_mark_of(path) for path in paths]
    drawn: set[int] | None = None
    if games is not None:
        every = sum(mark["count"] for mark in marks)
        drawn = set(Random(seed).sample(range(every), min(games, every)))
    for path, mark in zip(paths, marks, strict=True):
        wanted = range(mark["count"])
        rows = [n for n in wanted if drawn is None or mark["first"] + n in drawn]
        if rows:
            yield from _read_shard(path, mark, rows)


def _read_shard(path: Path, mark: dict[str, Any], rows: Sequence[int]) -> Iterator[Match]:
    table = open_parquet(path).read()
    for place in rows:
        row = {name: table.column(name)[place].as_py() for name, *_ in GAME_COLUMNS}
        match = verify_record(path, place, _record(mark, row))
        if match.state.returns() != row["shares"]:
            raise BadSave(t("{file}: game {n} was won by others.", file=path, n=place + 1))
        yield match


def _record(mark: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
    """Returns the record of a game, as `veillee.verify` checks it."""
    return {
        "format": SAVE_FORMAT,
        "game": mark["game"],
        "version": mark["version"],
        "seats": mark["seats"],
        "options": complete(BOXES[mark["game"]], {}),
        "commitment": commitment(bytes.fromhex(row["seed"])),
        "luck": [],
        "answers": [list(answer) for answer in zip(row["seats"], row["choices"], strict=True)],
        "seed": row["seed"],
        "scores": row["scores"],
        "final": row["final"],
    }


def _mark_of(path: Path) -> dict[str, Any]:
    found = json.loads((open_parquet(path).schema_arrow.metadata or {}).get(MARK, b"{}"))
    if found.get("format") != SHARD_FORMAT:
        raise Unknown(t("{file} is of another dataset: name another folder.", file=path))
    return dict(found)


# -- description --------------------------------------------------------------------------------------------------------
def describe(plan: DatasetPlan, figures: Sequence[ShardFigures]) -> dict[str, Any]:
    """Returns the description of a dataset in the Croissant format 1.0."""
    box = plan.box
    files = [
        {
            "@type": "cr:FileObject",
            "@id": one.name,
            "name": one.name,
            "contentUrl": one.name,
            "contentSize": f"{one.size_bytes} B",
            "encodingFormat": "application/x-parquet",
            "sha256": one.sha256,
        }
        for one in figures
    ]
    every = {
        "@type": "cr:FileSet",
        "@id": "games",
        "name": "games",
        "encodingFormat": "application/x-parquet",
        "includes": f"*{PARQUET}",
    }
    fields = [
        {
            "@type": "cr:Field",
            "@id": f"game/{name}",
            "name": name,
            "description": about,
            "dataType": kind,
            **({"repeated": True} if repeated else {}),
            "source": {"fileSet": {"@id": "games"}, "extract": {"column": name}},
        }
        for name, _, kind, repeated, about in GAME_COLUMNS
    ]
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": f"veillee-{plan.game}",
        "datePublished": datetime.now(UTC).date().isoformat(),
        "description": (
            f"{sum(one.games for one in figures):,} games of {box.title['en']} ({box.authors}), {plan.seats} players, all"
            f" {plan.level}, version {plan.version} of the rules, seeds from {plan.seed}. {CARD} tells more."
        ),
        "version": veillee.__version__,
        "license": "https://spdx.org/licenses/MIT.html",
        "distribution": [*files, every],
        "recordSet": [{"@type": "cr:RecordSet", "@id": "game", "name": "game", "field": fields}],
    }


def card(plan: DatasetPlan, figures: Sequence[ShardFigures]) -> str:
    """Returns the README of a dataset as Markdown."""
    box = plan.box
    games, answers = sum(one.games for one in figures), sum(one.answers for one in figures)
    size, seconds = sum(one.size_bytes for one in figures), sum(one.seconds for one in figures)
    lines = [
        f"# {games:,} games of {box.title['en']}",
        "",
        (
            f"{plan.seats} players, all {plan.level}; version {plan.version} of the rules; seeds {plan.seed} to"
            f" {plan.seed + games - 1}. {answers:,} answers, {size / 1e6:,.1f} MB in {len(figures)} files; playing and writing"
            f" took {seconds:,.0f} s of one core. Format `{SHARD_FORMAT}`, described in `{DESCRIPTION}`."
        ),
        "",
        "Each row is a game. Its seed and its answers are the whole game: `veillee.read_games(folder)` replays every one and",
        "refuses a folder that is not what the rules make of the seeds; what each seat knew is `match.view(seat)` on the way.",
        "",
        "| column | type | what it is |",
        "|---|---|---|",
        *[
            f"| `{name}` | {f'list<{kind}>' if repeated else kind} | {about} |"
            for name, kind, _, repeated, about in GAME_COLUMNS
        ],
        "",
        *EXAMPLES,
    ]
    return "\n".join(lines) + "\n"


def _write_whole(path: Path, text: str) -> None:
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
