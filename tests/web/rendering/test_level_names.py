"""Levels as players read them."""

from __future__ import annotations

from veillee.bots.levels import OFFERED
from veillee.web.rendering.level_names import level_choices, level_name
from veillee.web.rendering.templates import translator


def test_every_level_that_is_offered_has_a_name_and_the_slowest_is_told_before() -> None:
    for lang, named, told in (
        ("fr", "maître", "maître (réfléchit environ une seconde)"),
        ("en", "master", "master (thinks for about a second)"),
    ):
        t = translator(lang)
        assert list(level_choices(t)) == list(OFFERED)
        assert level_name(t, "master") == named
        assert level_choices(t)["master"] == told
