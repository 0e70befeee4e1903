"""The maps of earlier worlds become named fields, wherever a body is decoded."""

import msgspec
import pytest

from gloam_server.world.model.creature import Creature
from gloam_server.world.model.creature_state import AiState, LevelCell, RunStatistics
from gloam_server.world.transition import serialization

BODY = {
    "number": 65,
    "kind": "hound",
    "name": "Rex",
    **dict.fromkeys(("hp", "hp_max", "attack", "defence", "sight", "speed"), 9),
}


def decoded(**fields: object) -> Creature:
    return msgspec.msgpack.decode(msgspec.msgpack.encode({**BODY, **fields}), type=Creature)


@pytest.mark.parametrize(
    ("trait", "number", "field", "value"),
    [
        ("prey", 129, "prey", 129),
        ("saw", 2 * 65_536 + 300, "last_seen", LevelCell(2, 300)),
        ("trail", 7, "trail_steps", 7),
        ("home", 70_000, "home", LevelCell(1, 4_464)),
        ("waited", 3, "waited", 3),
        ("pack", 1, "pack_ready", True),
        ("stepped", 1, "stepped_back", True),
        ("loot", 193, "loot", 193),
        ("limb", 1, "limb_grown", True),
        ("hidden", 1, "hidden", True),
    ],
)
def test_tasks_kept_map_read_ai_state(trait: str, number: int, field: str, value: object) -> None:
    """The map in which tasks kept their state is read into the AI state."""
    body = decoded(traits={trait: number})
    assert body.ai == AiState(**{field: value})  # type: ignore[arg-type]
    assert b"traits" not in msgspec.msgpack.encode(body)
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(body), type=Creature) == body


def test_other_numbers_map_read_body() -> None:
    """The other numbers of the map are read into the body."""
    body = decoded(
        traits={
            "ally": 1,
            "called": 2,
            "attackers": 3,
            "respawned": 1,
            "hesitated": 40,
            "shrine_2_300": 1,
            "shrine_10_5": 1,
        }
    )
    assert (body.ally, body.summons, body.attackers, body.respawned) == (True, 2, 3, True)
    assert body.exit_warned == 40
    assert sorted(body.used_shrines) == [(2, 300), (10, 5)]
    plain = decoded(traits={})
    assert (plain.ally, plain.summons, plain.attackers, plain.respawned) == (False, 0, 1, False)
    assert (plain.exit_warned, plain.used_shrines, plain.ai) == (-1, [], AiState())


def test_the_tally_is_read_into_the_statistics() -> None:
    tally = {"dealt": 30, "taken": 12, "deepest": 4, "wins": 1, "slew bat": 3, "slew giant rat": 5}
    body = decoded(tally=tally)
    assert body.statistics == RunStatistics(30, 12, 4, 1, {"bat": 3, "giant rat": 5})
    assert b"tally" not in msgspec.msgpack.encode(body)
    assert decoded().statistics == RunStatistics()


def test_hash_record_compared_within_layout() -> None:
    """A hash of a record is compared within one layout only."""
    assert serialization.is_record_hash_of(serialization.record_hash(b"state"), b"state")
    assert not serialization.is_record_hash_of(serialization.record_hash(b"state"), b"other")
    assert serialization.is_record_hash_of(serialization.state_hash(b"state"), b"other"), (
        "layout 1 has no number"
    )
    assert serialization.is_record_hash_of(
        bytes([serialization.STATE_LAYOUT + 1]) + serialization.state_hash(b"state"), b"other"
    )
