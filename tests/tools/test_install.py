"""tools/setup/install.py and play.py: errors are one sentence; finished work is skipped; a lock allows one run at a time."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools/setup"))
import build_engine
import install
from install import ROOT, Impossible


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("VEILLEE_HOME", str(tmp_path / "où tout est"))
    return install.home()


@pytest.fixture
def commands(monkeypatch):
    """What would be run; all of it works, but for the words in `.fail`."""

    class Ran(list):
        fail: tuple[str, ...] = ()

    ran = Ran()

    def run(*command, quiet=False, **more):
        ran.append([str(word) for word in command])
        return not any(word in " ".join(ran[-1]) for word in ran.fail)

    monkeypatch.setattr(install, "run", run)
    monkeypatch.setattr(install.shutil, "which", lambda name, path=None: f"/uv/{name}" if name == "uv" else None)
    return ran


def test_an_old_python_is_named(monkeypatch, place):
    monkeypatch.setattr(install, "OLDEST", (99, 0))
    with pytest.raises(Impossible, match=r"Veillée needs Python 3\.11 or newer; this is Python 3\."):
        install.prepare("play")


def test_make_names_it_when_there_is_no_python_that_is_new_enough(tmp_path):
    for name in ("sh", "make"):
        (tmp_path / name).symlink_to(Path("/usr/bin") / name)
    (tmp_path / "python3").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "python3").chmod(0o755)
    env = {"PATH": str(tmp_path), "SHELL": "/bin/sh"}
    ran = subprocess.run(["/usr/bin/make", "play"], cwd=ROOT, env=env, check=False, capture_output=True, text=True)
    assert ran.returncode != 0
    assert "Veillée needs Python 3.11 or newer" in ran.stderr


def test_a_checkout_that_cannot_be_written(tmp_path, monkeypatch):
    monkeypatch.delenv("VEILLEE_HOME", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(install.os, "access", lambda *_: False)
    assert install.home().is_relative_to(tmp_path / "veillee")


def test_no_place_at_all(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("VEILLEE_HOME", str(tmp_path / "file" / "home"))
    with pytest.raises(Impossible, match="cannot be used"):
        install.prepare("play")


def test_nothing_is_installed_twice(place, commands, monkeypatch):
    install.prepare("play")
    (place / "bin").mkdir()
    (place / "bin" / "python").touch()
    assert [command for command in commands if "--require-hashes" in command]
    del commands[:]
    install.prepare("play")
    assert not [command for command in commands if "install" in command], "no network is needed the second time"


def fetched(commands):
    """`which` where uv is there once it was fetched."""

    def which(name, path=None):
        there = path is not None and Path(path).parts[-2:] == ("uv", "bin")
        worked = [" ".join(command) for command in commands if not any(w in " ".join(command) for w in commands.fail)]
        return "/ours/uv" if there and any("--target" in command for command in worked) else None

    return which


def test_uv_is_fetched_for_ourselves_alone_by_the_python_that_is_there(place, commands, monkeypatch):
    """An environment with a pip of its own takes seconds to make, and is not needed."""
    monkeypatch.setattr(install.shutil, "which", fetched(commands))
    install.prepare("play")
    fetch, make, *rest = commands
    assert fetch[0] == sys.executable
    assert fetch[-2:] == ["-r", str(ROOT / "requirements" / "uv.txt")]
    assert "--require-hashes" in fetch
    assert make[:2] == ["/ours/uv", "venv"]
    assert rest
    assert all(command[:3] == ["/ours/uv", "pip", "install"] for command in rest)


def test_a_python_without_pip_makes_an_environment_with_one(place, commands, monkeypatch):
    monkeypatch.setattr(install.shutil, "which", fetched(commands))
    commands.fail = (f"{sys.executable} -m pip",)
    install.prepare("play")
    assert [sys.executable, "-m", "venv", str(place)] in commands
    assert [command[0] for command in commands if "--target" in command][-1] == str(install.python(place))
    assert commands[-1][:3] == ["/ours/uv", "pip", "install"]


def test_an_environment_of_an_earlier_makefile_is_taken_over(tmp_path):
    (tmp_path / "installed").touch()
    assert not install.once(tmp_path, "runtime", "abc")
    install.done(tmp_path, "runtime", "abc")
    assert install.once(tmp_path, "runtime", "abc")


def test_an_environment_that_runs_no_longer_is_made_anew(place, commands):
    """Its Python was removed, say: what it had installed counts no more. A process that waits for the lock goes on waiting."""
    install.prepare("play")
    assert (place / "installed" / "runtime").exists()
    (place / "lib64").symlink_to("lib")
    del commands[:]
    install.prepare("play")
    assert [command for command in commands if "--require-hashes" in command]
    assert (place / "lock").exists()
    assert not (place / "lib64").is_symlink()


def test_without_a_network_a_sentence(place, commands, capsys):
    commands.fail = ("runtime.txt",)
    with pytest.raises(Impossible, match="is there a network"):
        install.prepare("play")
    assert "pip tries" in capsys.readouterr().out, "what uv cannot do, pip may"
    assert not install.once(place, "runtime", "")


def test_an_environment_that_python_cannot_make(place, commands):
    commands.fail = ("venv",)
    with pytest.raises(Impossible, match="python3-venv"):
        install.prepare("play")


def test_two_at_once_wait_for_each_other(tmp_path, capsys):
    order, inside = [], threading.Event()

    def second():
        inside.wait(10)
        with install.locked(tmp_path / "lock", "waiting"):
            order.append("second")

    thread = threading.Thread(target=second)
    thread.start()
    with install.locked(tmp_path / "lock", "waiting"):
        inside.set()
        time.sleep(0.3)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]
    assert "waiting" in capsys.readouterr().out


# -- the engine -------------------------------------------------------------------------------------------------------
@pytest.fixture
def shelf(tmp_path, monkeypatch):
    monkeypatch.setenv("VEILLEE_ENGINES", str(tmp_path / "engines"))
    monkeypatch.setenv("VEILLEE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(build_engine, "packages", lambda *_: None)
    monkeypatch.setattr(build_engine, "compiler", lambda: sys.executable)
    monkeypatch.setattr(build_engine.os, "nice", lambda _: None, raising=False)
    return tmp_path / "engines"


def build(monkeypatch, *options):
    monkeypatch.setattr(sys, "argv", ["build_engine.py", *options])
    return build_engine.main()


def test_without_a_compiler_a_sentence_and_a_game(shelf, monkeypatch, capsys):
    monkeypatch.setattr(build_engine, "compiler", lambda: None)
    assert build(monkeypatch) == 0
    assert "no C compiler" in capsys.readouterr().out


def fails(*_):
    raise Impossible("The compiler failed.")


def test_a_failed_build_is_told_and_not_tried_again_behind_the_back(shelf, monkeypatch, capsys):
    monkeypatch.setattr(build_engine, "build", fails)
    assert build(monkeypatch) == 1
    assert "The compiler failed." in capsys.readouterr().out
    monkeypatch.setattr(build_engine, "build", lambda *_: pytest.fail("it is not tried again"))
    assert build(monkeypatch, "--background") == 0
    assert not (shelf / "building").exists()
    built = []
    monkeypatch.setattr(build_engine, "build", lambda *_: built.append(1))
    assert build(monkeypatch) == 0, "`make install` tries again"
    assert built
    assert not list(shelf.glob("failed-*"))


def test_a_build_says_that_it_builds(shelf, monkeypatch):
    seen = []

    def look(*_):
        time.sleep(0.2)
        seen.append((shelf / "building").exists())

    monkeypatch.setattr(build_engine, "build", look)
    build(monkeypatch, "--background")
    assert seen == [True]
    assert not (shelf / "building").exists()


def compiles_to(text):
    """A compiler whose modules hold that text."""

    def compile_in(work, units, log):
        for module in build_engine.engine.modules(build_engine.SOURCE):
            file = (work / "src").joinpath(*module.split(".")).with_suffix(build_engine.engine.SUFFIX)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        (work / f"veillee__mypyc{build_engine.engine.SUFFIX}").write_text(text)
        return True

    return compile_in


def test_an_engine_that_plays_other_games_is_not_used(shelf, monkeypatch, capsys):
    monkeypatch.setattr(build_engine, "compile_in", compiles_to("x"))
    monkeypatch.setattr(build_engine, "games", lambda shelf: ["False", "a"] if shelf == "off" else ["True", "b"])
    assert build(monkeypatch) == 1
    assert "other games" in capsys.readouterr().out
    assert not (shelf / build_engine.engine.key(build_engine.SOURCE)).exists()


def test_half_a_build_is_cleared_away_and_the_whole_one_found(shelf, monkeypatch):
    (shelf / "new-1" / "half").mkdir(parents=True)
    (shelf / "work-whole-other").mkdir()
    monkeypatch.setattr(build_engine, "compile_in", compiles_to("x"))
    monkeypatch.setattr(build_engine, "games", lambda shelf: ["False", "a"] if shelf == "off" else ["True", "a"])
    assert build(monkeypatch, "--apart") == 0
    folder = shelf / build_engine.engine.key(build_engine.SOURCE)
    assert (folder / "veillee" / "kernel" / f"state{build_engine.engine.SUFFIX}").exists()
    assert not list(shelf.glob("new-*"))
    assert not (shelf / "work-whole-other").exists()
    monkeypatch.setattr(build_engine, "build", lambda *_: pytest.fail("it is there"))
    assert build(monkeypatch, "--apart") == 0
    built = []
    monkeypatch.setattr(build_engine, "build", lambda *_: built.append(1))
    build(monkeypatch)
    assert built, "a whole one is better"


def test_what_mypyc_remembers_of_an_earlier_build_is_not_in_its_way(tmp_path, monkeypatch):
    (tmp_path / ".mypy_cache").mkdir()
    seen = []

    def run(*_, cwd, **more):
        seen.append((cwd / ".mypy_cache").exists())
        return SimpleNamespace(returncode=0)

    monkeypatch.setattr(build_engine.subprocess, "run", run)
    assert build_engine.compile_in(tmp_path, "apart", tmp_path / "log")
    assert seen == [False]


def test_an_engine_made_by_another_compiler_is_made_again(shelf, monkeypatch):
    monkeypatch.setattr(build_engine, "compile_in", compiles_to("x"))
    monkeypatch.setattr(build_engine, "games", lambda shelf: ["False", "a"] if shelf == "off" else ["True", "a"])
    assert build(monkeypatch) == 0
    monkeypatch.setenv("CFLAGS", "-O1")
    built = []
    monkeypatch.setattr(build_engine, "build", lambda *_: built.append(1))
    build(monkeypatch)
    assert built


def test_what_has_not_changed_keeps_its_time(tmp_path):
    source, to = tmp_path / "a", tmp_path / "b"
    for name in ("x.py", "y.py", "z.py"):
        (source / name).parent.mkdir(exist_ok=True)
        (source / name).write_text(name)
    build_engine.copy_changed(source, to)
    os.utime(to / "x.py", (1, 1))
    os.utime(to / "y.py", (1, 1))
    (source / "y.py").write_text("new")
    (source / "z.py").unlink()
    build_engine.copy_changed(source, to)
    assert (to / "x.py").stat().st_mtime == 1
    assert (to / "y.py").stat().st_mtime > 1
    assert not (to / "z.py").exists()
