"""Former names of the public API: each works and warns for two minor releases at least (docs/api.md)."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, NamedTuple

MINOR_RELEASES_KEPT = 2


class Former(NamedTuple):
    """What a former name is called now, `module:name`, and the release that warned first, `major.minor`."""

    now: str
    since: str

    @property
    def until(self) -> str:
        """The first release that may do without the former name."""
        major, minor = map(int, self.since.split("."))
        return f"{major + 1}.0" if major else f"0.{minor + MINOR_RELEASES_KEPT}"


def warn(name: str, former: Former, *, stacklevel: int = 2) -> None:
    """Warns the caller's caller that it uses a former name."""
    told = f"{name} is called {former.now.replace(':', '.')} since {former.since}; it may be gone in {former.until}."
    warnings.warn(told, DeprecationWarning, stacklevel=stacklevel + 1)


def former_names(module: str, names: Mapping[str, Former], *, stacklevel: int = 2) -> Callable[[str], Any]:
    """Returns a `__getattr__` for the module that finds its former names, with a warning:

    __getattr__ = former_names(__name__, {"Table": Former("veillee.match.match:Match", since="0.2")})
    """

    def find(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        warn(f"{module}.{name}", names[name], stacklevel=stacklevel)
        home, now = names[name].now.split(":")
        return getattr(import_module(home), now)

    return find
