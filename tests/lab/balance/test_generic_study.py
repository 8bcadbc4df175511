"""The designer's bench: every box has a report, counted from the kernel's contract; two ways of playing it are compared on the
same deals, with intervals that keep what they promise."""

from __future__ import annotations

import json
import re
import tomllib
from random import Random

import pytest

from cli.scenarios.test_commands import run as command
from match.test_owner_content import changed
from veillee.games.catalogue import BOXES, find
from veillee.games.content_table import to_csv
from veillee.kernel.chance import Rng
from veillee.lab.balance import Chapter, Plan, compare, plans_of, play_all, study_of
from veillee.lab.balance.generic_study import (
    CHARACTERS,
    CHOICES,
    COURSE,
    ENOUGH,
    PARTS,
    PLACES,
    RECORD_KEY,
    SEAT_GROUP,
    Notes,
    Unstudied,
    chapters,
    fair,
    measures,
)
from veillee.lab.balance.report import page, whiskers, write
from veillee.lab.balance.statistics import average, difference, share
from veillee.lab.intervals import interval
from veillee.match.errors import Unknown

OURS = [box for box in BOXES if BOXES[box].package.startswith("veillee.games.")]


def noted(shares, **fields):
    """A game, as it was noted."""
    plain = {"points": [3, 1], "first": 0, "answers": 10, "open": 8, "half": [0], "settled": 0.5, "choices": {}}
    return {RECORD_KEY: {"shares": shares, **plain, **fields}}


def found(records, group, study=None):
    return {str(m.name): m for m in measures(study or Unstudied(find("ghost-knights")), records) if m.group == group}


# -- figures -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("game", OURS)
def test_every_box_has_a_report(game):
    box, study = study_of(game)
    plan = plans_of(game, 2)[0]
    records = play_all(game, [plan], "quick", 3)[plan.name]
    counted = measures(study, records)
    for group in (SEAT_GROUP, PLACES):
        wins = [m.figure().value for m in counted if m.group == group]
        won = [any(record[RECORD_KEY]["shares"]) for record in records]
        assert not wins or sum(wins) == pytest.approx(sum(won) / len(won))
    assert all(0 <= taken <= offered for m in counted if m.group == CHOICES for taken, offered in m.deals)
    assert any(m.group == CHOICES for m in counted)
    titles = [str(chapter.title) for chapter in chapters(study, {plan.name: records})]
    assert titles[0] == "What stands out"
    assert (str(CHARACTERS.title) in titles) == (
        box.contents is not None
    )  # the two boxes of our own design have characters
    names = [
        chapter.name for chapter in [*study.chapters({plan.name: records}), *chapters(study, {plan.name: records})]
    ]
    pictures = [name for name in names if name]
    assert len(set(pictures)) == len(pictures)  # no picture is written over another


def test_a_box_that_nobody_has_studied_is_played_by_every_number_of_players():
    assert [(plan.players, plan.games) for plan in plans_of("paper-tales", 8)] == [(4, 8), (2, 4), (3, 4), (5, 4)]


def test_whoever_is_last_to_answer_a_question_to_all_is_not_the_first_player():
    box = find("tales-of-glory")
    state, rng = box.new(3, Rng(5), {}, None), Rng(6)
    notes = Notes(Unstudied(box))
    asked = state.question
    while state.question is asked:
        notes.see(state)
        state.apply(state.to_act[0], state.legal(state.to_act[0])[0], rng)
    assert notes.first == -1


class Race:
    """Two seats; the one that is asked runs or rests."""

    question = object()

    def __init__(self):
        self.run = [0, 0]

    to_act = (0,)

    def seats(self):
        return 2

    def standing(self, seat):
        return [self.run[seat]]

    score = property(lambda self: lambda seat: self.run[seat])

    def legal(self, _seat):
        return [0, 1, 2]

    def choice(self, action):
        return (("rest", "run", "fly")[action], {})

    def returns(self):
        return [float(mine > theirs) for mine, theirs in (self.run, self.run[::-1])]


