"""Views ask and never write: what a level holds is the same before and after a projection."""

from hypothesis import given

from gloam_lab.invariants import check_invariants
from gloam_server.views.inventory import InventoryCache
from gloam_server.views.projection import project
from gloam_server.world.model.level import Level
from gloam_server.world.transition.digest import digest_of
from gloam_server.world.transition.serialization import serialize_level
from gloam_server.world.transition.turn_groups import turn_groups
from gloam_shared.view.view import Log
from support.scenarios.scenario import Scenario
from support.world.random_level import Step, cave, play, seeds, steps


def state(level: Level) -> dict[str, str]:
    kept = {name: repr(getattr(level, name)) for name in Level.__slots__ if name != "state"}
    return kept | {"state": serialize_level(level).hex()}


def test_a_projection_writes_nothing_into_the_level() -> None:
    scenario = Scenario("#1k!#", k="kobold")
    scenario.level.field_of_view(scenario["1"])  # the level's own caches, not the view's
    scenario.level.players(), scenario.level.monsters()
    before = state(scenario.level)
    project(scenario.level, scenario["1"], marks={}, party=(), log=Log())
    assert state(scenario.level) == before


@given(seeds, steps)
def test_no_query_changes_what_is_saved(seed: int, course: list[Step]) -> None:
    level = cave(seed)
    play(level, course)
    before = serialize_level(level)
    turn_groups(level, level.sequence)
    digest_of(level)
    check_invariants(level)
    for body in level.players():
        project(level, body, marks={}, party=(), log=Log())
        list(level.observers(body.cell))
    assert serialize_level(level) == before


def test_an_unchanged_inventory_is_the_same_object() -> None:
    scenario, cache = Scenario("#1.#"), InventoryCache()
    body = scenario["1"]
    _, sword = scenario.give("1", "pumpkin", "sword")
    first = cache.inventory_and_spells(scenario.level, body)
    assert cache.inventory_and_spells(scenario.level, body) is first
    body.wielded = sword.number
    assert cache.inventory_and_spells(scenario.level, body) != first
