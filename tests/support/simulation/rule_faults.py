"""Rules that fail in the middle of one creature's turn, once, wherever the creature stands in the living dungeon."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import pytest

from gloam_server.world.effects.upkeep import end_action
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.transition import turn
from gloam_server.world.transition.dungeon import Dungeon
from support.run.fault_seam import FaultSeam

PLANTED: Final = "planted by the simulation"


class Curse:
    """Lies on at most one creature at a time. `living` tells the dungeon that is in play; a replay is never cursed."""

    def __init__(self, living: Callable[[], Dungeon | None]) -> None:
        self.victim = 0
        self.struck = 0
        self._living = living

    def strikes(self, context: TurnContext, creature: Creature) -> bool:
        """Return whether the rules fail now."""
        dungeon = self._living()
        if creature.number != self.victim or dungeon is None:
            return False
        if dungeon.levels.get(context.level.partition) is not context.level:
            return False
        self.victim = 0
        self.struck += 1
        return True


@contextmanager
def curses(curse: Curse) -> Iterator[None]:
    """Let the rules fail where a curse strikes: after an action, before the creature has aged by it."""

    def fail_or_age(context: TurnContext, creature: Creature) -> None:
        if curse.strikes(context, creature):
            raise RuntimeError(PLANTED)
        end_action(context, creature)

    with pytest.MonkeyPatch.context() as patch:
        FaultSeam(patch).plant(end_action, fail_or_age, within=turn)
        yield
