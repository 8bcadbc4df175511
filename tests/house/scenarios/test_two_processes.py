"""Several server processes: two houses on one PostgreSQL."""

from __future__ import annotations

import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext

from house.playing import BOT, HOTSEAT, ME, OPEN, answer, photograph, play_on
from veillee.house.errors import NotNow, Stale, StoreError
from veillee.house.house import House
from veillee.house.storage import leases
from veillee.house.storage.database import DRIVER, MIGRATIONS
from veillee.house.storage.leases import Lease
from veillee.house.storage.schema import metadata
from veillee.house.storage.store import Store
from veillee.house.tables.repository import TableRepository
from veillee.house.workers.inline import InlineThinkers
from veillee.match import seeds

SOON = 10  # seconds: for what takes milliseconds on a machine that has nothing else to do


@pytest.fixture
def place(database):
    return database


@pytest.fixture
def elsewhere(house, place):
    """The same house in another process."""
    other = House.open(place, workers=0)
    yield other
    other.close()


def until(table, holds):
    """Wait for changes of the table until this holds."""
    changed = threading.Event()
    stop = table.subscribe(changed.set)
    while not holds():
        assert changed.wait(SOON), "nobody has told"
        changed.clear()
    stop()


# -- tables -------------------------------------------------------------------------------------------------------------
def test_nothing_is_lost_or_doubled_where_two_write(house, elsewhere, ada, bob, draft):
    """The other one has written first: nothing is lost, nothing is doubled, and the board is the present one."""
    twin = elsewhere.tables.find(draft.id)
    answer(twin, bob, 1)
    answer(draft, ada, 0)  # her stamp is still good: Bob's answer was a secret one
    assert [seat for seat, _ in draft.match.answers] == [1, 0]
    with pytest.raises(Stale):
        answer(twin, ada, 0, twin.match.choices(0)[-1].id)
    assert photograph(twin) == photograph(draft)
    draft.leave(bob, 1)
    with pytest.raises(NotNow):
        answer(twin, bob, 1)  # a click that the other process has not heard of the change for


def test_a_process_that_has_not_heard_of_a_change_refuses_nothing(house, elsewhere, ada, bob, draft):
    """A form of the new board arrives where the old one is still known; so does a form for a seat that was just taken."""
    twin = elsewhere.tables.find(draft.id)
    for guest, seat in ((ada, 0), (bob, 1)):
        answer(draft, guest, seat)
    assert twin.match.answers == []
    now = draft.moment
    twin.answer(ada, 0, now.stamp(0), [now.match.choices(0)[0].id])
    assert [seat for seat, _ in twin.match.answers] == [0, 1, 0]
    twin.hint(bob, 1, twin.stamp(1))
    waiting = house.tables.create(ada, "takara-island", [ME, OPEN])
    other = elsewhere.tables.find(waiting.id)
    waiting.sit(bob, 1)
    now = waiting.moment
    (seat,) = now.match.to_act
    other.answer((ada, bob)[seat], seat, now.stamp(seat), [now.match.choices(seat)[0].id])


def test_a_page_at_another_process_shows_what_was_just_done(house, elsewhere, ada, around):
    """Without a stream: the page that follows a form may come from anywhere."""
    assert photograph(elsewhere.tables.find(around.id)) == photograph(around)
    answer(around, ada, around.match.to_act[0])
    assert photograph(elsewhere.tables.find(around.id)) == photograph(around)


def test_one_seat_is_taken_once(house, elsewhere, ada, bob):
    table = house.tables.create(ada, "takara-island", [ME, OPEN])
    twin = elsewhere.tables.find(table.id)
    table.sit(bob, 1)
    with pytest.raises(NotNow):
        twin.sit(elsewhere.guests.new("Eve"), 1)
    assert twin.names == table.names == ["Ada", "Bob"]


def test_who_leaves_late_does_not_bring_a_finished_game_back(house, elsewhere, ada, bob):
    table = house.tables.create(ada, "takara-island", [ME, OPEN])
    table.sit(bob, 1)
    twin = elsewhere.tables.find(table.id)
    play_on(table, [ada, bob])
    assert twin.status == "playing", "it has not heard of the end"
    with pytest.raises(NotNow, match="The game is over"):
        twin.leave(bob, 1)
    assert [glance.status for glance in house.tables.for_guest(ada)] == ["over"]


