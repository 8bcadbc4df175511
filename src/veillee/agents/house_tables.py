"""Tables of a house: an agent is a guest there, and plays by the house's JSON API."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import httpx

from veillee.agents.seated import ToolReply, choice_lines, t
from veillee.games import catalogue
from veillee.house.errors import BadRequest, NotFound, NotNow, NotSignedIn
from veillee.match.compact_text import describe_news, describe_question, describe_view

TIMEOUT_SECONDS = 60.0  # of one request; the house holds back the next turn for up to WAIT_SECONDS
WAIT_SECONDS = 20  # for the next turn, after an answer


@dataclass(frozen=True)
class Quoted:
    """A sentence of the house, in the language that was asked for."""

    text: str

    def say(self, lang: str) -> str:
        return self.text


class HouseRefusal(BadRequest):
    """The house refused a request: its sentence, and the rule if there is one."""


class HouseClient:
    """The API of a house, for the guest of a token."""

    def __init__(self, address: str, token: str, lang: str, http: httpx.Client | None = None) -> None:
        if not token:
            raise NotSignedIn(t("Say which guest plays: put a guest’s token into VEILLEE_TOKEN."))
        self._address = address.rstrip("/") + "/api"
        self._headers = {"Authorization": f"Bearer {token}", "Accept-Language": lang}
        self._http = http or httpx.Client(timeout=TIMEOUT_SECONDS)

    def ask(self, method: str, path: str, data: object = None, **query: int) -> Any:
        """Returns what the house answers. Raises HouseRefusal."""
        try:
            response = self._http.request(method, self._address + path, json=data, params=query, headers=self._headers)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise HouseRefusal(t("The house does not answer: {reason}.", reason=error)) from None
        try:
            told = response.json()
        except ValueError:
            told = None
        if response.is_success and told is not None:
            return told
        if isinstance(told, dict) and told.get("sentence"):
            raise HouseRefusal(Quoted(told["sentence"]), told.get("rule", ""))
        raise HouseRefusal(t("The house does not answer: {reason}.", reason=f"HTTP {response.status_code}"))


class HouseTable:
    """A table where the caller has a seat."""

    def __init__(self, house: HouseClient, table: dict[str, Any], lang: str, wait_seconds: int = WAIT_SECONDS) -> None:
        self.id: str = table["id"]
        self.house = house
        self.lang = lang
        self.wait_seconds = wait_seconds
        self.box = catalogue.find(table["game"])
        self._table = table
        self._heard: dict[int, int] = {}  # events that the seat had been told when it last answered
        self._shown: dict[int, tuple[str, int]] = {}  # stamp and events of the position that the seat was shown last

    @property
    def seats(self) -> list[int]:
        seats: list[int] = self._table["mine"]
        return seats

    def refresh(self) -> None:
        """Reads who sits where: a guest may have come, or left."""
        self._table = self.house.ask("GET", f"/tables/{self.id}")

    def view(self, seat: int, *, has_data: bool = False) -> ToolReply:
        return self._tell(self._read(seat), has_data=has_data)

    def choices(self, seat: int) -> ToolReply:
        position = self._read(seat)
        data = {name: position[name] for name in ("seat", "question", "rule", "choices")}
        return ToolReply("\n".join(_question(position, self.lang)), data)

    def why_not(self, seat: int, choice: int | None) -> ToolReply:
        position = self._read(seat)
        refused = [one for one in position["refused"] if choice in (None, one["id"])]
        if refused or choice is None:
            lines = [f"{one['id']} {one['label']}: {one['why']} ({one['rule']})" for one in refused]
            return ToolReply("\n".join(lines), {"refused": refused})
        if choice in [one["id"] for one in position["choices"]]:
            return ToolReply(t("That is allowed.").say(self.lang), {"id": choice, "rule": "", "why": ""})
        raise BadRequest(t("{choice} is no answer to the question.", choice=choice))

    def play(self, seat: int, choices: Sequence[int]) -> ToolReply:
        path = f"/tables/{self.id}/seats/{seat}"
        stamp = self._stamp(seat)
        heard = self._shown.pop(seat)[1]
        position = self.house.ask("POST", f"{path}/answers", {"stamp": stamp, "answers": list(choices)})
        self._heard[seat] = heard
        if not position["choices"] and not position["view"]["over"]:
            position = self.house.ask("GET", f"{path}/turn", wait=self.wait_seconds)
        return self._tell(self._keep(seat, position))

    def undo(self, seat: int) -> ToolReply:
        path = f"/tables/{self.id}/seats/{seat}/undo"
        return self._tell(self._keep(seat, self.house.ask("POST", path, {"stamp": self._stamp(seat)})))

    def log(self, seat: int, since: int) -> ToolReply:
        position = self.house.ask("GET", f"/tables/{self.id}/seats/{seat}", heard=since)
        lines = [(line["rule"], line["text"]) for line in position["log"]]
        data = {"seat": seat, "heard": position["heard"], "lines": position["log"]}
        return ToolReply("\n".join(f"{text} ({rule})" for rule, text in lines), data)

    def hint(self, seat: int, level: str) -> ToolReply:
        hint = self.house.ask("POST", f"/tables/{self.id}/seats/{seat}/hint", {"stamp": self._stamp(seat)})
        said = t(
            "A bot of the level {level} would choose: {choice}.",
            level="expert",
            choice=f"{hint['choice']} {hint['label']}",
        )
        data = {"id": hint["choice"], "reason": hint["reason"], "chances": hint["chances"]}
        return ToolReply(f"{said.say(self.lang)} {hint['reason']}".rstrip(), data)

    def analysis(self, seat: int, games: int) -> ToolReply:
        raise NotNow(t("The house analyses its games itself: see the page of the table."))

    def record(self) -> ToolReply:
        record = self.house.ask("GET", f"/tables/{self.id}/record")
        return ToolReply(t("The game is over: here is its record, with the seed.").say(self.lang), {"record": record})

    def _read(self, seat: int) -> dict[str, Any]:
        return self._keep(seat, self.house.ask("GET", f"/tables/{self.id}/seats/{seat}"))

    def _keep(self, seat: int, position: dict[str, Any]) -> dict[str, Any]:
        self._shown[seat] = position["stamp"], position["heard"]
        return position

    def _stamp(self, seat: int) -> str:
        """Returns the stamp of the position that the seat was shown: an answer to an older one is refused."""
        if seat not in self._shown:
            self._read(seat)
        return self._shown[seat][0]

    def _tell(self, position: dict[str, Any], *, has_data: bool = False) -> ToolReply:
        seat, view = position["seat"], position["view"]
        if self.box is not None:
            names = [one["name"] for one in self._table["seats"]]
            lines = describe_view(self.box, view, names, self.lang)
        else:
            lines = [json.dumps(view, ensure_ascii=False)]  # a box that is not installed here
        news = self.house.ask("GET", f"/tables/{self.id}/seats/{seat}", heard=self._heard.get(seat, 0))["log"]
        lines += describe_news([(line["rule"], line["text"]) for line in news], self.lang)
        asked = "\n".join(_question(position, self.lang))
        data = {"match": self.id, **{name: position[name] for name in ("seat", "question", "rule", "choices")}}
        data |= {name: view[name] for name in ("over", "to_act", "scores")} | {"can_undo": position["can_undo"]}
        if has_data:
            data["view"] = view
        return ToolReply("\n\n".join(filter(None, ["\n".join(lines), asked])), data)


def _question(position: dict[str, Any], lang: str) -> list[str]:
    if not position["choices"]:
        return []
    return describe_question(position["question"], position["rule"], choice_lines(position["choices"]), lang)


class HouseLobby:
    """The tables of a house where the caller sits."""

    def __init__(self, house: HouseClient, lang: str, wait_seconds: int = WAIT_SECONDS) -> None:
        self.house = house
        self.lang = lang
        self.wait_seconds = wait_seconds
        self._tables: dict[str, HouseTable] = {}

    def new(
        self, game: str, seats: Sequence[str], seed: int | None, options: dict[str, str]
    ) -> tuple[HouseTable, ToolReply]:
        if seed is not None:
            raise BadRequest(t("A house draws its own seeds: leave the seed out."))
        kinds = [{"kind": who} if who in ("me", "open") else {"kind": "bot", "level": who} for who in seats]
        table = self.house.ask("POST", "/tables", {"game": game, "seats": kinds, "options": options})
        return self._seated(table)

    def sit_down(self, table: str) -> tuple[HouseTable, ToolReply]:
        found = self.house.ask("GET", f"/tables/{table.rstrip('/').rpartition('/')[2]}")
        if not found["mine"]:
            chairs = [number for number, seat in enumerate(found["seats"]) if seat["kind"] == "open"]
            if not chairs:
                raise NotNow(t("No seat is open at this table."))
            found = self.house.ask("POST", f"/tables/{found['id']}/seats/{chairs[0]}")
        return self._seated(found)

    def find(self, match: str) -> HouseTable:
        if match not in self._tables:
            raise NotFound(t("There is no match {match} here.", match=match))
        table = self._tables[match]
        table.refresh()
        return table

    def _seated(self, table: dict[str, Any]) -> tuple[HouseTable, ToolReply]:
        seated = HouseTable(self.house, table, self.lang, self.wait_seconds)
        self._tables[seated.id] = seated
        if table["status"] == "waiting":
            return seated, ToolReply(
                t("You sit; the game begins when all seats are taken.").say(self.lang), {"match": seated.id}
            )
        return seated, seated.view(seated.seats[0])
