"""Errors are data until they are read: then a sentence in the reader's language."""

from __future__ import annotations

import inspect
import pickle

import pytest

import veillee
from match.ghosts import holding, new_match
from veillee.games.catalogue import BOXES
from veillee.games.ghost_knights.rules import BLACK, BLUE, DRAW, PLAY, PUT
from veillee.games.rulebook import book, rules
from veillee.games.takara_island.rules import BUY, Takara
from veillee.kernel.state import NOT_ASKED, NOT_YOU
from veillee.match.errors import HOUSE_RULES, NO_ANSWER, NOT_KNOWN, Forbidden, VeilleeError, t
from veillee.match.match import Match
from veillee.words import LANGUAGES


def refused(match: Match, seat: int, *row: int) -> Forbidden:
    with pytest.raises(Forbidden) as caught:
        match.play(seat, *row)
    return caught.value


def test_the_same_refusal_is_read_in_french_and_in_english():
    match, seat = holding(BLACK)
    error = refused(match, seat, PLAY + BLUE)
    assert error.say("fr") == "Vous n’avez aucune carte bleue en main."
    assert error.say("en") == "You hold no blue card."
    assert error.cite("fr") == "Vous n’avez aucune carte bleue en main. (GK-2.1)"
    assert str(error) == "You hold no blue card. (GK-2.1)"


def test_it_knows_what_was_tried_where_and_which_rule_forbids_it():
    match, seat = holding(BLACK)
    error = refused(match, seat, PLAY + BLUE)
    assert (error.box.id, error.seat, error.answer) == ("ghost-knights", seat, PLAY + BLUE)
    assert error.rule == "GK-2.1"
    assert error.state.dump() == match.state.dump()


@pytest.mark.parametrize(
    ("row", "rule", "english", "french"),
    [
        ((), NO_ANSWER, "There is no choice to play.", "Il n’y a aucun choix à jouer."),
        (
            (99,),
            NOT_ASKED,
            "That is no answer to the question asked.",
            "Ce n’est pas une réponse à la question posée.",
        ),
        (
            (DRAW, DRAW),
            NOT_KNOWN,
            "What comes after this answer is not known yet: answer one question at a time.",
            "On ne sait pas encore ce qui suivra cette réponse\u00a0: répondez à une question à la fois.",
        ),
    ],
)
def test_a_refusal_by_a_rule_of_the_house(row, rule, english, french):
    match, seat = holding(BLACK)
    error = refused(match, seat, *row)
    assert error.rule == rule
    assert (str(error), error.say("fr")) == (f"{english} ({rule})", french)
    assert error.state.dump() == match.state.dump()  # nothing that was drawn blindly is told


def test_out_of_turn():
    match, seat = holding(BLACK)
    error = refused(match, (seat + 1) % match.seats, DRAW)
    assert error.rule == NOT_YOU
    assert (error.say("en"), error.say("fr")) == ("It is not your turn.", "Ce n’est pas à vous de jouer.")


def at_the_counter() -> tuple[Match, int, Takara]:
    """A player in Takara Island with money for two XP tokens. The Counter may be visited once a turn."""
    match = veillee.new("takara-island", seats=2, seed=1)
    (seat,) = match.to_act
    assert isinstance(match.state, Takara)
    match.state.teams[seat].karas = 12
    match.anchor = match.state.clone()
    return match, seat, match.state


def test_a_refusal_in_the_middle_of_a_row_explains_the_position_it_was_refused_in():
    match, seat, state = at_the_counter()
    error = refused(match, seat, BUY, BUY)
    assert (error.answer, error.rule) == (BUY, "TI-7.1")
    assert error.say("en") == "You have already been at the Counter in this turn."
    assert isinstance(error.state, Takara)
    assert (error.state.teams[seat].karas, error.state.traded) == (7, True)
    assert match.state is state
    assert (state.teams[seat].karas, state.traded) == (12, False)


def test_a_refusal_stays_what_it_was_when_the_match_goes_on():
    match, seat, state = at_the_counter()
    state.teams[seat].karas = 4
    error = refused(match, seat, BUY)
    match.play(seat, 0)
    assert isinstance(match.state, Takara)
    match.state.traded = True
    assert error.say("en") == "An XP token costs 5 Karas, you have 4."


def test_an_error_within_an_error_is_in_the_same_language():
    match = new_match()
    forbidden = next(choice for choice in match.all_choices(match.to_act[0]) if not choice.allowed)
    with pytest.raises(veillee.BadSave) as caught:
        veillee.load(match.save() | {"answers": [[forbidden.seat, forbidden.id]]})
    error = caught.value
    assert error.rule == "GK-2.1"
    assert str(error) == f"Answer 1 cannot be given: {forbidden.why('en')} (GK-2.1)"
    assert error.say("fr") == f"La réponse 1 ne peut pas être donnée\u00a0: {forbidden.why('fr')}"
    assert forbidden.why("fr") != forbidden.why("en")


def test_names_are_in_the_language_of_the_sentence():
    with pytest.raises(veillee.Unknown) as caught:
        veillee.new("ghost-knights", seats=3)
    assert caught.value.say("en") == "Ghost Knights is for 4 to 5 players, not 3."
    assert caught.value.say("fr") == "Les Chevaliers fantômes se joue de 4 à 5, pas à 3."


@pytest.mark.parametrize("error", [VeilleeError(HOUSE_RULES[NOT_YOU]), None])
def test_a_language_that_is_not_ours(error):
    match, seat = holding(BLACK)
    with pytest.raises(veillee.Unknown, match=r"No words in 'de': the languages are fr, en\."):
        (error or refused(match, seat, PLAY + BLUE)).say("de")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_rules_of_the_house_are_told_in_every_rulebook(lang):
    told = {rule.id for rule in rules(book(BOXES["ghost-knights"].folder, lang) or "")}
    assert {rule for rule in told if rule.startswith("K-")} == set(HOUSE_RULES)
    assert len({HOUSE_RULES[rule].say(lang) for rule in HOUSE_RULES}) == len(HOUSE_RULES)


def test_an_answer_to_another_question_is_refused_by_the_rule_that_says_when_it_is_given():
    match, seat = holding(BLACK)
    error = refused(match, seat, PUT)
    assert error.cite("en") == "A guard is posted once the card played says whose. (GK-2.2)"
    assert error.say("fr") == "Un garde se poste quand la carte jouée dit à qui il est."


@pytest.mark.parametrize("method", [Match.play, Match.hint, Match.why_not, Match.undo])
def test_nobody_says_beforehand_who_will_read_the_refusal(method):
    assert "lang" not in inspect.signature(method).parameters


def test_an_error_comes_whole_out_of_another_process():
    error = veillee.Unknown(t("There is no seat {seat}: the seats are 0 to {last}.", seat=9, last=3), "GK-1.1")
    twin = pickle.loads(pickle.dumps(error))
    assert (type(twin), twin.cite("fr"), str(twin)) == (veillee.Unknown, error.cite("fr"), str(error))
