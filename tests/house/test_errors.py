"""One table maps every error to an HTTP status and an exit code."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

import pytest

import veillee
from house.playing import ME, OPEN
from veillee.house.errors import OUR_MISTAKE, OUTCOMES, NotNow, StoreError, outcome, t
from veillee.house.tables.repository import AnswerRequest
from veillee.match.errors import Forbidden, VeilleeError


def kinds(kind: type[VeilleeError] = VeilleeError) -> Iterator[type[VeilleeError]]:
    for child in kind.__subclasses__():
        yield child
        yield from kinds(child)


def test_every_kind_of_error_is_in_the_table():
    """Of every room: all of them are opened. Itself, or as what it is a kind of."""
    for module in pkgutil.walk_packages(veillee.__path__, "veillee."):
        if "migrations" not in module.name and not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    ours = {kind for kind in kinds() if kind.__module__.startswith("veillee.")}
    assert len(ours) > 10
    assert {kind.__name__ for kind in ours if not OUTCOMES.keys() & set(kind.__mro__)} == set()
    assert {kind.__name__ for kind in OUTCOMES.keys() - ours} == set()


@pytest.mark.parametrize("kind", OUTCOMES, ids=lambda kind: kind.__name__)
def test_an_outcome_is_a_failure_to_browsers_and_shells(kind):
    status, exit_code = OUTCOMES[kind]
    assert 400 <= status < 600
    assert status != OUR_MISTAKE.status
    assert (
        1 < exit_code < 126
    )  # 0 is success, 1 a mistake of ours or a record that is not true, 126 and more the shell's


def test_a_finer_kind_has_the_outcome_of_what_it_refines():
    class FullDisk(StoreError):
        pass

    assert outcome(FullDisk(t("The house is closed."))) == OUTCOMES[StoreError]


@pytest.mark.parametrize("error", [ValueError("a slip"), VeilleeError(t("The house is closed."))])
def test_what_is_not_in_the_table_is_a_mistake_of_ours(error):
    assert outcome(error) == OUR_MISTAKE == (500, 1)


def test_a_table_that_cannot_be_read_says_why_in_the_readers_language(house, ada, around):
    (seat,) = around.match.to_act
    forbidden = next(choice for choice in around.match.all_choices(seat) if not choice.allowed)
    house.tables.repository.append(around.moment.row, 1, AnswerRequest(seat, (forbidden.id,)))
    with pytest.raises(StoreError) as caught:
        house.tables.replay(around.id)
    assert caught.value.say("fr") == f"La table {around.id} est illisible\u00a0: {forbidden.why('fr')}"
    assert str(caught.value) == f"Table {around.id} cannot be read: {forbidden.why('en')} ({forbidden.rule})"


def test_out_of_turn_is_one_sentence_whoever_says_it(ada, around):
    (seat,) = around.match.to_act
    other = (seat + 1) % 4
    with pytest.raises(Forbidden) as to_a_player:
        around.answer(ada, other, around.stamp(other), [0])
    with pytest.raises(NotNow) as to_who_asks_for_advice:
        around.hint(ada, other, around.stamp(other))
    assert to_a_player.value.say("fr") == to_who_asks_for_advice.value.say("fr") == "Ce n’est pas à vous de jouer."


def test_an_error_of_the_tables_is_read_in_both_languages(house, ada):
    waiting = house.tables.create(ada, "takara-island", [ME, OPEN])
    with pytest.raises(NotNow) as caught:
        _ = waiting.match
    assert str(caught.value) == "The table is still waiting for somebody to sit down."
    assert caught.value.say("fr") == "La table attend encore du monde."
