"""A bot at a table in the browser: a client of the house's API, with nothing but Python's own library.

    python examples/web_bot.py http://127.0.0.1:8000 mybot:Digger --new takara-island     a table of its own
    python examples/web_bot.py http://127.0.0.1:8000 mybot:Digger --table TABLE           an open chair at yours

It is a guest like any other, with a token of its own, which it keeps in a file: started again, it sits on its chair again.
When the house does not answer (it is restarted, the network is gone) it waits and comes back; what it knows, it reads anew.
In another language it is the same: five requests, JSON in and JSON out, described in /api/schema/openapi.json.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import urllib.error
import urllib.request
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

PATIENCE = 60.0  # seconds for one answer of the house, which may hold back the next turn for 25
LONGEST_PAUSE = 30.0  # between two tries


class Refused(Exception):
    """The house said no: a status, a sentence, and the rule if there is one."""

    def __init__(self, status: int, sentence: str, rule: str) -> None:
        super().__init__(f"{sentence} ({rule})" if rule else sentence)
        self.status = status


class House:
    """The API. Whatever only takes time (no answer, a proxy's 502, too many requests) is waited for."""

    def __init__(self, address: str, token: str = "") -> None:
        self.address = address.rstrip("/") + "/api"
        self.token = token

    def ask(self, method: str, path: str, data: object = None) -> Any:
        pause = 1.0
        while True:
            try:
                return self._ask(method, path, data)
            except urllib.error.HTTPError as error:
                text = error.read().decode("utf-8", "replace")
                if error.code not in (429, 502, 503, 504):
                    told = json.loads(text) if text.startswith("{") else {}
                    raise Refused(error.code, told.get("sentence", error.reason), told.get("rule", "")) from None
                pause = float(error.headers.get("Retry-After") or pause)
            except (OSError, ValueError) as error:  # nobody there, cut off, or half an answer
                print(f"The house does not answer ({error}): trying again in {pause:g} s.", file=sys.stderr)
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _ask(self, method: str, path: str, data: object) -> Any:
        headers = {"Content-Type": "application/json", "Accept-Language": "en", "User-Agent": "web_bot"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        body = None if data is None else json.dumps(data).encode()
        request = urllib.request.Request(self.address + path, body, headers, method=method)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)


class Clock:
    """How long the bot has: what the table gives, or a minute."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self._end = seconds, time.monotonic() + seconds

    @property
    def left(self) -> float:
        return max(0.0, self._end - time.monotonic())


def sit(house: House, table: dict[str, Any]) -> int:
    """The chair that is ours already, or the first open one."""
    if table["mine"]:
        return int(table["mine"][0])
    for number, seat in enumerate(table["seats"]):
        if seat["kind"] == "open":
            house.ask("POST", f"/tables/{table['id']}/seats/{number}")
            return number
    raise Refused(409, "There is no open chair at this table.", "")


def play(house: House, table: dict[str, Any], seat: int, bot: Any) -> dict[str, Any]:
    """Answer until the game is over. The last position."""
    address, heard = f"/tables/{table['id']}/seats/{seat}", 0
    seconds = float(table["pace"]["each"] or 60)
    while True:
        try:
            position = house.ask("GET", f"{address}/turn?heard={heard}")
        except Refused as refused:
            if refused.status == 409:  # somebody has still to sit down
                continue
            raise
        heard = position["heard"]
        if hasattr(bot, "told"):
            bot.told(position["events"])
        if position["view"]["over"]:
            return dict(position)
        choices = [SimpleNamespace(**choice) for choice in position["choices"]]
        if not choices:
            continue
        answer = chosen(bot, position["view"], choices, Clock(seconds))
        try:
            house.ask("POST", f"{address}/answers", {"stamp": position["stamp"], "answers": [answer]})
        except Refused as refused:
            if refused.status != 409:  # 409: the table has moved on, or had our answer before the line was cut
                raise


def chosen(bot: Any, view: dict[str, Any], choices: list[SimpleNamespace], clock: Clock) -> int:
    """What the bot says; the first choice, and a word about it, if that is no answer."""
    try:
        answer = bot.choose(view, list(choices), clock)
    except Exception as error:
        print(f"The bot raised {error!r}: it takes the first choice.", file=sys.stderr)
        return int(choices[0].id)
    number = getattr(answer, "id", answer)
    if number not in [choice.id for choice in choices]:
        print(f"The bot answered {answer!r}: it takes the first choice.", file=sys.stderr)
        number = choices[0].id
    return int(number)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("house", help="the address of the house")
    parser.add_argument("bot", help="module:Class, from here")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--table", help="the table with an open chair: the end of its address")
    where.add_argument("--new", metavar="GAME", help="open a table, with two regulars of the house")
    parser.add_argument("--name", default="Robot")
    parser.add_argument("--token", type=Path, default=Path("web_bot.token"), help="the file that keeps its token")
    given = parser.parse_args()
    sys.path.insert(0, "")
    module, _, name = given.bot.partition(":")
    bot = getattr(import_module(module), name)()
    house = House(given.house, given.token.read_text().strip() if given.token.exists() else "")
    try:
        if not house.token:
            house.token = house.ask("POST", "/guests", {"name": given.name})["token"]
            given.token.touch(mode=0o600)
            given.token.write_text(house.token)
        if given.new:
            seats = [{"kind": "me"}, {"kind": "bot"}, {"kind": "bot"}]
            table = house.ask("POST", "/tables", {"game": given.new, "seats": seats, "public": False})
        else:
            table = house.ask("GET", f"/tables/{given.table}")
        print(f"At {given.house.rstrip('/')}/t/{table['id']}", flush=True)
        seat = sit(house, table)
        scores = play(house, table, seat, bot)["view"]["scores"]
    except Refused as refused:
        sys.exit(f"The house says: {refused}")
    print(f"The game is over: {scores[seat]} points, against {[s for n, s in enumerate(scores) if n != seat]}.")


if __name__ == "__main__":
    main()
