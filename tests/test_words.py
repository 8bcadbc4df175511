"""Typography of each language is applied to all words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import veillee
from veillee.words import words

FOLDERS = sorted(path.parent for path in Path(veillee.__file__).parent.rglob("locale/fr.po"))


def test_french_spaces_are_set_while_the_words_are_read(tmp_path):
    (tmp_path / "fr.po").write_text(
        'msgid "Here: “yes”; or no? 3 %"\nmsgstr "Voici : « oui » ; ou non ? 3 %"\n', encoding="utf-8"
    )
    french = "Voici\u00a0: «\u00a0oui\u00a0»\u202f; ou non\u202f? 3\u00a0%"
    assert words(tmp_path, "fr")("Here: “yes”; or no? 3 %") == french
    assert words(tmp_path, "en")("Here: “yes”; or no? 3 %") == "Here: “yes”; or no? 3 %"


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.parent.name)
def test_no_line_of_ours_ends_before_a_french_sign(folder):
    said = words(folder, "fr").catalogue
    assert said
    assert [text for texts in said.values() for text in texts if re.search(r" [:;!?%»]|« ", text)] == []
