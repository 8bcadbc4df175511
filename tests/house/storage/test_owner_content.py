"""Tables with an owner's file: they name it, and continue when the file is gone."""

from __future__ import annotations

import threading

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from house.playing import BOT, HOTSEAT, ME, answer
from match.test_owner_content import KINDS, changed
from veillee.games import owners
from veillee.games.content import BUILT_IN
from veillee.house.errors import NoTable
from veillee.house.house import House
from veillee.house.storage.database import FILE, MIGRATIONS
from veillee.house.workers.jobs import ThinkJob
from veillee.house.workers.pool import ThinkerPool

OTHER = "own-0123456789ab"


@pytest.fixture(params=KINDS)
def game(request) -> str:
    return request.param


def forget() -> None:
    """As in a house that was never brought anything."""
    owners.BROUGHT.clear()
    for kind in KINDS.values():
        del kind.offered[1:]
        for id_ in kind.sets.keys() - {BUILT_IN}:
            del kind.sets[id_]


def test_a_table_goes_on_with_the_content_that_it_began_with_when_the_file_is_gone(house, ada, game, brought, tmp_path):
    content, option = brought(changed(game)), KINDS[game].option.id
    table = house.tables.create(ada, game, [ME, HOTSEAT])
    assert table.options[option] == content.id
    (seat, *_) = table.match.to_act
    answer(table, ada, seat)
    seen = table.match.view(0)
    house.close()
    forget()
    house = House.open(tmp_path, workers=0)
    table = house.tables.find(table.id)
    assert table.match.view(0) == seen
    assert KINDS[game].sets[content.id].names == content.names
    assert KINDS[game].own == [], "it is there for games that have begun, not for new ones"
    assert option not in house.tables.create(ada, game, [ME, HOTSEAT]).options
    house.close()


def test_a_table_whose_content_nobody_has_says_which_one_it_is(house, ada, game, brought, tmp_path):
    content = brought(changed(game))
    table = house.tables.create(ada, game, [ME, HOTSEAT])
    with house.store.engine.begin() as db:
        db.exec_driver_sql("DELETE FROM contents")
    house.close()
    forget()
    house = House.open(tmp_path, workers=0)
    with pytest.raises(NoTable, match=f"It is played with {content.id}, which is not at hand"):
        house.tables.find(table.id)
    assert [glance.id for glance in house.tables.for_guest(ada)] == [table.id]
    brought(changed(game))  # and continues when the file is loaded
    assert house.tables.find(table.id).match.to_act
    house.close()


def test_a_rematch_is_played_with_what_was_played_with(house, ada, game, brought):
    plain = house.tables.create(ada, game, [ME, BOT])
    content, option = brought(changed(game)), KINDS[game].option.id
    own = house.tables.create(ada, game, [ME, BOT])
    for table, expected in ((plain, None), (own, content.id)):
        for _ in range(5000):
            if table.status == "over":
                break
            answer(table, ada, 0)
        assert house.tables.rematch(ada, table).options.get(option) == expected


def test_those_who_think_are_handed_what_owners_have_brought(house, ada, game, brought):
    thinkers = ThinkerPool(1)
    content = brought(changed(game))
    said: list[list[int]] = []
    try:
        for text in (None, changed(game).replace("number = 4\n", "number = 5\n").replace('"2 coins"', '"3 coins"')):
            content = brought(text) if text else content
            table = house.tables.create(ada, game, [ME, HOTSEAT])
            (seat, *_) = table.match.to_act
            there = threading.Event()
            job = ThinkJob(game, table.match.state.dump(), seat, "novice", 1)
            assert content.id in str(job.position)
            thinkers.submit(job, lambda answers, there=there: (said.append(answers), there.set()))
            assert there.wait(60)
            assert said[-1][0] in table.match.state.legal(seat)
    finally:
        thinkers.close()


def test_the_schema_before_contents_is_brought_to_the_present_one(tmp_path):
    """A table of that time names no content, or one by its former name."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    engine = sa.create_engine(f"sqlite:///{tmp_path / FILE}")
    with engine.begin() as db:
        db.exec_driver_sql("PRAGMA application_id = 1449486700")
        config.attributes["connection"] = db
        command.upgrade(config, "0002")
        for table, options in (("2222-2222-2222", '{"objects": "all"}'), ("3333-3333-3333", f'{{"cards": "{OTHER}"}}')):
            db.exec_driver_sql(
                f"INSERT INTO tables VALUES ('{table}', 'sourire-du-dragon', 1, '{options}', x'{'00' * 32}', 1, 'playing',"
                " '[]', 0, '', 0, 0, 1)"
            )
            for seat in (0, 1):
                db.exec_driver_sql(
                    f"INSERT INTO seats VALUES ('{table}', {seat}, 'bot', 'B{seat}', NULL, 'novice', 0, '')"
                )
    engine.dispose()
    house = House.open(tmp_path, workers=0)
    assert house.tables.find("2222-2222-2222").options == {"objects": "all"}
    with pytest.raises(NoTable, match=OTHER):
        house.tables.find("3333-3333-3333")
    house.close()
    engine = sa.create_engine(f"sqlite:///{tmp_path / FILE}")
    with engine.begin() as db:
        assert "contents" in sa.inspect(db).get_table_names()
        config.attributes["connection"] = db
        command.downgrade(config, "0002")
        assert "contents" not in sa.inspect(db).get_table_names()
    engine.dispose()
