"""Laws of surfaces for any ground: each fire ends, nothing is locked in, and a level read from its bytes goes on alike."""

from hypothesis import given, settings
from hypothesis import strategies as st

from gloam_server.rules.dice import Dice
from gloam_server.world.model.inputs import PlayerAction, Turn
from gloam_server.world.model.level import Level
from gloam_server.world.model.surfaces.surface_changes import surfaces_of
from gloam_server.world.transition.apply import apply
from gloam_server.world.transition.digest import digest_of
from gloam_server.world.transition.serialization import deserialize_level, serialize_level
from gloam_shared.protocol.commands import Wait
from support.content.surface_campaign import tinder
from support.run.effort import effort
from support.scenarios.scenario import Scenario

_TURNS = 400
"""More than 60 cells can burn one after the other, with what they leave."""

_GROUND = st.text(alphabet='."~,+', min_size=60, max_size=60)
_LAID = st.text(alphabet="..fosmwr", min_size=60, max_size=60)


def drawn(ground: str, laid: str) -> Scenario:
    rows = [ground[at : at + 12] for at in range(0, 60, 12)]
    over = [laid[at : at + 12] for at in range(0, 60, 12)]
    rows[0], over[0] = f"1.{rows[0][2:]}", f"..{over[0][2:]}"
    kept = [
        "".join(sign if cell not in "~+" else "." for sign, cell in zip(signs, row, strict=True))
        for signs, row in zip(over, rows, strict=True)
    ]
    return Scenario("\n".join(rows), campaign=tinder(), surfaces="\n".join(kept))


def turn(level: Level) -> None:
    apply(level, Turn((PlayerAction(1_024, 0, Wait()),)))


@settings(max_examples=effort(8, 60), deadline=None)
@given(ground=_GROUND, laid=_LAID)
def test_every_fire_ends(ground: str, laid: str) -> None:
    scenario = drawn(ground, laid)
    level = scenario.level
    for _ in range(_TURNS):
        if not surfaces_of(level).active or not level.players():
            break
        level.players()[0].hp = level.players()[0].hp_max
        turn(level)
    assert not surfaces_of(level).active
    assert {key for key in (scenario.surface(cell % 12, cell // 12) for cell in range(60)) if key} <= {
        "oil",
        "web",
        "rubble",
    }


@settings(max_examples=effort(5, 40), deadline=None)
@given(ground=_GROUND, laid=_LAID)
def test_a_level_from_its_bytes_goes_on_alike(ground: str, laid: str) -> None:
    level = drawn(ground, laid).level
    for _ in range(6):
        copy = deserialize_level(serialize_level(level), tinder(), 1)
        turn(level)
        turn(copy)
        assert serialize_level(copy) == serialize_level(level)
        assert digest_of(copy) == digest_of(level)
        if not level.players():
            break


def test_the_dice_of_many_are_in_their_bounds() -> None:
    rolls = Dice(1, 1, 1).rolls("any", 1, 6, 600)
    assert set(rolls) == set(range(6))
