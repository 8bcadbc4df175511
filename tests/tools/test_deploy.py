"""Files for operators: the settings are valid, and the sources of the images exist."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from veillee.web.http.rate_limits import Limits
from veillee.web.settings import settings

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"


def test_the_settings_that_are_handed_out_are_understood():
    chosen = settings({}, DEPLOY / "veillee.toml", {})
    assert chosen.public_url == "https://games.example.org"
    assert chosen.limits == settings({}, None, {}).limits, "they are those that the page tells of"


@pytest.mark.parametrize("name", ["Dockerfile", "compose.yaml"])
def test_the_environment_of_the_containers_is_understood(name):
    text = (DEPLOY / name).read_text(encoding="utf-8")
    found = dict(re.findall(r"(VEILLEE_(?!COMPILE|ENGINES)[A-Z_]+)[=:] ?\"?([^\s\"]+)", text))
    assert len(found) >= 4
    found = {key: "https://games.example.org" if "URL" in key else value for key, value in found.items()}
    settings({}, None, found)


def test_what_the_image_is_made_of_is_there():
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    for line in re.findall(r"^COPY (?!--from)(.+)$", text, re.MULTILINE):
        for source in line.split()[:-1]:
            assert (ROOT / source).exists(), source
            sent = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
            assert f"!{source}" in sent, f"{source} is not sent to the builder"


def test_secrets_of_a_deployment_are_ignored_by_git_and_not_sent_to_the_builder():
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert {"/deploy/.env", "/deploy/password.txt"} <= set(ignored)
    sent = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert "*" in sent
    assert not any("deploy" in line for line in sent if line.startswith("!"))


def test_the_limits_that_the_page_tells_of_are_the_usual_ones():
    """docs/run-a-house.md, each line of its table."""
    text = (ROOT / "docs" / "run-a-house.md").read_text(encoding="utf-8")
    told = {}
    for names, values in re.findall(r"^\| (`[a-z_`, ]+`) \| ([^|]+) \|", text.split("### Limits")[1], re.MULTILINE):
        parts = [part.strip().strip("`") for part in values.split(";")]
        told |= dict(zip([name.strip(" `") for name in names.split(",")], parts, strict=True))
    environment = {f"VEILLEE_LIMITS_{name.upper()}": value for name, value in told.items()}
    assert len(environment) == len(fields(Limits))
    assert settings({}, None, environment).limits == settings({}, None, {}).limits


def test_what_the_page_on_security_names_is_there():
    """docs/security.md: every test by its name, every file by its path."""
    text = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    names = set(re.findall(r"`(test_[a-z_]+)`", text))
    folders = [ROOT / "tests", ROOT / "src" / "veillee" / "conformance"]
    tests = {
        name
        for folder in folders
        for file in folder.rglob("*.py")
        for name in re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert len(names) > 60
    assert names - tests == set()
    for path in re.findall(r"(?:tests|tools|deploy)/[\w/.]+\w", text):
        assert (ROOT / path).exists(), path
