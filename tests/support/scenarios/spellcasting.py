"""Scenes in which a player has a book of everything, and verbs for casting from it."""

from typing import Any

from gloam_server.world.actions import plan
from gloam_server.world.model.events import Narration
from gloam_server.world.model.outcome import Impossible
from gloam_shared.protocol.commands import Cast, Wait
from support.content.magic_campaign import academy
from support.scenarios.scenario import Scenario


def scene(drawing: str = "#1..2#", **letters: Any) -> Scenario:
    """Everybody has 20 mana, and player 1 a book of everything."""
    scenario = Scenario(drawing, campaign=academy(), **letters)
    scenario.give("1", "white_book")
    return scenario


def cast(scenario: Scenario, spell: str, at: str | int | None = None) -> list[Narration]:
    """Let player 1 cast a spell, at someone, at a cell or at nothing."""
    cell = scenario[at].cell if isinstance(at, str) else at
    return scenario.turn(("1", Cast(spell, cell)))


def refused(scenario: Scenario, spell: str, cell: int | None = None) -> str:
    """Return why player 1 cannot cast a spell."""
    outcome = plan(scenario.level, scenario["1"], Cast(spell, cell))
    assert isinstance(outcome, Impossible)
    return outcome.text


def wait(scenario: Scenario, turns: int) -> list[Narration]:
    """Let player 1 wait; return what happened meanwhile."""
    return [event for _ in range(turns) for event in scenario.turn(("1", Wait()))]
