"""The cached items of a viewer are always the same as fresh ones, after any event on the level."""

from collections import defaultdict

from hypothesis import given

from gloam_server.views.inventory import InventoryCache, inventory
from gloam_server.views.own_body import spell_list
from gloam_server.world.model.inputs import LevelInput
from gloam_server.world.model.level import Level
from gloam_server.world.transition.apply import Result
from support.content.campaigns import shipped
from support.scenarios.scenario import Scenario
from support.world.random_level import Step, cave, play, seeds, steps


@given(seeds, steps)
def test_cached_inventory_inventory_whatever(seed: int, course: list[Step]) -> None:
    """A cached inventory is the inventory after any event."""
    caches: dict[int, InventoryCache] = defaultdict(InventoryCache)

    def look(level: Level, _input: LevelInput, _result: Result) -> None:
        for body in level.players():
            shown = caches[body.account].inventory_and_spells(level, body)
            assert shown == (inventory(level, body), spell_list(level, body))

    play(cave(seed % 20), course, look)


def test_every_change_of_what_is_carried_is_seen() -> None:
    scenario, cache = Scenario("#1.#", campaign=shipped("gloam")), InventoryCache()
    level, body = scenario.level, scenario["1"]
    [ration] = scenario.give("1", "ration")
    changes = {
        "bites": lambda: setattr(ration, "bites", ration.bites + 1),
        "wielded": lambda: setattr(body, "wielded", ration.number),
        "known": lambda: body.known.append("potion"),
        "stack": lambda: body.stacks.setdefault(body.slots.index(ration), []).append(ration),
        "slot": body.slots.reverse,
        "gone": body.slots.clear,
    }
    for change, make in changes.items():
        cache.inventory(level, body)
        make()
        assert cache.inventory_and_spells(level, body) == (inventory(level, body), spell_list(level, body)), (
            change
        )
