"""Throwing and shooting as played: who is hit, how hard, and where things land (rules TG.19-TG.21, TG.28, F25)."""

import pytest

from gloam_server.world.actions import plan
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.events import ItemDestroyed
from gloam_server.world.model.outcome import Impossible
from gloam_shared.protocol.commands import Fire, Throw, Wield
from gloam_shared.view.view import ItemFlag, Stat
from support.content.behavior_campaigns import caves
from support.scenarios.scenario import Scenario, facts, kinds, read_events


def hall(drawing: str, **letters: str) -> Scenario:
    return Scenario(drawing, campaign=caves(), seed=1, partition=1, dark=False, **letters)


def archer(drawing: str, **letters: str) -> Scenario:
    scenario = hall(drawing, **letters)
    [bow] = scenario.give("1", "bow")
    scenario.wield("1", bow.number)
    return scenario


def refusal(scenario: Scenario, command: Throw | Fire) -> str:
    outcome = plan(scenario.level, scenario["1"], command)
    assert isinstance(outcome, Impossible)
    return outcome.text


def still(creature: Creature) -> None:
    """Let a creature sleep on: what is thrown at it wakes it, and it does not act in this turn."""
    creature.energy = 0
    creature.speed = 50


@pytest.mark.rule("TG.19")
def test_a_throw_uses_half_the_attack() -> None:
    """A thrown item strikes with half of the thrower's attack and its own value."""
    amounts: set[int] = set()
    for seed in range(60):
        scenario = Scenario("1...z", campaign=caves(), seed=seed, z="zombie")
        still(scenario["z"])
        scenario.give("1", "dagger")
        events = scenario.turn(("1", Throw(0, 4)))
        amounts.update(event.amount for event in events if event.kind == "throws_at")
    # 20 / 2 + 5 - 10
    assert amounts == {1, 2, 3, 4, 5}


@pytest.mark.rule("TG.19")
def test_a_shot_uses_half_the_attack_and_the_bow() -> None:
    """A shot strikes with half of the shooter's attack and the bow, and costs no arrow."""
    amounts: set[int] = set()
    for seed in range(60):
        scenario = archer("1...z", z="zombie")
        scenario.level.realm_seed = seed
        scenario.set_stats("z", defence=11)
        still(scenario["z"])
        events = scenario.turn(("1", Fire(4)))
        amounts.update(event.amount for event in events if event.kind == "shoots")
        assert scenario.names("1") == ["a bow"]
    # 20 / 2 + 5 - 11
    assert amounts == {1, 2, 3, 4}


@pytest.mark.rule("TG.19")
def test_what_is_wielded_does_not_count_in_a_throw() -> None:
    for seed in range(30):
        scenario = Scenario("1...z", campaign=caves(), seed=seed, z="zombie")
        still(scenario["z"])
        sword, _ = scenario.give("1", "sword", "dagger")
        scenario.wield("1", sword.number)
        events = scenario.turn(("1", Throw(1, 4)))
        assert all(event.amount <= 5 for event in events if event.kind == "throws_at")


@pytest.mark.rule("TG.20")
def test_a_throw_stops_at_the_first_wall() -> None:
    """A thrown item stops at the first wall and lies before it."""
    scenario = hall("1..#.")
    scenario.give("1", "dagger")
    assert scenario.level.field_of_view(scenario["1"])[3]
    scenario.turn(("1", Throw(0, 3)))
    assert [item.kind for item in scenario.level.piles[2]] == ["dagger"]


@pytest.mark.rule("TG.20")
def test_a_miss_lies_where_it_was_aimed() -> None:
    scenario = hall("1.......")
    scenario.give("1", "rock")
    events = scenario.turn(("1", Throw(0, 5)))
    assert kinds(events) == ["throws"]
    assert read_events(events, scenario["1"]) == ["You throw the rock."]
    assert [item.kind for item in scenario.level.piles[5]] == ["rock"]
    assert scenario["1"].carried == []


@pytest.mark.rule("TG.20")
def test_hits_lies_hit_and_wielded_no_more() -> None:
    """A missile that hits lies where it hit and is wielded no more."""
    scenario = hall("1...z", z="zombie")
    still(scenario["z"])
    [dagger] = scenario.give("1", "dagger")
    scenario.wield("1", dagger.number)
    scenario.turn(("1", Throw(0, 4)))
    assert scenario["1"].wielded == 0
    assert [item.kind for item in scenario.level.piles[4]] == ["dagger"]


