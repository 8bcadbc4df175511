"""Code generator for our templates: Jinja's, without run-time work that ours never need.

Nine tenths of the time to render an answer was template overhead. Three things are simpler here, with the same output:
constant sentences are translated at compile time, functions are called without the check whether they take the context,
and text that needs no escaping is not wrapped in Markup.
"""

from __future__ import annotations

import re
from typing import Any

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.visitor import NodeTransformer
from markupsafe import Markup, escape

WORDS = "t"  # global function that translates a sentence
SPECIAL = re.compile("[&<>\"']").search


def to_text(value: Any) -> str:
    """Returns what markupsafe.escape returns, without wrapping it in Markup where nothing needs escaping."""
    kind = type(value)
    if kind is Markup or (kind is str and SPECIAL(value) is None):
        return value  # type: ignore[no-any-return]
    return str(value) if kind is int else escape(value)


class LeanCodeGenerator(CodeGenerator):
    """Code generator for an environment whose templates use no function that takes the context (@pass_context and its
    like)."""

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:  # noqa: N802 (its name in Jinja)
        words = self.environment.globals.get(WORDS)
        is_shared = self.environment.bytecode_cache is not None  # by languages and boxes, which translate otherwise
        if (
            words
            and not is_shared
            and not any(name.name == WORDS and name.ctx != "load" for name in node.find_all(nodes.Name))
        ):
            node = InlineTranslations(words).visit(node)
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


class InlineTranslations(NodeTransformer):
    """Replaces t("…") without arguments by its translation: an environment has one language."""

    def __init__(self, words: Any) -> None:
        self.words = words

    def visit_Call(self, node: nodes.Call) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        said = isinstance(node.node, nodes.Name) and node.node.name == WORDS
        if said and not node.kwargs and len(node.args) == 1 and isinstance(node.args[0], nodes.Const):
            return nodes.Const(self.words(node.args[0].value), lineno=node.lineno, environment=node.environment)
        return node