def test_a_rematch_is_one_table_wherever_it_is_asked_for(house, elsewhere, ada, bob):
    table = house.tables.create(ada, "takara-island", [ME, OPEN])
    table.sit(bob, 1)
    play_on(table, [ada, bob])
    twin = elsewhere.tables.find(table.id)
    again = house.tables.rematch(ada, table)
    assert elsewhere.tables.rematch(bob, twin).id == again.id
    until(again, lambda: again.status == "playing")


def test_hundreds_who_send_the_same_at_once_have_sent_it_once(house, elsewhere, ada, around):
    twin = elsewhere.tables.find(around.id)
    for _ in range(10):
        now = around.moment
        (seat,) = now.match.to_act
        sent = (ada, seat, now.stamp(seat), [now.match.choices(seat)[0].id])
        before = now.requests
        with ThreadPoolExecutor(8) as many:
            list(many.map(lambda n: (around, twin)[n % 2].answer(*sent), range(16)))  # noqa: B023
        around.catch_up()
        assert around.moment.requests == before + 1
    assert photograph(elsewhere.tables.find(around.id)) == photograph(around)


# -- word of mouth --------------------------------------------------------------------------------------------------
def test_a_change_at_one_process_is_told_to_those_who_follow_at_another(house, elsewhere, ada, bob, monkeypatch):
    monkeypatch.setattr(elsewhere.peers, "_check_versions", lambda: None)
    table = house.tables.create(ada, "takara-island", [ME, OPEN])
    twin = elsewhere.tables.find(table.id)
    threading.Thread(target=table.sit, args=(bob, 1)).start()
    until(twin, lambda: twin.status == "playing")
    moves = threading.Thread(target=play_on, args=(table, [ada, bob], 5))
    moves.start()
    until(twin, lambda: twin.moment.requests == 5)
    moves.join()
    assert photograph(twin) == photograph(table)


def test_word_that_came_before_somebody_followed_is_not_lost(house, elsewhere, ada, around):
    twin = elsewhere.tables.find(around.id)
    heard = threading.Event()
    hear = twin.note_remote_version
    twin.note_remote_version = lambda version: (hear(version), heard.set())[0]
    answer(around, ada, around.match.to_act[0])
    assert heard.wait(SOON)
    assert twin.moment.requests == 0, "nobody follows it: that can wait"
    until(twin, lambda: twin.moment.requests == 1)


@pytest.fixture
def _often(monkeypatch):
    monkeypatch.setattr("veillee.house.cluster.peers.VERSION_CHECK_SECONDS", 0.01)


@pytest.mark.usefixtures("_often")
def test_word_that_is_lost_is_found_by_reading(house, elsewhere, ada, around, monkeypatch):
    monkeypatch.setattr(elsewhere.peers, "_receive", lambda word: None)
    twin = elsewhere.tables.find(around.id)
    answer(around, ada, around.match.to_act[0])
    until(twin, lambda: twin.moment.requests == 1)


def test_what_the_processes_tell_each_other_is_no_secret(house, ada, around):
    words, there = [], threading.Event()
    house.peers._receive = lambda word: (words.append(word), there.set())
    answer(around, ada, around.match.to_act[0])
    assert there.wait(SOON)
    assert words == [f"table {around.id} 1 0"]


def test_nonsense_makes_nobody_deaf(house, elsewhere, ada, around, monkeypatch):
    monkeypatch.setattr(elsewhere.peers, "_check_versions", lambda: None)
    twin = elsewhere.tables.find(around.id)
    for nonsense in ("", "table", f"table {around.id} many 0", "\N{SNOWMAN} melts"):
        house.store.notify(nonsense)
    answer(around, ada, around.match.to_act[0])
    until(twin, lambda: twin.moment.requests == 1)


def test_a_new_name_is_known_everywhere(house, elsewhere, ada):
    assert elsewhere.guests.find(ada.token).name == "Ada"
    forgotten = threading.Event()
    forget = elsewhere.guests.invalidate
    elsewhere.guests.invalidate = lambda guest="": (forget(guest), forgotten.set())
    house.accounts.rename(ada, "Countess")
    assert house.guests.find(ada.token).name == "Countess"
    assert forgotten.wait(SOON)
    assert elsewhere.guests.find(ada.token).name == "Countess"


