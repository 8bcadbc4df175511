"""Templates as bytecode, and the names that they read: compiled and parsed when the page is built, because a browser would
need half a second for those of a board."""

from __future__ import annotations

import json
from pathlib import Path

import jinja2
from jinja2.bccache import Bucket

from veillee.games.box import Box
from veillee.page.bytecode import without_lines
from veillee.web.rendering.part_cache import NamesRead, names_read

SOURCES = Path(__file__).parent.parent
FOLDER = Path(__file__).parent / "compiled_templates"  # made by the build (building/trace_modules.py)
NAMES = "names.json"  # in that folder


class CompiledTemplates(jinja2.FileSystemBytecodeCache):
    """Named by their place in the package, which is another one where the page is built."""

    def __init__(self, *, is_building: bool) -> None:
        super().__init__(str(FOLDER))
        self._is_building = is_building
        names = FOLDER / NAMES
        self._names: dict[str, list[list[str] | None]] = json.loads(names.read_text("utf-8")) if names.exists() else {}

    def names_read(self, env: jinja2.Environment, name: str) -> NamesRead:
        """Like part_cache.names_read()."""
        assert env.loader is not None
        file = env.loader.get_source(env, name)[1]  # a compiled template names the file that it was compiled from
        place = Path(str(file)).relative_to(SOURCES).as_posix()
        box = env.globals.get("box")
        key = f"{place} of {box.id}" if isinstance(box, Box) else place
        if key not in self._names:
            read = names_read(env, name)
            self._names[key] = [None if names is None else sorted(names) for names in read]
            if self._is_building:
                (FOLDER / NAMES).write_text(json.dumps(self._names), "utf-8")
        names, keys = self._names[key]
        assert names is not None
        return frozenset(names), None if keys is None else frozenset(keys)

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        return super().get_cache_key(name, filename and Path(filename).relative_to(SOURCES).as_posix())

    def dump_bytecode(self, bucket: Bucket) -> None:
        if self._is_building:
            assert bucket.code is not None
            bucket.code = without_lines(bucket.code)
            super().dump_bytecode(bucket)
