"""Arena: seats rotate, victories are shared, runs resume, bad input gives a sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from veillee import Unknown
from veillee.lab.arena import (
    Contest,
    Played,
    TimeSpent,
    looks,
    narrow,
    play,
    rate,
    run,
    standings,
    understand,
)
from veillee.lab.intervals import around, interval
from veillee.lab.luck_correction import without_luck

QUICK = "expert/iterations=2"


def game(number: int, seats: list[str], shares: list[float], places: list[int]) -> Played:
    return Played(
        number, seats, shares, places, [10 - place for place in places], [TimeSpent(2, 0.5, 0.3) for _ in seats]
    )


def test_the_same_deal_is_played_from_every_seat() -> None:
    contest = Contest("ghost-knights", ("expert", "novice", "random", "random"), 8)
    assert [contest.line_up(number)[0] for number in range(4)] == ["expert", "novice", "random", "random"]
    assert contest.line_up(1) == ["novice", "random", "random", "expert"]
    assert [contest.deal(number) for number in range(8)] == [contest.deal(0)] * 4 + [contest.deal(4)] * 4
    assert contest.deal(0) != contest.deal(4)


def test_a_shared_victory_counts_in_parts() -> None:
    games = [
        game(0, ["a", "b", "b"], [1.0, 0.0, 0.0], [0, 1, 2]),
        game(1, ["b", "b", "a"], [0.5, 0.0, 0.5], [0, 2, 0]),
    ]
    table = {line.level: line for line in standings(games)}
    assert table["a"].win_share == pytest.approx(0.75)
    assert table["b"].win_share == pytest.approx(0.25)
    assert table["a"].even_share == pytest.approx(1 / 3)
    assert table["a"].ratio == pytest.approx(2.25)
    assert table["a"].low < 0.75 < table["a"].high
    assert table["b"].mean_seconds == pytest.approx(0.25)
    assert table["b"].longest_seconds == pytest.approx(0.3)


def test_games_that_nobody_wins_are_nobodys_share() -> None:
    """Of three who are equally strong each wins a third of what is won at all."""
    won = [game(n, ["a", "b", "c"], [float(seat == n) for seat in range(3)], [0, 1, 2]) for n in range(3)]
    lost = [game(n, ["a", "b", "c"], [0.0, 0.0, 0.0], [0, 0, 0]) for n in range(3, 6)]
    for line in standings(won + lost):
        assert (line.win_share, line.even_share) == (pytest.approx(1 / 6), pytest.approx(1 / 6))
        assert line.ratio == pytest.approx(1.0)
    assert [line.ratio for line in standings(lost)] == [0.0] * 3


def test_the_interval_of_a_share():
    low, high = interval([[1.0]] * 600 + [[0.0]] * 400)
    assert (round(low, 3), round(high, 3)) == (0.569, 0.630)  # Wilson's, of 600 of 1000
    assert interval([[0.0]] * 10)[0] == 0.0


def test_games_of_one_deal_count_for_what_their_variation_is_worth():
    """Four games of a deal that are won or lost together are no more than one; where each deal goes half and half, they are
    worth more than four."""
    alone = interval([[1.0]] * 150 + [[0.0]] * 100)
    together = interval([[1.0] * 4] * 150 + [[0.0] * 4] * 100)
    apart = interval([[1.0, 1.0, 0.0, 0.0]] * 240 + [[1.0, 1.0, 1.0, 0.0]] * 10)
    assert together == pytest.approx(alone, abs=0.001)
    plain = interval([[1.0]] * 510 + [[0.0]] * 490)
    assert apart[1] - apart[0] < (plain[1] - plain[0]) / 2


def independent(chance: Random, share: float) -> list[float]:
    return [float(chance.random() < share) for _ in range(4)]


def favoured(chance: Random, share: float) -> list[float]:
    """A deal favours one side from every seat."""
    here = chance.betavariate(share, 1 - share)
    return [float(chance.random() < here) for _ in range(4)]


def spread_out(chance: Random, share: float) -> list[float]:
    """A seat of the deal is a good one, and everybody sits there once."""
    at = chance.random()
    return [float((at + n / 4) % 1 < share if chance.random() < 0.6 else chance.random() < share) for n in range(4)]


@pytest.mark.parametrize("deal", [independent, favoured, spread_out])
@pytest.mark.parametrize("share", [0.1, 0.25, 0.5])
def test_intervals_hold_what_they_promise(deal, share):
    """95 % of them have the truth in them, whatever the games of a deal have to do with each other."""
    chance, tries = Random(4720), 1000
    held = sum(
        low <= share <= high for low, high in (interval([deal(chance, share) for _ in range(40)]) for _ in range(tries))
    )
    assert 0.93 <= held / tries <= 0.97


@pytest.mark.parametrize("deal", [independent, favoured, spread_out])
def test_a_run_that_stops_by_itself_keeps_that_promise(deal):
    chance, tries, share = Random(4721), 400, 0.25
    held = 0
    for _ in range(tries):
        deals: list[list[float]] = []
        for goal in looks(2000):
            deals += [deal(chance, share) for _ in range(goal - len(deals))]
            low, high = interval(deals)
            if high - low <= 2 * 0.05:
                break
        held += low <= share <= high
    assert 0.93 <= held / tries <= 0.975


# -- less luck ------------------------------------------------------------------------------------------------------------
Lucky = tuple[float, list[float]]


def lucky(deal: Callable[[Random, float], list[float]]) -> Callable[[Random, float], list[Lucky]]:
    """The same deals, with a luck of mean 0 that tells part of each result: by two judges, who agree for the most part and
    of whom the second sees more and errs more."""

    def drawn(chance: Random, share: float) -> list[Lucky]:
        told = []
        for won in deal(chance, share):
            first = 0.5 * (won - share) + chance.gauss(0, 0.2)
            told.append((won, [first, 0.7 * first + 0.4 * (won - share) + chance.gauss(0, 0.2)]))
        return told

    return drawn


@pytest.mark.parametrize("deal", [independent, favoured, spread_out])
@pytest.mark.parametrize("share", [0.1, 0.25, 0.5])
def test_less_luck_the_interval_is_narrower_and_holds_what_it_promises(deal, share):
    chance, tries, held, widths = Random(4722), 800, 0, []
    for _ in range(tries):
        deals = [lucky(deal)(chance, share) for _ in range(60)]
        _, low, high = around(without_luck(deals))
        raw = interval([[won for won, _ in one] for one in deals])
        held += low <= share <= high
        widths.append((high - low) / (raw[1] - raw[0]))
    assert 0.93 <= held / tries <= 0.97
    assert sum(widths) / tries < 0.8


def test_a_run_that_stops_by_itself_keeps_it_less_luck():
    chance, tries, share, held = Random(4723), 400, 0.25, 0
    for _ in range(tries):
        deals: list[list[Lucky]] = []
        for goal in looks(2000):
            deals += [lucky(independent)(chance, share) for _ in range(goal - len(deals))]
            _, low, high = around(without_luck(deals))
            if high - low <= 2 * 0.04:
                break
        held += low <= share <= high
    assert 0.93 <= held / tries <= 0.975


def test_two_judges_tell_more_than_either_and_one_who_repeats_the_other_tells_nothing():
    chance = Random(4724)
    deals = [lucky(independent)(chance, 0.5) for _ in range(1000)]

    def width(judges: Callable[[list[float]], list[float]]) -> float:
        _, low, high = around(without_luck([[(won, judges(lucks)) for won, lucks in deal] for deal in deals]))
        return high - low

    first, second = width(lambda lucks: lucks[:1]), width(lambda lucks: lucks[1:])
    assert width(lambda lucks: lucks) < 0.98 * min(first, second)
    assert width(lambda lucks: [lucks[0], lucks[0]]) == pytest.approx(first, rel=0.001)
    assert width(lambda lucks: [0.0, lucks[0]]) == pytest.approx(first, rel=0.001)


def test_no_result_has_a_part_in_its_own_correction():
    """What a deal is corrected by stays the same whatever came of it."""
    chance = Random(3)
    deals = [lucky(independent)(chance, 0.5) for _ in range(20)]
    before = without_luck(deals)[7]
    other = [(1 - won, lucks) for won, lucks in deals[7]]
    after = without_luck([*deals[:7], other, *deals[8:]])[7]
    taken = [
        [won - fair for (won, _), fair in zip(one, fairs, strict=True)]
        for one, fairs in ((deals[7], before), (other, after))
    ]
    assert taken[0] == pytest.approx(taken[1])


def test_games_of_before_luck_was_kept_are_counted_without():
    games = [replace(game(n, ["a", "b"], [1.0, 0.0], [0, 1]), luck=[[0.1], [-0.1]] if n else []) for n in range(4)]
    assert all(line.fair is None for line in standings(games))
    assert all(line.fair is not None for line in standings(games[1:]))


def test_what_one_judge_said_once_is_told_with_what_two_say_now(tmp_path):
    """A record of before quick games were asked goes on: of these games the evaluation's luck counts."""
    contest, record = Contest("sourire-du-dragon", ("random", "random"), 6), tmp_path / "games.jsonl"
    run(replace(contest, games=2), record=record)
    head, *lines = record.read_text().splitlines()
    before = [json.loads(line) for line in lines]
    before = [one | {"luck": [lucks[0] for lucks in one["luck"]]} for one in before]
    record.write_text("\n".join([head, *map(json.dumps, before)]) + "\n")
    games = run(contest, record=record)
    assert [len(one.luck[0]) for one in games] == [1, 1, 2, 2, 2, 2]
    alone = [replace(one, luck=[lucks[:1] for lucks in one.luck]) for one in games]
    assert [line.fair for line in standings(games)] == [line.fair for line in standings(alone)]
    assert all(line.fair is not None for line in standings(games))


