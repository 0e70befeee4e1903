"""Duels: they begin when both players have agreed. A player asks another one in sight, by name."""

from typing import Final

from gloam_client.screens.common.command_effects import command_effect, message
from gloam_client.state.model import Model, Update
from gloam_shared.protocol.commands import Duel
from gloam_shared.text import capitalize_name, clean, fold
from gloam_shared.view.view import Creature, CreatureFlag

_PLAYER: Final = int(CreatureFlag.PLAYER)
_PLAYER_OR_SELF: Final = int(CreatureFlag.PLAYER | CreatureFlag.SELF)
"""Plain numbers: a flag itself is slow to compare, and all creatures in a crowd are compared."""


def players_in_sight(model: Model) -> list[Creature]:
    """Return the other players in sight, by name."""
    seen = [one for one in model.view.creatures if one.marks & _PLAYER_OR_SELF == _PLAYER]
    return sorted(seen, key=lambda one: one.name)


def duel_effect(model: Model, name: str, *, agree: bool) -> Update:
    """Return the agreement to a duel with a player in sight, or its end."""
    for one in players_in_sight(model):
        if fold(one.name) == fold(name):
            return command_effect(model, Duel(one.handle, agree))
    return message(f"{capitalize_name(clean(name))} is not in your sight; step to where you see them.")
