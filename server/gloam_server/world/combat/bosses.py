"""Bosses: they grow with the number of their attackers, and players who arrive later find one, too (rule F32).

Victory ends the lives of the players who had a part in it, and the others must still have something to win. So a
party may meet a boss twice.
"""

from typing import Final

from msgspec import UNSET

from gloam_server.world.combat.party.shared_fight import beyond_party
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature, new_creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.modifiers import movement_of

RETURNS_AFTER: Final = 300
"""The turns of its level until a dead boss returns, on levels without respawning."""


def scale_to_attackers(level: Level, boss: Creature) -> None:
    """Give a boss more health, and note how many it fights, when more players have hurt it than ever before."""
    kind = level.campaign.creatures[boss.kind]
    if not kind.boss:
        return
    bodies = [level.creatures[number] for number in boss.hurt_by if number in level.creatures]
    count, known = sum(body.account > 0 for body in bodies), boss.attackers
    if count > known:
        percent = kind.attacker_percent * (count - known)
        percent += level.campaign.friends.crowd_percent * (beyond_party(count) - beyond_party(known))
        more = kind.hp * percent // 100
        boss.hp_max += more
        boss.hp += more
        boss.attackers = count


def is_sealed(level: Level) -> bool:
    """Return whether a creature here is in a movement of its fight in which no player may leave its level (rule F191)."""
    kinds = level.campaign.creatures
    fighting = [body for body in level.monsters() if kinds[body.kind].movements and not body.ally]
    return any(
        kinds[body.kind].movements[movement_of(kinds[body.kind].movements, body)].seals for body in fighting
    )


def is_boss_missing(level: Level) -> bool:
    """Return whether the campaign's boss belongs on this level, is not there, and has not followed a player either."""
    rules = level.campaign.victory
    if rules.rule != "slay" or level.state.roaming is not UNSET:
        return False
    if all(share.kind != rules.creature for share in level.level_kind.creatures):
        return False
    return all(creature.kind != rules.creature for creature in level.creatures.values())


def belongs_elsewhere(level: Level, kind: str) -> bool:
    """Return whether the campaign places a boss on levels of other depths alone: it fell here on its way."""
    depths = [
        each.depths
        for each in level.campaign.levels.values()
        if any(share.kind == kind for share in each.creatures)
    ]
    return bool(depths) and not any(first <= level.depth <= last for first, last in depths)


def note_boss(level: Level, creature: Creature, *, leaves: bool) -> None:
    """Note that a boss follows a player from its level, or is back there: so it is not made again meanwhile."""
    if creature.kind == level.campaign.victory.creature and not creature.account:
        level.state.roaming = True if leaves else UNSET


def respawn_boss(context: TurnContext, kind: str) -> None:
    """Create a boss again, out of every player's sight if possible; never a second one."""
    level = context.level
    if any(creature.kind == kind for creature in level.creatures.values()):
        return
    sealed = level.state.devices.sealed if level.state.devices else ()
    cells = [cell for cell in range(len(level.terrain)) if level.is_empty_floor(cell) and cell not in sealed]
    unseen = [cell for cell in cells if not level.witnesses(cell)]
    if cells:
        cell = context.dice.pick("restored", 0, unseen or cells)
        level.add(new_creature(level.campaign.creatures[kind], level.new_id()), cell, context.dice)
