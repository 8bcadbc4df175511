"""The advisors of Takara Island: what they hope for where they have not looked, and what practice has taught one of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from games.takara_island.table import pile, ready, row
from veillee.bots.levels import LEVELS, level
from veillee.bots.planning import advisor_of
from veillee.games.takara_island import BOX, bot
from veillee.games.takara_island import rules as ti
from veillee.kernel.advisor import Advisor
from veillee.kernel.chance import Rng


def test_a_blind_dig_is_worth_what_the_unseen_tiles_of_its_level_are_worth_on_average():
    g = ready()
    g.teams[0].ready = 1
    for s in range(2, ti.SITES):
        pile(g, s)
    pile(g, 0, ti.KARAS_6, ti.XP_4, ti.STONE)  # deep
    pile(g, 1, ti.XP_2, ti.KARAS_4, ti.KARAS_4, ti.CHEST_3, ti.XP_4, ti.XP_4)  # intermediate on top
    g.teams[0].seen[0] = 1  # the stone
    hopes = row([bot.NOT_YET] * ti.LEVELS)
    deep = (bot.DUG[ti.KARAS_6] + 3 * bot.DUG[ti.XP_4] + bot.DUG[ti.CHEST_3]) // 5
    intermediate = (bot.DUG[ti.XP_2] + 2 * bot.DUG[ti.KARAS_4]) // 3
    for _ in range(2):  # once computed, and once remembered
        assert [bot.work_worth(g, 0, s, hopes, bot.FIRST_KNACK) for s in (0, 1)] == [deep, intermediate]
    assert list(hopes) == [deep, intermediate, bot.NOT_YET]


def test_a_tile_that_was_seen_is_worth_what_it_is():
    g = ready()
    g.teams[0].ready = 1
    pile(g, 0, ti.KARAS_6, ti.XP_4, ti.STONE)
    g.teams[0].seen[0] = 1 << 2
    assert bot.work_worth(g, 0, 0, row([bot.NOT_YET] * ti.LEVELS), bot.FIRST_KNACK) == bot.DUG[ti.KARAS_6]


def adept() -> Advisor:
    assert BOX.adept is not None
    return BOX.adept


def asked(number: int) -> Iterator[tuple[ti.Takara, int]]:
    """The questions of a game of the adept's quick choices, and whom they are asked."""
    rng = Rng(number)
    g = ti.new_game(2 + number % 3, rng, {})
    while g.to_act:
        seat = g.to_act[0]
        yield g, seat
        g.apply(seat, adept().first_idea(g, seat, rng), rng)


def test_the_adept_knows_nothing_that_its_seat_cannot_know():
    rng = Rng(5)
    questions = 0
    for number in range(6):
        for g, seat in asked(number):
            world = g.clone()
            world.determinize(seat, rng)
            seed = rng.seed()
            assert adept().first_idea(world, seat, Rng(seed)) == adept().first_idea(g, seat, Rng(seed))
            assert adept().sight(world, seat) == adept().sight(g, seat)
            questions += 1
    assert questions > 300


def test_the_adept_wins_more_quick_games_than_its_share():
    """Practice has taught it something: about 1.25 times its share, where 100 of 400 would be even."""
    won = 0.0
    for number in range(400):
        rng = Rng(number)
        g = ti.new_game(4, rng, {})
        while g.to_act:
            seat = g.to_act[0]
            advisor = adept() if seat == number % 4 else BOX.advisor
            g.apply(seat, advisor.first_idea(g, seat, rng), rng)
        won += g.returns()[number % 4]
    assert won > 105


def test_only_practised_levels_heed_the_adept():
    for name in LEVELS:
        known = replace(level(name, BOX.id), practised=False, network="")
        assert advisor_of(BOX, known) is BOX.advisor
        assert advisor_of(BOX, replace(known, practised=True)) is BOX.adept


def test_a_knack_has_a_figure_for_everything():
    assert len(bot.FIRST_KNACK) == len(bot.PRACTISED_KNACK) == bot.KNACKS
