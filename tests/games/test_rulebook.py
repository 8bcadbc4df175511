"""What the rulebooks must not leave out: details that people asked for, each by the side of its rule, in both languages."""

from __future__ import annotations

import re

import pytest

from veillee.conformance.books import book
from veillee.games.catalogue import BOXES
from veillee.games.rulebook import rules
from veillee.words import LANGUAGES

SAID = [  # the rule, the mark of the sentence, and what it says
    ("ghost-knights", "GK-6.2", "", "on le termine d’abord", "the scoring is completed first"),
    ("ghost-knights", "GK-6.2", "ruling", "plus de 30 points d’écart", "more than 30"),
    ("ghost-knights", "GK-6.2", "ruling", "« a donc un tour d’avance »", "“a lap ahead”"),
    ("ghost-knights", "GK-2.4", "", "la sienne comprise", "your own included"),
    ("ghost-knights", "GK-4.1", "", "quelques-unes ou aucune", "some of them or none"),
    ("ghost-knights", "GK-5.1", "", "ses propres gardes", "their own guards"),
    ("paper-tales", "PT-1.3", "fact", "troisième place à l’avant", "third spot in front"),
    ("paper-tales", "PT-2.3.3", "ruling", "« 2 fois égale ».*plus du double", "“2 fois égale”.*more than twice"),
    ("takara-island", "TI-5.1", "ruling", "« on top of its pile and revealed »", "“on top of its pile and revealed”"),
    (
        "takara-island",
        "TI-5.1",
        "ruling",
        "« visible à ce moment de la partie »",
        "“visible at this moment of the game”",
    ),
    ("takara-island", "TI-11.2", "ruling", "« retourne dans la pile »", "“goes back into the pile”"),
    ("tales-of-glory", "TG-2.4", "", "au plus petit numéro", "with the lowest number"),
    ("tales-of-glory", "TG-6.2", "ruling", "« avant et / ou après »", "“avant et / ou après”"),
    (
        "tales-of-glory",
        "TG-6.2",
        "ruling",
        "before receiving any rewards this turn",
        "before receiving any rewards this turn",
    ),
    ("paper-tales", "PT-2.2.4", "ruling", "la question est alors posée tout de même", "asked anyway"),
    ("paper-tales", "PT-2.5.3", "fact", "C’est une coquille", "That is a slip"),
    ("takara-island", "TI-1.3", "fact", r"le Mimic \(2 XP", r"the Mimic \(2 XP"),
    (
        "takara-island",
        "TI-8.1",
        "ruling",
        "une tuile face cachée est à leur portée",
        "face-down tile is within their reach",
    ),
    ("tales-of-glory", "TG-3.1.4", "", "si l’on ne peut pas payer", "if you cannot pay"),
    ("tales-of-glory", "TG-6.2", "", "avant et/ou après", "before and/or after"),
    ("tales-of-glory", "TG-7.1", "", "les majorités partagées comptent", "shared majorities count"),
    ("tales-of-glory", "TG-8.1", "reconstruction", "moins de 10 tuiles d’Âge 1", "fewer than 10 Age 1 tiles"),
    ("sourire-du-dragon", "SD-3.5", "ruling", "ni les bottes ni Uni", "neither boots nor Uni"),
    ("sourire-du-dragon", "SD-4.1", "ruling", "pas de trèfle sur un 6", "no clover on a 6"),
    (
        "sourire-du-dragon",
        "SD-5.6",
        "",
        "doit lancer un dé de magie à chaque épreuve",
        "must roll a magic die at every",
    ),
    ("sourire-du-dragon", "SD-5.6", "departure", "« il devra tirer un dé", "“il devra tirer un dé"),
    ("sourire-du-dragon", "SD-4.4", "", "au joueur à qui il revient", "to the player to whom it belongs"),
    ("sourire-du-dragon", "SD-9.1", "fact", "une Grenouille", "one Frog"),
]
UNITS = [
    (
        "Changeforme|Shapeshifter",
        r"pas d’or dans un sens ni dans l’autre.*\{ruling\}",
        r"no gold either way.*\{ruling\}",
    ),
    ("Changeforme|Shapeshifter", "avec les jetons posés sur lui", "with any tokens on it"),
    ("Golem", "La cinquième place s’ouvre au tour suivant", "The fifth spot opens next turn"),
    ("Kraken", "qu’un Golem a améliorés ce tour-ci", "that a Golem upgraded this turn"),
    ("Ogre", "Les 2 or que chacun reçoit comptent", "The 2 gold that everyone gets count"),
]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("game", "rule", "mark", "french", "english"), SAID)
def test_a_rule_says_it_and_whose_words_they_are(game, rule, mark, french, english, lang):
    (found,) = (each for each in rules(book(BOXES[game], lang)) if each.id == rule)
    wanted = french if lang == "fr" else english
    assert mark in [part.mark for part in found.parts if re.search(wanted, part.text)]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", list(BOXES))
def test_a_rulebook_opens_with_a_summary_of_a_turn(game, lang):
    first, *_ = book(BOXES[game], lang).split("\n## ")[1:]
    assert ("en bref" if lang == "fr" else "in brief") in first.partition("\n")[0]
    assert rules(first) == []
    assert 3 <= len(re.findall(r"^\d\. ", first, re.MULTILINE)) <= 6


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("unit", "french", "english"), UNITS)
def test_a_unit_of_paper_tales_says_it(unit, french, english, lang):
    (line,) = (
        each for each in book(BOXES["paper-tales"], lang).splitlines() if re.match(rf"\| \*\*({unit})\*\*", each)
    )
    assert re.search(french if lang == "fr" else english, line)
