"""Duels: two players who both agreed are hostile to each other until one dies, takes it back, or they part."""

from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.outcome import Impossible

NO_OPPONENT = Impossible("There is no player in sight to duel with.", "gone")
"""The same refusal for a creature that is hidden, gone, no player, or never existed."""


def plan_consent(level: Level, player: Creature, handle: int, *, agree: bool) -> int | Impossible:
    """Return the number of the player for a consent or its withdrawal, or the refusal."""
    other = level.creatures.get(level.taken_handles.get(handle, 0))
    if other is None or not other.account or other is player or not level.field_of_view(player)[other.cell]:
        return NO_OPPONENT
    agreed = other.number in player.consents
    if agree and agreed:
        return Impossible(f"You have agreed to a duel with {other.name} already.", "agreed")
    if not agree and not agreed:
        return Impossible(f"You have not agreed to a duel with {other.name}.", "not_agreed")
    return other.number


def give_consent(context: TurnContext, player: Creature, other: Creature, *, agree: bool) -> None:
    """Give a consent, with which a duel may begin, or take one back, with which it ends for both.

    Where it begins, neither is protected as an arrival any more: else two who have not moved could not strike.
    """
    if agree:
        player.consents.append(other.number)
        both = player.number in other.consents
        if both:
            player.grace = other.grace = 0
        context.emit("duels" if both else "challenges", player, other)
        return
    player.consents.remove(other.number)
    if player.number in other.consents:
        other.consents.remove(player.number)
    context.emit("makes_peace", player, other)
