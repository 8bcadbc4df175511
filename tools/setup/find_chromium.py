"""Finds a Chromium for the browser tests, or installs Debian's where that is possible. Prints its path."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

# First the one without a window of its own: the same pages take clearly less processor time.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PLACES = ("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/snap/bin/chromium")


def find() -> str | None:
    """Returns the system's Chromium, or the one named by the variable CHROMIUM."""
    told = os.environ.get("CHROMIUM")
    if told:
        return told if Path(told).exists() else None
    found = (shutil.which(name) for name in NAMES)
    return next((path for path in found if path), None) or next((p for p in PLACES if Path(p).exists()), None)


def install() -> None:
    """Installs Debian's package, if this is Debian and the user may install packages."""
    apt = shutil.which("apt-get")
    if apt is None or os.geteuid() != 0:
        return
    print("No Chromium found: installing Debian's package…", file=sys.stderr)
    for arguments in (["update"], *(["-y", "--no-install-recommends", "install", name] for name in NAMES[:2])):
        done = subprocess.run([apt, "-qq", *arguments], check=False, stdout=subprocess.DEVNULL).returncode == 0
        if done and find():
            return


def main() -> int:
    path = find()
    if path is None and not os.environ.get("CHROMIUM"):
        install()
        path = find()
    if path is None:
        print(
            "The browser tests need Chromium. Install it (Debian, Ubuntu: apt install chromium) "
            "or set CHROMIUM to the path of one.",
            file=sys.stderr,
        )
        return 1
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
