"""Fear is fear of its caster: it passes the caster and its kin, so they do not keep the caster from it (rule F26)."""

import pytest

from gloam_server.rules.dice import Dice
from gloam_server.world.effects.spells import cast_spell
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.modifiers import is_afraid
from gloam_shared.protocol.commands import Wait
from support.content.shipped_files import campaign
from support.scenarios.scenario import Scenario

GLOAM = campaign("gloam")


def sources(scenario: Scenario, turns: int) -> set[str]:
    """Return what is cast while player 1 waits, with much health."""
    found: set[str] = set()
    for _ in range(turns):
        scenario.set_health("1", hp=9_000, hp_max=9_000)
        found.update(line.source for line in scenario.turn(("1", Wait())) if line.kind == "casts")
    return found


@pytest.mark.rule("F26")
@pytest.mark.parametrize("hall", ["#1z..J#", "#z1J...#"])
def test_boss_frightens_past_its_own_shades(hall: str) -> None:
    """The Gloam casts fear at a player whose neighbors are its own shades, and beside the player too."""
    scenario = Scenario(hall, campaign=GLOAM, J="gloam", z="shade")
    assert "fear" in sources(scenario, 8)
    assert is_afraid(GLOAM, scenario["1"])
    assert not is_afraid(GLOAM, scenario["z"])
    assert not is_afraid(GLOAM, scenario["J"])


@pytest.mark.rule("F26")
def test_a_player_is_not_afraid_of_their_own_spell() -> None:
    """Fear reaches the foes within its radius, neither the player who casts it nor their friend."""
    scenario = Scenario("#21k..o#", campaign=GLOAM, k="kobold", o="ogre")
    cast_spell(TurnContext(scenario.level, Dice(1, 1, 1)), "fear", scenario["1"], scenario["k"].cell)
    afraid = [name for name, body in scenario.named.items() if is_afraid(GLOAM, body)]
    assert afraid == ["k"]
