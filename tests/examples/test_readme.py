"""Executes the Python programs of the README."""

import re
from pathlib import Path

TEXT = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def test_the_readme_plays_a_game(capsys):
    programs = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    assert len(programs) == 2
    exec("\n".join(programs), {})
    said = capsys.readouterr().out
    assert said.count("[") > 3  # ranking, scores, winners, scores
