"""What Paper Tales says: reasons, reports and the final account."""

from __future__ import annotations

import pytest

from games.paper_tales.table import BACK, FRONT, SAVE, ageing, answer, build, card, cards, hold, position, put, run
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
    assert why(g, BACK) == "Hunter: there is no free spot in the back."
    answer(g, 0, SAVE, FRONT)
    assert why(g, SAVE) == "You already save a card."
    assert why(g, FRONT) == "Knight costs 1 gold, and 0 are left."


def test_one_coin_is_left():
    g = position()
    g.realms[0].gold = 1
    hold(g, 0, pt.COMMANDER)
    run(g, pt.Deploy)
    assert why(g, FRONT) == "Commander costs 2 gold, and 1 is left."


def test_pt_2_6_2_a_unit_that_another_healer_saves_has_a_sentence_of_its_own():
    g = position()
    for _ in range(2):
        put(g, 0, pt.HEALER)
    for kind in (pt.KNIGHT, pt.FARMER):
        put(g, 0, kind, age=1)
    ageing(g)
    answer(g, 0, pt.HEAL + 2)
    assert why(g, pt.HEAL + 2) == "Another Healer already saves this unit."
    assert why(g, pt.HEAL) == "Only a unit about to die with exactly 1 age can be saved."


def test_pt_2_5_1_wood_that_the_merchant_can_buy_is_not_missing():
    """Barracks straight to level 2: 2 wood, which she buys, and 1 food, which she does not."""
    g = position()
    put(g, 0, pt.WOOD_MERCHANT)
    run(g, pt.Construct)
    assert why(g, pt.BUILD_HIGH + pt.BARRACKS) == "Your kingdom does not produce enough: 1 food missing."
    assert view(g, 0)["realms"][0]["buildings"][pt.BARRACKS]["build_high"]["missing"] == {"food": 1}


@pytest.mark.parametrize(
    ("strengths", "line"),
    [
        ((6, 3), "War: Ana (6) has at least twice the strength of Bo (3): two wars won."),
        ((0, 2), "War: Bo (2) has at least twice the strength of Ana (0): two wars won."),
        ((5, 3), "War: Ana (5) beats Bo (3)."),
        ((3, 3), "War: Ana and Bo are equal (3): both win."),
        ((6, 3, 6), "War: Ana (6) beats Bo (3)."),  # more than two players: each war is one
    ],
)
def test_pt_2_3_3_the_log_tells_that_two_wars_were_won(strengths, line):
    g = position(len(strengths))
    for seat, strength in enumerate(strengths):
        if strength:
            put(g, seat, pt.MILITIAMAN, age=strength - 2)
    first = next(e for e in run(g, pt.War).events if e.kind is pt.FOUGHT)
    assert words.event(first, ["Ana", "Bo", "Cléa"], EN) == line


@pytest.mark.parametrize(
    ("players", "kept", "action", "rule", "sentence"),
    [
        (3, 0, pt.KEEP + pt.DRAGON, "PT-2.1.1", "Dragon is not in your pack."),
        (3, 0, pt.TOSS + pt.FARMER, "PT-2.1.3", "Cards of a pack are discarded in a game for two only."),
        (2, 0, pt.TOSS + pt.FARMER, "PT-2.1.3", "First keep a card; then you discard one."),
        (2, 1, pt.TOSS + pt.DRAGON, "PT-2.1.3", "Dragon is not in your pack."),
        (2, 1, pt.KEEP + pt.KNIGHT, "PT-2.1.1", "You have kept a card already: now discard one."),
        (3, 0, FRONT, "PT-2.2.1", "Units are placed, moved and dismissed during the deployment."),
        (3, 0, SAVE, "PT-2.2.6", "A card is saved during the deployment."),
        (
            *(3, 0, pt.AGE, "PT-2.2.4"),
            "Age tokens are handed out by Time Masters and the Master Alchemist, once the kingdoms are revealed.",
        ),
        (3, 0, pt.HEAL, "PT-2.6.2", "A Mystical Healer is asked when units grow old."),
        (3, 0, pt.NO_HEAL, "PT-2.6.2", "A Mystical Healer is asked when units grow old."),
        (3, 0, pt.BUILD, "PT-2.5.1", "One builds during the construction, after the income."),
        (3, 0, pt.BUILD_HIGH, "PT-2.5.2", "One builds during the construction, after the income."),
        (3, 0, pt.UPGRADE, "PT-2.5.3", "One builds during the construction, after the income."),
        (3, 0, pt.NO_BUILDING, "PT-2.5.1", "One builds during the construction, after the income."),
    ],
)
def test_an_answer_out_of_place_is_told_when_it_is_given(players, kept, action, rule, sentence):
    g = position(players)
    g.realms[0].packet = cards(sorted(card(g, kind) for kind in (pt.FARMER, pt.HUNTER, pt.KNIGHT)))
    run(g, pt.Keep)
    if kept:
        answer(g, 0, pt.KEEP + pt.FARMER)
    assert (g.explain(0, action), why(g, action)) == (rule, sentence)


def test_a_unit_that_is_not_there_and_one_that_cannot_be_saved_for_later():
    g = position()
    put(g, 0, pt.TIME_MASTER, fresh=True)
    put(g, 0, pt.HEALER, age=1)
    run(g, pt.ChooseAge)
    assert (g.explain(0, pt.AGE + 2), why(g, pt.AGE + 2)) == ("PT-2.2.4", "No unit stands there.")
    assert why(g, pt.KEEP) == "Cards are taken from the packs during the recruitment."
    run(g, pt.Heal)
    assert (g.explain(0, pt.HEAL + 2), why(g, pt.HEAL + 2)) == ("PT-2.6.2", "No unit stands there.")
    run(g, pt.Deploy)
    assert g.explain(0, SAVE) == "PT-2.2.6"
    assert why(g, SAVE) == "Only a card from the hand can be saved, not a unit of the kingdom."


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        (pt.BUILD + pt.BARRACKS, "It is already built."),
        (pt.UPGRADE + pt.MINE, "It is not built yet."),
        (pt.BUILD + pt.TOWN, "It is already at level 2."),
        (pt.BUILD + pt.MINE, "Mine costs 4 gold, and you have 3."),
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
