"""A former name of the public API works, warns, and says how long."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

import veillee
from veillee.deprecation import MINOR_RELEASES_KEPT, Former, former_names
from veillee.match.match import Match

POLICY = Path(__file__).parents[1] / "docs" / "api.md"


@pytest.fixture
def shelf(monkeypatch):
    """A module as the page describes it, whose Table is called Match now."""
    (program,) = re.findall(r'```python title="shelf.py"\n(.*?)```', POLICY.read_text(encoding="utf-8"), re.DOTALL)
    module = ModuleType("shelf")
    exec(program, vars(module))
    monkeypatch.setitem(sys.modules, "shelf", module)
    return module


def test_a_former_name_of_a_module_works_and_warns_its_user(shelf):
    told = "shelf.Table is called veillee.match.match.Match since 0.2; it may be gone in 0.4."
    with pytest.warns(DeprecationWarning, match=re.escape(told)) as warned:
        assert shelf.Table is Match
    assert warned[0].filename == __file__
    with pytest.raises(AttributeError, match="no attribute 'Chair'"):
        shelf.Chair  # noqa: B018


def test_a_former_name_of_the_package_works_and_warns_its_user(monkeypatch):
    monkeypatch.setitem(veillee._FORMER, "Game", Former("veillee:Match", since="1.2"))
    with pytest.warns(
        DeprecationWarning, match=r"veillee\.Game is called veillee\.Match since 1\.2.* gone in 2\.0"
    ) as warned:
        assert veillee.Game is Match
    assert warned[0].filename == __file__


def test_each_former_name_of_the_package_leads_to_a_present_one():
    find = former_names("veillee", veillee._FORMER)
    for name in veillee._FORMER:
        assert name not in veillee.__all__
        with pytest.warns(DeprecationWarning, match=name):
            assert find(name) is not None


def test_the_page_promises_what_is_kept():
    assert MINOR_RELEASES_KEPT == 2
    assert "kept for **two minor releases**" in POLICY.read_text(encoding="utf-8")