@pytest.mark.rule("F25")
@pytest.mark.parametrize("aimed", [4, 6])
def test_a_missile_hits_the_first_foe_on_its_way(aimed: int) -> None:
    scenario = hall("1.b.z..", b="bat", z="zombie")
    still(scenario["b"])
    still(scenario["z"])
    scenario.give("1", "dagger")
    events = scenario.turn(("1", Throw(0, aimed)))
    [hit] = [event for event in events if event.kind == "throws_at"]
    assert hit.target == scenario["b"].number


@pytest.mark.rule("F25")
def test_a_missile_passes_a_friend() -> None:
    """A missile passes a friend, and falls at the feet of one that is its target."""
    scenario = hall("1.2.z", z="zombie")
    still(scenario["z"])
    scenario.give("1", "dagger", "sword")
    scenario.turn(("1", Throw(0, 4)))
    assert scenario["2"].hp == scenario["2"].hp_max
    assert scenario["z"].hp < scenario["z"].hp_max
    scenario.turn(("1", Throw(1, 2)))
    assert scenario["2"].hp == scenario["2"].hp_max
    assert [item.kind for item in scenario.level.piles[2]] == ["sword"]


@pytest.mark.rule("F25")
def test_shot_stands_behind_another_hits_first() -> None:
    """A shot at who stands behind another hits the first."""
    scenario = archer("1.b.z", b="bat", z="zombie")
    still(scenario["b"])
    still(scenario["z"])
    events = scenario.turn(("1", Fire(4)))
    [hit] = [event for event in events if event.kind == "shoots"]
    assert hit.target == scenario["b"].number
    assert read_events([hit], scenario["1"]) == [f"You shoot the bat with the bow for {hit.amount} damage!"]


@pytest.mark.rule("TG.28")
def test_who_wields_nothing_that_shoots_cannot_fire() -> None:
    scenario = hall("1..f", f="fungus")
    assert refusal(scenario, Fire(3)) == "You don't have a ranged weapon equipped."
    scenario.give("1", "bow")
    assert refusal(scenario, Fire(3)) == "You don't have a ranged weapon equipped."
    scenario.turn(("1", Wield(0)))
    assert not isinstance(plan(scenario.level, scenario["1"], Fire(3)), Impossible)


@pytest.mark.rule("TG.28")
def test_empty_hidden_outside_targets_refused() -> None:
    """Empty cells, hidden friends and cells beyond the level are refused alike."""
    scenario = archer("1..2#z.", z="zombie")
    nobody = "There's no one there to fire at."
    for cell in (1, 3, 5, 6, 700):
        assert refusal(scenario, Fire(cell)) == nobody


@pytest.mark.rule("F25")
def test_one_who_is_seen_past_a_wall_can_be_hit() -> None:
    """A missile passes a wall on the side on which its target is seen, and costs nothing but the turn that it takes."""
    scenario = archer(
        """
        1.......
        ........
        ..#.....
        ........
        ...z....
        """,
        z="zombie",
    )
    zombie = scenario["z"]
    still(zombie)
    assert scenario.level.field_of_view(scenario["1"])[zombie.cell]
    [slot] = [at for at, item in enumerate(scenario["1"].slots) if item is None][:1]
    scenario.give("1", "dagger")
    for command in (Fire(zombie.cell), Throw(slot, zombie.cell)):
        [hit] = [each for each in scenario.turn(("1", command)) if each.kind in ("shoots", "throws_at")]
        assert hit.target == zombie.number


@pytest.mark.rule("F25")
@pytest.mark.parametrize("corner", ["1#.", "1.#"])
def test_a_throw_past_a_corner_lands_where_it_is_aimed(corner: str) -> None:
    """A knight's move past one wall is in sight, and what is thrown there lands there."""
    scenario = hall(f"{corner}\n...")
    goal = 5
    scenario.give("1", "dagger")
    if scenario.level.field_of_view(scenario["1"])[goal]:
        scenario.turn(("1", Throw(0, goal)))
        assert goal in scenario.level.piles
    else:
        assert refusal(scenario, Throw(0, goal)) == "You can only throw at what you see."


@pytest.mark.rule("TG.28")
def test_throws_sees_and_not_far() -> None:
    """One throws only at what one sees and not too far."""
    scenario = hall("1.........#.")
    assert refusal(scenario, Throw(0, 3)) == "You are not carrying anything!"
    scenario.give("1", "rock")
    assert refusal(scenario, Throw(0, 0)) == "You stand there yourself."
    assert refusal(scenario, Throw(0, 9)) == "That is too far away."
    for cell in (11, 900):
        assert refusal(scenario, Throw(0, cell)) == "You can only throw at what you see."


