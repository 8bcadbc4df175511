"""Memory of the compiled engine is freed correctly at any depth. A corrupt heap kills the process, so each test has its own."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from veillee.games.catalogue import BOXES
from veillee.kernel import state

compiled = not state.__file__.endswith(".py")

CHAIN = """
from veillee.bots.compiled.search_tree import ROOT, Tree

tree, node = Tree(), ROOT
for level in range(400):
    node = tree.grow(node, 0, 0)
del tree
"""

# A compiled class that is `acyclic` has no header for the garbage collector: CPython must not look for one when the
# last reference to it lies deep inside of other things.
NESTED = """
import inspect
import sys
from veillee.games.catalogue import BOXES

HAVE_GC = 1 << 14
found = 0
for name in sorted(name for name in sys.modules if name.startswith("veillee.")):
    for kind in list(vars(sys.modules[name]).values()):
        if isinstance(kind, type) and kind.__module__ == name and not kind.__flags__ & HAVE_GC:
            try:
                kind(*[0] * len(inspect.signature(kind).parameters))
            except TypeError:
                continue  # it holds more than numbers
            found += 1
            for depth in (1, 20, 45, 46, 47, 48, 49, 50, 51, 52, 75, 100, 150, 400):
                held = kind(*[0] * len(inspect.signature(kind).parameters))
                for _ in range(depth):
                    held = [held]
                del held
print(found)
"""

# Thinking goes ten times deeper than the expert's, at every 25th question of a game that goes on with first ideas.
DEEP = """
import sys
from dataclasses import replace
from veillee.bots.levels import level
from veillee.bots.planning import plan_as
from veillee.games.catalogue import BOXES
from veillee.kernel.chance import Rng
from veillee.match.setup import complete

box = BOXES[sys.argv[1]]
expert = level("expert", box.id)
deep = replace(expert, iterations=10 * expert.iterations)
rng = Rng(12)
state = box.new(box.players[0], rng, complete(box, {}), None)
asked = 0
while state.to_act:
    seat = state.to_act[0]
    if asked % 25 == 0:
        action = plan_as(box, state.clone(), seat, deep, asked, timed=False)[0]
    else:
        action = box.advisor.first_idea(state, seat, rng)
    state.apply(seat, action, rng)
    asked += 1
print(asked)
"""


def run(script: str, *arguments: str) -> str:
    """In a process of its own whose allocator notices what is written where it does not belong."""
    env = {**os.environ, "PYTHONMALLOC": "debug", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.strip()


def test_a_long_line_of_thought_is_freed() -> None:
    run(CHAIN)


def test_every_class_is_freed_at_any_depth() -> None:
    found = int(run(NESTED))
    assert found > 50 if compiled else found == 0


@pytest.mark.skipif(not compiled, reason="only the compiled engine has a heap that can be broken")
@pytest.mark.parametrize("box", list(BOXES))
def test_a_game_of_deep_thought(box: str) -> None:
    assert int(run(DEEP, box)) > 0
