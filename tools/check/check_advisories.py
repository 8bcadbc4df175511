"""Compares the pinned packages of requirements/*.txt with published security advisories.

usage: python tools/check/check_advisories.py [--data FILE|FOLDER] [LIST …]     LIST: house, runtime, … (default: house)

--data: a copy of the advisories in the OSV format, as a folder of JSON files or as all.zip
(https://osv-vulnerabilities.storage.googleapis.com/PyPI/all.zip), for machines without internet. Without it pip-audit
asks PyPI. Prints each advisory with the package and the version that repairs it. The exit code is 0 if there is none, 1
if there is one, and 2 if it could not be checked: pip-audit alone calls that a success.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

REQUIREMENTS = Path(__file__).resolve().parents[2] / "requirements"
PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^ ;\\]+)", re.MULTILINE)
FOUND, UNCHECKED = 1, 2


class Advisory(NamedTuple):
    package: str
    version: str
    id: str
    repaired: str  # versions, or empty

    def __str__(self) -> str:
        told = f"repaired in {self.repaired}" if self.repaired else "no repaired version"
        return f"{self.package} {self.version}: {self.id}, {told}"


class Unchecked(Exception):
    """The advisories could not be had."""


def pinned(text: str) -> dict[str, str]:
    """Returns the versions of a list, by package."""
    return {canonicalize_name(name): version for name, version in PIN.findall(text)}


# -- a local copy ------------------------------------------------------------------------------------------------------
def advisories(data: Path) -> Iterator[Mapping[str, Any]]:
    """Yields the advisories of a copy. Raises Unchecked."""
    number = 0
    try:
        if data.is_dir():
            for file in sorted(data.rglob("*.json")):
                number += 1
                yield json.loads(file.read_text(encoding="utf-8"))
        else:
            with zipfile.ZipFile(data) as archive:
                for name in archive.namelist():
                    number += 1
                    yield json.loads(archive.read(name))
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        raise Unchecked(f"{data} cannot be read: {error}") from None
    if not number:
        raise Unchecked(f"{data} has no advisories.")


def find_in(data: Path, pins: Mapping[str, str]) -> list[Advisory]:
    """Returns the advisories of a copy that affect these versions."""
    found = []
    for advisory in advisories(data):
        if advisory.get("withdrawn"):
            continue
        for affected in advisory.get("affected", ()):
            package = affected.get("package", {})
            name = canonicalize_name(package.get("name", ""))
            if package.get("ecosystem") == "PyPI" and name in pins and affects(affected, pins[name]):
                events = [event for range_ in affected.get("ranges", ()) for event in range_.get("events", ())]
                repaired = ", ".join(event["fixed"] for event in events if "fixed" in event)
                found.append(Advisory(name, pins[name], advisory["id"], repaired))
    return sorted(set(found))


def affects(affected: Mapping[str, Any], version: str) -> bool:
    """Returns whether this version is named, or lies in one of the ranges."""
    if version in affected.get("versions", ()):
        return True
    ranges = [range_ for range_ in affected.get("ranges", ()) if range_.get("type") == "ECOSYSTEM"]
    return any(lies_in(range_.get("events", ()), Version(version)) for range_ in ranges)


def lies_in(events: Any, version: Version) -> bool:
    """Returns whether the version lies between an "introduced" and the next "fixed" or "last_affected"."""
    inside = False
    try:
        for event in sorted(events, key=lambda one: Version(next(iter(one.values())))):
            (kind, at) = next(iter(event.items()))
            if kind == "introduced" and version >= Version(at):
                inside = True
            elif (kind == "fixed" and version >= Version(at)) or (kind == "last_affected" and version > Version(at)):
                inside = False
    except InvalidVersion:
        return True  # rather told once too often
    return inside


# -- the internet ------------------------------------------------------------------------------------------------------
def find_by_pip_audit(file: Path, pins: Mapping[str, str]) -> list[Advisory]:
    """Returns what PyPI tells pip-audit. Raises Unchecked unless it could tell about every package."""
    options = ["--disable-pip", "--no-deps", "--progress-spinner", "off", "--format", "json"]
    command = [sys.executable, "-m", "pip_audit", "-r", str(file), *options]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        told = json.loads(run.stdout)["dependencies"]
    except (ValueError, KeyError):
        raise Unchecked(run.stderr.strip().rpartition("\n")[2][:300]) from None
    looked_up = {canonicalize_name(one["name"]) for one in told if "skip_reason" not in one}
    found = [
        Advisory(one["name"], one["version"], vuln["id"], ", ".join(vuln["fix_versions"]))
        for one in told
        for vuln in one.get("vulns", ())
    ]
    missing = [name for name in pins if name not in looked_up and not is_elsewhere(name, file)]
    if missing and not found:
        raise Unchecked(f"PyPI told nothing about {len(missing)} of {len(pins)} packages ({', '.join(missing[:3])} …).")
    return sorted(set(found))


def is_elsewhere(name: str, file: Path) -> bool:
    """Returns whether the package is for another system or Python: pip-audit leaves it out."""
    return re.search(rf"^{re.escape(name)}==[^;\n]*;", file.read_text(encoding="utf-8"), re.MULTILINE) is not None


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lists", nargs="*", default=["house"])
    parser.add_argument("--data", type=Path)
    chosen = parser.parse_args(arguments)
    code = 0
    for name in chosen.lists:
        file = REQUIREMENTS / f"{name}.txt"
        pins = pinned(file.read_text(encoding="utf-8"))
        try:
            found = find_in(chosen.data, pins) if chosen.data else find_by_pip_audit(file, pins)
        except Unchecked as error:
            print(f"{file.name}: NOT CHECKED: {error} A copy of the advisories can be given with --data.")
            code = max(code, UNCHECKED)
            continue
        for one in found:
            print(f"{file.name}: {one}")
            code = max(code, FOUND)
        print(f"{file.name}: {len(pins)} packages, {len(found)} advisories.")
    return code


if __name__ == "__main__":
    sys.exit(main())
