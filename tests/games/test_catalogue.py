"""The catalogue accepts boxes of other packages, and leaves out those that cannot be played, with a sentence in both languages."""

from __future__ import annotations

import logging
import os
import re
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
from veillee.web.rendering import templates
from veillee.words import tied

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
        ('raise RuntimeError("no\\nway")', "RuntimeError: no way (", "RuntimeError : no way ("),
        (
            "from veillee.kernel.log import kind\nkind('got', 'seat')",
            "ValueError: 'got': 'seat' cannot name a figure of an event. (…/unfit_box/__init__.py:2)",
            "ValueError : 'got': 'seat' cannot name a figure",
        ),
        (
            HEAD + 'BOX = replace(GK, id="sixth", code="sr")',
            "'sixth' cannot be an id, or 'sr' a code",
            "'sixth' ne peut pas être un identifiant, ou 'sr' un code",
        ),
        (
            HEAD + 'BOX = replace(GK, id="sixth", code="sb", colours=("bleu", *GK.colours))',
            "no seat is 'bleu': the colours are white, blue,",
            "aucune place n’est de couleur 'bleu' : les couleurs sont white, blue,",
        ),
        (
            HEAD + "Forgetful.shape = {'hnad': 1}\nfrom veillee.kernel.plain import fields\nfields(Forgetful)",
            "TypeError: Forgetful has a shape for 'hnad', which its constructor does not take. (",
            "TypeError : Forgetful has a shape for 'hnad'",
        ),
        ("x = 1\nx = )(", "SyntaxError: unmatched ')' (…/unfit_box/__init__.py:2)", "SyntaxError : unmatched ')' ("),
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
def test_a_box_that_cannot_be_played_is_left_off_with_a_sentence(
    brings, caplog, monkeypatch, tmp_path, source, english, french
):
    brings("unfit_box", source)
    left_off = {}
    with caplog.at_level(logging.WARNING):
        shelf = fill(left_off)
    assert list(shelf) == list(BOXES)
    told = left_off["unfit_box:BOX"]
    assert told.say("en").replace(str(tmp_path), "…").startswith(f"unfit_box:BOX is left off the shelf: {english}")
    assert told.say("fr").startswith(f"unfit_box:BOX n’est pas mis sur l’étagère\u00a0: {tied(french)}")
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


PROJECT = """
[project.entry-points."veillee.games"]
near = "near_box:BOX"
"""


@pytest.fixture
def near(tmp_path, monkeypatch):
    """A package that is not installed."""
    folder = tmp_path / "à côté"
    (folder / "near_box").mkdir(parents=True)
    (folder / "near_box" / "__init__.py").write_text(GOOD.replace("a-sixth-box", "near"))
    (folder / "pyproject.toml").write_text(PROJECT)
    monkeypatch.setattr(catalogue, "BOXES", dict(BOXES))
    monkeypatch.setattr(catalogue, "LEFT_OFF", {})
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delenv(catalogue.BOX_PATH_VARIABLE, raising=False)
    yield folder
    sys.modules.pop("near_box", None)


def test_a_game_is_played_from_its_folder_here_and_in_the_processes_that_are_started_here(near):
    assert catalogue.bring(near) == []
    assert list(catalogue.BOXES) == [*BOXES, "near"]
    assert os.environ[catalogue.BOX_PATH_VARIABLE] == str(near)
    assert list(fill({})) == [*BOXES, "near"], "as another process does"
    assert catalogue.bring(near) == [], "once is enough"


def test_what_stands_in_a_folder_goes_before_what_was_installed_of_it(near, brings, monkeypatch):
    brings("near_box", GOOD)
    monkeypatch.setenv(catalogue.BOX_PATH_VARIABLE, str(near))
    left_off = {}
    assert list(fill(left_off)) == [*BOXES, "near"]
    assert not left_off


def test_what_was_imported_from_elsewhere_cannot_be_brought_any_more(near, brings):
    brings("near_box", GOOD)
    fill({})
    (sentence,) = catalogue.bring(near)
    assert "near_box:BOX is installed here too: uninstall it, or set VEILLEE_WITH first" in str(sentence)


@pytest.mark.parametrize(
    ("project", "sentence"),
    [
        ("[project", "pyproject.toml: Expected ']'"),
        ("[project]", "pyproject.toml has no entry points of the group veillee.games."),
        ("project = 7", "pyproject.toml has no entry points of the group veillee.games."),
        (PROJECT.replace("near_box:", "near box:"), "pyproject.toml has no entry points of the group veillee.games."),
        (PROJECT.replace("near_box", "far_box"), "ModuleNotFoundError: No module named 'far_box'"),
        (PROJECT.replace(":BOX", ":BOOX"), "AttributeError: "),
    ],
)
def test_a_folder_that_brings_nothing_says_why(near, project, sentence):
    (near / "pyproject.toml").write_text(project)
    (told,) = catalogue.bring(near)
    assert "is left off the shelf: " in str(told)
    assert sentence in str(told)


def test_a_folder_without_a_project_ends_the_command(near, monkeypatch):
    monkeypatch.setenv("VEILLEE_LANG", "en")
    result = CliRunner().invoke(app, ["--with", str(near.parent), "games"])
    assert result.exit_code == 2
    assert "pyproject.toml: No such file or directory." in result.output


def test_no_code_is_a_class_of_every_page():
    """The body of a table's page has the code of its box as a class."""
    sheets = [sheet.read_text("utf-8") for sheet in templates.STATIC.glob("*.css")]
    classes = {name for sheet in sheets for name in re.findall(r"\.([a-z]{2})(?![\w-])", sheet)}
    assert classes
    assert not [name for name in classes if catalogue.CODE.fullmatch(name)]
