"""A pure Python wheel; with VEILLEE_COMPILE=1 the modules of the engine (src/veillee/engine.py) are compiled to C.

VEILLEE_UNITS says how: "whole", all as one unit of C, where a game's rules can be inlined into the search and the kernel
into them: the fastest engine, and what wheels have. Or "apart", a unit for the kernel and one for each game, compiled at
the same time and only where something changed (docs/adr/0009-play-first-compile-later.md has what it costs).
"""

import os
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from setuptools import setup

PACKAGE = Path("src/veillee")


def sources() -> list[Path]:
    """What engine.py says is compiled; it is read alone, for the package needs what a build has not."""
    spec = spec_from_file_location("engine", PACKAGE / "engine.py")
    assert spec is not None
    assert spec.loader is not None
    engine = module_from_spec(spec)
    spec.loader.exec_module(engine)
    found: list[Path] = engine.sources(PACKAGE)
    return found


def units(compiled: list[Path]) -> dict[str, object]:
    """How mypycify is to group them. All go through one call: a game built apart from its kernel crashes."""
    if os.environ.get("VEILLEE_UNITS", "whole") == "whole":
        return {"group_name": "veillee"}
    groups: dict[str, list[str]] = {}
    for path in compiled:
        _, _, room, name, *_ = path.parts
        groups.setdefault(f"veillee_{name}" if room == "games" else "veillee", []).append(str(path))
    return {"separate": [(files, name) for name, files in groups.items()]}


# What gcc needs to be told to inline what mypyc writes as many small functions: 15 % of Ghost Knights' speed.
FAST = ["-fno-semantic-interposition", "-fvisibility=hidden"]
for parameter in (
    "max-inline-insns-auto=200",
    "inline-unit-growth=300",
    "max-inline-insns-single=400",
    "early-inlining-insns=100",
):
    FAST += ["--param", parameter]

# tools/setup/pgo.py builds twice: once to find out what games do, once to make use of it.
PROFILE = {
    "generate": (["-fprofile-generate"], ["-fprofile-generate"]),
    "use": (["-fprofile-use", "-fprofile-correction", "-Wno-missing-profile"], []),
}

extensions = []
# Asking for the metadata alone must not translate everything to C a first time.
building = "build_ext" in sys.argv or "bdist_wheel" in sys.argv
if building and os.environ.get("VEILLEE_COMPILE") == "1":
    from mypyc.build import mypycify

    compiled = sources()
    extensions = mypycify([str(path) for path in compiled], opt_level="3", debug_level="0", **units(compiled))
    fix = str((PACKAGE / "kernel" / "mypyc_fix.h").resolve())
    flags = ["/FI" + fix] if sys.platform == "win32" else ["-include", fix, *FAST]
    for extension in extensions:
        if extension.name.endswith("__mypyc"):  # the others only hand on a module of these
            compiling, linking = PROFILE.get(os.environ.get("VEILLEE_PROFILE", ""), ([], []))
            extension.extra_compile_args = extension.extra_compile_args + flags + compiling  # not +=: one list for all
            extension.extra_link_args = extension.extra_link_args + linking

setup(ext_modules=extensions)
