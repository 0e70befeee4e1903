"""One verb a command: what the registry must hold."""

from collections import Counter
from typing import get_args

from gloam_server.rules.dice import Dice
from gloam_server.world.actions.melee import Attack
from gloam_server.world.actions.registry import VERBS, plan, try_execute
from gloam_server.world.actions.waiting import Guard
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.outcome import Action, Impossible
from gloam_shared.protocol import commands
from support.scenarios.scenario import Scenario


def test_each_command_that_costs_a_turn_has_one_verb() -> None:
    """No command is without a verb, none has two, and no verb answers anything else."""
    assert Counter(verb.command for verb in VERBS) == Counter(get_args(commands.ActionCommand))


def test_each_verb_plans_and_executes_for_itself() -> None:
    """No verb falls back on the methods of the base class, which are not implemented."""
    for verb in VERBS:
        assert {"plan", "execute"} <= set(vars(verb)), verb


def test_actions_make_hungry_by_their_kind() -> None:
    """A verb says itself what work it is; what it does not say is "other"."""
    work = {verb.__name__: verb.work for verb in VERBS if verb.work != "other"}
    assert work == {
        "Move": "step",
        "Climb": "step",
        "Dig": "dig",
        "Throw": "blow",
        "Fire": "blow",
        "Drag": "step",
    }
    assert (Attack.work, Guard.work) == ("blow", "other")


def test_what_is_executed_tells_its_work() -> None:
    """A step that becomes a blow is a blow."""
    scenario = Scenario("#1k#", k="kobold")
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    outcome = plan(scenario.level, scenario["1"], commands.Move(1, 0))
    assert outcome == Attack(scenario["k"].number)
    assert isinstance(outcome, Action)
    assert not isinstance(try_execute(context, scenario["1"], commands.Move(1, 0)), Impossible)
    assert context.work == "blow"
