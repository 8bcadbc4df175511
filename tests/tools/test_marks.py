"""The marks of the rules are read from a specification as people read them."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "tools/check"))

from marks import marks_of

SPECIFICATION = """# A game (2 players; every ruling is here)

## XX-1 Setup
- **XX-1.1** Plain, whatever the ruling of a court; the data say "reconstruction". **XX-1.2** (fact) Five cards (ruling: of
  each colour).
### XX-2.1 Building, in secret (ruling)
- **XX-2.1.1** Build. **XX-2.1.2** Pay (half at once — ruling, as (XX-1.2) — and a factor of two).

| what | how many |
|---|---|
| **XX-3.1** Bow | +1 (reconstruction) |

## XX-4 The board: a reconstruction
- **XX-4.1** Squares. **XX-4.2** Cards (ruling).

## XX-5 End
- **XX-5.1** The end.
"""


def test_each_rule_has_the_marks_that_stand_in_its_brackets():
    assert marks_of(SPECIFICATION) == {
        "XX-1.1": [],
        "XX-1.2": ["ruling", "fact"],
        "XX-2.1.1": ["ruling"],
        "XX-2.1.2": ["ruling"],
        "XX-3.1": ["reconstruction"],
        "XX-4.1": ["reconstruction"],
        "XX-4.2": ["ruling", "reconstruction"],
        "XX-5.1": [],
    }
