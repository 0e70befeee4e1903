"""Stairs and holes between levels, the way out, and who follows whom (rules J7.14, JG.2, RG.33, TG.30).

Arrival is an input of the other level.
"""

from gloam_server.content.creatures import in_order
from gloam_server.world.actions.prize_and_exit import resolve_escape
from gloam_server.world.combat.hostility import holds
from gloam_server.world.model.context import Stage
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.events import Climbed
from gloam_server.world.model.level import Level
from gloam_server.world.model.outcome import Impossible, Outcome, Stairs
from gloam_shared.appearance import Terrain
from gloam_shared.level_numbers import depth_of


def resolve_climb(level: Level, creature: Creature, *, down: bool) -> Outcome:
    """Return where stairs, a hole or the way out underfoot lead; without them, why not.

    Only players jump into holes (rule JG.2), and the way out is one only where to escape is to win (rule TG.30).
    """
    underfoot = level.terrain[creature.cell]
    if down:
        jumps = underfoot == Terrain.HOLE and creature.account
        if underfoot != Terrain.STAIRS_DOWN and not jumps:
            return Impossible(level.campaign.refusals.down)
        return Stairs(level.place + 1)
    if underfoot == Terrain.EXIT and creature.account:
        return resolve_escape(level, creature)
    if underfoot != Terrain.STAIRS_UP:
        return Impossible(level.campaign.refusals.up)
    return Stairs(level.place - 1)


def climb(stage: Stage, creature: Creature, place: int) -> None:
    """Take the stairs; beside a player who takes them, his own creatures follow, and enemies whose kind hunts.

    Nobody follows into a hole.
    """
    level = stage.level
    if level.terrain[creature.cell] == Terrain.HOLE:
        stage.tell("jumps", creature, amount=depth_of(place))
        followers = []
    else:
        stage.tell("descends" if place > level.place else "ascends", creature, amount=depth_of(place))
        followers = _followers(level, creature) if creature.account else []
    cell = level.links.get(creature.cell, creature.cell)
    level.take(creature)
    stage.outputs.append(Climbed(creature, place, cell))
    for follower in followers:
        stage.tell("follows", follower, creature)
        level.take(follower)
        stage.outputs.append(Climbed(follower, place, cell))


def _followers(level: Level, player: Creature) -> list[Creature]:
    return [
        creature
        for creature in sorted(level.creatures.values(), key=lambda each: each.number)
        if level.distance(creature, player) == 1
        and (_comes_along(level, creature, player) or _comes_after(level, creature, player))
    ]


def _comes_along(level: Level, creature: Creature, player: Creature) -> bool:
    """Whether a creature belongs to a player and keeps with him."""
    return creature.owner == player.number and "follow" in level.campaign.creatures[creature.kind].tasks


def _comes_after(level: Level, creature: Creature, player: Creature) -> bool:
    """Whether a creature hunts a player, and neither a place nor a part in the tale binds it to its level."""
    kind = level.campaign.creatures[creature.kind]
    if kind.boss or "guard" in kind.tasks or "hunt" not in in_order(kind.tasks):
        return False
    return holds(level, creature, player)
