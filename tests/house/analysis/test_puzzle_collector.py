"""Puzzles collected from games on the server: only from public tables, judged once at the lowest priority, and deleted with the
table."""

from __future__ import annotations

import json
import sys
import threading
from datetime import UTC, datetime

import pytest
import sqlalchemy as sa

from house.playing import BOT, HOTSEAT, ME, OPEN, play_on
from veillee.games.catalogue import BOXES
from veillee.house.analysis import puzzle_collector as module
from veillee.house.analysis.puzzle_collector import PuzzleCollector, find_clear_positions
from veillee.house.analysis.puzzles import load_collected, puzzle_seed
from veillee.house.community.moderation import Moderator
from veillee.house.house import House
from veillee.house.house_time import Hourglass
from veillee.house.storage.schema import analyses
from veillee.house.storage.schema import collected as kept
from veillee.kernel.chance import Rng
from veillee.match import seeds
from veillee.match.errors import Unknown
from veillee.match.puzzle_judges import Judges
from veillee.match.puzzles import earlier, plain, puzzles

GAME = "sourire-du-dragon"
BOX = BOXES[GAME]
DAY = 86_400.0
SOON = 30  # seconds: for what takes a moment on a machine that has nothing else to do

# Judges who note what they are asked, and say what the test wants: yes, no, or one no and then nothing for a long time.
STUB = """
import json, pathlib, sys, time
job = json.loads(sys.stdin.readline())
notes, says = pathlib.Path(sys.argv[1]), sys.argv[2]
for number, (at, _) in enumerate(job["places"]):
    with notes.open("a") as asked:
        asked.write(f"{at}\\n")
    if says == "nonsense":
        sys.exit(3)
    if says == "nothing" and number:
        time.sleep(600)
    answer = job["match"]["answers"][at][1]
    yes = {"options": [[answer, 0.6, 0.0], [0, 0.3, 0.01]], "reasons": [[0, 9.0, 5.0, None]]}
    print(json.dumps(yes if says == "yes" else None), flush=True)
    if says == "yes":
        break
"""


@pytest.fixture
def clock():
    return Hourglass(datetime(2026, 11, 17, 12, tzinfo=UTC).timestamp())


@pytest.fixture
def house(place, clock):
    house = House.open(place, workers=0, now=clock)
    yield house
    house.close()


class Bench:
    """The house's collector with such a judge, and what it was asked."""

    def __init__(self, house, notes, says="yes", busy=lambda: False):
        self.notes = notes
        command = (sys.executable, "-c", STUB, str(notes), says)
        self.puzzle_collector = PuzzleCollector(house.store, house.tables.replay, house.peers.process_id, busy, command)

    @property
    def asked(self):
        return [int(line) for line in self.notes.read_text().split()] if self.notes.exists() else []

    def all_of_it(self):
        while self.puzzle_collector.poll():
            pass


@pytest.fixture
def bench(house, tmp_path):
    return lambda says="yes", busy=lambda: False: Bench(house, tmp_path / "asked", says, busy)


def finished(house, guest, *, public=True, plans=(ME, BOT), **more):
    table = house.tables.create(guest, GAME, plans, public=public, **more)
    play_on(table, [guest])
    return table


def analysed(house, table, margins=None):
    """As if an analysis had found one choice better than the next by so much, at these places."""
    rows = [{"chances": [], "worth": [], "luck": []} for _ in range(len(table.match.answers) + 1)]
    for at, margin in ({3: 0.2} if margins is None else margins).items():
        action = table.match.answers[at][1]
        rows[at + 1]["options"] = [[action, 0.6, 0.0], [action + 1, 0.6 - margin, 0.02]]
    with house.store.writing() as db:
        db.execute(analyses.insert().values(table_id=table.id, findings=json.dumps(rows)))
    return table


def looked_through(house):
    with house.store.reading() as db:
        return {row.table_id: row.waiting for row in db.execute(sa.select(kept))}


def test_the_clearest_positions_are_judged_until_one_is_agreed_on(house, ada, bench, clock, monkeypatch):
    monkeypatch.setattr(module, "MAX_CANDIDATES_PER_GAME", 3)
    margins = {2: 0.1, 4: 0.05, 6: 0.4, 8: 0.2, 10: 0.09, 12: 0.3}
    tables = [analysed(house, finished(house, ada), margins) for _ in range(2)]
    clock.pass_by(DAY)
    no, yes = bench("no"), bench()
    for _ in range(2):
        no.puzzle_collector.poll()
    assert no.asked == [6, 12, 8], "the widest first, and no more than three"
    assert load_collected(house.store, BOX) == []
    yes.all_of_it()
    assert yes.asked == [6, 12, 8, 6], "nothing is judged twice, and one of a game is enough"
    (one,) = load_collected(house.store, BOX)
    assert (one.number, one.at, one.best) == (1, 6, tables[1].match.answers[6][1])
    assert one.table_id == tables[1].id
    assert one.seat in earlier(tables[1].match, one.at).to_act
    assert one.seed == puzzle_seed(one.table_id, 6)
    assert not yes.puzzle_collector.poll()


