"""Advisories about pinned packages are found in a local copy, and what could not be checked is no success."""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools/check"))
import check_advisories
from check_advisories import Advisory, Unchecked, find_by_pip_audit, find_in, main, pinned

PINS = {"jinja2": "3.1.2", "ruamel-yaml": "0.18.0", "other": "1.0"}


def advisory(name, *events, versions=(), **more):
    affected = {"package": {"ecosystem": "PyPI", "name": name}, "versions": list(versions)}
    affected["ranges"] = [{"type": "ECOSYSTEM", "events": list(events)}] if events else []
    return {"id": more.pop("id", "GHSA-1"), "affected": [affected], **more}


def copy(folder, *found):
    for number, one in enumerate(found):
        (folder / f"{number}.json").write_text(json.dumps(one))
    return folder


@pytest.mark.parametrize(
    ("events", "versions", "is_affected"),
    [
        ([{"introduced": "0"}, {"fixed": "3.1.3"}], (), True),
        ([{"introduced": "0"}, {"fixed": "3.1.2"}], (), False),
        ([{"introduced": "0"}, {"last_affected": "3.1.2"}], (), True),
        ([{"introduced": "0"}, {"last_affected": "3.1.1"}], (), False),
        ([{"introduced": "3.1.3"}], (), False),
        ([{"introduced": "0"}, {"fixed": "2.0"}, {"introduced": "3.1"}, {"fixed": "3.10"}], (), True),
        ([], ("3.1.1", "3.1.2"), True),
        ([], ("3.1.1",), False),
        ([{"introduced": "0"}, {"fixed": "no version"}], (), True),
    ],
)
def test_a_version_is_affected_between_introduced_and_fixed(tmp_path, events, versions, is_affected):
    assert bool(find_in(copy(tmp_path, advisory("Jinja2", *events, versions=versions)), PINS)) == is_affected


def test_names_are_compared_as_pip_does_and_withdrawn_ones_left_out(tmp_path):
    always = {"introduced": "0"}
    told = [
        advisory("Ruamel_YAML", always, {"fixed": "0.19"}),
        advisory("jinja2", always, id="GHSA-2", withdrawn="2024"),
    ]
    told.append({"id": "GO-1", "affected": [{"package": {"ecosystem": "Go", "name": "other"}, "versions": ["1.0"]}]})
    assert find_in(copy(tmp_path, *told), PINS) == [Advisory("ruamel-yaml", "0.18.0", "GHSA-1", "0.19")]


def test_the_lists_that_are_pinned_are_read_whole():
    for file in check_advisories.REQUIREMENTS.glob("*.txt"):
        text = file.read_text()
        assert len(pinned(text)) == len({line.split("==")[0] for line in text.splitlines() if "==" in line[:60]}) > 0


def test_what_is_found_or_could_not_be_checked_is_the_exit_code(tmp_path, capsys):
    archive = tmp_path / "all.zip"
    with zipfile.ZipFile(archive, "w") as kept:
        kept.writestr("a.json", json.dumps(advisory("jinja2", {"introduced": "0"})))
    assert main(["--data", str(archive), "runtime"]) == 1
    assert "GHSA-1, no repaired version" in capsys.readouterr().out
    with zipfile.ZipFile(archive, "w") as kept:
        kept.writestr("a.json", json.dumps(advisory("nothing-of-ours", {"introduced": "0"})))
    assert main(["--data", str(archive), "house", "runtime"]) == 0
    (tmp_path / "empty").mkdir()
    for data in (tmp_path / "nowhere.zip", tmp_path / "empty"):
        assert main(["--data", str(data)]) == 2
        assert "NOT CHECKED" in capsys.readouterr().out


def test_what_pip_audit_skips_is_not_checked(monkeypatch):
    file, pins = check_advisories.REQUIREMENTS / "house.txt", {"jinja2": "3", "apprise": "1"}

    def told(*dependencies):
        run = type("Run", (), {"stdout": json.dumps({"dependencies": dependencies}), "stderr": ""})
        monkeypatch.setattr(check_advisories.subprocess, "run", lambda *_, **__: run)
        return find_by_pip_audit(file, pins)

    one = {"name": "jinja2", "version": "3", "vulns": []}
    other = {"name": "apprise", "version": "1", "vulns": [{"id": "PYSEC-1", "fix_versions": ["2"]}]}
    assert told(one, other) == [Advisory("apprise", "1", "PYSEC-1", "2")]
    with pytest.raises(Unchecked, match="1 of 2"):
        told(one, {"name": "apprise", "skip_reason": "Dependency not found on PyPI"})
