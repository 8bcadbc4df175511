"""Every die of Liar's Dice, counted: each round costs exactly one."""

from __future__ import annotations

from liars_dice.rules import LiarsDice


def census(g: LiarsDice) -> dict[str, int]:
    return {"dice": g.dice() + g.rounds}
