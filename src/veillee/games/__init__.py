"""Games: each folder is one box. They depend on the kernel, and not on each other."""

import sys
import warnings
from types import ModuleType
from typing import Any


class _Shelf(ModuleType):
    """Callable module, for the deprecated veillee.games(), which is now veillee.boxes()."""

    def __call__(self) -> list[Any]:
        from veillee.games.catalogue import boxes  # noqa: PLC0415  it imports all games

        warnings.warn("veillee.games() is called veillee.boxes() now.", DeprecationWarning, stacklevel=2)
        return boxes()


sys.modules[__name__].__class__ = _Shelf
