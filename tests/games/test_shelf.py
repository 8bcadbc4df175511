"""The shelf takes boxes of other packages, and leaves off those that cannot be played: with a sentence, in both languages."""

from __future__ import annotations

import logging
import sys
from functools import partial
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest
from typer.testing import CliRunner

from veillee.cli import app, doctor
from veillee.games import catalogue
from veillee.games.apart import built_apart
from veillee.games.catalogue import BOXES, fill

HEAD = """
from dataclasses import replace
from types import SimpleNamespace

from veillee.games.ghost_knights import BOX as GK
from veillee.games.tales_of_glory.content import KIND as TALES
from veillee.kernel.state import State


class Forgetful(State):
    def seats(self):
        return 4

    def clone(self):
        return self

"""
GOOD = HEAD + 'BOX = replace(GK, id="a-sixth-box", code="sb")\n'


@pytest.fixture
def brings(tmp_path, monkeypatch):
    """A package with an entry point, as an installer would leave it."""

    def bring(name: str, source: str) -> Path:
        package, info = tmp_path / name, tmp_path / f"{name}-1.0.dist-info"
        for folder in (package, info):
            folder.mkdir()
        (package / "__init__.py").write_text(source)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[veillee.games]\n{name} = {name}:BOX\n")
        monkeypatch.syspath_prepend(tmp_path)
        return package

    yield bring
    for name in [
        name for name in sys.modules if str(getattr(sys.modules[name], "__file__", "")).startswith(str(tmp_path))
    ]:
        del sys.modules[name]


def test_a_box_of_another_package_comes_last(brings):
    brings("sixth_box", GOOD)
    left_off = {}
    shelf = fill(left_off)
    assert list(shelf) == [*BOXES, "a-sixth-box"]
    assert "sixth_box:BOX" not in left_off


@pytest.mark.parametrize(
    ("source", "english", "french"),
    [
        ('raise RuntimeError("no\\nway")', "RuntimeError: no way", "RuntimeError : no way"),
        ("import sys; sys.exit(3)", "SystemExit: 3", "SystemExit : 3"),
        ("BOXES = []", "AttributeError: ", "AttributeError : "),
        ("BOX = 7", "it is a int and no Box", "c’est un objet int et non une Box"),
        (
            HEAD + 'BOX = replace(GK, id="sixth", code="sb", kernel=1)',
            "it was made for version 1 of the kernel, and this is 2",
            "il est fait pour la version 1 du noyau, et c’est ici la version 2",
        ),
        (
            HEAD + 'BOX = replace(GK, code="sb")',
            "its id ghost-knights or its code sb is taken by Ghost Knights",
            "son identifiant ghost-knights ou son code sb est déjà pris par Les Chevaliers fantômes",
        ),
        (
            HEAD + 'BOX = replace(GK, id="sixth")',
            "its id sixth or its code gk is taken by Ghost Knights",
            "son identifiant sixth ou son code gk est déjà pris par Les Chevaliers fantômes",
        ),
        (HEAD + 'BOX = replace(GK, id="gk", code="sb")', "its id gk or its code sb is taken", "son identifiant gk"),
        (
            HEAD + 'BOX = replace(GK, id="../sixth", code="sb")',
            "'../sixth' cannot be an id, or 'sb' a code",
            "'../sixth' ne peut pas être un identifiant, ou 'sb' un code",
        ),
        (
            HEAD + 'BOX = replace(GK, id="sixth", code="sb", state=Forgetful)',
            "it has no determinize, score, standing, choice, answers, misplaced",
            "il lui manque determinize, score, standing, choice, answers, misplaced",
        ),
        (
            HEAD + 'BOX = replace(GK, id="sixth", code="sb", state=dict, advisor=None, view=None)',
            "it has no view, State, Advisor",
            "il lui manque view, State, Advisor",
        ),
        (
            HEAD + 'BOX = replace(GK, id="sixth", code="sb", speech=SimpleNamespace(label=print, event=print))',
            "it has no question, why, account",
            "il lui manque question, why, account",
        ),
        (
            HEAD + 'BOX = replace(GK, id="sixth", code="sb", title={"en": "Sixth"})',
            "it has no title (fr)",
            "il lui manque title (fr)",
        ),
        (
            HEAD + 'BOX = replace(GK, id="sixth", code="sb", contents=TALES)',
            "it has no ContentKind (sixth)",
            "il lui manque ContentKind (sixth)",
        ),
        (
            HEAD + 'BOX = replace(GK, id="sixth", code="sb", players=range(5, 7))',
            "it is for 5, 6 players, and has 5 colours",
            "il est pour 5, 6 joueurs, et a 5 couleurs",
        ),
    ],
)
def test_a_box_that_cannot_be_played_is_left_off_with_a_sentence(brings, caplog, monkeypatch, source, english, french):
    brings("unfit_box", source)
    left_off = {}
    with caplog.at_level(logging.WARNING):
        shelf = fill(left_off)
    assert list(shelf) == list(BOXES)
    told = left_off["unfit_box:BOX"]
    assert told.say("en").startswith(f"unfit_box:BOX is left off the shelf: {english}")
    assert told.say("fr").startswith(f"unfit_box:BOX n’est pas mis sur l’étagère : {french}")
    assert [record.message for record in caplog.records if "unfit_box" in record.message] == [told.say("en")]
    monkeypatch.setattr(doctor, "LEFT_OFF", left_off)
    for lang in ("en", "fr"):
        assert told.say(lang) in CliRunner().invoke(app, ["doctor", "--lang", lang]).output


def test_a_game_that_was_compiled_apart_is_not_even_imported(brings, monkeypatch):
    package = brings("apart_box", 'raise AssertionError("it was imported")')
    module = package / f"rules{EXTENSION_SUFFIXES[0]}"
    module.write_bytes(b"\x7fELF not by mypyc")
    assert built_apart("apart_box", compiled=True) is None, "C of its own making is welcome"
    module.write_bytes(b"\x7fELF apart_box__mypyc.init_rules")
    assert built_apart("apart_box", compiled=False) is None, "it is as good as any other for an interpreted house"
    monkeypatch.setattr(catalogue, "built_apart", partial(built_apart, compiled=True))
    left_off = {}
    fill(left_off)
    sentence = f"{module.name} was compiled apart from this house, with which it cannot be mixed"
    assert left_off["apart_box:BOX"].say("en") == f"apart_box:BOX is left off the shelf: {sentence}."
