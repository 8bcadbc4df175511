"""TI-13.1 What one seat may see: face-down tiles, the order of the chests and what the others saw are private."""

from __future__ import annotations

from typing import Any

from veillee.games.takara_island import rules as ti
from veillee.games.takara_island.content import LEVELS, SPECIALISTS, TILES, TITLES
from veillee.kernel.log import NO_SEAT

PLACES = ("den", "counter", "port")

# The number of each answer: a board puts them on their things.
ANSWERS = {
    "stop": ti.STOP,
    "observe": [ti.OBSERVE + site for site in range(ti.SITES)],
    "work": [ti.WORK + site for site in range(ti.SITES)],
    "den": ti.DEN,
    "sell": [ti.SELL + i for i in range(len(ti.SOLD))],
    "buy": ti.BUY,
    "hire": [ti.HIRE + skill for skill in range(ti.IMITATOR)] + [ti.IMITATE],
    "no_sword": ti.NO_SWORD,
    "rent": ti.RENT,
    "go_on": ti.GO_ON,
    "turn_up": ti.TURN_UP,
    "site": [ti.SITE + site for site in range(ti.SITES)],
    "depth": list(ti.DEPTHS[ti.SITE_TILES]),
    "take_karas": ti.TAKE_KARAS,
    "keep_map": ti.KEEP_MAP,
    "no_recruit": ti.NO_RECRUIT,
    "recruit": ti.RECRUIT,
    "care": list(ti.CARES),
}

# What things cost and bring, in Karas.
KARAS = {
    "sword": ti.SWORD_PRICE,
    "token": ti.KARAS_PER_XP,
    "recruit": ti.RECRUIT_PRICE,
    "den": ti.DEN_REWARD,
    "sales": [{"xp": xp, "karas": ti.KARAS_PER_XP * xp} for xp in ti.SOLD],
    "care": [ti.CARE_PRICE * adventurers for adventurers in range(len(ti.CARES))],
}


def view(g: ti.Takara, seat: int) -> dict[str, Any]:
    return {
        "turn": g.active,
        "turns": g.turns,
        "memory": "by-heart" if g.by_heart else "notebook",
        "sites": [site_view(g, s, seat) for s in range(ti.SITES)],
        "teams": [team_view(g, s) for s in range(len(g.teams))],
        "places": {  # where the active team's adventurers are
            "sites": list(g.at[: ti.SITES]),
            "den": g.at[ti.DEN_PLACE],
            "counter": g.at[ti.COUNTER_PLACE],
            "port": g.at[ti.PORT_PLACE],
        },
        "sword": bool(g.sword),
        "traded": bool(g.traded),
        "dice": ["sword" if face else "hospital" for face in g.dice],
        "specialists": [
            {
                "id": specialist.id,
                "price": specialist.price,
                "holder": g.holder[i],
                "asleep": g.holder[i] != NO_SEAT and g.hired != i,
                "cost": g.price(i) if i < ti.IMITATOR else None,  # TI-8.6 more, where the Imitator has to copy it
            }
            for i, specialist in enumerate(SPECIALISTS)
        ],
        "tokens": g.tokens,
        "chests": len(g.chests),
        "discards": {TILES[i].id: n for i, n in enumerate(g.discards) if n},
        "unseen": unseen(g, seat),
        "looking": looking(g, seat),
        "divined": g.question.site if g.to_act and isinstance(g.question, ti.Depth) else None,
        "answers": ANSWERS,
        "karas": KARAS,
        "asks": type(g.question).__name__ if g.to_act else None,
        "ending": ti.ENDINGS[g.ending] or None,
    }


def turned_up(g: ti.Takara) -> dict[str, Any]:
    """TI-12 What is shown once the game is over: the tiles that are left are turned up. Only the chests stay closed."""
    end = g.clone()
    for site in end.sites:
        site.up = (1 << len(site.tiles)) - 1
    return {"sites": [site_view(end, s, NO_SEAT) for s in range(ti.SITES)], "unseen": unseen(end, NO_SEAT)}


