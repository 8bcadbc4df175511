"""Hints: an expert's advice for a seat, where the table allows it, from what the seat knows, shown to that seat only."""

from __future__ import annotations

import sys

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from house.playing import BOT, ME, OPEN, answer, photograph, play_on
from veillee.bots.advice import Advice
from veillee.bots.planning import SearchedChoice
from veillee.games import catalogue
from veillee.house.errors import BadRequest, NoAdvice, NotNow, NotYours, Stale
from veillee.house.house import House
from veillee.house.storage.database import FILE, MIGRATIONS
from veillee.house.workers.inline import InlineThinkers
from veillee.house.workers.jobs import ThinkJob
from veillee.house.workers.pool import ThinkerPool


@pytest.fixture
def asked(house, monkeypatch):
    """The questions to the expert, with whom to tell: it answers when the test says so."""
    waiting = []
    monkeypatch.setattr(house.thinkers, "advise", lambda job, done: waiting.append((job, done)))
    return waiting


def hint(table, guest, seat):
    return table.hint(guest, seat, table.stamp(seat)).result(60)


@pytest.mark.parametrize("game", catalogue.BOXES)
def test_advice_is_one_of_the_choices_with_its_chances_and_its_reason(house, ada, game):
    table = house.tables.create(ada, game, [ME] + [BOT] * (catalogue.BOXES[game].players[0] - 1))
    play_on(table, [ada], 6)
    advice = hint(table, ada, 0)
    allowed = [choice.id for choice in table.match.choices(0)]
    assert advice.choice.id in allowed
    assert advice.choice == advice.chances[0].choice
    assert all(chance.choice.id in allowed and 0 <= chance.wins <= 1 for chance in advice.chances)
    for lang in ("fr", "en"):
        assert "{" not in advice.reason(lang)
        assert advice.choice.label(lang)
    table.answer(ada, 0, table.stamp(0), [advice.choice.id])


def test_nothing_changes_and_nobody_is_told(house, ada, around):
    [seat] = around.match.to_act
    told = []
    around.subscribe(lambda: told.append(1))
    before, now = photograph(around), around.moment
    on_disk = house.tables.repository.find(around.id)
    hint(around, ada, seat)
    assert around.moment is now
    assert photograph(around) == before
    assert house.tables.repository.find(around.id) == on_disk
    assert told == []


def test_a_table_without_hints_gives_none(house, ada):
    table = house.tables.create(ada, "ghost-knights", [ME, BOT, BOT, BOT], hints=False)
    before = photograph(table)
    with pytest.raises(NotNow, match="without hints") as refused:
        hint(table, ada, 0)
    assert refused.value.say("fr") == "À cette table, chacun joue sans conseils."
    assert photograph(table) == before


def test_whether_hints_are_allowed_stays_and_goes_on_in_the_rematch(house, ada, tmp_path):
    for allowed in (True, False):
        table = house.tables.create(ada, "takara-island", [ME, BOT], hints=allowed)
        play_on(table, [ada])
        assert house.tables.rematch(ada, table).hints is allowed
        with_glance = {glance.id: glance.hints for glance in house.tables.for_guest(ada)}
        assert with_glance[table.id] is allowed
        house.close()
        house = House.open(tmp_path, workers=0)
        assert house.tables.find(table.id).hints is allowed
        assert house.tables.find(table.id).moment.hints is allowed
    assert house.tables.play_now(ada, "takara-island").hints
    house.close()


def test_tables_of_before_allow_hints(tmp_path):
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    engine = sa.create_engine(f"sqlite:///{tmp_path / FILE}")
    with engine.begin() as db:
        config.attributes["connection"] = db
        command.upgrade(config, "0001")
        db.exec_driver_sql(
            "INSERT INTO tables VALUES ('t', 'takara-island', 1, '{}', x'00', 1, 'over', '[]', 0, '', 0, 0)"
        )
        command.upgrade(config, "head")
        assert db.exec_driver_sql("SELECT hints FROM tables").scalar() == 1
        command.downgrade(config, "0001")
        assert "hints" not in {column["name"] for column in sa.inspect(db).get_columns("tables")}
    engine.dispose()


