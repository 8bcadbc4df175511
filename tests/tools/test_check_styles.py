"""The check of the style sheets finds planted faults, and corrects the layout."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parent.parent.parent / "tools" / "check" / "check_styles.py"
SHEET = """\
/* The board: a table of wood. */
:root { --wood: #6b4a2c; }  /* oak */

.card, .card.up {
  color: var(--wood);
  background: var(--paper, #fff);
  animation: turn 1s;
  --paper: #eee;
}
.sp1 { left: 1%; }
.to-left { left: 0; }
.age-2 { content: "a; b { c"; }

@keyframes turn {
  from { rotate: 90deg; }
}

@media (max-width: 640px) {
  .card {
    grid-template:
      "name cost" auto
      "text text" 1fr
      / 1fr auto;
    box-shadow:
      inset 0 0 0 1px #ffffff2e,
      inset 10px 0 14px -10px #ffffff55,
      inset -12px 0 18px -10px #00000080,
      6px -3px 0 -1px var(--wood);
  }
}
"""
DENSE = (
    "/* The board: a table of wood. */\n:root{--wood:#6b4a2c} /* oak */\n\n"
    ".card,.card.up{color:var(--wood);background:var(--paper, #fff);animation:turn 1s;--paper:#eee} .sp1{left:1%}"
    '.to-left{left:0}\n.age-2 { content: "a; b { c" }\n\n@keyframes turn{from{rotate:90deg}}\n\n\n'
    '@media (max-width: 640px) { .card { grid-template: "name cost" auto "text text" 1fr / 1fr auto; box-shadow: inset '
    "0 0 0 1px #ffffff2e, inset 10px 0 14px -10px #ffffff55, inset -12px 0 18px -10px #00000080, 6px -3px 0 -1px "
    "var(--wood); } }\n"
)


@pytest.fixture
def house(tmp_path):
    """Returns a source tree with one valid sheet and the files that use its classes."""
    (tmp_path / "board.css").write_text(SHEET)
    (tmp_path / "board.html").write_text("""<b class="card sp{{ n }} {{ "to-" ~ side }} {{ pile }}"></b>""")
    (tmp_path / "board.js").write_text("card.classList.add('up')")
    (tmp_path / "rules.py").write_text('PILES = ("age 1", "age 2")')
    return tmp_path


def check(house: Path, expect: int, *options: str) -> str:
    result = subprocess.run(
        [sys.executable, str(TOOL), str(house), *options], capture_output=True, text=True, check=False
    )
    assert result.returncode == expect, result.stdout + result.stderr
    assert result.stderr == ""
    return result.stdout


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_all_is_well(house):
    assert check(house, 0) == "Styles: 1 sheets in order.\n"


def test_the_layout_is_put_right(house):
    (house / "board.css").write_text(DENSE)
    assert "board.css:2: should read ':root { --wood: #6b4a2c; }  /* oak */'" in check(house, 1)
    check(house, 0, "--write")
    assert (house / "board.css").read_text() == SHEET


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("board.css", "color: var(--wood)", "color:var(--wood)", "board.css:5: should read '  color: var(--wood);'"),
        (
            "board.css",
            "left: 1%; }",
            "left: 1%; } .to-left { left: 0; }",
            "board.css:10: should read '.sp1 { left: 1%; }'",
        ),
        ("board.css", "rotate: 90deg; }", "rotate: 90deg;", "board.css:14: the brace is never closed"),
        ("board.css", "#fff);", "#fff));", "board.css:6: Unmatched )"),
        ("board.css", "left: 1%;", "left 1%;", "board.css:10: no declaration: 'left 1%'"),
        ("board.css", "left: 1%;", "left:;", "board.css:10: no declaration: 'left:'"),
        ("board.css", "left: 1%;", ";", "board.css:10: a semicolon that ends nothing"),
        ("board.css", "left: 1%;", "", "board.css:10: nothing in the braces of '.sp1'"),
        ("board.css", "  --paper: #eee;", "  --paper: #eee;\n  color: red;", "color is declared twice in one rule"),
        ("board.css", ".sp1 {", ".to-left {", "board.css:11: a second rule for '.to-left'"),
        ("board.css", "color: var(--wood)", "color: var(--gold)", "board.css:5: nobody sets --gold"),
        ("board.css", "var(--paper, #fff)", "#fff", "board.css:8: nobody reads --paper"),
        ("board.css", "animation: turn", "animation: none", "board.css:14: nothing moves like 'turn'"),
        ("board.css", ".sp1", ".spare", "board.css:10: nothing has the class 'spare'"),
        ("board.js", "up", "down", "board.css:4: nothing has the class 'up'"),
        ("rules.py", "age 2", "age 3", "board.css:12: nothing has the class 'age-2'"),
    ],
)
def test_what_is_wrong_is_named(house, file, old, new, told):
    change(house / file, old, new)
    assert told in check(house, 1)
