"""Compiles the rules, the kernel and the search to C when VEILLEE_COMPILE=1; a pure Python wheel otherwise.

VEILLEE_GAMES=ghost_knights,… compiles only these games' rules (for measuring one while another is being written).
"""

import os
import sys
from pathlib import Path

from setuptools import setup

PACKAGE = Path("src/veillee")
GAMES = os.environ.get("VEILLEE_GAMES") or "*"


def compiled() -> list[str]:
    """All compiled modules go through one mypycify call: a game built apart from its kernel crashes."""
    patterns = ["kernel/*.py", "bots/compiled/*.py"]
    patterns += [f"games/{game}/{module}.py" for game in GAMES.split(",") for module in ("rules", "bot")]
    paths = [path for pattern in patterns for path in PACKAGE.glob(pattern) if path.name != "__init__.py"]
    return sorted(str(path) for path in paths)


extensions = []
# Asking for the metadata alone must not translate everything to C a first time.
building = "build_ext" in sys.argv or "bdist_wheel" in sys.argv
if building and os.environ.get("VEILLEE_COMPILE") == "1":
    from mypyc.build import mypycify

    extensions = mypycify(compiled(), opt_level="3", debug_level="0", group_name="veillee")
    if sys.platform != "win32":
        for extension in extensions:
            extension.extra_compile_args.append("-fno-semantic-interposition")

setup(ext_modules=extensions)
