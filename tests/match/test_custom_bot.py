"""Custom bots: their input, and that their faults never break a game."""

from __future__ import annotations

import json
from pathlib import Path
from time import sleep

import pytest

import veillee
from match.custom_bots import Changes, Dice, First, Hangs, Leaves, Nonsense, Peeks, Raises
from veillee.match.autoplay import ProcessBot, play_out
from veillee.match.setup import new

GAME = "takara-island"


def test_a_class_an_object_and_a_level_play_a_match_to_its_end():
    match = veillee.play(GAME, bots=[First, First(), "random"], seed=7)
    assert match.over
    assert match.seats == 3
    again = veillee.play(GAME, bots=[First, First(), "random"], seed=7)
    assert again.answers == match.answers


def test_a_bot_is_handed_a_seed_and_told_what_its_seat_may_know():
    bots = [Dice(1), Dice(2)]
    match = veillee.play(GAME, bots=bots, seed=3)
    for seat, bot in enumerate(bots):
        known = [(event.kind.name, event.rule, event.seat) for event in match.events(seat)]
        assert [(event["kind"], event["rule"], event["seat"]) for event in bot.seen] == known
    assert (
        veillee.play(GAME, bots=[Dice, Dice], seed=3).answers == veillee.play(GAME, bots=[Dice, Dice], seed=3).answers
    )


def test_what_a_bot_is_handed_is_json_and_its_own():
    match = veillee.play(GAME, bots=[Changes, Changes], seed=3)
    assert match.answers == veillee.play(GAME, bots=[First, First], seed=3).answers


@pytest.mark.parametrize(
    ("bot", "said"),
    [
        (Raises, r"Raises raised ZeroDivisionError: .* \(custom_bots.py, line \d+\)\."),
        (Nonsense, "Nonsense answered 'the best one', which is none of its choices."),
        (Hangs, "Hangs has not answered within 0.05 s."),
        (Leaves, "Leaves raised SystemExit: 3"),
        (Peeks, "Peeks raised AttributeError: 'Offer' object has no attribute 'match'"),
        (object(), "is no bot: it has no method choose"),
        ("nowhere:Bot", "There is no bot 'nowhere:Bot' to play with. nowhere:Bot raised ModuleNotFoundError"),
        ("json:dumps.Bot", "has no 'dumps.Bot'"),
        ("json:JSONDecoder", "has no method choose"),
        ("wizard", "There is no level 'wizard'"),
    ],
)
def test_what_is_wrong_with_a_bot_is_a_sentence(bot, said, monkeypatch):
    if bot is Hangs:  # its thread is left behind: it is let go afterwards
        monkeypatch.setattr(Hangs, "choose", hang_a_while)
    with pytest.raises(veillee.VeilleeError, match=said):
        veillee.play(GAME, bots=[bot, "random"], seed=1, seconds=0.05 if bot is Hangs else 60)


def hang_a_while(self, view, choices, clock):
    while clock.left:
        pass
    sleep(0.5)
    return choices[0]


WRONG = {  # what each of them does, and whether it can be asked again
    "Raises": ("custom_bots:Raises raised ZeroDivisionError", True),
    "Nonsense": ("custom_bots:Nonsense answered 'the best one', which is none of its choices.", True),
    "Hangs": ("custom_bots:Hangs has not answered within 0.3 s.", False),
    "Leaves": ("custom_bots:Leaves raised SystemExit: 3", True),
    "Dies": ("custom_bots:Dies has ended its own process.", False),
}


def test_bots_of_other_processes_never_stop_the_game(monkeypatch, capfd):
    """Whatever they do, the match is played to its end; what they did wrong is counted, and said; what one prints is not
    heard."""
    monkeypatch.chdir(Path(__file__).parent)
    players = [ProcessBot(f"custom_bots:{bot}", 0.3 if bot == "Hangs" else 20.0) for bot in WRONG]
    match = new("ghost-knights", 5, 5)
    try:
        wrong = play_out(match, players, 1)
    finally:
        for player in players:
            player.close()
    assert match.over
    for (said, again), showing in zip(WRONG.values(), wrong, strict=True):
        assert showing.first.say("en").startswith(said)
        assert showing.first.say("fr") != showing.first.say("en")
        assert showing.faults >= showing.decisions > 1 if again else showing.faults == 1
    assert capfd.readouterr() == ("", "")


def test_a_choice_is_the_same_plain_data_everywhere():
    match = new(GAME, 2, 5)
    choice = match.choices(match.to_act[0])[0]
    assert json.loads(json.dumps(choice.plain("en"))) == {
        "id": choice.id,
        "verb": choice.verb,
        "args": choice.args,
        "label": choice.label("en"),
    }


def test_more_bots_than_seats():
    with pytest.raises(veillee.Unknown, match="5 bots cannot sit on 4 seats"):
        veillee.play(GAME, bots=["random"] * 5, seats=4)
