"""Bots, advice and analyses in a Web Worker (Pyodide). Called by shell/thinker_worker.js; knows the engine and no house."""

from __future__ import annotations

import json
from collections.abc import Callable
from time import perf_counter

from veillee.bots.levels import level
from veillee.house.workers import analysis_worker, bot_worker


def answer_line(line: str) -> str:
    """Answers a question of the house (bot_worker.py), and tells whether the time limit of the level cut it short."""
    job = json.loads(line)
    begin = perf_counter()
    answer = bot_worker.answer(**job)
    limit = level(job["level"], job["box_id"]).seconds
    return json.dumps({"answer": answer, "cut": 0 < limit <= perf_counter() - begin})


def analyse_line(line: str, send: Callable[[str], None]) -> None:
    """Analyses a finished game (analysis_worker.py), and sends each finding as a line."""
    for finding in analysis_worker.analyse_game(json.loads(line)):
        send(json.dumps(finding))
