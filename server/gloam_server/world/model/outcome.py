"""The result of planning a command: an action ready for execution, or the reason why there is none."""

from typing import ClassVar, Generic, Literal, TypeAlias, TypeVar

from msgspec import Struct

from gloam_server.rules.hunger import Work
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_shared.protocol.codes import RefusalCode
from gloam_shared.protocol.commands import Command

C = TypeVar("C", bound=Command)

Noise: TypeAlias = Literal["", "step", "blow", "door", "dig"]
"""The noises of actions, by the fields of `HearingRules` that say how far each is heard."""


class Impossible(Struct, frozen=True):
    """A refusal; `text` is one sentence for the player, `reason` is for programs. It costs nothing."""

    text: str
    reason: RefusalCode


class Action(Struct, frozen=True):
    """One action of a creature. Its fields are the results of planning; nothing of it is saved or sent.

    `work` determines the hunger (rule TG.18), `noise` how far it is heard (rule F122).
    """

    work: ClassVar[Work] = "other"
    noise: ClassVar[Noise] = ""

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Execute the action, on the level on which it was just planned."""
        raise NotImplementedError


class Verb(Action, Generic[C], frozen=True):
    """An action that answers a command. `world.actions.registry` lists every verb."""

    command: ClassVar[type[Command]]

    @classmethod
    def plan(cls, level: Level, creature: Creature, command: C) -> "Outcome":
        """Return this verb, another action instead, or a refusal. Changes nothing and costs nothing."""
        raise NotImplementedError


Outcome: TypeAlias = Action | Impossible
