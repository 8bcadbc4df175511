"""The value network: its arithmetic, and what it reads of a position."""

from __future__ import annotations

import pytest
from librt.vecs import vec

from veillee.games.box import Box
from veillee.games.catalogue import BOXES
from veillee.games.ghost_knights.rules import GhostKnights
from veillee.games.network import example, fresh_advisor
from veillee.games.paper_tales.planes import KINDS
from veillee.games.paper_tales.rules import PaperTales
from veillee.kernel.advisor import Advisor
from veillee.kernel.chance import Rng
from veillee.kernel.network import AT_ONCE, InputPlane, Misfit, Network, readable
from veillee.kernel.planes import describe
from veillee.kernel.state import State
from veillee.match.setup import complete

KNIGHTS = BOXES["ghost-knights"]


def read_all(box: Box) -> list[InputPlane]:
    assert box.planes is not None
    return readable(box.planes, [example(box, seats) for seats in box.players])


def with_network(box: Box, hidden: int, number: float, seed: int = 0) -> Advisor:
    """An advisor whose network has weights at random, up to that number."""
    advisor, rng = fresh_advisor(box), Rng(seed)
    features = len(advisor.features(example(box, box.players[-1]), 0))
    read = read_all(box)
    inputs = 2 * features + len(advisor.weights) + sum(plane.inputs() for plane in read)
    numbers = [number * (2 * rng.share() - 1) for _ in range((inputs + 2) * hidden)]
    advisor.network = Network(features, len(advisor.weights), hidden, box.planes, read, numbers)
    return advisor


def quiet_positions(box: Box, seats: int, every: int = 1) -> list[State]:
    rng = Rng(seats)
    state = box.new(seats, rng, complete(box, {}), None)
    found = []
    while state.to_act:
        if box.advisor.quiet(state):
            found.append(state.clone())
        seat = state.to_act[0]
        state.apply(seat, box.advisor.first_idea(state, seat, rng), rng)
    return found[::every]


def test_it_adds_up_what_is_above_zero() -> None:
    """One feature, its lead, two phases; four units with the biases 0, 1, -9 and 0.5."""
    first = [
        *(1.0, 0.0, 1.0, 0.0),  # the feature
        *(0.0, 2.0, 0.0, 0.0),  # the lead
        *(0.0, 0.0, 0.0, 0.0),  # the first phase
        *(0.0, 0.0, 0.0, 3.0),  # the second phase
    ]
    network = Network(1, 2, 4, None, [], [*first, 0.0, 1.0, -9.0, 0.5, 10.0, 100.0, 1000.0, 1.0])
    state = example(KNIGHTS, 4)
    assert network.worth(state, 0, 0, vec[float]([3.0, 0.25])) == 10 * 3.0 + 100 * 1.5 + 0.5
    assert network.worth(state, 0, 1, vec[float]([3.0, -4.0])) == 10 * 3.0 + 3.5, "a unit below 0 is 0"
    assert network.worth(state, 0, 7, vec[float]([3.0, -4.0])) == 10 * 3.0 + 3.5, "beyond the last phase is the last"


def test_it_reads_its_own_and_adds_up_the_others() -> None:
    read = [plane for plane in read_all(KNIGHTS) if plane.name in ("a knight: glory", "tournaments begun")]
    assert [(plane.each_seat, plane.inputs()) for plane in read] == [(True, 2), (False, 1)]
    network = Network(0, 1, AT_ONCE, KNIGHTS.planes, read, [0.0] * (4 + 2) * AT_ONCE)
    for seats in (4, 5):
        state = quiet_positions(KNIGHTS, seats)[-1]
        assert isinstance(state, GhostKnights)
        glory = [state.score(seat) for seat in range(seats)]
        for seat in range(seats):
            network.look(state, seat, 0, vec[float]())
            assert list(network.input) == [1.0, glory[seat], sum(glory) - glory[seat], state.tournaments]


def test_it_counts_the_things_that_are_named() -> None:
    """The units of the own realm, by kind, and of all other realms together."""
    box = BOXES["paper-tales"]
    read = [plane for plane in read_all(box) if plane.name.startswith("a realm: its units")]
    assert [(plane.each_seat, plane.things, plane.inputs()) for plane in read] == [(True, KINDS, 2 * KINDS)]
    network = Network(0, 1, AT_ONCE, box.planes, read, [0.0] * (1 + 2 * KINDS + 2) * AT_ONCE)
    state = quiet_positions(box, 3)[-1]
    assert isinstance(state, PaperTales)
    kinds = [[unit.kind for unit in realm.units] for realm in state.realms]
    assert all(kinds)
    for seat in range(3):
        network.look(state, seat, 0, vec[float]())
        others = [kind for other in range(3) if other != seat for kind in kinds[other]]
        assert list(network.input)[1:] == [row.count(kind) for row in (kinds[seat], others) for kind in range(KINDS)]


@pytest.mark.parametrize("box", BOXES.values(), ids=list(BOXES))
def test_planes_of_another_length_for_another_number_of_players_are_left_out(box: Box) -> None:
    assert box.planes is not None
    read = {plane.name for plane in read_all(box)}
    assert read
    assert not read & {"your seat", "must answer"}
    for seats in box.players:
        assert read <= {plane.name for plane in describe(box.planes, example(box, seats))}


@pytest.mark.parametrize("box", BOXES.values(), ids=list(BOXES))
def test_a_network_that_knows_nothing_changes_nothing(box: Box) -> None:
    advisor = with_network(box, 4, 0.0)
    nothing = advisor.network
    for seats in box.players:
        for state in quiet_positions(box, seats, 7):
            advisor.network = nothing
            hopes = list(advisor.evaluate(state))
            advisor.network = None
            assert hopes == pytest.approx(list(advisor.evaluate(state)))


@pytest.mark.parametrize("box", BOXES.values(), ids=list(BOXES))
def test_chances_add_up_whatever_the_weights(box: Box) -> None:
    """Even if all but one are hopeless by far."""
    for number in (0.05, 1000.0):
        advisor = with_network(box, 8, number, 3)
        network, changed = advisor.network, 0
        for state in quiet_positions(box, box.players[-1], 7):
            advisor.network = network
            hopes = list(advisor.evaluate(state))
            advisor.network = None
            assert sum(hopes) == pytest.approx(1.0)
            assert all(0.0 <= hope <= 1.0 for hope in hopes)
            changed += hopes != list(advisor.evaluate(state))
        assert changed


def test_weights_of_another_shape_are_refused() -> None:
    with pytest.raises(Misfit, match="7 weights, not 20"):
        Network(1, 1, 4, None, [], [0.0] * 7)
    with pytest.raises(Misfit, match="6 hidden units"):
        Network(1, 1, 6, None, [], [0.0] * 30)
    for plane in (
        InputPlane("a knight: gold", 1, 4, True, 0),
        InputPlane("a knight: glory", 2, 4, True, 0),
        InputPlane("a knight: glory", 1, 1, False, 0),
        InputPlane("a knight: glory", 1, 4, True, 9),
    ):
        network = Network(0, 1, 4, KNIGHTS.planes, [plane], [0.0] * (1 + plane.inputs() + 2) * 4)
        with pytest.raises(Misfit, match=plane.name):
            network.layout(example(KNIGHTS, 4))
    network = Network(0, 1, 4, None, [InputPlane("a knight: glory", 1, 4, True, 0)], [0.0] * 20)
    with pytest.raises(Misfit, match="no planes"):
        network.layout(example(KNIGHTS, 4))
