"""A pack is worked out once for each inventory, and never shown for another."""

import pytest

from gloam_lab.balance.simulation import Simulation
from gloam_lab.bots.pack import Pack, pack_of
from gloam_server.world.transition.dungeon import Dungeon
from gloam_shared.view.view import InventoryItem
from support.content.campaigns import shipped


def by_use(pack: Pack) -> dict[str, object]:
    return {name: getattr(pack, name) for name in Pack.__slots__}


@pytest.mark.thorough
def test_a_pack_is_always_that_of_its_inventory() -> None:
    played = Simulation(shipped("gloam"), 1, 2, turns_max=150)
    seen: set[tuple[InventoryItem, ...]] = set()

    def look(_dungeon: Dungeon, _place: int) -> None:
        for guest in played.players.values():
            things = guest.bot.memory.inventory
            seen.add(things)
            assert pack_of(things) is pack_of(things)
            assert by_use(pack_of(things)) == by_use(Pack(things))

    played.after_input = look
    played.play()
    assert len(seen) > 5

    most = next(things for things in seen if things)
    for count in range(1_000):  # a new inventory may take the place in memory of one that is gone
        things = tuple(most[: count % len(most)])
        assert by_use(pack_of(things)) == by_use(Pack(things))
