"""A mind that wants anything at all, for players of a simulation."""

from collections.abc import Callable
from typing import TypeAlias

from gloam_shared.protocol import commands
from gloam_shared.view.view import View
from support.simulation.randomness import Chance

Mind: TypeAlias = Callable[[View], commands.AnyCommand]
"""The choice of a next command, by what a player sees."""


def wild_mind(chance: Chance) -> Mind:
    """Return a mind that wants anything at all, possible or not."""

    def decide(view: View) -> commands.AnyCommand:
        dx, dy = chance.randint(-1, 1), chance.randint(-1, 1)
        choices: list[commands.AnyCommand] = [
            commands.Wait(),
            commands.Climb(down=chance.random() < 0.5),
            commands.Choose(chance.randint(0, 5)),
        ]
        choices += [
            commands.Explore(),
            commands.Fight(),
            commands.Run(dx, dy),
            commands.Rest(),
            commands.Stop(),
        ]
        choices += [commands.Travel(chance.randrange(max(1, len(view.terrain))))]
        choices += [commands.Move(dx, dy)] * 6
        return chance.choice(choices)

    return decide
