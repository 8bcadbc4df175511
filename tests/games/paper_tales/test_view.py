"""What the view gives the board, so that the board needs no number of the rules; what the log tells it to move."""

from __future__ import annotations

from games.paper_tales.table import (
    BACK,
    DISCARD,
    FRONT,
    ageing,
    answer,
    build,
    hold,
    on_top,
    position,
    put,
    raise_to,
    run,
)
from veillee.games.paper_tales import rules as pt
from veillee.games.paper_tales.view import preview, view
from veillee.kernel.log import Kind, Log


def places(log: Log, kind: Kind) -> list[tuple[int, int]]:
    """Which unit, and where it stood."""
    return [(e.unit, e.place) for e in log.events if e.kind is kind]


def test_every_answer_is_there_under_the_name_of_its_verb():
    g = position()
    answers = view(g, -1)["answers"]
    for verb, numbers in answers.items():
        if verb == "deploy":
            assert {way: g.choice(number) for way, number in numbers.items()} == {way: (way, {}) for way in numbers}
        elif isinstance(numbers, list):
            told = [g.choice(number) for number in numbers]
            assert [name for name, _ in told] == [verb.replace("_", " ")] * len(numbers)
            assert [next(iter(args.values())) for _, args in told] == list(range(len(numbers)))
        else:
            assert g.choice(numbers) == (verb.replace("_", " "), {})


def test_the_phases_of_the_turn_are_past_now_or_to_come():
    g = position()
    put(g, 0, pt.WOODCUTTER)
    run(g, pt.Construct)
    assert [(p["step"], p["past"], p["now"]) for p in view(g, -1)["phases"]] == [
        ("recruitment", True, False),
        ("deployment", True, False),
        ("war", True, False),
        ("income", True, False),
        ("construction", False, True),
        ("ageing", False, False),
    ]


def test_pt_1_3_the_free_spots_of_a_kingdom():
    g = position()
    put(g, 0, pt.KNIGHT, pt.FRONT)
    put(g, 0, pt.FARMER, pt.BACK)
    put(g, 0, pt.COOK, pt.BACK)
    build(g, 0, [2, 0, 0, 0, 0])
    realm = view(g, -1)["realms"][0]
    assert (realm["spots"], realm["free"]) == ({"front": 3, "back": 2}, {"front": 2, "back": 0})


def test_the_ledger_tells_units_buildings_and_the_rest_apart():
    g = position()
    put(g, 0, pt.COOK, pt.BACK)
    put(g, 0, pt.FARMER, pt.BACK)
    raise_to(g, 0, pt.TEMPLE, 1)
    run(g, pt.Income)
    rows = view(g, -1)["realms"][0]["ledger"]
    assert [(r["step"], r["unit"], r["building"], r["other"]) for r in rows] == [
        ("income", None, None, "base"),
        ("income", pt.COOK, None, None),
        ("income", None, pt.TEMPLE, None),
    ]


def test_pt_2_1_a_packet_shows_equal_cards_once_with_the_answer_that_takes_one():
    g = position(2)
    run(g, pt.Recruitment)
    kinds = view(g, 0)["mine"]["packet"]
    for base in (pt.KEEP, pt.TOSS):
        draft = view(g, 0)["mine"]["draft"]
        assert [card["answer"] for card in draft] == g.legal(0)
        assert {card["kind"]: card["count"] for card in draft} == {kind: kinds.count(kind) for kind in kinds}
        assert [card["answer"] - base for card in draft] == [card["kind"] for card in draft]
        answer(g, 0, g.legal(0)[0])
        kinds = view(g, 0)["mine"]["packet"]


