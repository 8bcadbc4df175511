"""Translates the engine to C for Pyodide's Python (3.14, 32 bits) with the mypyc of this machine.

mypyc writes C for the Python that runs it, which it asks for its version and the size of its words: it is told another one.

usage: python translate.py SOURCES C_FOLDER        (SOURCES: the parent folder of the package veillee)
"""

import os
import sys
import sysconfig
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import mypy.main
import setuptools  # both look at the real version when they are imported


class Version(tuple[object, ...]):
    """A `sys.version_info`."""

    major, minor, micro, releaselevel, serial = 3, 14, 2, "final", 0


assert mypy.main, setuptools
sources, target = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
target.mkdir(parents=True, exist_ok=True)
sysconfig.get_config_vars()["SIZEOF_SIZE_T"] = 4
real, other = sys.version_info, Version((3, 14, 2, "final", 0))
sys.version_info = other  # type: ignore[assignment]
import mypyc.common  # noqa: E402

assert mypyc.common.IS_32_BIT_PLATFORM
sys.version_info = real  # a compiled module refuses to be imported by another Python than its own
from mypyc.build import mypycify  # noqa: E402

sys.version_info = other  # type: ignore[assignment]
os.chdir(sources.parent)
sys.path.insert(0, str(sources))
spec = spec_from_file_location("engine", sources / "veillee/engine.py")
assert spec is not None
assert spec.loader is not None
engine = module_from_spec(spec)
spec.loader.exec_module(engine)
paths = [str(path.relative_to(sources.parent)) for path in engine.sources(sources / "veillee")]
options = ["--python-version=3.14", "--ignore-missing-imports"]
mypycify([*options, *paths], opt_level="3", debug_level="0", group_name="veillee", target_dir=str(target))
