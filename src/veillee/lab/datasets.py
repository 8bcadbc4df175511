"""Datasets of games: a Parquet file with a row per decision, or JSON lines with a game each; verified by replay when
read.

A row has the seat's observation (the planes of the box), its legal choices and its choice, and the result; with an
analysis also the worth of the answer. It also has the record of its game, so that reading a file replays every game and
detects a decision, observation or result that does not follow from the rules and the seed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

from veillee.bots.evaluation import Budget
from veillee.games.box import Box
from veillee.lab.game_measures import MEASURED_GAMES, WORLDS, measure
from veillee.lab.simulate import Observer, t
from veillee.match.analysis import Finding, analyse
from veillee.match.errors import BadSave, Unknown, quote
from veillee.match.match import Match
from veillee.match.setup import new
from veillee.match.verify import verify

DATASET_FORMAT = "veillee-games/1"
MARK = b"veillee"  # key of the file's metadata
GAMES_IN_MEMORY = 16  # games held in memory at a time
PARQUET, LINES = ".parquet", ".jsonl"
TIMES_BEGIN = "| processor time of a call where this was written: "

# Each column: name, Arrow type, and description.
DECISION_COLUMNS = (
    ("game", "int32", "the number of the game in this file, from 0"),
    ("answer", "int32", "the number of the answer in its game, from 1"),
    ("seat", "int8", "whose decision it is, from 0"),
    ("choice", "int32", "the answer that was given: a choice's id"),
    ("verb", "string", "what kind of answer it is"),
    ("choices", "list<int32>", "all that were allowed"),
    (
        "observation",
        "list<int16>",
        "what the seat could know before it answered: the planes below, one after the other",
    ),
    ("share", "float", "the seat's share of the victory when the game was over"),
    ("score", "int32", "its points then"),
    ("chance", "float", "its chances after the answer, if the game was analysed"),
    ("worth", "float", "what the answer changed of them, on average over what nobody could know, if it was analysed"),
    ("luck", "float", "what chance made of that, if it was analysed"),
    ("record", "string", "the record of the game as JSON, without its answers, which are the rows"),
)


def decisions(match: Match, number: int = 0, findings: Iterable[Finding] = ()) -> list[dict[str, Any]]:
    """Returns the rows of a finished match. Raises Unknown if it is not over."""
    if not match.over:
        raise Unknown(t("A game that is not over is no data yet."))
    past, observer = match.from_the_start(), Observer(match.box, match.state)
    shares, scores = match.state.returns(), match.scores
    record = match.record()
    del record["answers"]
    written, found = json.dumps(record, ensure_ascii=False, sort_keys=True), [one for one in findings if one.number]
    rows = []
    for place, (seat, action) in enumerate(match.answers):
        finding = found[place] if found else None
        rows.append(
            {
                "game": number,
                "answer": place + 1,
                "seat": seat,
                "choice": action,
                "verb": past.state.choice(action)[0],
                "choices": past.state.legal(seat),
                "observation": observer.row(past.state, seat),
                "share": shares[seat],
                "score": scores[seat],
                "chance": finding.chances[seat] if finding else None,
                "worth": finding.worth[seat] if finding else None,
                "luck": finding.luck[seat] if finding else None,
                "record": written,
            }
        )
        past.play(seat, action)
    return rows


def write_games(
    path: Path | str, matches: Iterable[Match], *, analysed: int = 0, told: Callable[[Match], None] | None = None
) -> int:
    """Writes finished games of one box and returns their number. analysed: analyse them with so many simulated games
    per position.

    The file is written under a temporary name and renamed when complete.
    """
    path = Path(path)
    if path.suffix not in (PARQUET, LINES):
        raise Unknown(t("A file of games ends in .parquet or .jsonl, not as {name} does.", name=quote(path.name)))
    if analysed and path.suffix == LINES:
        raise Unknown(t("A line of JSON is a game as it was played: what an analysis finds goes into a .parquet file."))
    part = path.with_name(path.name + ".part")
    write = _write_parquet if path.suffix == PARQUET else _write_lines
    try:
        count = write(part, _with_progress(matches, told), analysed)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return count


def _with_progress(matches: Iterable[Match], told: Callable[[Match], None] | None) -> Iterator[Match]:
    for match in matches:
        yield match
        if told is not None:
            told(match)


def _write_lines(path: Path, matches: Iterable[Match], _analysed: int) -> int:
    count = 0
    with path.open("w", encoding="utf-8") as file:
        for match in matches:
            if not match.over:
                raise Unknown(t("A game that is not over is no data yet."))
            file.write(json.dumps(match.record(), ensure_ascii=False, sort_keys=True) + "\n")
            count += 1
    return count


def _write_parquet(path: Path, matches: Iterable[Match], analysed: int) -> int:
    arrow, parquet = parquet_modules()
    box: Box | None = None
    rows: list[dict[str, Any]] = []
    writer: Any = None
    count = 0
    budget = Budget(analysed, analysed, analysed) if analysed else None
    try:
        for match in matches:
            if box is not None and match.box is not box:
                raise Unknown(t("A file has games of one box: {one} or {other}.", one=box.id, other=match.box.id))
            box = match.box
            rows += decisions(match, count, analyse(match, 0, budget) if budget else ())
            count += 1
            if writer is None:
                writer = parquet.ParquetWriter(path, _schema(arrow, match))
            if count % GAMES_IN_MEMORY == 0:
                writer.write_table(arrow.Table.from_pylist(rows, writer.schema))
                rows = []
        if writer is not None and rows:
            writer.write_table(arrow.Table.from_pylist(rows, writer.schema))
    finally:
        if writer is not None:
            writer.close()
    if count == 0:
        raise Unknown(t("There is no game to write."))
    return count


def _schema(arrow: Any, match: Match) -> Any:
    types = {
        "int8": arrow.int8(),
        "int32": arrow.int32(),
        "float": arrow.float32(),
        "string": arrow.string(),
        "list<int32>": arrow.list_(arrow.int32()),
        "list<int16>": arrow.list_(arrow.int16()),
    }
    told = {"format": DATASET_FORMAT, "box": match.box.id, "version": match.version}
    fields = [arrow.field(name, types[kind], metadata={"about": about}) for name, kind, about in DECISION_COLUMNS]
    return arrow.schema(fields, metadata={MARK: json.dumps(told).encode()})


def read_games(path: Path | str) -> Iterator[Match]:
    """Yields the games of a file, or of a folder of `veillee export`, each replayed and verified. Raises BadSave."""
    path = Path(path)
    if path.is_dir():
        from veillee.lab.sharded_dataset import read_dataset  # noqa: PLC0415  it is built of this module

        return read_dataset(path)
    if not path.exists():
        raise BadSave(t("There is no file {file}.", file=path))
    return _read_parquet(path) if path.suffix == PARQUET else _read_lines(path)


def _read_lines(path: Path) -> Iterator[Match]:
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file):
            try:
                data = json.loads(line)
            except ValueError:
                raise BadSave(t("{file}: line {n} is no game.", file=path, n=number + 1)) from None
            yield verify_record(path, number, data)


def _read_parquet(path: Path) -> Iterator[Match]:
    file = open_parquet(path)
    told = json.loads((file.schema_arrow.metadata or {}).get(MARK, b"{}"))
    if told.get("format") != DATASET_FORMAT:
        then = quote(told.get("format"))
        raise BadSave(
            t("{file} was written as {then}; this version reads {now}.", file=path, then=then, now=DATASET_FORMAT)
        )
    rows = (row for batch in file.iter_batches() for row in batch.to_pylist())
    for number, group in groupby(rows, key=lambda row: row["game"]):
        held = list(group)
        data = json.loads(held[0]["record"])
        data["answers"] = [[row["seat"], row["choice"]] for row in held]
        match = verify_record(path, number, data)
        for row, again in zip(held, decisions(match), strict=True):
            for name in ("answer", "seat", "verb", "choices", "score"):
                _same(path, number, row, again, name)
            again["observation"] = again["observation"].tolist()
            _same(path, number, row, again, "observation")
        yield match


def open_parquet(path: Path) -> Any:
    """Returns the open file. Raises BadSave if it is no Parquet file."""
    arrow, parquet = parquet_modules()
    try:
        return parquet.ParquetFile(path)
    except (arrow.ArrowInvalid, OSError) as error:
        raise BadSave(t("{file} is no Parquet file: {why}", file=path, why=str(error)[:100])) from None


def _same(path: Path, number: int, row: dict[str, Any], again: dict[str, Any], name: str) -> None:
    if row[name] != again[name]:
        raise BadSave(
            t(
                "{file}: game {n}, answer {answer}: {name} is not what the rules make of it.",
                file=path,
                n=number + 1,
                answer=again["answer"],
                name=name,
            )
        )


def verify_record(path: Path, number: int, data: Any) -> Match:
    """Returns the replayed game with that number in the file. Raises BadSave if its record is not true."""
    try:
        verdict = verify(data)
    except BadSave as error:
        raise BadSave(t("{file}: game {n} cannot be played again: {why}", file=path, n=number + 1, why=error)) from None
    if not verdict.holds:
        wrong = "; ".join(str(what) for what, so in verdict.checks if not so)
        raise BadSave(t("{file}: game {n} is not what it says: {why}", file=path, n=number + 1, why=wrong))
    return verdict.match


def parquet_modules() -> tuple[Any, Any]:
    """Returns pyarrow and its module for Parquet. Raises Unknown where they are not installed."""
    try:
        import pyarrow as pa  # noqa: PLC0415  an extra
        from pyarrow import parquet  # noqa: PLC0415
    except ModuleNotFoundError:
        raise Unknown(t("Parquet needs pyarrow: pip install veillee[data]")) from None
    return pa, parquet


def card(box: Box, times: Mapping[str, float]) -> str:
    """Returns a description of such files as Markdown. times: of each call, in microseconds (game_measures.py)."""
    seats = box.players[-1]
    match = new(box.id, seats, bytes(32))
    observer = Observer(box, match.state)
    lines = [
        f"# Games of {box.title['en']} as data",
        "",
        f"Written by `veillee export {box.id} --card`. Files of `veillee export`, format `{DATASET_FORMAT}`, version {box.version} of the rules.",
        "",
        (
            f"The game: {box.title['en']} by {box.authors}, for {box.players[0]} to {box.players[-1]} players; rules in our own words, no text or "
            "art of any publisher. Games are played by bots or by people who handed in their records; no names are in them."
        ),
        "",
        (
            "`.jsonl`: the record of a game in each line, as `veillee verify` checks it. `.parquet`: a row for each decision. "
            "`veillee.read_games(file)` plays every game again and refuses a file that is not what the rules make of its seeds."
        ),
        "",
        "| column | type | what it is |",
        "|---|---|---|",
        *[f"| `{name}` | {kind} | {about} |" for name, kind, about in DECISION_COLUMNS],
        "",
        f"Answers are numbers from 0 to {match.state.answers() - 1}. With {seats} players an observation has {observer.size} numbers; whatever belongs to seats begins",
        "with the seat's own and goes on clockwise, so that a plane of every seat stands there once for each:",
        "",
        "| plane | numbers | each from | to | times |",
        "|---|--:|--:|--:|--:|",
    ]
    count_of: dict[tuple[str, int, int, int], int] = {}
    for plane in observer.planes:
        key = (plane.name, plane.stop - plane.start, plane.least, plane.most)
        count_of[key] = count_of.get(key, 0) + 1
    lines += [
        f"| {name} | {size} | {least} | {most} | {count} |" for (name, size, least, most), count in count_of.items()
    ]
    lines += ["", *_measures(box, times)]
    return "\n".join(lines) + "\n"


def _measures(box: Box, times: Mapping[str, float]) -> list[str]:
    found = measure(box)
    return [
        "## Measures",
        "",
        f"As the TAG framework reports them: {MEASURED_GAMES} games of random answers, {found.seats} players.",
        "",
        "| measure | |",
        "|---|--:|",
        f"| answers per game, on average | {found.answers:.0f} |",
        f"| fewest and most | {found.fewest_answers} to {found.most_answers} |",
        f"| choices per answer, on average | {found.choices:.1f} |",
        f"| most | {found.most_choices} |",
        f"| answers with one choice | {found.forced:.0%} |",
        f"| hidden from the seat that is asked, at most (entropies of all numbers over {WORLDS} worlds, added up) | {found.hidden_bits:.0f} bits |",
        f"| answers after which points differ | {found.scoring:.1%} |",
        f"{TIMES_BEGIN}{', '.join(times)} | {', '.join(f'{value:.2f}' for value in times.values())} µs |",
    ]
