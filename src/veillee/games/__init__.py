"""Games: each folder is one box. They depend on the kernel, and not on each other."""

import sys
from types import ModuleType
from typing import Any

from veillee.deprecation import Former, warn


class _Shelf(ModuleType):
    """Callable module, for the deprecated veillee.games(), which is now veillee.boxes()."""

    def __call__(self) -> list[Any]:
        from veillee.games.catalogue import boxes  # noqa: PLC0415  it imports all games

        warn("veillee.games()", Former("veillee:boxes()", since="0.1"))
        return boxes()


sys.modules[__name__].__class__ = _Shelf
