"""Views ask and never write: what a level holds is the same before and after a projection."""

from dataclasses import fields

from gloam_server.views.inventory import InventoryCache, inventory
from gloam_server.views.projection import project
from gloam_server.world.model.level import Level
from gloam_shared.view.view import Log
from support.scenarios.scenario import Scenario


def state(level: Level) -> dict[str, str]:
    return {field.name: repr(getattr(level, field.name)) for field in fields(level)}


def test_a_projection_writes_nothing_into_the_level() -> None:
    scenario = Scenario("#1k!#", k="kobold")
    scenario.level.field_of_view(scenario["1"])  # the level's own cache, not the view's
    before = state(scenario.level)
    project(scenario.level, scenario["1"], marks={}, party=(), log=Log())

    assert state(scenario.level) == before


def test_a_cached_inventory_is_the_inventory() -> None:
    scenario, cache = Scenario("#1.#"), InventoryCache()
    body = scenario["1"]
    _, sword = scenario.give("1", "pumpkin", "sword")
    first = cache.inventory(scenario.level, body)
    assert cache.inventory(scenario.level, body) is first
    body.wielded = sword.number

    assert cache.inventory(scenario.level, body) == inventory(scenario.level, body) != first
