"""Measures how long the compact text of a question is: python benchmarks/compact_text.py [--games 20] [--seed 1] [--write]

Plays random games of every box in both languages, and counts position, question and choices together, for the seat that is
asked. The count is an estimate, not a tokenizer's: bytes of UTF-8 divided by 3.5, or words and punctuation marks, whichever
is more. --write puts the table into docs/compact-text.md. Exit code 1: a median is above the target.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median, quantiles

import veillee
from veillee.games.box import Box
from veillee.match.compact_text import describe, describe_choices
from veillee.words import LANGUAGES

TARGET = 600  # estimated tokens of a question, in the median
BYTES_PER_TOKEN = 3.5
PIECE = re.compile(r"\w+|[^\w\s]")
DOC = Path(__file__).resolve().parent.parent / "docs/compact-text.md"
TABLE = re.compile(r"(?<=<!-- measured -->\n).*(?=<!-- end -->)", re.DOTALL)


def estimate_tokens(text: str) -> int:
    """Estimates the number of tokens of a text, rather too high than too low."""
    return max(round(len(text.encode()) / BYTES_PER_TOKEN), len(PIECE.findall(text)))


def questions(box: Box, lang: str, games: int, seed: int) -> Iterator[tuple[int, int]]:
    """Yields the estimates for each question of random games: of all of it, and of the choices alone."""
    for number in range(games):
        seats = box.players[number % len(box.players)]
        match, pick = veillee.new(box.id, seats, seed=seed * 1000 + number), Random(seed * 1000 + number)
        while not match.over:
            seat = pick.choice(match.to_act)
            yield estimate_tokens(describe(match, seat, lang)), estimate_tokens(describe_choices(match, seat, lang))
            match.play(seat, pick.choice(match.choices(seat)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20, help="of each box")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="write the table into docs/compact-text.md")
    given = parser.parse_args()
    rows, worst = [], 0.0
    for box in veillee.boxes():
        for lang in LANGUAGES:
            found = list(questions(box, lang, given.games, given.seed))
            whole, choices = zip(*found, strict=True)
            middle, high = median(whole), quantiles(whole, n=20)[-1]
            worst = max(worst, middle)
            rows.append(
                f"| {box.id} | {lang} | {len(found)} | {middle:.0f} | {high:.0f} | {max(whole)} | {median(choices):.0f} |"
            )
    table = "\n".join(
        [
            "| box | language | questions | median | 95 % | longest | choices alone, median |",
            "|---|---|--:|--:|--:|--:|--:|",
            *rows,
        ]
    )
    print(table)
    if given.write:
        DOC.write_text(TABLE.sub(lambda _: f"\n{table}\n\n", DOC.read_text("utf-8")), "utf-8")
    return int(worst > TARGET)


if __name__ == "__main__":
    sys.exit(main())
