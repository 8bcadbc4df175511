"""Verifies the games of a championship, as a house hands them out when it is over: JSON lines, the first with the sealed
deals, each other with the record of a game, its deal, and its entrant; or its entrants by seat, 0 being a bot.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

from veillee.match import seeds
from veillee.match.errors import BadSave, t
from veillee.match.verify import verify
from veillee.words import Sentence

FORMAT = "veillee championship 1"


@dataclass(frozen=True)
class ChampionshipVerdict:
    """Number of games, and what is wrong, one sentence each."""

    games: int
    faults: list[Sentence]


def describe_deals(name: str, game: str, deals: Iterable[bytes]) -> dict[str, Any]:
    """Returns the first line."""
    told = [{"commitment": seeds.commitment(seed), "seed": seed.hex()} for seed in deals]
    return {"format": FORMAT, "name": name, "game": game, "deals": told}


def verify_championship(lines: Iterable[Any]) -> ChampionshipVerdict:
    """Replays every game. Raises BadSave if the first line is not that of a championship."""
    rows = iter(lines)
    header = next(rows, None)
    if not isinstance(header, Mapping) or header.get("format") != FORMAT:
        raise BadSave(t("This is not the file of a championship."))
    faults: list[Sentence] = []
    sealed: dict[int, str | None] = {}
    deals = header.get("deals")
    for number, one in enumerate(deals if isinstance(deals, list) else (), 1):
        seed = one.get("seed") if isinstance(one, Mapping) else None
        if not _is_seed(seed) or seeds.commitment(bytes.fromhex(seed)) != one.get("commitment"):
            faults.append(t("Deal {deal} is not the one that was sealed.", deal=number))
        sealed[number] = seed
    games, known = 0, set[tuple[int, int]]()
    for row in rows:
        games += 1
        faults += _faults_of_game(row, header, sealed, known, games)
    return ChampionshipVerdict(games, faults)


def _faults_of_game(
    row: Any, header: Mapping[str, Any], sealed: Mapping[int, str | None], known: set[tuple[int, int]], number: int
) -> Iterator[Sentence]:
    entrants, deal = (_entrants(row), row.get("deal")) if isinstance(row, Mapping) else ([], None)
    if not entrants or not isinstance(deal, int):
        yield t("Line {number} is no game.", number=number + 1)
        return
    entrant = entrants[0]  # names the game below
    for one in entrants:
        if (one, deal) in known:
            yield t("Entrant {entrant} has played deal {deal} twice.", entrant=one, deal=deal)
        known.add((one, deal))
    if row.get("game") != header.get("game") or row.get("seed") != sealed.get(deal):
        yield t("Entrant {entrant} has not played deal {deal}, but another one.", entrant=entrant, deal=deal)
    try:
        holds = verify(row).holds
    except BadSave as error:
        yield t("Entrant {entrant}, deal {deal}: {why}", entrant=entrant, deal=deal, why=error)
    else:
        if not holds:
            yield t("Entrant {entrant}, deal {deal}: this record is not true.", entrant=entrant, deal=deal)


def _entrants(row: Mapping[str, Any]) -> list[int]:
    """Returns the entrants of a game; none if the row does not say."""
    told = row.get("entrants", [row.get("entrant")])
    is_told = isinstance(told, list) and all(isinstance(one, int) for one in told)
    return [one for one in told if one] if is_told else []


def _is_seed(text: Any) -> TypeGuard[str]:
    return isinstance(text, str) and len(text) == 2 * seeds.SEED_BYTES and seeds.HEX_BYTES.fullmatch(text) is not None
