"""Revenge: who kills a creature with a name gains experience for what it gained, a trophy, and a line in their story."""

import pytest

from gloam_server.views.texts.life_summaries import describe_life
from gloam_server.world.model.creature import Victim
from gloam_server.world.model.events import ExperienceGained, PlayerDied
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import Envelope, RecordNamedDeath
from gloam_server.world.model.item_names import item_name
from gloam_server.world.realm.fame import NamedCreature
from support.content.named_campaign import trophy_arena
from support.scenarios.scenario import E, Scenario


def felled(*, title: str = "Skarn", victims: tuple[int, ...] = ()) -> Scenario:
    """Let the player kill a kobold that has grown by two levels; `victims` are the accounts of the players that it killed."""
    scenario = Scenario("#1k.#", k="kobold", campaign=trophy_arena())
    kobold = scenario["k"]
    kobold.hp, kobold.hp_max, kobold.level, kobold.experience = 1, 90, 3, 100
    kobold.title, kobold.name = title, f"{title} the kobold" if title else "kobold"
    kobold.victims = [Victim(account, f"Player{account}") for account in victims]
    scenario["1"].attack, scenario["1"].level = 99, 9  # no award raises it
    for _ in range(20):
        if scenario.alive("k"):
            scenario.go("1", E)
    assert not scenario.alive("k")
    return scenario


def trophies(scenario: Scenario) -> list[str]:
    level = scenario.level
    return [item_name(level, item, None) for _, item in level.items_at() if item.kind == "fang"]


def gained(scenario: Scenario) -> list[int]:
    mine = scenario["1"].number
    facts = [event for event in scenario.events if isinstance(event, ExperienceGained)]
    return [fact.amount for fact in facts if fact.creature == mine]


@pytest.mark.rule("F89")
def test_a_trophy_has_name_and_level_of_its_creature() -> None:
    """A trophy has the name and the level of its creature."""
    assert trophies(felled()) == ["Skarn's +3 fang"]
    assert trophies(felled(victims=(1,))) == ["Skarn's +6 fang"]
    assert trophies(felled(victims=(2,))) == ["Skarn's +3 fang"]
    assert trophies(felled(title="")) == []


@pytest.mark.rule("F89")
def test_each_level_that_it_gained_pays_again() -> None:
    [plain] = gained(felled(title=""))
    assert gained(felled()) == [plain, plain * 50 * 2 // 100]


@pytest.mark.rule("F89")
def test_realm_gets_word_of_end_and_of_who_brought() -> None:
    """The realm gets word of its end and of who brought it."""
    scenario = Scenario("#1k.#", k="kobold", campaign=trophy_arena())
    kobold = scenario["k"]
    kobold.hp, kobold.title, kobold.name = 1, "Skarn", "Skarn the kobold"
    scenario["1"].attack, scenario["1"].family = 99, "Player1 III"
    outputs = []
    for _ in range(20):
        if scenario.alive("k"):
            scenario.go("1", E)
            outputs = [
                each
                for each in scenario.outputs
                if isinstance(each, Envelope) and isinstance(each.input, RecordNamedDeath)
            ]
    assert outputs == [Envelope(REALM_PARTITION, RecordNamedDeath(kobold.number, 1, 1, "Player1 III", 1))]


@pytest.mark.rule("F89")
def test_story_of_life_lists_named_creatures_it_ended() -> None:
    """The story of a life lists the named creatures that it ended."""
    assert felled()["1"].statistics.named_slain == ["Skarn the kobold"]
    fallen = PlayerDied(
        1, 1_024, "Ann", "kobold", 2, 0, 1, 0, 3, 1, 3, named_slain=("Skarn the kobold",), killer=9
    )
    lines = describe_life(trophy_arena(), fallen)
    assert "with names: Skarn the kobold" in lines[2]


@pytest.mark.rule("F56", "F89")
@pytest.mark.parametrize(
    ("partition", "told", "went"),
    [(2, 2, "is still there"), (4, 4, "went to depth 4"), (4, 2, "has left"), (4, 0, "has left")],
    ids=["there", "gone", "moved", "untold"],
)
def test_story_of_life_names_killer_tells_where_went(partition: int, told: int, went: str) -> None:
    """The story of a life names its killer and tells where it went, if the news tells it too."""
    fallen = PlayerDied(
        1, 1_024, "Ann", "kobold", 2, 0, 1, 0, 3, 1, 3, killer=9, killer_level=3, killer_grown=2
    )
    killer = NamedCreature("Skarn", "kobold", partition, 4, 3, ("Ann",), 1)
    last = describe_life(trophy_arena(), fallen, killer, told)[-1]
    assert last == f"Died on depth 2. Skarn the kobold is level 4 now and {went}."
    assert describe_life(trophy_arena(), fallen)[-1] == "Died on depth 2. What killed you is level 3 now."
