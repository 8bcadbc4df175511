"""Our templates as Python: Jinja's own compiler, and less of what ours never need.

Nine tenths of an answer's drawing were spent between the lines of templates. Three things are written plainer here, and print
the same: words that never change are looked up once, a function is called and not first asked whether it wants to be told of the
context, and what needs no escaping is not wrapped.
"""

from __future__ import annotations

import re
from typing import Any

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.visitor import NodeTransformer
from markupsafe import Markup, escape

WORDS = "t"  # the global that puts a sentence into the reader's language
SPECIAL = re.compile("[&<>\"']").search


def printed(value: Any) -> str:
    """What a page shows of it: what markupsafe.escape says, without the wrapping."""
    kind = type(value)
    if kind is Markup or (kind is str and SPECIAL(value) is None):
        return value  # type: ignore[no-any-return]
    return str(value) if kind is int else escape(value)


class Printer(CodeGenerator):
    """Of an environment whose templates use no function that wants a context (@pass_context and its like)."""

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:  # noqa: N802 (its name in Jinja)
        words = self.environment.globals.get(WORDS)
        if words and not any(name.name == WORDS and name.ctx != "load" for name in node.find_all(nodes.Name)):
            node = Said(words).visit(node)
        super().visit_Template(node, frame)

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:  # noqa: N802
        if node.dyn_args is not None or node.dyn_kwargs is not None:
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        self.visit(node.node, frame)
        self.write("(")
        for given in (*node.args, *node.kwargs):
            self.visit(given, frame)
            self.write(", ")
        self.write("caller=caller)" if forward_caller else ")")

    def write_commons(self) -> None:
        super().write_commons()
        self.writeline("printed = environment.printed")

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape or finalize.src is not None:
            super()._output_child_pre(node, frame, finalize)
        else:
            self.write("printed(")


class Said(NodeTransformer):
    """t("…") with nothing to fill in is a constant of the template: an environment has one language."""

    def __init__(self, words: Any) -> None:
        self.words = words

    def visit_Call(self, node: nodes.Call) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        said = isinstance(node.node, nodes.Name) and node.node.name == WORDS
        if said and not node.kwargs and len(node.args) == 1 and isinstance(node.args[0], nodes.Const):
            return nodes.Const(self.words(node.args[0].value), lineno=node.lineno, environment=node.environment)
        return node
