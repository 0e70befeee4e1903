"""gloam-server with a bug in a rule: the third action of a player called Anna fails near its end."""

import sys

from gloam_server.cli.main import cli
from gloam_server.world.effects.upkeep import end_action
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.transition import turn


def _age_and_fail(context: TurnContext, creature: Creature) -> None:
    end_action(context, creature)
    if creature.name == "Anna" and creature.actions == 3:
        raise ZeroDivisionError("a bug in a rule")


if __name__ == "__main__":
    setattr(turn, "end_action", _age_and_fail)  # noqa: B010  # it is the turn that calls it
    sys.exit(cli())