def test_pt_2_2_1_a_deployment_shows_each_thing_where_it_is_or_goes():
    g = position()
    put(g, 0, pt.KNIGHT, pt.BACK)
    hold(g, 0, pt.FARMER)
    run(g, pt.Deploy, pt.RevealKingdoms, pt.Construct)
    things = view(g, 0)["mine"]["deployment"]["things"]
    assert [(thing["at"], thing["ways"]) for thing in things] == [
        ("back", ["front", "back", "discard"]),
        ("discard", ["front", "back", "save", "discard"]),
    ]
    answer(g, 0, FRONT)
    assert view(g, 0)["mine"]["deployment"]["things"][0]["at"] == "front"
    g.turn = pt.TURNS
    assert all("save" not in thing["ways"] for thing in view(g, 0)["mine"]["deployment"]["things"])


def test_the_log_tells_where_a_unit_stood_that_leaves_moves_or_changes():
    g = position()
    put(g, 0, pt.KNIGHT, pt.FRONT)
    put(g, 0, pt.KNIGHT, pt.FRONT, age=1)
    put(g, 0, pt.ARCHER, pt.FRONT)
    for seat in (1, 2):
        hold(g, seat, pt.FARMER)
    run(g, pt.Deploy, pt.RevealKingdoms)
    answer(g, 0, FRONT, DISCARD, BACK)
    answer(g, 1, DISCARD)
    log = answer(g, 2, DISCARD)
    assert (places(log, pt.DISMISSED), places(log, pt.MOVED)) == ([(pt.KNIGHT, 1)], [(pt.ARCHER, 2)])
    g = position()
    put(g, 0, pt.FARMER)
    put(g, 0, pt.SHAPESHIFTER, fresh=True)
    on_top(g, pt.MINER)
    assert places(run(g, pt.RevealEffects), pt.SHAPE) == [(pt.MINER, 1)]
    g = position()
    put(g, 0, pt.HEALER)
    put(g, 0, pt.KNIGHT, age=1)
    put(g, 0, pt.FARMER, age=1)
    ageing(g)
    log = answer(g, 0, pt.HEAL + 1)
    assert (places(log, pt.HEALED), places(log, pt.DIED)) == ([(pt.KNIGHT, 1)], [(pt.FARMER, 2)])


def test_a_draft_of_a_deployment_is_worth_what_the_kingdom_will_be():
    """PT-5, PT-2.3.1 Age counts, who fights from the back counts there, and the Barracks are added."""
    g = position(players=2)
    raise_to(g, 0, pt.BARRACKS, 1)
    put(g, 0, pt.MILITIAMAN, row=pt.BACK, age=1)
    put(g, 0, pt.WOODCUTTER, row=pt.BACK)
    hold(g, 0, pt.ARCHER)
    hold(g, 1, pt.KNIGHT)
    run(g, pt.Deploy, pt.RevealKingdoms, pt.Construct)
    assert view(g, 0)["mine"]["deployment"]["strength"]["front"] == 0
    plan = [FRONT, BACK, BACK]
    worth = preview(g, 0, plan)
    assert worth is not None
    assert [thing["fights"] for thing in worth["things"]] == [True, False, True]
    assert [g.realms[0].units[n].row for n in (0, 1)] == [pt.BACK, pt.BACK], "nothing has moved"
    answer(g, 0, *plan)
    assert view(g, 0)["mine"]["deployment"]["strength"] == worth["strength"]
    answer(g, 1, DISCARD)
    after = view(g, 0)["realms"][0]
    assert [unit["power"] for unit in after["units"]] == [thing["power"] for thing in worth["things"]]
    assert after["strength"] == worth["strength"]["war"] > worth["strength"]["front"] + worth["strength"]["back"]


def test_what_is_no_draft_for_the_question_is_worth_nothing():
    g = position(players=2)
    hold(g, 0, pt.ARCHER)
    assert preview(g, 0, [FRONT]) is None, "nobody is asked yet"
    run(g, pt.Deploy, pt.RevealKingdoms, pt.Construct)
    assert preview(g, 0, [FRONT]) is not None
    for wrong in ([FRONT, FRONT], [FRONT + 99], [-1]):
        assert preview(g, 0, wrong) is None
