"""Compiles the rules, the kernel and the search to C when VEILLEE_COMPILE=1; a pure Python wheel otherwise."""

import os
import sys
from pathlib import Path

from setuptools import setup

PACKAGE = Path("src/veillee")
# All compiled modules go through one mypycify call: a game built apart from its kernel crashes.
COMPILED = sorted(
    str(path)
    for pattern in ("kernel/*.py", "games/*/rules.py", "games/*/rules/*.py", "games/*/bot.py", "bots/compiled/*.py")
    for path in PACKAGE.glob(pattern)
    if path.name not in ("__init__.py", "plain.py")  # kernel/plain.py looks at classes, which C does not know
)

# What gcc needs to be told to inline what mypyc writes as many small functions: 15 % of Ghost Knights' speed.
FAST = ["-fno-semantic-interposition", "-fvisibility=hidden"]
for parameter in (
    "max-inline-insns-auto=200",
    "inline-unit-growth=300",
    "max-inline-insns-single=400",
    "early-inlining-insns=100",
):
    FAST += ["--param", parameter]

extensions = []
# Asking for the metadata alone must not translate everything to C a first time.
building = "build_ext" in sys.argv or "bdist_wheel" in sys.argv
if building and os.environ.get("VEILLEE_COMPILE") == "1":
    from mypyc.build import mypycify

    extensions = mypycify(COMPILED, opt_level="3", debug_level="0", group_name="veillee")
    fix = str((PACKAGE / "kernel" / "mypyc_fix.h").resolve())
    flags = ["/FI" + fix] if sys.platform == "win32" else ["-include", fix, *FAST]
    for extension in extensions:
        if extension.include_dirs:  # the one with the code in it; each module has a small one besides, which loads it
            extension.extra_compile_args = [*extension.extra_compile_args, *flags]

setup(ext_modules=extensions)
