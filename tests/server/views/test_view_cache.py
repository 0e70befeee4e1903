"""A kept view is the present one, after any change of the viewer's body."""

import pytest

from gloam_server.views.level_records import LevelRecords
from gloam_server.views.own_body import sheet
from gloam_server.views.projection import project
from gloam_server.views.view_cache import ViewCache
from gloam_server.world.model.creature import Lasting
from gloam_server.world.transition.serialization import deserialize_level, serialize_level
from gloam_shared.view.view import Log, View
from support.content.campaigns import shipped
from support.scenarios.scenario import Scenario


@pytest.mark.thorough
@pytest.mark.parametrize("campaign", ["gloam", "jsrogue", "rltut", "ruggrogue"])
def test_a_kept_sheet_follows_hunger(campaign: str) -> None:
    """Food changes with each action, and the sheet shows only some of the changes."""
    scenario = Scenario("#1.#", campaign=shipped(campaign))
    level, body, cache = scenario.level, scenario["1"], ViewCache()
    records = LevelRecords(level)
    records.refresh({})

    def shown() -> View:
        return project(level, body, marks={}, party=(), log=Log(), records=records, kept=cache)

    start = body.food
    for food in range(start, -1, -max(1, start // 500)):
        before = shown()
        body.food, body.hp_part = food, -food % 7
        assert shown().sheet == sheet(level, body)
        assert shown() is before or shown().sheet != before.sheet


def test_a_status_effect_of_another_is_shown_at_once() -> None:
    """A body with its first status effect is otherwise as it was, and has other numbers."""
    scenario = Scenario("#12#", campaign=shipped("rltut"))
    level, records, cache = scenario.level, LevelRecords(scenario.level), ViewCache()

    def attack() -> int:
        records.refresh({})
        view = project(level, scenario["1"], marks={}, party=(), log=Log(), records=records, kept=cache)
        return view.creatures[1].attack

    plain = attack()
    scenario["2"].lasting.append(Lasting("warrior", 0, 20))
    level.state.sequence += 1
    assert attack() > plain


def test_a_level_in_the_place_of_another_is_seen_whole() -> None:
    """A fault puts a level with equal bodies in the place of the old one: nothing is kept of the view of that."""
    level, cache = Scenario("#1.#").level, ViewCache()
    again = deserialize_level(serialize_level(level), level.campaign, level.realm_seed)
    for each in (level, again):
        (body,) = each.players()
        records = LevelRecords(each)
        records.refresh({})
        kept = project(each, body, marks={}, party=(), log=Log(), records=records, kept=cache)
        assert kept == project(each, body, marks={}, party=(), log=Log())
