"""What Paper Tales says: reasons, reports and the final account."""

from __future__ import annotations

import pytest

from rules.paper_tales.table import BACK, FRONT, SAVE, answer, build, card, hold, position, put, run
from veillee.games.paper_tales import BOX, content, words
from veillee.games.paper_tales import rules as pt
from veillee.games.paper_tales.view import view
from veillee.kernel.log import Log

EN = BOX.words("en")


def why(g: pt.PaperTales, action: int) -> str:
    return words.why(g, 0, action, g.explain(0, action), EN)


def test_a_deployment_that_cannot_be_names_the_reason():
    g = position()
    g.realms[0].gold = 0
    hold(g, 0, pt.FARMER, pt.FARMER, pt.HUNTER, pt.VETERAN, pt.KNIGHT)
    run(g, pt.Deploy)
    answer(g, 0, BACK)
    assert why(g, FRONT) == "It is the same as the card before: that one would have gone there first."
    answer(g, 0, BACK)
    assert why(g, BACK) == "There is no free spot in the back."
    answer(g, 0, SAVE, FRONT)
    assert why(g, SAVE) == "You already save a card."
    assert why(g, FRONT) == "It costs 1 gold, and 0 are left."


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        (pt.BUILD + pt.BARRACKS, "It is already built."),
        (pt.UPGRADE + pt.MINE, "It is not built yet."),
        (pt.BUILD + pt.TOWN, "It is already at level 2."),
        (pt.BUILD + pt.MINE, "It takes 4 gold, and you have 3."),
        (pt.BUILD_HIGH + pt.MINE, "Your kingdom does not produce enough: 1 wood missing."),
        (pt.UPGRADE + pt.BARRACKS, ""),
    ],
)
def test_a_building_tells_what_is_missing(action, sentence):
    g = position()
    build(g, 0, [1, 0, 0, 0, 2])
    run(g, pt.Construct)
    assert (why(g, action) if g.explain(0, action) else "") == sentence


def test_the_view_tells_what_is_missing_too():
    g = position()
    put(g, 0, pt.FARMER)
    mine, tavern, temple = (view(g, -1)["realms"][0]["buildings"][b] for b in (pt.MINE, pt.TAVERN, pt.TEMPLE))
    assert mine["build"]["missing"] == {"wood": 1}
    assert mine["build_high"]["missing"] == {"wood": 2, "crystal": 1}
    assert (tavern["build"]["possible"], tavern["build"]["gold"], tavern["upgrade"]) == (True, 0, None)
    assert (temple["build"]["gold"], temple["build"]["missing"]) == (2, {})
    assert (temple["build_high"]["gold"], temple["build_high"]["gold_missing"]) == (5, 2)


def test_the_account_adds_up_to_the_points_line_by_line():
    g = position()
    log = Log()
    g.log = log
    g.gain_legend("PT-2.3.2", pt.WAR, 0, 6, pt.FROM_WAR)
    g.gain_legend("PT-2.3.4", pt.WAR, 0, 2, pt.COMMANDER)
    g.gain_legend("PT-2.3.4", pt.WAR, 0, 1, pt.COMMANDER)
    g.gain_legend("PT-3.1", pt.THE_END, 0, 3, pt.FROM_BUILDING + pt.TOWN)
    lines = words.account(g, log.events, ["Ana", "Bo", "Cléa"], EN)
    assert [(line.rule, line.text, line.points) for line in lines[0]] == [
        ("PT-2.3.2", "Wars won", 6),
        ("PT-2.3.4", "Commander", 3),
        ("PT-3.1", "Town, at the end of the game", 3),
    ]
    assert lines[1:] == [[], []]


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_the_rulebook_lists_every_unit_and_building_as_the_content_has_them(lang):
    book = (BOX.folder / "rulebook" / f"{lang}.md").read_text(encoding="utf-8")
    for kind in content.UNITS:
        line = next(line for line in book.splitlines() if line.startswith(f"| **{kind.name[lang]}** "))
        assert kind.text[lang] in line
        assert f"×{kind.copies})" in line
        assert f" {kind.cost}".replace("-", "−") in line
    for house in content.HOUSES:
        line = next(line for line in book.splitlines() if line.startswith(f"| **{house.name[lang]}** "))
        assert all(level.text[lang] in line for level in house.levels)


def test_the_text_board_shows_the_kingdoms_and_the_own_hand_only():
    g = position()
    put(g, 1, pt.KNIGHT, age=1)
    hold(g, 0, pt.FARMER)
    hold(g, 1, pt.DRAGON)
    hold(g, 2, pt.COOK)
    g.realms[0].saved = card(g, pt.MINER)
    run(g, pt.Deploy)
    seen = {**view(g, 0), "to_act": list(g.to_act)}
    text = BOX.draw(seen, ["Ana", "Bo", "Cléa"], BOX.words("fr"))
    assert "Chevalier 4◷" in text
    assert "Fermier" in text
    assert "Mineur" in text
    assert "Dragon" not in text
