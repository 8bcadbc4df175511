"""Every template compiles, also those that only rare positions need."""

from __future__ import annotations

from veillee.games.catalogue import BOXES
from veillee.web.rendering.templates import environment


def test_every_template_compiles():
    common = set(environment("en", None).list_templates())
    assert len(common) > 90
    compiled = 0
    for box in (None, *BOXES.values()):
        found = environment("en", box)
        for name in found.list_templates():
            if name.endswith(".html") and (box is None or name not in common):
                found.get_template(name)
                compiled += 1
    assert compiled > len([name for name in common if name.endswith(".html")]), "those of the boards, too"