# -- bots -------------------------------------------------------------------------------------------------------------
@pytest.fixture
def asked(house, elsewhere):
    """The questions to bots, of each of the two: they answer when the test says so."""
    questions = ([], [])
    for one, waiting in zip((house, elsewhere), questions, strict=True):
        one.thinkers.submit = lambda job, done, waiting=waiting: waiting.append((job, done))
    return questions


def test_bots_think_once_in_the_whole_house(house, elsewhere, ada, asked):
    here, there = asked
    table = house.tables.create(ada, "ghost-knights", [ME, BOT, BOT, BOT])
    twin = elsewhere.tables.find(table.id)
    for _ in range(3):
        elsewhere.tables.find(table.id)
    assert (len(here), len(there)) == (1, 0)
    InlineThinkers().submit(*here.pop())
    until(twin, lambda: twin.moment.requests == 1)


def test_who_dies_while_thinking_is_replaced(house, elsewhere, place, ada, asked, monkeypatch):
    here, there = asked
    table = house.tables.create(ada, "ghost-knights", [ME, BOT, BOT, BOT])
    twin = elsewhere.tables.find(table.id)
    came = threading.Event()
    elsewhere.thinkers.submit = lambda job, done: (there.append((job, done)), came.set())
    died(house, place, monkeypatch)
    assert came.wait(SOON)
    InlineThinkers().submit(*there.pop())
    assert twin.moment.requests == 1
    InlineThinkers().submit(*here.pop())  # it was not dead after all: what it thought is not played twice
    assert elsewhere.tables.find(table.id).moment.requests == 1


def died(house, place, monkeypatch):
    """As if it had not been heard of for as long as it takes."""
    alive = leases.send_heartbeat
    monkeypatch.setattr(leases, "send_heartbeat", lambda store, me: None if store is house.store else alive(store, me))
    with psycopg.connect(place) as db:
        db.execute("UPDATE processes SET until = now() WHERE id = %s", [house.peers.process_id])


def test_who_thought_in_vain_leaves_the_question_to_others(house, elsewhere, ada, asked):
    """Ada leaves, and a bot thinks for her at one process; she comes back, and leaves again, at another."""
    here, there = asked
    table = house.tables.create(ada, "ghost-knights", [ME, HOTSEAT, HOTSEAT, HOTSEAT])
    (seat,) = table.match.to_act
    table.leave(ada, seat)
    twin = elsewhere.tables.find(table.id)
    twin.come_back(ada, seat)
    InlineThinkers().submit(*here.pop())
    assert table.moment.requests == 0
    twin.leave(ada, seat)
    assert (len(here), len(there)) == (0, 1)


@pytest.mark.usefixtures("asked")
def test_who_has_left_does_not_answer_where_that_is_not_known(elsewhere, ada, around):
    (seat,) = around.match.to_act
    twin = elsewhere.tables.find(around.id)
    around.leave(ada, seat)
    with pytest.raises(NotNow, match="A bot is playing for you"):
        answer(twin, ada, seat)


def test_a_claim_is_for_the_latest_question(place):
    store = Store.open(place)
    for process in ("one", "two"):
        leases.send_heartbeat(store, process)
    first, second = Lease("t", 0, 1), Lease("t", 0, 2)
    assert leases.acquire(store, first, "one")
    assert leases.acquire(store, first, "one"), "whose it is may ask again"
    assert not leases.acquire(store, first, "two")
    assert leases.claimed_leases(store, ["t"]) == {first}
    assert leases.acquire(store, second, "two")
    assert not leases.acquire(store, first, "one"), "that has been answered"
    leases.unregister(store, "two")
    assert leases.claimed_leases(store, ["t"]) == set()
    assert leases.acquire(store, second, "one")
    with psycopg.connect(place) as db:
        assert db.execute("SELECT process FROM claims").fetchall() == [("one",)], "nothing is left of the other"
    store.close()


def test_who_has_no_line_any_more_is_dead_though_its_lease_lasts(place):
    """The system cuts it when it ends a process."""
    store, question = Store.open(place), Lease("t", 0, 1)
    leases.send_heartbeat(store, "one")
    with store.listening("one"):
        assert leases.acquire(store, question, "one")
        leases.drop_disconnected(store)
        assert not leases.acquire(store, question, "two")
    while leases.claimed_leases(store, ["t"]):  # the database notices by and by
        leases.drop_disconnected(store)
    assert leases.acquire(store, question, "two")
    store.close()


