"""Executes the notebooks cell by cell, as Jupyter would: each prints and shows what the notebook says."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "docs" / "notebooks").glob("*.ipynb"))


def execute(source, names):
    """Executes a cell. Returns the value of its last line if that is an expression."""
    body = ast.parse(source).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_cell_prints_what_the_notebook_says(notebook, capsys):
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    programs = [cell for cell in cells if cell["cell_type"] == "code"]
    assert len(programs) >= 5
    names: dict[str, object] = {}
    for cell in programs:
        shown, said = execute("".join(cell["source"]), names), ""
        if shown is not None:
            assert shown._repr_html_(), "a board, in Jupyter"
            said = repr(shown)
        told = ["".join(output.get("text") or output["data"]["text/plain"]) for output in cell["outputs"]]
        assert capsys.readouterr().out + said == "".join(told), "".join(cell["source"])