def test_what_somebody_has_not_found_comes_first(house, ada):
    match = finished(house, ada).match
    rows = [{} for _ in range(len(match.answers) + 1)]
    for at, other, wins, margin in ((2, 0, 0.9, 0.3), (4, 1, 0.5, 0.1), (6, 0, 0.97, 0.3)):
        best = [match.answers[at][1] + other, wins, 0.0]
        rows[at + 1]["options"] = [best, [99, wins - margin, 0.02], [98, 0.1, 0.02]]
    rows[8 + 1]["options"] = [[0, 0.5, 0.0], [1, 0.4, 0.05]]
    assert find_clear_positions(match, rows, 0.08) == [4, 2], "not what is won anyway, nor what may be noise"
    assert find_clear_positions(match, rows[:-1], 0.08) == [], "an analysis of another game"


def test_only_what_strangers_could_watch_and_from_the_next_day_on(house, ada, bench, clock, monkeypatch):
    source = analysed(house, finished(house, ada))
    private = analysed(house, finished(house, ada, public=False))
    variant = analysed(house, finished(house, ada, options={"objects": "characters"}))
    branch = house.tables.play_on(ada, source, 2, 0)
    play_on(branch, [ada])
    dealt = house.daily_deals.open_table(ada, GAME)
    play_on(dealt, [ada])
    for table in (branch, dealt):
        analysed(house, table)
    with house.store.writing() as db:  # even if these had been public
        db.execute(sa.text("UPDATE tables SET public = true WHERE deal != '' OR branch != ''"))
    one = bench()
    one.all_of_it()
    assert looked_through(house) == {}, "it was played today"
    clock.pass_by(DAY)
    one.all_of_it()
    assert looked_through(house) == {source.id: "[]", variant.id: "[]"}
    assert [puzzle.table_id for puzzle in load_collected(house.store, BOX)] == [source.id]
    assert private.id not in looked_through(house)


def test_it_is_kept_without_a_name_and_goes_with_its_table(house, ada, bob, bench, clock):
    table = house.tables.create(ada, GAME, [ME, OPEN], public=True, luck="brume")
    table.sit(bob, 1)
    play_on(table, [ada, bob])
    analysed(house, table)
    alone = analysed(house, finished(house, ada))
    clock.pass_by(DAY)
    bench().all_of_it()
    with house.store.reading() as db:
        rows = [str(row.found) for row in db.execute(sa.select(kept))]
    for word in ("Ada", "Bob", "brume", ada.id, bob.id, table.id, table.moment.row.seed.hex()):
        assert word not in "".join(rows)
    assert len(load_collected(house.store, BOX)) == 2
    house.archive.delete(ada, alone.id)
    assert [one.table_id for one in load_collected(house.store, BOX)] == [table.id]
    house.accounts.delete(ada)
    assert [one.table_id for one in load_collected(house.store, BOX)] == [table.id], (
        "Bob's game stays, and so does its puzzle"
    )
    house.accounts.delete(bob)
    assert load_collected(house.store, BOX) == []


def test_nothing_is_shown_of_a_table_that_was_closed_nor_where_the_house_does_not_want_it(house, ada, bench, clock):
    table = analysed(house, finished(house, ada))
    clock.pass_by(DAY)
    bench().all_of_it()
    (one,) = house.puzzles.load(BOX)
    assert house.puzzles.load_position(one).answers == table.match.answers[: one.at]
    house.puzzles.is_shown = False
    assert house.puzzles.load(BOX) == []
    house.puzzles.is_shown = True
    Moderator(house.store, "keeper").ban("table", table.id)
    house.bans.refresh()
    assert house.puzzles.load(BOX) == []


def test_only_so_many_are_kept_and_the_oldest_go(house, ada, bench, clock, monkeypatch):
    monkeypatch.setattr(module, "MAX_PUZZLES_PER_BOX", 2)
    tables = [analysed(house, finished(house, ada)) for _ in range(3)]
    clock.pass_by(DAY)
    one = bench()
    one.all_of_it()
    assert {puzzle.table_id for puzzle in load_collected(house.store, BOX)} == {tables[1].id, tables[2].id}
    assert [puzzle.number for puzzle in load_collected(house.store, BOX)] == [2, 3]
    one.all_of_it()
    assert len(one.asked) == 3, "what has gone does not come back"


def until_asked(one, number):
    while len(one.asked) < number:
        threading.Event().wait(0.01)


def test_it_waits_while_anybody_waits_and_gives_way_at_once(house, ada, bench, clock):
    analysed(house, finished(house, ada), {3: 0.3, 5: 0.2, 7: 0.1})
    clock.pass_by(DAY)
    busy = threading.Event()
    busy.set()
    one = bench("nothing", busy.is_set)
    assert not one.puzzle_collector.poll()
    assert looked_through(house) == {}
    busy.clear()
    assert one.puzzle_collector.poll(), "looked through"
    judging = threading.Thread(target=one.puzzle_collector.poll)
    judging.start()
    until_asked(one, 2)
    busy.set()
    judging.join(SOON)
    assert not judging.is_alive()
    assert list(looked_through(house).values()) == ["[5, 7]"], "what was turned down is not judged again, the rest is"
    yes = bench()
    yes.all_of_it()
    assert yes.asked == [3, 5, 5]
    assert [puzzle.at for puzzle in load_collected(house.store, BOX)] == [5]


