"""The check of the types finds public names whose type is unknown or ambiguous, and no others."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools/check"))
import check_types

PUBLIC = ("veillee", "veillee.match.match", "veillee.lab.zoo")
NO_ANNOTATION = "Type is missing type annotation and could be inferred differently by type checkers"


def symbol(name, *messages, is_known=True, is_ambiguous=False):
    found = [{"message": message} for message in messages]
    return {"name": name, "isTypeKnown": is_known, "isTypeAmbiguous": is_ambiguous, "diagnostics": found}


def report(*symbols):
    return {"typeCompleteness": {"symbols": list(symbols)}}


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (symbol("veillee.match.match.Match.luck", NO_ANNOTATION, is_ambiguous=True), NO_ANNOTATION),
        (
            symbol("veillee.match.match.new", 'Type of parameter "x"\n  is unknown', is_known=False),
            'Type of parameter "x" is unknown',
        ),
        (symbol("veillee.Box", "No docstring found", is_known=False), "one of its members has no clear type"),
        (symbol("veillee.lab.zoo.Table", "Type of base class unknown", is_known=False), "Type of base class unknown"),
    ],
)
def test_an_unclear_type_is_named(found, told):
    assert list(check_types.unclear_in(report(symbol("veillee.boxes"), found), PUBLIC)) == [f"{found['name']}: {told}"]


@pytest.mark.parametrize(
    "found",
    [
        symbol("veillee.match.match.Match", "No docstring found"),
        symbol("veillee.match.matching.Other", NO_ANNOTATION, is_ambiguous=True),  # of no public module
        symbol("veillee.house.house.House", NO_ANNOTATION, is_ambiguous=True),
    ],
)
def test_what_is_clear_or_not_public_is_passed_over(found):
    assert not list(check_types.unclear_in(report(found), PUBLIC))


def test_the_public_modules_are_those_of_the_page(tmp_path, monkeypatch, capsys):
    page = "| for | modules |\n|---|---|\n| all | `veillee`, `veillee.match.match`, every `veillee.__all__` |\n\n`veillee.house` is not.\n"
    assert check_types.public_modules(page) == {"veillee", "veillee.match.match"}
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "api.md").write_text(page)
    (tmp_path / "report.json").write_text(json.dumps(report(symbol("veillee.boxes"))))
    monkeypatch.setattr(check_types, "ROOT", tmp_path)
    monkeypatch.setattr(sys, "argv", ["check_types.py", str(tmp_path / "report.json")])
    assert check_types.main() == 1
    assert "veillee.match.match: no such module" in capsys.readouterr().out
