"""Which compiled engine fits, and where its modules are found."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from veillee import engine


@pytest.fixture
def package(tmp_path):
    """A copy of what is compiled."""
    for path in [*engine.sources(), *engine.PACKAGE.glob("kernel/*.h"), *engine.PACKAGE.glob("games/*/content.py")]:
        to = tmp_path / path.relative_to(engine.PACKAGE)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, to)
    return tmp_path


def test_the_key_is_that_of_the_sources(package):
    assert engine.key(package) == engine.key()


@pytest.mark.parametrize(
    "name", ["kernel/state.py", "games/takara_island/rules.py", "games/takara_island/content.py", "kernel/mypyc_fix.h"]
)
def test_every_byte_counts(package, name):
    with (package / name).open("a") as file:
        file.write("\n")
    assert engine.key(package) != engine.key()


def test_a_package_of_rules_is_compiled(package):
    (package / "games/ghost_knights/rules").mkdir()
    (package / "games/ghost_knights/rules/dig.py").touch()
    (package / "games/ghost_knights/rules/__init__.py").touch()
    assert "veillee.games.ghost_knights.rules.dig" in engine.modules(package)
    assert "veillee.games.ghost_knights.rules.__init__" not in engine.modules(package)
    assert "veillee.kernel.plain" not in engine.modules(package)
    assert engine.key(package) != engine.key()


def test_modules_are_found_in_the_folder_of_the_engine(tmp_path):
    state, library = tmp_path / "veillee" / "kernel" / f"state{engine.SUFFIX}", tmp_path / f"lib{engine.SUFFIX}"
    state.parent.mkdir(parents=True)
    state.touch()
    library.touch()
    finder = engine.Compiled(tmp_path)
    found = finder.find_spec("veillee.kernel.state")
    assert found is not None
    assert found.origin == str(state)
    assert finder.find_spec("lib") is not None
    assert finder.find_spec("veillee.kernel.log") is None


def test_no_engine_is_used_when_none_is_wanted_or_fits(tmp_path):
    code = "import sys; from veillee import engine; print(any(isinstance(f, engine.Compiled) for f in sys.meta_path))"
    (tmp_path / "fits" / engine.key()).mkdir(parents=True)
    (tmp_path / "other" / "cpython-0-x").mkdir(parents=True)
    env = {**os.environ, "PYTHONPATH": str(engine.PACKAGE.parent)}
    used = {
        name: subprocess.check_output(
            [sys.executable, "-c", code], env=env | {"VEILLEE_ENGINES": name}, text=True
        ).strip()
        for name in ("off", str(tmp_path / "none"), str(tmp_path / "other"), str(tmp_path / "fits"))
    }
    assert list(used.values()) == ["False", "False", "False", str(not engine.beside())]


def test_where_engines_are_looked_for(monkeypatch, tmp_path):
    monkeypatch.setenv("VEILLEE_ENGINES", "off")
    assert engine.shelf() is None
    monkeypatch.setenv("VEILLEE_ENGINES", str(tmp_path))
    assert engine.shelf() == tmp_path
    monkeypatch.delenv("VEILLEE_ENGINES")
    assert engine.shelf() == Path(sys.prefix) / "veillee-engines"


def test_a_fresh_process_can_be_asked_whether_it_is_compiled():
    """As tools/dev/test_compiled.py and the wheels' own test do, before anything else of the package is loaded."""
    asked = "import veillee; print(veillee.engine.is_compiled())"
    env = {**os.environ, "VEILLEE_ENGINES": "off", "PYTHONPATH": str(engine.PACKAGE.parent)}
    told = subprocess.run([sys.executable, "-c", asked], env=env, check=True, capture_output=True, text=True).stdout
    assert told.strip() in ("True", "False")