def test_leaders_and_choices_are_noted_before_each_answer():
    state = Race()
    notes = Notes(Unstudied(find("ghost-knights")))
    for seat, action in [(1, 1), (0, 1), (0, 1), (1, 0)]:
        notes.see(state)
        notes.act(state, seat, action)
        state.run[seat] += action
    game = notes.finish(state)[RECORD_KEY]
    assert game["shares"] == [1.0, 0.0]
    assert game["half"] == [0, 1]  # after two answers both have run once
    assert game["settled"] == 0.5  # seat 0 was behind before the second of four answers, and never after
    assert game["choices"] == {"object fly": [4, 0], "object rest": [4, 1], "object run": [4, 3]}
    assert (game["answers"], game["open"], game["first"]) == (4, 4, 0)


def test_runaway_leaders_and_ties():
    games = [noted([1.0, 0.0]), noted([0.0, 1.0]), noted([0.5, 0.5]), noted([0.0, 1.0], half=[0, 1])]
    course = found(games, COURSE)
    assert course["ties"].figure().value == 0.25
    assert course["the leader at half time wins"].deals == [(1.0, 1), (0.0, 1), (0.5, 1), (0.0, 0)]  # no seat led alone
    assert course["the leader at half time wins"].figure().value == 0.5


def test_games_that_nobody_wins_are_no_ties_and_leave_less_to_share():
    games = [noted([1.0, 0.0]), noted([0.0, 1.0]), noted([0.0, 0.0]), noted([0.0, 0.0])]
    course = found(games, COURSE)
    assert course["ties"].figure().value == 0
    assert course["nobody wins"].figure().value == 0.5
    assert course["settled after"].deals == [(0.5, 1), (0.5, 1), (0.0, 0), (0.0, 0)]
    assert fair(games) == 0.25


def test_what_stands_out_is_what_nobody_takes_and_who_wins_too_much():
    games = [noted([1.0, 0.0], choices={"DrawOrPlay draw": [ENOUGH, 0], "DrawOrPlay play": [ENOUGH, ENOUGH]})] * 20
    told = chapters(Unstudied(find("ghost-knights")), {"2 players": games})[0].points
    assert "2 players: seat 1 wins 100.0 %, more than an even 50.0 %." in told
    assert f"2 players: “draw or play: draw” was offered {20 * ENOUGH} times and never taken (0.0 %)." in told
    assert not any("play: play" in line for line in told)
    even = [noted([1.0, 0.0]), noted([0.0, 1.0])] * 10
    assert chapters(Unstudied(find("ghost-knights")), {"2 players": even})[0].points == ["Nothing."]


# -- intervals ------------------------------------------------------------------------------------------------------
def test_what_is_counted_twice_in_a_deal_tells_about_luck_once():
    once = share([(1, 1), (0, 1)] * 50)
    assert share([(7, 7), (0, 7)] * 50) == once
    assert (once.low, once.high) == interval([[1.0], [0.0]] * 50)
    lengths = average([(10, 1), (20, 1)] * 50)
    assert average([(30, 3), (60, 3)] * 50).low == pytest.approx(lengths.low)


def test_an_interval_of_a_difference_holds_what_it_promises_and_gains_by_the_same_deals():
    luck = Random(1)
    held = narrower = 0
    for _ in range(300):
        deals = [luck.random() for _ in range(60)]
        cases = [luck.randint(1, 4) for _ in deals]
        first = [(sum(luck.random() < 0.5 * deal for _ in range(n)), n) for deal, n in zip(deals, cases, strict=True)]
        second = [(sum(luck.random() < 0.8 * deal for _ in range(n)), n) for deal, n in zip(deals, cases, strict=True)]
        found = difference(first, second)
        held += found.low <= 0.15 <= found.high  # 0.8 / 2 - 0.5 / 2
        shuffled = luck.sample(second, len(second))
        apart = difference(first, shuffled)
        narrower += found.high - found.low < apart.high - apart.low
    assert 0.92 <= held / 300 <= 0.98
    assert narrower > 200


