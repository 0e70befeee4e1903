"""Downed players: whose health is gone while a friend of the party stands is down for some turns first (rule F127).

A downed player does nothing, and no health is lost. The count passes with the turns of the turn group; a blow shortens it.
Its end, and so the death, is in `damage`.
"""

from typing import Final

from msgspec import UNSET

from gloam_server.rules.hunger import hunger_state
from gloam_server.world.combat.hostility import is_enemy, is_hostile
from gloam_server.world.combat.run_statistics import forget_wounds
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.creature_state import Down
from gloam_server.world.model.level import Level
from gloam_shared.view.view import Hunger

BLOW_SHORTENS: Final = 2
"""The turns by which a blow shortens the count."""

_LEAST_AFTER_BLOW: Final = 2
"""The least count that a blow leaves: at the end of that turn one turn is left, so that a friend can act."""

_RISES_WITH: Final = 10
"""The part of all health with which a player gets up at least: a tenth."""


def party_on_level(level: Level, body: Creature) -> list[Creature]:
    """Return the other members of a player's party on the level who stand and are not in a duel with the player."""
    if body.member is UNSET:
        return []
    return [
        other
        for other in level.players()
        if other is not body
        and other.member == body.member
        and other.down is UNSET
        and not is_hostile(level, other, body)
    ]


def go_down(context: TurnContext, body: Creature, by: Creature | None, cause: str) -> bool:
    """Let a player without health go down; return False if they die: alone, of hunger, or at the hand of another player."""
    level = context.level
    turns = level.campaign.friends.down_turns
    if not (turns and body.account) or not party_on_level(level, body):
        return False
    if by.account if by is not None else _starves(level, body):
        return False
    body.hp, body.asleep = 1, 0
    body.down = Down(turns, by.number if by is not None else 0, cause if by is None else by.name)
    context.emit("goes_down", body)
    return True


def _starves(level: Level, body: Creature) -> bool:
    """Return whether a body has no food: no friend can lift it out of that, and without a foe it would stand up each turn."""
    return hunger_state(level.campaign.hunger, body.food, body.food_max) is Hunger.STARVING


def strike_downed(body: Creature, by: Creature | None) -> None:
    """Shorten the count of a downed player by a blow, which never takes the last turn; it is to the striker's credit."""
    down = body.down
    assert isinstance(down, Down)
    turns = min(down.turns, max(_LEAST_AFTER_BLOW, down.turns - BLOW_SHORTENS))
    striker = (down.by, down.cause) if by is None or by.account else (by.number, by.name)
    body.down = Down(turns, *striker)


def get_up(context: TurnContext, body: Creature) -> None:
    """Let a downed player stand again, with a tenth of their health at least."""
    body.down = UNSET
    forget_wounds(body)
    body.hp = max(body.hp, body.hp_max // _RISES_WITH, 1)
    context.emit("gets_up", body)


def is_helped_up(level: Level, body: Creature) -> bool:
    """Return whether a downed player sees no enemy while a friend of the party stands beside them."""
    seen = level.field_of_view(body)
    if any(seen[each.cell] and not each.hidden and is_enemy(level, each, body) for each in level.monsters()):
        return False
    return any(level.distance(body, friend) == 1 for friend in party_on_level(level, body))
