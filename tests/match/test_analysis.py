"""Analysis: findings add up exactly, are reproducible, and are judged by what a seat knew."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice

import pytest

import veillee
from veillee.bots import evaluation
from veillee.bots.evaluation import Budget, Decision, Option
from veillee.bots.levels import level
from veillee.bots.planning import SearchedChoice
from veillee.games.catalogue import BOXES
from veillee.kernel.chance import Rng
from veillee.match import analysis
from veillee.match.analysis import Account, analyse, analyse_for, restore_findings, to_json, turns
from veillee.match.explanation import Explanation, Line

LITTLE = Budget(position=1, search=4, choice=2)


def finished(game: str, seed: int = 4) -> veillee.Match:
    """By first ideas, which come to the end sooner than chance."""
    match, rng = veillee.new(game, BOXES[game].players[0], seed), Rng(seed)
    while not match.over:
        seat = match.to_act[0]
        match.play(seat, match.box.advisor.first_idea(match.state, seat, rng))
    return match


@pytest.mark.parametrize("game", BOXES)
def test_result_less_start_is_luck_and_own_answers_and_the_others(game: str) -> None:
    match = finished(game)
    account, found = Account(match.seats), []
    for one in analyse(match, budget=LITTLE, seats=()):
        account.add(one)
        found.append(one)
    assert len(found) == len(match.answers) + 1
    assert account.end == tuple(match.state.returns())
    for seat in range(match.seats):
        parts = account.luck[seat] + account.own[seat] + account.others[seat]
        assert account.end[seat] - account.start[seat] == pytest.approx(parts, abs=1e-9)
    assert any(account.luck), "chance decided something in each of our games"


def test_an_answer_without_chance_has_no_luck() -> None:
    match = finished("ghost-knights")
    for one in analyse(match, budget=LITTLE, seats=()):
        if one.number and not evaluation.is_chance(one.before, one.seat, one.action):
            assert one.luck == (0.0,) * match.seats


def test_the_same_seed_and_budget_find_the_same_and_whoever_has_seen_enough_stops() -> None:
    match = finished("takara-island")
    told = [[(f.chances, f.worth, f.luck, f.decision) for f in islice(analyse(match, 7, LITTLE), 12)] for _ in range(2)]
    assert told[0] == told[1]
    assert any(one[3] is not None for one in told[0])


@pytest.mark.parametrize("at_once", [1, 5, 1000])
def test_many_hands_find_the_same_in_whatever_order_they_work(at_once, monkeypatch) -> None:
    """What is found out about an answer depends on the seed and its number alone."""
    match = finished("sourire-du-dragon")
    monkeypatch.setattr(analysis, "AT_ONCE", at_once)

    def backwards(work, parts):
        asked = list(parts)
        return reversed([work(part) for part in reversed(asked)])

    alone = [to_json(one) for one in analyse(match, 7, LITTLE)]
    assert [to_json(one) for one in analyse(match, 7, LITTLE, over=backwards)] == alone
    assert [to_json(one) for one in analyse(match, 8, LITTLE)] != alone


def test_whose_decisions_are_weighed_changes_nothing_of_the_rest() -> None:
    match = finished("takara-island")
    everybody, one_seat, nobody = (list(islice(analyse(match, 7, LITTLE, seats), 20)) for seats in (None, (1,), ()))
    for every, own, none in zip(everybody, one_seat, nobody, strict=True):
        assert (every.chances, every.worth, every.luck) == (none.chances, none.worth, none.luck)
        assert own.decision == (every.decision if every.seat == 1 else None)
        assert none.decision is None


def test_the_answers_of_the_seat_that_comes_first_are_told_before_all_others_and_nothing_else_is_found() -> None:
    match = finished("ghost-knights")
    in_order = list(analyse(match, 7, LITTLE))
    own = [0, *(number for number, (seat, _) in enumerate(match.answers, 1) if seat == 2)]
    told = list(analyse(match, 7, LITTLE, over=map, first=2))
    assert [one.number for one in told[: len(own)]] == own
    told.sort(key=lambda one: one.number)
    assert [to_json(one) for one in told] == [to_json(one) for one in in_order]
    assert [one.sentences("en") for one in told[1:]] == [one.sentences("en") for one in in_order[1:]]


def test_whoever_waits_is_told_what_they_could_have_done_before_why_and_then_the_rest() -> None:
    match = finished("takara-island")
    in_order = list(analyse(match, 7, LITTLE))
    own = [0, *(number for number, (seat, _) in enumerate(match.answers, 1) if seat == 0)]
    why = [one.number for one in in_order if one.number in own and one.reasons]
    told = list(analyse_for(match, 0, 7, LITTLE))
    assert why
    assert [one.number for one in told[: len(own) + len(why)]] == own + why
    assert not any(one.reasons for one in told[: len(own)])
    assert len(told) == len(in_order) + len(why)
    last = {one.number: to_json(one) for one in told}
    assert [last[number] for number in range(len(in_order))] == [to_json(one) for one in in_order]


def test_only_the_decisions_that_were_asked_for_are_weighed() -> None:
    match = finished("ghost-knights")
    weighed = {one.seat for one in islice(analyse(match, budget=LITTLE, seats=(1,)), 60) if one.decision is not None}
    assert weighed == {1}


def test_a_decision_is_judged_by_what_its_seat_knew() -> None:
    """How hidden things really lie changes nothing of what a seat is told that it should have done."""
    match = veillee.new("ghost-knights", 4, seed=3)
    seat = match.to_act[0]
    action = match.choices(seat)[0].id
    other = match.state.clone()
    other.determinize(seat, Rng(5))
    assert other.dump() != match.state.dump()
    told = [
        evaluation.decision(match.box, state, seat, action, Rng(1), Budget(4, 40, 20)) for state in (match.state, other)
    ]
    assert told[0] == told[1]
    assert told[0] is not None
    assert action in [option.action for option in told[0].options]


@pytest.mark.parametrize(
    ("wins", "error", "mistake"),
    [(0.49, 0.0, False), (0.46, 0.0, True), (0.40, 0.06, False), (0.30, 0.06, True)],
)
def test_what_may_be_noise_is_never_called_a_mistake(wins: float, error: float, mistake: bool) -> None:
    decided = Decision((Option(1, 0.5, 0.0), Option(2, wins, error)), taken=2)
    assert decided.regret == pytest.approx(0.5 - wins)
    assert decided.mistake is mistake


@pytest.mark.parametrize(
    ("quick", "longer", "best", "mistake"),
    [
        ({0: 0.50, 1: 0.51}, 9, 1, False),  # noise: not searched again
        ({0: 0.40, 1: 0.50}, 1, 1, True),
        ({0: 0.40, 1: 0.50}, 0, 0, False),  # what was given needs some thought to be understood
        ({0: 0.40, 1: 0.50, 2: 0.48}, 2, 2, True),  # an answer that was not proposed before
        ({0: 0.40, 1: 0.50, 2: 0.41}, 2, 2, False),  # the judges do not agree on anything that was better
        ({0: 0.40, 1: 0.50, 2: 0.39}, 2, 0, False),
    ],
)
def test_what_quick_games_call_a_mistake_is_thought_about_for_longer(
    quick: dict[int, float], longer: int, best: int, mistake: bool, monkeypatch
) -> None:
    def weigh(_box, _position, _seat, level, *_):
        return [SearchedChoice(longer if level.iterations > budget.search else 1, 0.5, 9)]

    def won(_box, _position, _seat, actions, _worlds, games):
        return {one: [quick[one]] * games for one in actions}

    monkeypatch.setattr(evaluation, "search_choices", weigh)
    monkeypatch.setattr(evaluation, "_win_shares", won)
    match, budget = veillee.new("ghost-knights", 4, seed=3), Budget(1, 10, 4)
    seat = match.to_act[0]
    found = evaluation.decision(match.box, match.state, seat, 0, Rng(1), budget)
    assert found is not None
    assert (found.best.action, found.taken, found.mistake) == (best, 0, mistake)
    assert found.regret == pytest.approx(quick[best] - quick[0])
    assert found.vindicated is (best == 0)


@pytest.mark.parametrize(("tried", "whole"), [(0, False), (24, False), (25, True)])
def test_a_blunder_is_seen_at_a_glance_and_whatever_is_close_is_thought_about_to_the_end(
    tried: int, whole: bool, monkeypatch
) -> None:
    """The answer that was given is number 0; at first another one is tried a hundred times."""
    games = []

    def weigh(_box, _position, _seat, level, _rng, _tree, *_):
        games.append(level.iterations)
        given = SearchedChoice(0, 0.4, tried)
        return [SearchedChoice(1, 0.5, 100), given] if len(games) == 1 else [SearchedChoice(0, 0.5, 900)]

    monkeypatch.setattr(evaluation, "search_choices", weigh)
    box = BOXES["ghost-knights"]
    longer = evaluation.LONGER * level("expert", box.id).iterations
    position = veillee.new(box.id, 4, seed=3).state
    assert evaluation._search_deeper(box, position, 0, 0, 1, Budget()) == (0 if whole else 1)
    assert games == ([longer // evaluation.GLANCE, longer] if whole else [longer // evaluation.GLANCE])


def test_an_analysis_thinks_as_the_expert_does(monkeypatch) -> None:
    """Search and rollouts alike: a weaker judge would call mistakes what it does not understand."""
    box, seen = BOXES["takara-island"], []
    monkeypatch.setattr(evaluation, "outcomes", lambda *given: seen.append((given[4], given[7])) or [0.5, 0.5])
    evaluation.compare_choices(box, veillee.new(box.id, 2, seed=3).state, 0, [0], 1, 1)
    assert seen == [(box.adept, True)]


def test_where_it_turned_is_told_in_both_languages() -> None:
    match = finished("takara-island")
    found = list(analyse(match, budget=LITTLE, seats=()))
    most = turns(found)
    assert [one.number for one in most] == sorted(one.number for one in most)
    assert min(one.swing for one in most) >= sorted(one.swing for one in found)[-3]
    names = [f"Ada{seat}" for seat in range(match.seats)]
    for lang, word in (("fr", "passe de"), ("en", "from")):
        assert all(word in one.sentences(lang, names) and "Ada" in one.sentences(lang, names) for one in most)


def test_what_else_there_was_is_told_where_it_turned() -> None:
    match = finished("ghost-knights")
    one = next(found for found in islice(analyse(match, 3, LITTLE), 40) if found.decision is not None)
    chosen, other = Option(one.action, 0.5, 0.0), Option(one.action + 1, 0.44, 0.01)
    swung = replace(one, worth=(0.3, -0.1, -0.1, -0.1), luck=(0.0,) * 4, reasons=())
    for options, said in (
        ((chosen, other), "nothing was better: 50 %, and 44 % for the next"),
        ((replace(other, wins=0.51), replace(chosen, error=0.01)), "nothing else was clearly better"),
        ((replace(other, wins=0.6), replace(chosen, error=0.01)), "was better: 60 % against 50 %"),
        ((chosen, replace(other, wins=0.6)), "thinking longer finds nothing better"),
    ):
        assert said in replace(swung, decision=Decision(options, one.action)).sentences("en")


@pytest.mark.parametrize("wrong", [{"seats": [4]}, {"first": 4}, {"first": -1}])
def test_a_seat_that_is_not_at_the_table_is_refused(wrong) -> None:
    with pytest.raises(veillee.Unknown, match="the seats are 0 to 3"):
        analyse(finished("ghost-knights"), budget=LITTLE, **wrong)


def test_a_game_that_is_not_over_keeps_its_secrets() -> None:
    with pytest.raises(veillee.Unknown, match="not over"):
        analyse(veillee.new("ghost-knights", 4, seed=1))


def test_a_budget_of_nothing_is_refused() -> None:
    with pytest.raises(veillee.Unknown, match="Without a simulated game"):
        analyse(finished("ghost-knights"), budget=Budget(0, 0, 0))


def test_a_mistake_is_told_with_its_reason_and_what_was_written_down_says_the_same() -> None:
    match = finished("ghost-knights")
    one = next(found for found in islice(analyse(match, 3, LITTLE), 40) if found.decision is not None)
    best, other = Option(one.action, 0.6, 0.0), Option(one.action + 1, 0.4, 0.01)
    reason = Explanation(one.seat, 30.0, 24.0, Line("GK-5.4", {"fr": "Cinq dolmens", "en": "Five dolmens"}, 5.0))
    told = replace(one, decision=Decision((best, other), other.action), reasons=(reason,))
    names = ["Anna", "Berta", "Carla", "Doris"]
    label = told.label(best.action, "en")
    who = names[one.seat]
    assert told.why("en", names) == (
        f"Why “{label}”: it brings {who} about 6 points more: 30 at the end, against 24; "
        "most of it from “Five dolmens” (GK-5.4)."
    )
    assert replace(told, reasons=()).why("en", names) == ""
    rows = json.loads(json.dumps([to_json(found) for found in (*islice(analyse(match, 3, LITTLE), one.number), told)]))
    assert restore_findings(match, rows)[-1].reasons == (reason,)


def test_reasons_are_looked_for_where_a_mistake_was_made_and_from_what_was_known_then(monkeypatch) -> None:
    match, reason, asked = finished("ghost-knights"), Explanation(0, 3.0, 1.0, None), []

    def why(_box, state, so_far, seat, choices, _seed, games):
        asked.append((state.to_act, len(so_far), seat, choices, games))
        return [reason]

    monkeypatch.setattr(analysis, "reasons", why)
    found = [one for one in islice(analyse(match, 3, Budget(1, 4, 8)), 60) if one.decision is not None]
    mistaken = [one for one in found if one.decision.mistake]
    assert mistaken
    assert [bool(one.reasons) for one in found] == [one.decision.mistake for one in found]
    for one, (to_act, before, seat, choices, games) in zip(mistaken, asked, strict=True):
        assert seat in to_act
        assert (seat, choices) == (one.seat, (one.decision.best.action, one.action))
        assert before <= len(match.all_events()) - len(one.events)
        assert games == 4
