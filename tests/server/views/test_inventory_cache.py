"""The cached items of a viewer are always the same as fresh ones, after any event on the level."""

from gloam_server.views.inventory import InventoryCache
from support.content.campaigns import shipped
from support.scenarios.scenario import Scenario


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
        cache.inventory_and_spells(level, body)
        make()
        fresh = InventoryCache().inventory_and_spells(level, body)
        assert cache.inventory_and_spells(level, body) == fresh, change