def site_view(g: ti.Takara, s: int, seat: int) -> dict[str, Any]:
    site = g.sites[s]
    shown = site.up | known(g, s, seat)
    return {
        "wounds": site.wounds,
        "dug": ti.SITE_TILES - len(site.tiles),  # how deep the site is open
        "tiles": [  # from the top downwards
            {
                "level": LEVELS[place // ti.LEVEL_TILES],
                "tile": TILES[site.tiles[place]].id if (shown >> place) & 1 else None,
                "up": bool((site.up >> place) & 1),
                "fresh": bool((site.fresh >> place) & 1),
            }
            for place in reversed(range(len(site.tiles)))
        ],
    }


def known(g: ti.Takara, s: int, seat: int) -> int:
    """TI-3.6 The places that the seat's notes tell about; by heart, only those it is looking at now."""
    if seat < 0:
        return 0
    return g.teams[seat].seen[s] & looked_at(g, s, seat) if g.by_heart else g.teams[seat].seen[s]


def looked_at(g: ti.Takara, s: int, seat: int) -> int:
    """The places of the seat's look that is going on."""
    step = g.question
    if seat not in g.to_act:
        return 0
    if isinstance(step, ti.Look) and step.site == s:
        return -1 << step.place
    if isinstance(step, ti.Peek) and step.site == s:
        return -1 << max(0, step.first + 1 - step.count) & ((2 << step.first) - 1)
    return 0


def looking(g: ti.Takara, seat: int) -> dict[str, Any] | None:
    """TI-3.5 Everyone sees into which site a look goes, the one who looks sees the tiles too, the last one last."""
    step = g.question
    if not g.to_act or not isinstance(step, (ti.Look, ti.Peek)):
        return None
    tiles = None
    if seat == step.seat:
        site = g.sites[step.site]
        mask = looked_at(g, step.site, seat)
        tiles = [
            {
                "level": LEVELS[place // ti.LEVEL_TILES],
                "tile": TILES[site.tiles[place]].id,
                "up": bool((site.up >> place) & 1),
                "above": len(site.tiles) - 1 - place,
            }
            for place in reversed(range(len(site.tiles)))
            if (mask >> place) & 1
        ]
    return {"seat": step.seat, "site": step.site, "specialist": isinstance(step, ti.Peek), "tiles": tiles}


def team_view(g: ti.Takara, seat: int) -> dict[str, Any]:
    team = g.teams[seat]
    return {
        "karas": team.karas,
        "tokens": team.tokens,
        "ready": team.ready,
        "hurt": team.hurt,
        "rest": team.rest,
        "injured": team.hurt + team.rest,
        "recruit": bool(team.recruit),
        "pieces": pieces(g, seat),
        "won": [TILES[tile].id for tile in team.won],
        "stones": team.stones(),
        "xp": g.score(seat),
        "title": TITLES[ti.title(g.score(seat))].name if g.ending not in (ti.PLAYING, ti.BANISHED) else None,
    }


def pieces(g: ti.Takara, seat: int) -> list[str]:
    """Where each of the team's adventurers is."""
    team = g.teams[seat]
    where: list[str] = []
    if seat == g.active:
        for place, count in enumerate(g.at):
            where += [f"site-{place}" if place < ti.SITES else PLACES[place - ti.SITES]] * count
    return where + ["hospital"] * team.hurt + ["rest"] * team.rest + ["camp"] * team.ready + ["beach"] * team.recruit


def unseen(g: ti.Takara, seat: int) -> dict[str, dict[str, int]]:
    """What can still turn up, by level: all the tiles, less those in sight and those the seat has looked at."""
    left = [tile.count - g.discards[i] for i, tile in enumerate(TILES)]
    for team in g.teams:
        for tile in team.won:
            left[tile] -= 1
    for s, site in enumerate(g.sites):
        shown = site.up | known(g, s, seat)
        for place, tile in enumerate(site.tiles):
            if (shown >> place) & 1:
                left[tile] -= 1
    levels = (*reversed(LEVELS), "treasure")
    return {level: {t.id: left[i] for i, t in enumerate(TILES) if t.level == level and left[i]} for level in levels}