# -- two ways of playing --------------------------------------------------------------------------------------------
def compared(options, players=2, games=3):
    box, study = study_of("tales-of-glory")
    base = compare.usual(box)
    other = compare.side_with_options(box, options, base)
    sides = [compare.against(box, other, base), other]
    played = play_all(box.id, compare.plans(Plan("", players, games), sides), "quick", 4)
    return sides, compare.chapters(study, sides, *played.values())


def test_the_same_ruling_twice_is_the_same_in_every_deal():
    sides, told = compared("quests=no")
    assert [side.name for side in sides] == ["as usual", "quests=no"]
    assert told[0].points == ["Nothing that these games are sure of."]
    assert {row[-1] for chapter in told for row in chapter.rows} == {"the same in every deal"}


def test_two_rulings_on_the_same_deals():
    sides, told = compared("quests=yes")
    assert compared("quests=yes") == (sides, told)  # the same seed, the same page
    assert [side.name for side in sides] == ["quests=no", "quests=yes"]
    assert any(line.startswith("How long it takes, answers: +") for line in told[0].points)
    rows = {row[0]: row for chapter in told for row in chapter.rows}
    assert rows["answers"][-1] == "**differs**"
    assert float(rows["answers"][2]) - float(rows["answers"][1]) == pytest.approx(float(rows["answers"][3]), abs=0.11)
    assert "on one side alone" in {row[-1] for row in rows.values()}  # to choose a quest


def test_who_wins_with_a_tile_is_counted_by_deal():
    class OneTile(Unstudied):
        def parts(self, record):
            return record["played"]

        def part(self, which):
            return f"tile {which}"

    games = [
        noted([1.0, 0.0]) | {"played": [(0, 7), (1, 8)]},
        noted([0.5, 0.5]) | {"played": [(0, 7), (1, 7)]},
        noted([0.0, 1.0]) | {"played": [(0, 8)]},
    ]
    counted = found(games, PARTS, OneTile(find("ghost-knights")))
    assert {name: measure.deals for name, measure in counted.items()} == {
        "tile 7": [(1.0, 1), (1.0, 2), (0, 0)],
        "tile 8": [(0.0, 1), (0, 0), (0.0, 1)],
    }
    assert list(counted) == ["tile 7", "tile 8"], "the best first"
    assert counted["tile 7"].figure().value == pytest.approx(2 / 3)


@pytest.mark.parametrize("game", ["tales-of-glory", "sourire-du-dragon"])
def test_a_table_of_a_spreadsheet_is_measured_tile_by_tile_and_ruling_by_ruling(game, tmp_path, brought):
    mine, out = tmp_path / "mine.csv", tmp_path / "page.html"
    mine.write_text(to_csv(tomllib.loads(changed(game))), encoding="utf-8", newline="")
    words = ["--games", 2, "--workers", 1, "--plan", "4 players", "--rulings", "--content", mine, "--out", out]
    command("lab", "balance", game, *words, "--lang", "en")
    text = out.read_text(encoding="utf-8")
    assert "Who wins with what" in text
    ruling = {"tales-of-glory": "quests=yes", "sourire-du-dragon": "hat=gentle"}[game]
    assert "Who wins, ruling by ruling" in text
    assert text.count(f">{ruling}<") >= 4, "each seat, at least"