@pytest.mark.parametrize("hours", [-1, 1])
def test_a_clock_that_jumps(place, hours):
    """The database's clock: a process that died before it was set back does not count as alive for an hour; a live one sends a heartbeat again."""
    store = Store.open(place)
    question = Lease("t", 0, 1)
    leases.send_heartbeat(store, "one")
    assert leases.acquire(store, question, "one")
    with psycopg.connect(place) as db:  # as it looks after the jump
        db.execute("UPDATE processes SET until = until + make_interval(hours => %s)", [hours])
    assert leases.claimed_leases(store, ["t"]) == set()
    leases.send_heartbeat(store, "one")
    assert leases.claimed_leases(store, ["t"]) == {question}
    store.close()


# -- the database -----------------------------------------------------------------------------------------------------
def test_a_database_that_goes_away_and_comes_back(postgres, house, elsewhere, ada, around):
    twin = elsewhere.tables.find(around.id)
    (seat,) = around.match.to_act
    before = photograph(around)
    postgres.stop()
    try:
        with pytest.raises(StoreError, match="out of reach"):
            answer(around, ada, seat)
        with pytest.raises(StoreError, match="out of reach"):
            house.tables.for_guest(ada)
        assert photograph(around) == before
    finally:
        postgres.start()
    answer(around, ada, seat)
    until(twin, lambda: twin.moment.requests == 1)


def test_processes_that_start_together_make_the_schema_once(postgres):
    address = postgres.database()
    with ThreadPoolExecutor(4) as together:
        for store in together.map(Store.open, [address] * 4):
            store.close()


def test_the_migrations_make_the_schema_of_the_code(place):
    store = Store.open(place)
    with store.engine.begin() as db:
        assert compare_metadata(MigrationContext.configure(db), metadata) == []
    store.close()


def test_a_table_of_before_knows_how_many_answers_it_has(postgres):
    engine = sa.create_engine(postgres.database().replace("postgresql", DRIVER, 1))
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as db:
        config.attributes["connection"] = db
        command.upgrade(config, "0003")
        table = {
            "seed": seeds.seed_from(1),
            "options": "{}",
            "asked": "[]",
            "status": "playing",
            "game": "takara-island",
        }
        fields = "id, game, version, options, seed, public, status, asked, reseated, rematch, created, touched"
        values = "'a', :game, 1, :options, :seed, true, :status, :asked, 0, '', 0, 0"
        db.execute(sa.text(f"INSERT INTO tables ({fields}) VALUES ({values})"), table)
        for seq in (1, 2):
            db.execute(sa.text(f"INSERT INTO answers VALUES ('a', {seq}, 0, '[]', 0)"))
    engine.dispose()
    store = Store.open(engine.url.render_as_string())
    assert TableRepository(store).load_versions(["a"]) == {"a": (2, 0)}
    store.close()


def test_another_programs_database(postgres):
    address = postgres.database()
    with psycopg.connect(address) as db:
        db.execute("CREATE TABLE recipes (name TEXT)")
    with pytest.raises(StoreError, match="another program's database"):
        Store.open(address)


def test_a_database_of_a_newer_version(postgres):
    address = postgres.database()
    Store.open(address).close()
    with psycopg.connect(address) as db:
        db.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreError, match="newer version of Veillée"):
        Store.open(address)


def test_a_server_that_is_too_old(place, monkeypatch):
    monkeypatch.setattr("veillee.house.storage.database.MIN_POSTGRES_VERSION", 99)
    with pytest.raises(StoreError, match="99 or newer is needed"):
        Store.open(place)


def test_a_server_that_is_not_there(tmp_path):
    with pytest.raises(StoreError, match=f"postgresql://ada:.*@/nowhere.* cannot be used: .*{tmp_path}") as error:
        Store.open(f"postgresql://ada:secret@/nowhere?host={tmp_path}")
    assert "secret" not in str(error.value)


def test_a_driver_that_is_not_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"pip install veillee\[postgresql\]"):
        Store.open("postgresql://nowhere/veillee")


def test_who_is_here_is_known_in_every_process(house, elsewhere, ada, bob, draft):
    twin, told = elsewhere.tables.find(draft.id), []
    elsewhere.presence.subscribe(twin.id, lambda: told.append(1))
    house.presence.page_opened(bob.id, draft.id)
    house.presence.poll()
    elsewhere.presence.poll()
    assert elsewhere.presence.is_here(bob.id, draft.id)
    assert not elsewhere.presence.is_here(ada.id, draft.id)
    assert told == [1]