def test_a_run_stops_when_it_is_sure_and_at_whole_deals(monkeypatch):
    monkeypatch.setattr("veillee.lab.arena.FIRST_LOOK", 3)
    contest = Contest("takara-island", ("random", "random"), 60)
    told: list[int] = []
    games = run(contest, until=0.25, progress=lambda played: told.append(played.number))
    assert len(games) == len(told) < 60
    assert len(games) // 2 in set(looks(30))
    assert narrow(games, 0.25)
    assert len(run(Contest("takara-island", ("random", "random"), 4), until=0.01)) == 4
    for wrong in (0.0, 1.5, -1.0):
        with pytest.raises(Unknown, match="between 0 and 1"):
            run(contest, until=wrong)


def test_looks_come_to_an_end():
    assert list(looks(100)) == [50, 62, 77, 96, 100]
    assert list(looks(20)) == [20]


def test_winners_are_rated_above_losers() -> None:
    games = [game(n, ["a", "b", "b"], [1.0, 0.0, 0.0], [0, 1, 2]) for n in range(5)]
    ratings = rate(games)
    assert ratings["a"].mu > 25 > ratings["b"].mu


def test_a_game_depends_on_its_number_alone() -> None:
    contest = Contest("ghost-knights", (QUICK, "random", "random", "random"), 2)
    assert (play(contest, 1).shares, play(contest, 1).points) == (play(contest, 1).shares, play(contest, 1).points)