@pytest.mark.rule("TG.28")
def test_the_sheet_shows_the_range_of_shots() -> None:
    """The sheet shows how far the player can fire, and the list what shoots."""
    scenario = hall("1..")
    scenario.give("1", "bow", "sword")
    assert scenario.view().sheet[Stat.REACH] == 0
    scenario.turn(("1", Wield(0)))
    assert scenario.view().sheet[Stat.REACH] == 9
    assert [bool(thing.traits & ItemFlag.SHOOTS) for thing in scenario.view().inventory] == [True, False]


@pytest.mark.rule("TG.20")
def test_a_potion_breaks_on_its_victim() -> None:
    """A potion breaks on the creature that it hits, and brings its spell to it."""
    scenario = hall("1...z", z="zombie")
    still(scenario["z"])
    scenario.give("1", "poison_potion")
    events = scenario.turn(("1", Throw(0, 4)))
    assert kinds(events)[:2] == ["throws_at", "breaks"]
    assert len(facts(scenario.events, ItemDestroyed)) == 1
    assert [state.spell for state in scenario["z"].lasting] == ["poison"]
    assert scenario.level.piles == {}


@pytest.mark.rule("TG.20")
def test_a_potion_that_misses_lands_whole() -> None:
    scenario = hall("1....")
    [potion] = scenario.give("1", "poison_potion")
    scenario.turn(("1", Throw(0, 3)))
    assert scenario.level.piles[3] == [potion]


@pytest.mark.rule("TG.23")
def test_a_thrown_potion_is_named_by_its_looks() -> None:
    """A thrown potion is named by its looks until its effect was seen."""
    scenario = hall("1...z", z="zombie")
    still(scenario["z"])
    scenario.give("1", "poison_potion")
    lines = read_events(scenario.turn(("1", Throw(0, 4))), scenario["1"])
    assert "poison" not in lines[0]
    assert "poison_potion" in scenario["1"].known


@pytest.mark.rule("F26")
def test_a_good_potion_thrown_at_a_friend_helps() -> None:
    """A potion that does no harm helps the friend that it is thrown at."""
    scenario = hall("1.2")
    scenario.set_health("2", hp=50)
    scenario.give("1", "health_potion")
    events = scenario.turn(("1", Throw(0, 2)))
    assert kinds(events)[0] == "throws_to"
    assert scenario["2"].hp == 65


@pytest.mark.rule("F27")
def test_poison_thrown_at_a_friend_falls_at_his_feet() -> None:
    scenario = hall("1.2")
    [potion] = scenario.give("1", "poison_potion")
    scenario.turn(("1", Throw(0, 2)))
    assert (scenario["2"].lasting, scenario.level.piles[2]) == ([], [potion])


@pytest.mark.rule("F25")
def test_an_arrival_cannot_be_hit_before_he_acted() -> None:
    scenario = hall("g...1", g="goblin")
    [dagger] = scenario.give("g", "dagger")
    scenario.protect("1", 3)
    scenario.turn(("1", None))
    assert scenario["1"].hp == scenario["1"].hp_max
    assert dagger in scenario["g"].carried


@pytest.mark.rule("TG.21")
def test_the_dead_leave_a_corpse_and_their_items() -> None:
    """A dead creature leaves a corpse and everything that it carried, each on a cell of its own."""
    scenario = hall("...\n1z.\n...", z="zombie")
    scenario.give("z", "sword", "tunic", "apple")
    scenario.set_health("z", hp=1)
    [dagger] = scenario.give("1", "dagger")
    scenario.turn(("1", Throw(0, scenario["z"].cell)))
    lying = [(cell, item.kind) for cell, item in scenario.level.items_at()]
    assert sorted(kind for _, kind in lying) == ["apple", "corpse", "dagger", "sword", "tunic"]
    assert len({cell for cell, _ in lying}) == 5
    assert dagger.owner == 1


@pytest.mark.rule("A42")
def test_a_blind_shot_reveals_no_target() -> None:
    """A shot at a cell out of sight is refused alike, whether a creature stands there or not."""
    refusals = [refusal(archer("1.#z", z="zombie"), Fire(3)), refusal(archer("1.#."), Fire(3))]
    assert refusals[0] == refusals[1]
