"""Bytecode without line numbers, which are a quarter of all that the page would load."""

from __future__ import annotations

from types import CodeType

# An entry of a line table (CPython, InternalDocs/code_objects.md): so many units of code, no columns, on the same line.
SAME_LINE, MOST_UNITS = 128 | 13 << 3, 8


def without_lines(code: CodeType) -> CodeType:
    """Returns the code with one line for all of a function: the first one."""
    inner = tuple(without_lines(one) if isinstance(one, CodeType) else one for one in code.co_consts)
    units = len(code.co_code) // 2
    entries = [min(MOST_UNITS, units - begin) for begin in range(0, units, MOST_UNITS)]
    return code.replace(co_linetable=b"".join(bytes([SAME_LINE | (size - 1), 0]) for size in entries), co_consts=inner)
