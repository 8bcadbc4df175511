"""The games: one folder is one box. They know the kernel, and not each other."""

import sys
import warnings
from types import ModuleType
from typing import Any


class _Shelf(ModuleType):
    """So that veillee.games() goes on for a while: it hid this package, and is called veillee.boxes() now."""

    def __call__(self) -> list[Any]:
        from veillee.games.catalogue import boxes  # noqa: PLC0415  the games are imported by it

        warnings.warn("veillee.games() is called veillee.boxes() now.", DeprecationWarning, stacklevel=2)
        return boxes()


sys.modules[__name__].__class__ = _Shelf
