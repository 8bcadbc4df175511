"""Templates as bytecode: compiled when the page is built, because a browser would need half a second for those of a board."""

from __future__ import annotations

from pathlib import Path

import jinja2
from jinja2.bccache import Bucket

from veillee.page.bytecode import without_lines

SOURCES = Path(__file__).parent.parent
FOLDER = Path(__file__).parent / "compiled_templates"  # made by the build (building/trace_modules.py)


class CompiledTemplates(jinja2.FileSystemBytecodeCache):
    """Named by their place in the package, which is another one where the page is built."""

    def __init__(self, *, is_building: bool) -> None:
        super().__init__(str(FOLDER))
        self._is_building = is_building

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        return super().get_cache_key(name, filename and Path(filename).relative_to(SOURCES).as_posix())

    def dump_bytecode(self, bucket: Bucket) -> None:
        if self._is_building:
            assert bucket.code is not None
            bucket.code = without_lines(bucket.code)
            super().dump_bytecode(bucket)