def test_a_run_that_was_stopped_goes_on(tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    seats = ("random", "random", "random", "random")
    whole = run(Contest("ghost-knights", seats, 3))
    run(Contest("ghost-knights", seats, 2), record=record)
    lines = record.read_text().splitlines(keepends=True)
    record.write_text("".join(lines[:2]) + lines[2][:20])  # stopped while the second game was being written
    told: list[int] = []
    resumed = run(Contest("ghost-knights", seats, 3), record=record, progress=lambda played: told.append(played.number))
    assert [(p.number, p.points) for p in resumed] == [(p.number, p.points) for p in whole]
    assert told == [0, 1, 2]
    assert [json.loads(line).get("number") for line in record.read_text().splitlines()] == [None, 0, 1, 2]


def test_the_record_of_another_contest_is_left_alone(tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    run(Contest("ghost-knights", ("random",) * 4, 1), record=record)
    before = record.read_text()
    with pytest.raises(Unknown, match="another contest"):
        run(Contest("ghost-knights", ("random",) * 5, 1), record=record)
    assert record.read_text() == before


def test_a_record_that_cannot_be_written_is_a_sentence(tmp_path):
    record = tmp_path / "nowhere" / "games.jsonl"
    with pytest.raises(Unknown, match=r"games\.jsonl cannot be written: No such file or directory\."):
        run(Contest("takara-island", ("random", "random"), 2), record=record)


@pytest.mark.parametrize(
    ("contest", "sentence"),
    [
        (Contest("chess", ("random",) * 4, 1), r"There is no game 'chess'\."),
        (Contest("ghost-knights", ("random",) * 3, 1), r"Ghost Knights is for 4 to 5 players, not 3\."),
        (Contest("ghost-knights", ("random",) * 4, 0), r"The number of games is from 1 to 1000000, not 0\."),
        (Contest("ghost-knights", ("wizard",) * 4, 1), r"There is no level 'wizard'"),
        (Contest("ghost-knights", ("expert/luck=2",) * 4, 1), r"A level has no 'luck'"),
        (Contest("ghost-knights", ("expert/blur=much",) * 4, 1), r"'much' is no value for 'blur'\."),
    ],
)
def test_what_cannot_be_played_is_said(contest: Contest, sentence: str) -> None:
    with pytest.raises(Unknown, match=sentence):
        run(contest)


def test_a_level_can_be_changed() -> None:
    changed = understand("expert/iterations=7/guided=false/blur=0.5", "ghost-knights")
    assert (changed.iterations, changed.guided, changed.blur) == (7, False, 0.5)