def test_advice_is_for_ones_own_seat_when_it_is_asked(house, ada, bob, around, asked):
    [seat] = around.match.to_act
    with pytest.raises(NotYours):
        hint(around, bob, seat)
    with pytest.raises(NotNow, match="not your turn"):
        hint(around, ada, (seat + 1) % 4)
    with pytest.raises(BadRequest):
        around.hint(ada, 7, "")
    with pytest.raises(Stale):
        around.hint(ada, seat, "an old stamp")
    waiting = house.tables.create(ada, "takara-island", [ME, OPEN])
    with pytest.raises(NotNow):
        hint(waiting, ada, 0)
    around.leave(ada, seat)
    with pytest.raises((NotNow, Stale)):
        hint(around, ada, seat)
    assert asked == [], "nobody thought about it"


def test_the_expert_is_handed_what_the_seat_knows_and_no_more(ada, draft, asked):
    draft.hint(ada, 0, draft.stamp(0))
    [(job, _)] = asked
    state, box = draft.match.state, draft.box
    assert (job.seat, job.level) == (0, "expert")
    position = box.load(job.position)
    assert box.view(position, 0) == box.view(state, 0)
    assert position.dump() != state.dump(), "the other hand is drawn anew"


def test_somebody_elses_secret_answer_does_not_show_in_the_advice(ada, bob, draft, asked):
    """Whatever Bob has chosen, the expert is handed the very same position and seed."""
    for choice in draft.match.choices(1)[:2]:
        answer(draft, bob, 1, choice.id)
        future = draft.hint(ada, 0, draft.stamp(0))
        asked[-1][1](None)  # the expert fails, so that it is asked again
        with pytest.raises(NoAdvice):
            future.result(0)
        draft.undo(bob, 1, draft.stamp(1))
    assert len(asked) == 2
    assert asked[0][0] == asked[1][0]


def test_asked_twice_the_expert_thinks_once(ada, around, asked):
    [seat] = around.match.to_act
    first = around.hint(ada, seat, around.stamp(seat))
    assert around.hint(ada, seat, around.stamp(seat)) is first
    assert not first.done()
    assert not first.cancel(), "somebody else may wait for it"
    InlineThinkers().advise(*asked.pop())
    assert around.hint(ada, seat, around.stamp(seat)) is first
    assert asked == []
    assert first.result(0).choice.allowed


def test_advice_for_a_board_that_is_gone_is_stale(ada, around, asked):
    [seat] = around.match.to_act
    future = around.hint(ada, seat, around.stamp(seat))
    answer(around, ada, seat)  # the table does not wait for the expert
    InlineThinkers().advise(*asked.pop())
    with pytest.raises(Stale):
        future.result(0)


@pytest.mark.parametrize("advice", [None, Advice(-3, (), (SearchedChoice(-3, 0.5, 1),))])
def test_an_expert_who_fails_costs_a_sentence(ada, around, asked, advice):
    [seat] = around.match.to_act
    future = around.hint(ada, seat, around.stamp(seat))
    asked.pop()[1](advice)
    with pytest.raises(NoAdvice, match="ask again"):
        future.result(0)
    again = around.hint(ada, seat, around.stamp(seat))
    InlineThinkers().advise(*asked.pop())
    assert again.result(0).choice.allowed


def test_a_process_advises(house, ada, around, asked):
    """The one that thinks for bots, without the clock of the table."""
    [seat] = around.match.to_act
    future = around.hint(ada, seat, around.stamp(seat))
    [(job, done)] = asked
    thinkers = ThinkerPool(1)
    thinkers.advise(ThinkJob(job.box_id, job.position, job.seat, "novice", job.seed), done)
    assert future.result(60).choice.allowed
    thinkers.close()


@pytest.mark.parametrize("line", ["[]", "{}", "7", "nonsense", '{"action": 1, "reasons": [], "best": [3]}'])
def test_what_is_no_advice_is_given_up(ada, around, asked, line):
    [seat] = around.match.to_act
    future = around.hint(ada, seat, around.stamp(seat))
    talks = (sys.executable, "-c", f"import sys\nfor line in sys.stdin: print({line!r}, flush=True)")
    thinkers = ThinkerPool(1, command=talks)
    thinkers.advise(*asked.pop())
    with pytest.raises(NoAdvice):
        future.result(60)
    thinkers.close()