def test_an_owners_file_is_compared_with_ours_in_one_page(tmp_path, brought):
    mine, out = tmp_path / "mine.toml", tmp_path / "page.html"
    mine.write_text(changed("tales-of-glory").replace('en = "My box. ', 'en = "<b>My</b> box. ', 1), encoding="utf-8")
    words = ["--games", 2, "--workers", 1, "--plan", "2 players", "--compare", mine, "--out", out, "--lang", "en"]
    command("lab", "balance", "tales-of-glory", *words)
    text = out.read_text(encoding="utf-8")
    assert ": Reconstructed tiles (Veillée) and &lt;b&gt;My&lt;/b&gt; box." in text
    assert "<b>" not in text
    assert "Both are played on the same 2 deals, with 2 players." in text
    assert set(tmp_path.iterdir()) == {mine, out}  # the pictures are in it


def test_a_comparison_with_rulings_is_data_in_both_languages(tmp_path, brought):
    mine, out = tmp_path / "mine.toml", tmp_path / "page.json"
    mine.write_text(changed("sourire-du-dragon"), encoding="utf-8")
    words = ["--games", 2, "--workers", 1, "--compare", mine, "--rulings", "--out", out, "--lang", "en"]
    command("lab", "balance", "sourire-du-dragon", *words)
    chapters = {chapter["name"]: chapter for chapter in json.loads(out.read_text(encoding="utf-8"))["chapters"]}
    rulings = {one["ruling"]["fr"] for one in chapters["rulings"]["comparisons"]}
    assert {ruling.split("\u00a0:")[0] for ruling in rulings} == {"Objets magiques", "Le Chapeau du Magicien"}
    for name in ("wins-by-seat", "wins-by-place", "course", "answers", "choices", "rulings"):
        assert chapters[name]["words"]["fr"]["title"] != chapters[name]["words"]["en"]["title"]
        for one in chapters[name]["comparisons"]:
            assert one["name"]["fr"] != one["name"]["en"] or one["name"]["en"] in ("Ranger", "Cavalier")
    assert all(len(one["first"] or one["second"]) == 3 for one in chapters["wins-by-part"]["comparisons"])
    assert chapters["wins-by-part"]["mark"] == 0.25


def test_what_cannot_be_compared_is_refused_with_a_sentence(tmp_path):
    with pytest.raises(Unknown, match="an option and its value"):
        compare.side_with_options(find("tales-of-glory"), "quests", {})
    with pytest.raises(Unknown, match="quests"):
        compare.side_with_options(find("tales-of-glory"), "quests=maybe", {})
    with pytest.raises(Unknown, match="no content that an owner may bring"):
        compare.side_with_content(find("ghost-knights"), {})
    words = ["lab", "balance", "tales-of-glory", *["--compare", "quests=no"] * 3, "--out", tmp_path / "x.html"]
    assert "Two are compared, not 3." in command(*words, "--lang", "en", expect=2).output
    assert not (tmp_path / "x.html").exists()


# -- the page -------------------------------------------------------------------------------------------------------
def test_a_page_says_in_tables_what_its_pictures_show_by_day_and_by_night(tmp_path):
    picture = whiskers([("a", share([(1, 1), (0, 1)] * 20)), ("b", share([(1, 1)] * 40))], 0.5)
    assert picture.count('rx="0"') == 1  # what leaves the mark out is told by its shape, too
    chapter = Chapter(
        "Wins", "By `seat`.", ("games", "seat", "measured"), [["2 | 3", "a", "**50 %**"]], picture, "wins"
    )
    text = page("A & B", "How.", "veillee lab balance x", [chapter])
    assert "prefers-color-scheme: dark" in text
    assert '<svg role="img" aria-label="Picture: Wins, as in the table below"' in text
    assert '<th scope="col">seat</th>' in text
    assert '<th scope="row">a</th><td><strong>50 %</strong></td>' in text
    assert not re.search(r'(src|href)="|url\(|<script', text)  # nothing from elsewhere
    files = write(tmp_path / "r.md", "A & B", "How.", "veillee lab balance x", [], [chapter])
    lines = files[0].read_text(encoding="utf-8")
    assert "Criteria" not in lines
    assert "| 2 \\| 3 | a | **50 %** |" in lines
    assert [file.name for file in files] == ["r.md", "r-wins.svg"]
