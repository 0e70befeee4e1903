"""Rules that fail for one creature at one input of its level, and at no other, so that a replay agrees."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from support.run.fault_seam import FaultSeam

FOREVER = 1 << 60


class Broken(Exception):
    """The error that a poisoned rule raises."""


class Poison:
    """Lets rules of the world fail. A function that is poisoned takes a context, and maybe a creature after it."""

    def __init__(self, seam: FaultSeam) -> None:
        self.failed = 0
        self._seam = seam
        self._rules: dict[tuple[ModuleType, Callable[..., Any]], list[tuple[int, int, range]]] = {}

    def spoil(
        self,
        module: ModuleType,
        rule: Callable[..., Any],
        level: Level,
        creature: Creature | None = None,
        *,
        times: int = 1,
    ) -> None:
        """Let a rule, in the module that calls it, fail with the level's next `times` inputs.

        It fails for a creature, or for all. It has done its work by then: what it changed is changed.
        """
        key = (module, rule)
        if key not in self._rules:
            self._rules[key] = []
            self._seam.plant(rule, self._spoilt(key), within=module)
        inputs = range(level.sequence + 1, level.sequence + 1 + times)
        self._rules[key].append((level.partition, creature.number if creature else 0, inputs))

    def check_failed(self) -> None:
        """Fail if a rule was spoilt and never failed."""
        assert self.failed or not self._rules, "no rule that was spoilt has failed"

    def _spoilt(self, key: tuple[ModuleType, Callable[..., Any]]) -> Callable[..., Any]:
        rule = key[1]

        def spoilt(context: TurnContext, creature: Any = None, *more: Any, **named: Any) -> Any:
            result = rule(context, *(() if creature is None else (creature,)), *more, **named)
            for partition, number, inputs in self._rules[key]:
                here = context.level.partition == partition and context.level.sequence in inputs
                if here and number in (0, getattr(creature, "number", 0)):
                    self.failed += 1
                    raise Broken(f"{rule.__name__} of creature {getattr(creature, 'number', 0)}")
            return result

        return spoilt
