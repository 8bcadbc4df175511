"""The pure Python wheel contains all sources, and runs without a checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools/setup"))
from dist import built
from install import ROOT, sources


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return built("wheel", tmp_path_factory.mktemp("dist"))


def test_a_wheel_has_every_file_of_the_package(wheel):
    assert wheel.name.endswith("-py3-none-any.whl")
    inside = set(zipfile.ZipFile(wheel).namelist())
    wanted = {p.relative_to(ROOT / "src").as_posix() for p in sources() if p.is_relative_to(ROOT / "src")}
    assert not {name for name in wanted - inside if not name.endswith(".h")}
    licences = [name for name in inside if ".dist-info/licenses/" in name]
    assert {Path(name).name for name in licences} == {"LICENSE", "OFL.txt"}


def test_a_wheel_runs_where_no_sources_are(wheel, tmp_path):
    """Unpacked beside the packages of this environment, which is all that installing it does more."""
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    env = {**os.environ, "PYTHONPATH": str(tmp_path / "site"), "VEILLEE_ENGINES": "off"}
    command = [sys.executable, "-m", "veillee", "bench", "takara-island", "--seconds", "0", "--json"]
    told = subprocess.run(command, cwd=tmp_path, env=env, check=True, capture_output=True, text=True).stdout
    assert json.loads(told)["compiled"] is False
    subprocess.run([*command[:3], "new-game", "nova"], cwd=tmp_path, env=env, check=True, capture_output=True)
    assert len(list((tmp_path / "nova" / "nova" / "conformance" / "golden").glob("*.json"))) == 6
    code = "from veillee.web.rendering.templates import render; from veillee import __file__ as f; print(f)"
    place = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=env, check=True, capture_output=True, text=True
    )
    assert place.stdout.startswith(str(tmp_path))
