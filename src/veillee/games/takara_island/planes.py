"""TI-13.1 A position of Takara Island as numbers for one seat: of face-down tiles, those that it has looked at."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i16, i64

from veillee.games.takara_island.rules.answers import ADVENTURERS_AT_MOST, SITE_TILES, SITES
from veillee.games.takara_island.rules.chests import ReadMap
from veillee.games.takara_island.rules.island import PLACES, Takara
from veillee.games.takara_island.rules.observe import Look
from veillee.games.takara_island.rules.specialists import Depth, Peek, Target
from veillee.games.takara_island.rules.tiles import COUNT, IMITATOR
from veillee.games.takara_island.rules.turn import Act, Beach, Forge, Hospital
from veillee.kernel.planes import Planes, Sheet

SPECIALISTS: Final = IMITATOR + 1
MOST_KARAS: Final = 200


class IslandPlanes(Planes):
    def write(self, g: Takara, seat: i64, sheet: Sheet) -> None:
        seats = len(g.teams)
        seen = g.teams[seat].seen
        kinds = len(COUNT)
        question = g.question
        numbers = sheet.numbers
        for s in range(len(g.sites)):
            site = g.sites[s]
            size = len(site.tiles)
            known = site.up | (seen[s] & self.remembered(g, seat, s))
            sheet.names("a site: each tile from the bottom, its number and 1 more; 0: removed or not known", kinds)
            start = sheet.at
            sheet.nothing(SITE_TILES)
            for tile in site.tiles:
                if known & 1:
                    numbers[start] = i16(tile + 1)
                known >>= 1
                start += 1
            sheet.plane("a site: tiles left", SITE_TILES)
            sheet.put(size)
            sheet.plane("a site: which are face up", 1)
            sheet.bits(site.up, SITE_TILES)
            sheet.plane("a site: which were turned up in this turn", 1)
            sheet.bits(site.fresh, SITE_TILES)
            sheet.plane("a site: where an observation passed, so that no rockfall lies there", 1)
            sheet.bits(site.clear, SITE_TILES)
            sheet.plane("a site: wounds of the monster on top", 9)
            sheet.put(site.wounds)
        for turn in range(seats):
            other = seat + turn if seat + turn < seats else seat + turn - seats
            team = g.teams[other]
            sheet.plane("a team: Karas", MOST_KARAS)
            sheet.put(team.karas)
            sheet.plane("a team: experience, and of it tokens", MOST_KARAS)
            sheet.put(team.experience())
            sheet.put(team.tokens)
            sheet.plane("a team: adventurers ready, hurt, at rest, on the beach", ADVENTURERS_AT_MOST)
            sheet.put(team.ready)
            sheet.put(team.hurt)
            sheet.put(team.rest)
            sheet.put(team.recruit)
            sheet.plane("a team: tiles won, of each", 30)
            sheet.count(team.won, kinds)
            sheet.plane("a team: whose specialists are in front of it", 1)
            start = sheet.at
            sheet.nothing(SPECIALISTS)
            for holder in g.holder:
                if holder == other:
                    numbers[start] = 1
                start += 1
            sheet.plane("a team: it is its turn", 1)
            sheet.put(1 if g.active == other else 0)
        sheet.plane("discards, of each tile", 60)
        sheet.row(g.discards, kinds)
        sheet.plane("chests, and XP tokens in stock", 60)
        sheet.put(len(g.chests))
        sheet.put(g.tokens)
        sheet.plane("the specialist of this turn", 1)
        sheet.one_of(g.hired, SPECIALISTS)
        sheet.plane("adventurers of the active team at each site, in the den, at the counter, at the port", 3)
        sheet.row(g.at, PLACES)
        sheet.plane("the active team has the sword, has traded", 1)
        sheet.put(g.sword)
        sheet.put(g.traded)
        sheet.plane("the last fight: throws, and swords among them", 9)
        swords: i64 = 0
        for face in g.dice:
            swords += face
        sheet.put(len(g.dice))
        sheet.put(swords)
        sheet.plane("where stones were dug up", 1)
        sheet.bits(g.stone_sites, SITES)
        sheet.plane("turns so far", 400)
        sheet.put(g.turns)
        asks: i64 = -1
        where: i64 = -1
        place = -1
        skill: i64 = -1
        counted: i64 = 0
        if g.waiting != 0:
            if isinstance(question, Forge):
                asks = 0
            elif isinstance(question, Act):
                asks = 1
            elif isinstance(question, Look):
                asks = 2
                where = question.site
                place = question.place
                counted = question.counted
            elif isinstance(question, Target):
                asks = 3
                skill = question.skill
            elif isinstance(question, Depth):
                asks = 4
                where = question.site
            elif isinstance(question, Peek):
                asks = 5
                where = question.site
                place = question.first
                counted = question.count
            elif isinstance(question, ReadMap):
                asks = 6
            elif isinstance(question, Beach):
                asks = 7
            elif isinstance(question, Hospital):
                asks = 8
        sheet.plane("the question: sword, act, look, target, depth, peek, map, recruit, care", 1)
        sheet.one_of(asks, 9)
        sheet.plane("the site and the place that it is about", 1)
        sheet.one_of(where, SITES)
        sheet.one_of(place, SITE_TILES)
        sheet.plane("how many tiles it counts", SITE_TILES)
        sheet.put(counted)
        sheet.plane("the specialist that it is about", 1)
        sheet.one_of(skill, SPECIALISTS)

    def remembered(self, g: Takara, seat: i64, site: i64) -> i64:
        """TI-3.6 With a notebook, all that was seen; by heart, the places that the seat is looking at now."""
        if g.by_heart == 0:
            return -1
        question = g.question
        if g.asks(seat):
            if isinstance(question, Look) and question.site == site:
                return -1 << question.place
            if isinstance(question, Peek) and question.site == site:
                return (-1 << max(0, question.first + 1 - question.count)) & ((2 << question.first) - 1)
        return 0


PLANES = IslandPlanes()
