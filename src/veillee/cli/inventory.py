"""Installed dependencies and their licences, for `veillee doctor --licences` and `--sbom`."""

from __future__ import annotations

import importlib.metadata
import platform
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import veillee

PACKAGE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
SPDX = re.compile(r"[A-Za-z0-9.+-]+( (AND|OR|WITH) [A-Za-z0-9.+-]+)*")
CLASSIFIER = "License :: OSI Approved :: "
BUNDLED_FONTS = (
    ("Veillee Serif", "from Source Serif Pro 2.007, © Adobe"),
    ("Veillee Sans", "from Source Sans Pro 2.020, © Adobe"),
)
FONT_LICENCE = "OFL-1.1"


@dataclass(frozen=True)
class Package:
    name: str
    version: str
    licence: str
    needs: tuple[str, ...]  # names of its installed dependencies


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def required_names(distribution: importlib.metadata.Distribution) -> Iterable[str]:
    """Returns its required dependencies on every platform, without extras."""
    for requirement in distribution.requires or ():
        name = PACKAGE_NAME.match(requirement)
        if name and "extra ==" not in requirement:
            yield canonical(name.group())


def licence_of(about: importlib.metadata.PackageMetadata) -> str:
    """Returns the licence as the package states it: an expression, a line, or classifiers."""
    stated = about.json
    plain = str(stated.get("license_expression") or stated.get("license") or "").strip()
    if plain and len(plain.splitlines()[0]) < 60:
        return plain.splitlines()[0]
    filed = [line.removeprefix(CLASSIFIER) for line in about.get_all("Classifier") or () if line.startswith(CLASSIFIER)]
    return ", ".join(filed) or "?"


def packages(roots: Iterable[str]) -> list[Package]:
    """Returns the packages of these names and all their dependencies that are installed."""
    found: dict[str, Package] = {}
    waiting = [canonical(root) for root in roots]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        try:
            distribution = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue  # for another system, or another Python
        needs = sorted(set(required_names(distribution)))
        found[name] = Package(name, distribution.version, licence_of(distribution.metadata), tuple(needs))
        waiting += needs
    there = set(found)
    return [
        Package(p.name, p.version, p.licence, tuple(n for n in p.needs if n in there)) for _, p in sorted(found.items())
    ]


def sbom(roots: Iterable[str]) -> dict[str, Any]:
    """Returns a software bill of materials in CycloneDX format. The same installation gives the same one."""
    all_of_them = packages(roots)
    ref = {package.name: f"pkg:pypi/{package.name}@{package.version}" for package in all_of_them}
    wanted = {canonical(root) for root in roots}
    ours = f"pkg:pypi/veillee@{veillee.__version__}"
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": ours,
                "name": "veillee",
                "version": veillee.__version__,
                "purl": ours,
                "licenses": [{"expression": "MIT"}],
            }
        },
        "components": [
            {"type": "platform", "bom-ref": "python", "name": "python", "version": platform.python_version()},
            *(
                {
                    "type": "library",
                    "bom-ref": ref[package.name],
                    "name": package.name,
                    "version": package.version,
                    "purl": ref[package.name],
                    "licenses": [
                        {"expression": package.licence}
                        if SPDX.fullmatch(package.licence)
                        else {"license": {"name": package.licence}}
                    ],
                }
                for package in all_of_them
            ),
            *(
                {
                    "type": "data",
                    "bom-ref": f"font:{name}",
                    "name": name,
                    "description": origin,
                    "licenses": [{"expression": FONT_LICENCE}],
                }
                for name, origin in BUNDLED_FONTS
            ),
        ],
        "dependencies": [
            {"ref": ours, "dependsOn": ["python", *(ref[name] for name in sorted(wanted & set(ref)))]},
            *({"ref": ref[p.name], "dependsOn": [ref[name] for name in p.needs]} for p in all_of_them),
        ],
    }
