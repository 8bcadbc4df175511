"""`make image`: builds deploy/Dockerfile with the container engine of this machine: docker, podman or buildah.

usage: python tools/setup/image.py [--tag veillee] [--base IMAGE | --debian] [--engine docker|podman|buildah] [--no-cache]

--base    the image to build on, best by its digest (python:3.12-slim@sha256:…); see deploy/Dockerfile
--debian  instead: a Debian made here by mmdebstrap, where no registry can be reached
The time in the image is SOURCE_DATE_EPOCH, or that of the last commit: the same sources on the same base give the same
files. Settings of pip and certificates of this machine are lent to the build, and are not in the image.
"""

from __future__ import annotations

import argparse
import configparser
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENGINES = ("docker", "podman", "buildah")
DEBIAN = "bookworm"
DEBIAN_PACKAGES = "python3-venv,ca-certificates"
BUILD_PACKAGES = "gcc libc6-dev python3-dev"  # on Debian's own Python, whose headers are a package of their own
NO_ENGINE = "There is no container engine here: install podman, docker (and start it) or buildah."


def find_engine(named: str = "") -> str | None:
    """Returns the first engine that responds."""
    for engine in (named,) if named else ENGINES:
        if shutil.which(engine) and subprocess.run([engine, "info"], check=False, capture_output=True).returncode == 0:
            return engine
    return None


def source_date(environment: dict[str, str]) -> str:
    """Returns SOURCE_DATE_EPOCH, else the time of the last commit, else that of the changelog (an sdist)."""
    if named := environment.get("SOURCE_DATE_EPOCH"):
        return named
    command = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    found = subprocess.run(command, check=False, capture_output=True, text=True).stdout.strip()
    return found or str(int((ROOT / "CHANGELOG.md").stat().st_mtime))


def make_debian(engine: str, epoch: str) -> str:
    """Makes a Debian with Python by mmdebstrap and returns its name for the engine."""
    if shutil.which("mmdebstrap") is None:
        sys.exit("--debian needs mmdebstrap: apt install mmdebstrap.")
    name = f"localhost/veillee-base:{DEBIAN}"
    with tempfile.TemporaryDirectory() as folder:
        tar = Path(folder) / "base.tar"
        command = ["mmdebstrap", "--quiet", "--variant=minbase", f"--include={DEBIAN_PACKAGES}", DEBIAN, str(tar)]
        subprocess.run(command, check=True, env={**os.environ, "SOURCE_DATE_EPOCH": epoch})
        if engine == "buildah":
            made = subprocess.run(["buildah", "from", "scratch"], check=True, capture_output=True, text=True)
            container = made.stdout.strip()
            subprocess.run(["buildah", "add", "--quiet", container, str(tar), "/"], check=True)
            commit = ["buildah", "commit", "--quiet", "--rm", "--timestamp", epoch, container, name]
            subprocess.run(commit, check=True)
        else:
            subprocess.run([engine, "import", str(tar), name], check=True, stdout=subprocess.DEVNULL)
    return name


def lent_files() -> list[str]:
    """Returns the options that lend pip's settings and its certificates to the build."""
    settings = next((p for p in (Path("/etc/pip.conf"), Path.home() / ".config/pip/pip.conf") if p.is_file()), None)
    if settings is None:
        return []
    lent = ["--secret", f"id=pip,src={settings}"]
    found = configparser.ConfigParser(interpolation=None)
    found.read(settings, encoding="utf-8")
    certificates = found.get("global", "cert", fallback="")
    return [*lent, "--secret", f"id=certificates,src={certificates}"] if certificates else lent


def build(engine: str, tag: str, base: str, *, debian: bool, no_cache: bool = False) -> None:
    """Builds the image. Raises CalledProcessError."""
    epoch = source_date(dict(os.environ))
    command = [engine, "build", "--file", str(ROOT / "deploy" / "Dockerfile"), "--tag", tag]
    command += ["--build-arg", f"SOURCE_DATE_EPOCH={epoch}"]
    command += ["--no-cache"] if no_cache else []
    if debian:
        base = make_debian(engine, epoch)
        command += ["--build-arg", f"BUILD_PACKAGES={BUILD_PACKAGES}"]
    if base:
        command += ["--build-arg", f"BASE={base}"]
    # Docker keeps the format of the health check by itself; the others have to be told.
    command += [] if engine == "docker" else ["--format", "docker", "--timestamp", epoch, "--network", "host"]
    subprocess.run([*command, *lent_files(), str(ROOT)], check=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tag", default="veillee")
    parser.add_argument("--engine", choices=ENGINES, default="")
    parser.add_argument("--no-cache", action="store_true")
    base = parser.add_mutually_exclusive_group()
    base.add_argument("--base", default="")
    base.add_argument("--debian", action="store_true")
    given = parser.parse_args()
    engine = find_engine(given.engine)
    if engine is None:
        sys.exit(NO_ENGINE)
    try:
        build(engine, given.tag, given.base, debian=given.debian, no_cache=given.no_cache)
    except subprocess.CalledProcessError as error:
        return error.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
