"""Laws of devices for any play: gates follow what works them, and a level read from its bytes goes on alike."""

from hypothesis import given, settings
from hypothesis import strategies as st

from gloam_lab.invariants import check_invariants
from gloam_server.world.model.inputs import Leave, PlayerAction, Turn
from gloam_server.world.transition.apply import apply
from gloam_server.world.transition.digest import digest_of
from gloam_server.world.transition.serialization import deserialize_level, serialize_level
from gloam_shared.geometry import DIRECTIONS
from gloam_shared.protocol.commands import Drop, Move, Wait
from support.content.device_campaign import machines
from support.run.effort import effort
from support.scenarios.device_scenario import machine

_DRAWING = "#########\n#1.2.#..#\n#....#..#\n#.k..#.k#\n#########"
_DEVICES = ".........\n.p.a.svv.\n.h...gvvl\n.p...kvv.\nb.l......"
"""The gate and the seal are worked by all; the lever in the outer wall of the sealed part leads out."""

_ACTS = st.lists(
    st.tuples(st.integers(1, 2), st.sampled_from([*DIRECTIONS, (0, 0), (9, 9)])), min_size=5, max_size=25
)


@settings(max_examples=effort(15, 200), deadline=None)
@given(acts=_ACTS, leaves=st.booleans())
def test_gates_follow_and_replays_agree(
    acts: list[tuple[int, tuple[int, int]]], leaves: bool
) -> None:  # drawn by Hypothesis
    scenario = machine(_DRAWING, _DEVICES)
    scenario.give("1", "iron_key", "red_book")
    level = scenario.level
    copy = deserialize_level(serialize_level(level), machines(), 1)
    for player, way in acts:
        command = Wait() if way == (0, 0) else Drop(1) if way == (9, 9) else Move(*way)
        input_ = Turn((PlayerAction(player * 1_024, 0, command),))
        for each in (level, copy):
            apply(each, input_)
            check_invariants(each)
        assert digest_of(copy) == digest_of(level)
    if leaves:
        apply(level, Leave(1_024))
        apply(copy, Leave(1_024))
        check_invariants(level)
    assert serialize_level(copy) == serialize_level(level)