def test_a_house_that_closes_in_the_middle_loses_nothing(house, ada, bench, clock, monkeypatch):
    analysed(house, finished(house, ada), {3: 0.3, 5: 0.2})
    clock.pass_by(DAY)
    monkeypatch.setattr(module, "POLL_SECONDS", 0.01)
    one = bench("nothing")
    one.puzzle_collector.start()
    until_asked(one, 2)
    one.puzzle_collector.stop()
    assert list(looked_through(house).values()) == ["[5]"]
    assert not one.puzzle_collector.poll()
    bench().all_of_it()
    assert [puzzle.at for puzzle in load_collected(house.store, BOX)] == [5]


def test_what_cannot_be_judged_is_dropped_and_the_next_comes(house, ada, bench, clock, monkeypatch, caplog):
    _broken, older, fine = (analysed(house, finished(house, ada)) for _ in range(3))
    clock.pass_by(DAY)
    one = bench("nonsense")
    assert one.puzzle_collector.poll()
    assert one.puzzle_collector.poll()
    assert "could not be judged" in caplog.text
    yes = bench()
    assert yes.puzzle_collector.poll()
    with house.store.writing() as db:
        db.execute(sa.text("UPDATE tables SET version = 99 WHERE id = :id"), {"id": older.id})
    yes.all_of_it()
    assert [puzzle.table_id for puzzle in load_collected(house.store, BOX)] == [fine.id]
    with house.store.writing() as db:
        db.execute(sa.text("UPDATE tables SET version = 99"))
    assert load_collected(house.store, BOX) == [], "of rules that are not played here"


def test_without_a_game_in_the_head_there_are_no_judges():
    with pytest.raises(Unknown, match="simulated game"):
        Judges(worlds=0)


def test_what_people_wait_for_is_known(house, ada):
    assert not house._is_busy()
    table = finished(house, ada)
    house.analyses.is_house_busy = lambda: True
    house.analyses.enqueue_idle(table.id, table.match)
    assert house._is_busy()


def test_the_real_judges_say_of_a_shipped_position_what_they_said(house, ada, clock, monkeypatch):
    """The process that the house starts, with little patience: the same as these judges say here."""
    box = BOXES["paper-tales"]
    shipped = puzzles(box)[21]  # one that judges with little patience agree on, too
    monkeypatch.setattr(
        "veillee.house.tables.creation.new_id", lambda: "2222-2222-2222"
    )  # and with it the judges' chance
    monkeypatch.setattr(seeds, "new_seed", lambda: seeds.seed_from(shipped.seed))
    table = house.tables.create(ada, box.id, [ME] + [HOTSEAT] * (shipped.seats - 1), public=True)
    for seat, action in shipped.answers:
        table.answer(ada, seat, table.moment.stamp(seat), [action])
    play_on(table, [ada])
    at = len(shipped.answers)
    analysed(house, table, {at: 0.2})
    clock.pass_by(DAY)
    quick = Judges(thought=100, worlds=6, sure_worlds=30, ends=6, errors=1.0, expert=0.04)
    one = PuzzleCollector(house.store, house.tables.replay, house.peers.process_id, lambda: False, judges=quick)
    while one.poll():
        pass
    (puzzle,) = load_collected(house.store, box)
    agreed = quick.judge(shipped.match(box), shipped.seat, Rng(puzzle_seed(table.id, at)))
    assert (puzzle.seat, puzzle.best) == (shipped.seat, shipped.best)
    assert plain(puzzle.options, puzzle.reasons) == json.loads(json.dumps(plain(*agreed)))


@pytest.mark.parametrize("place", ["postgresql"], indirect=True)
def test_of_two_processes_one_judges_at_a_time_and_each_position_once(house, ada, bench, place, clock):
    """Both do all they can, until neither finds anything more."""
    tables = [analysed(house, finished(house, ada), {3: 0.3, 5: 0.2}).id for _ in range(3)]
    clock.pass_by(DAY)
    elsewhere = House.open(place, workers=0, now=clock)
    slow, here, there = bench("nothing"), bench(), bench()
    for one in (slow, there):
        one.puzzle_collector._process_id = elsewhere.peers.process_id
    assert slow.puzzle_collector.poll()
    judging = threading.Thread(target=slow.puzzle_collector.poll)
    judging.start()
    until_asked(slow, 2)
    refused = not here.puzzle_collector.poll()
    slow.puzzle_collector.stop()
    judging.join(SOON)
    assert refused, "somebody is at it"

    def work(one):
        while looked_through(house) != dict.fromkeys(tables, "[]"):
            one.puzzle_collector.poll()

    threads = [threading.Thread(target=work, args=(one,)) for one in (here, there)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SOON)
    assert sorted(here.asked) == [3, 3, 3, 5, 5], "that which was cut short was judged again, all others once"
    assert [puzzle.number for puzzle in load_collected(house.store, BOX)] == [1, 2, 3]
    elsewhere.close()
