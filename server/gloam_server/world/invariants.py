"""What must hold after every input. Tests and the simulation ask; the server does not pay for it in play."""

from gloam_server.rules import growth
from gloam_server.world.level import Level


def check(level: Level) -> None:
    """Raise AssertionError, naming what is wrong, unless the level is whole."""
    for number, body in level.creatures.items():
        assert body.number == number, f"creature {number} is filed under another number"
        assert level.walkable(body.cell), f"creature {number} stands in {level.terrain[body.cell]}"
        assert level.occupied.get(body.cell) == number, f"creature {number} and the map disagree"
        assert 0 < body.hp <= body.hp_max, f"creature {number} has {body.hp} of {body.hp_max} health"
        assert body.energy >= 0, f"creature {number} owes energy"
        assert not growth.reached(level.campaign.experience, body.level, body.experience), (
            f"creature {number} of level {body.level} was not raised at {body.experience} experience"
        )
    assert len(level.occupied) == len(level.creatures), "a cell is held by nobody"
    lying = [item.number for pile in level.piles.values() for item in pile]
    assert len(lying) == len(set(lying)), "a thing lies in two places"
    assert sorted(level.handles) == sorted([*level.creatures, *lying]), "handles and things disagree"
    assert len(set(level.handles.values())) == len(level.handles), "two things share a handle"
