"""The check of the rulebooks finds planted faults."""

from __future__ import annotations

import pytest

from veillee.conformance.books import book, marks, wrong
from veillee.games.ghost_knights import BOX


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("[GK-1.2]{fact}", "[GK-1.2]", "GK-1.2 has the marks [] for ['fact']"),
        ("[GK-1.3] ", "[GK-1.3]{ruling} ", "GK-1.3 has the marks ['ruling'] for []"),
        ("[The ring has 30 spaces.]{fact}", "The ring has 30 spaces.", "GK-1.4 has the marks [] for ['fact']"),
        (
            "[The ring has 30 spaces.]{fact}",
            "[The ring has 30 spaces.]{figure}",
            "marks that nobody knows: [']{figure}']",
        ),
        (
            "[The ring has 30 spaces.]{fact}",
            "[The ring has 30 spaces.]{departure}",
            "GK-1.4 departs from a sentence that it does not quote",
        ),
        ("[GK-1.5] ", "", "GK-1.5 is not explained"),
        ("[GK-1.5] ", "[GK-1.55] ", "GK-1.55 is no rule"),
        ("[GK-1.5] ", "[GK-1.3] ", "GK-1.3 is explained 2 times"),
        ("The sword that was used leaves the game.", "L’épée utilisée quitte la partie.", "GK-4.2 is not told in 'en'"),
    ],
)
def test_a_fault_in_a_rulebook_is_found(old, new, complaint):
    source = book(BOX, "en")
    assert old in source
    assert complaint in wrong(source.replace(old, new), "en", marks(BOX))
