"""Players hear what monsters do out of their sight: the kind of sound and its direction, and not too often (rule F102)."""

import pytest
from msgspec.structs import astuple

from gloam_server.rules.dice import Dice
from gloam_server.world.combat.attack import resolve_attack
from gloam_server.world.growth.sounds import resound
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.inputs import Envelope, Resound
from gloam_shared.protocol.commands import Wait
from support.content.campaigns import arena, shipped, with_rules
from support.scenarios.scenario import Scenario, read_events

GLOAM = with_rules(shipped("gloam"), "learning", leaves_above=0)
WALLED = "#1.##k.r#"


def heard(scenario: Scenario, turns: int = 1) -> list[str]:
    lines = [line for _ in range(turns) for line in read_events(scenario.turn(("1", Wait())), scenario["1"])]
    return [line for line in lines if line.startswith("You hear")]


def sounds_of(scenario: Scenario, *sounds: str) -> list[str]:
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    for sound in sounds:
        resound(context, sound, scenario["k"])  # type: ignore[arg-type]  # each is a field of the rules
    return read_events(context.events, scenario["1"])


@pytest.mark.rule("F102", "F67")
def test_a_fight_behind_a_wall_is_heard_once() -> None:
    """Two peoples at odds fight: the player hears a fight in the east, and no second one before 80 own actions."""
    scenario = Scenario(WALLED, campaign=GLOAM, k="kobold", r="rat")
    for name in "kr":
        scenario.set_health(name, hp=900, hp_max=900)
    lines = heard(scenario, 20)
    assert lines == ["You hear a fight: east."]
    scenario["1"].actions += 80
    assert heard(scenario, 3) == ["You hear a fight: east."]


@pytest.mark.rule("F102")
def test_what_is_seen_is_not_heard() -> None:
    scenario = Scenario("#1..k.r#", campaign=GLOAM, k="kobold", r="rat")
    assert heard(scenario, 3) == []
    assert sounds_of(scenario, "fight") == []


@pytest.mark.rule("F102")
def test_what_is_far_off_is_not_heard() -> None:
    far = Scenario(f"#1{'#' * 30}k#", campaign=GLOAM, k="kobold")
    near = Scenario(f"#1{'#' * 29}k#", campaign=GLOAM, k="kobold")
    assert sounds_of(far, "growth") == []
    assert sounds_of(near, "growth") == ["You hear a cry of triumph: east."]


def beyond_stairs(drawing: str, sound: str = "fight") -> list[tuple[int, str, int, int]]:
    """Return the messages for the levels beyond the stairs: the level, the sound, the cell of its stairs, and what is left."""
    scenario = Scenario(drawing, campaign=GLOAM, partition=2, k="kobold")
    scenario.level.state.links[drawing.find(">")] = 70
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    resound(context, sound, scenario["k"])  # type: ignore[arg-type]  # each is a field of the rules
    sent = [output for output in context.outputs if isinstance(output, Envelope)]
    return [(each.to, *astuple(each.input)[:3]) for each in sent]


@pytest.mark.rule("F102")
def test_a_sound_near_stairs_goes_on_beyond_them() -> None:
    """It goes through the nearest stairs of each direction, as far as is left of its way."""
    assert beyond_stairs("#1..k..>...<#") == [(1, "fight", 11, 23), (3, "fight", 70, 27)]
    assert beyond_stairs("#1..k......#") == []
    assert beyond_stairs(f"#1k{'.' * 29}>#") == []


def at_stairs(drawing: str, source: int, cells: int = 12) -> list[str]:
    scenario = Scenario(drawing, campaign=GLOAM, partition=2)
    cell = max(drawing.find("<"), drawing.find(">"))
    events = scenario.apply(Resound("fight", cell, cells, (source, 5, 0))).events
    again = scenario.apply(Resound("fight", cell, cells, (source, 6, 0))).events
    assert read_events(again, scenario["1"]) == [], "it rests as after any sound"
    return read_events(events, scenario["1"])


@pytest.mark.rule("F102")
def test_who_is_near_stairs_hears_what_is_beyond() -> None:
    assert at_stairs("#1...>#", 3) == ["You hear a fight: down the stairs, east."]
    assert at_stairs("#<...1#", 1) == ["You hear a fight: up the stairs, west."]
    assert at_stairs("#<...1#", 1, cells=3) == []


@pytest.mark.rule("F102")
def test_each_sound_has_its_words() -> None:
    for sound in ("fight", "call", "door", "name"):
        scenario = Scenario(WALLED, campaign=GLOAM, k="kobold", r="rat")
        [line] = sounds_of(scenario, sound, sound)
        assert line == f"You hear {getattr(GLOAM.sounds, sound)}: east."


@pytest.mark.rule("F102")
def test_growth_and_arrivals_are_heard_between_others() -> None:
    scenario = Scenario(WALLED, campaign=GLOAM, k="kobold", r="rat")
    lines = sounds_of(scenario, "fight", "growth", "arrival", "door")
    assert lines == [
        "You hear a fight: east.",
        "You hear a cry of triumph: east.",
        "You hear heavy steps on the stairs: east.",
    ]


@pytest.mark.rule("F102")
def test_a_campaign_without_sounds_is_silent() -> None:
    scenario = Scenario(WALLED, campaign=arena(), k="kobold", r="rat")
    assert sounds_of(scenario, "fight", "door") == []


@pytest.mark.rule("F102", "F100")
def test_a_named_one_out_of_sight_is_heard_at_times() -> None:
    scenario = Scenario("#1.##k.#", campaign=GLOAM, k="kobold")
    scenario["k"].title, scenario["k"].name = "Skarn", "Skarn the kobold"
    assert set(heard(scenario, 200)) == {"You hear a voice that calls its own name: east."}


@pytest.mark.rule("F102")
@pytest.mark.parametrize(
    ("dark", "told"), [(True, ["The attack comes from the east."]), (False, [])], ids=["unseen", "seen"]
)
def test_an_attack_out_of_the_dark_tells_its_direction(dark: bool, told: list[str]) -> None:
    """A player who was shot from the dark read the damage, saw nothing, and did not know where to look."""
    scenario = Scenario("#1.....k#", campaign=GLOAM, dark=dark, k="kobold")
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    resolve_attack(context, scenario["k"], scenario["1"], 800, attack_kind="shoots", source="arrow")
    lines = read_events(context.events, scenario["1"])
    assert [line for line in lines if line.startswith("The attack")] == told
