"""Stairs and holes between levels, the way out, and followers (rules J7.14, JG.2, RG.33, TG.30).

Arrival is an input of the other level.
"""

from typing import Final

from gloam_server.world.actions.prize_and_exit import plan_exit
from gloam_server.world.combat.bosses import is_sealed, note_boss
from gloam_server.world.combat.companions import COMPANION_CELLS, take_along
from gloam_server.world.combat.hostility import holds, is_hostile
from gloam_server.world.growth.beacons import is_warden
from gloam_server.world.growth.learning import is_quiet
from gloam_server.world.items.loans import return_loans
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.creature_state import LevelCell
from gloam_server.world.model.events import ChangedLevel
from gloam_server.world.model.level import Level
from gloam_server.world.model.modifiers import tasks_of
from gloam_server.world.model.outcome import Action, Impossible, Outcome, Verb
from gloam_shared.appearance import Terrain
from gloam_shared.level_numbers import PartitionId, depth_of_level
from gloam_shared.protocol import commands

_WAYS: Final = frozenset({Terrain.STAIRS_UP, Terrain.STAIRS_DOWN, Terrain.HOLE, Terrain.EXIT})
_SEALED: Final = "The dark lies on this way: end what fights here, or hide until its wounds have closed!"


class Climb(Verb[commands.Climb], frozen=True):
    """Take the stairs underfoot to another level, or leave the dungeon by its way out."""

    command = commands.Climb
    work = "step"
    partition: PartitionId

    @classmethod
    def plan(cls, level: Level, creature: Creature, command: commands.Climb) -> Outcome:
        """Return the way by stairs, a hole or the way out underfoot, or why there is none.

        Only players jump into holes (rule JG.2), and the way out exists only if escaping is the victory (rule
        TG.30). In some movements of a fight no player leaves (rule F191).
        """
        underfoot = level.terrain[creature.cell]
        if creature.account and underfoot in _WAYS and is_sealed(level):
            return Impossible(_SEALED, "foes_near")
        if command.down:
            jumps = underfoot == Terrain.HOLE and creature.account
            if underfoot != Terrain.STAIRS_DOWN and not jumps:
                return Impossible(level.campaign.refusals.down, "no_stairs")
            return cls(level.partition + 1)
        if underfoot == Terrain.EXIT and creature.account:
            return plan_exit(level, creature)
        if underfoot != Terrain.STAIRS_UP:
            return Impossible(level.campaign.refusals.up, "no_stairs")
        return cls(level.partition - 1)

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Take the stairs; adjacent allies of a player follow, and so do adjacent enemies that hunt.

        No creature follows into a hole.
        """
        level = context.level
        if level.terrain[creature.cell] == Terrain.HOLE:
            context.emit("jumps", creature, amount=depth_of_level(self.partition))
            followers = []
        else:
            context.emit(
                "descends" if self.partition > level.partition else "ascends",
                creature,
                amount=depth_of_level(self.partition),
            )
            followers = _followers(level, creature, self.partition) if creature.account else []
        cell = level.state.links.get(creature.cell, creature.cell)
        if creature.account:
            return_loans(context, creature)
            take_along(context, creature, COMPANION_CELLS)
        level.remove(creature)
        context.outputs.append(ChangedLevel(creature, self.partition, cell))
        for follower in followers:
            context.emit("follows", follower, creature)
            if _is_bound(level, follower) and not follower.ai.home:
                follower.ai.home = LevelCell(level.partition, follower.cell)
                note_boss(level, follower, leaves=True)
            level.remove(follower)
            context.outputs.append(ChangedLevel(follower, self.partition, cell))


class GoDeeper(Action, frozen=True):
    """Leave a depth that a monster has outgrown, by stairs down, for the depth below (rule F66)."""

    work = "step"
    stairs: int

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Take the stairs; players who see it get a message with the reason, if none has read it before."""
        level = context.level
        if creature.ai.leaves:
            context.emit("descends", creature, amount=level.depth + 1)
        else:
            context.emit("outgrows", creature)
        creature.ai.leaves = True
        creature.ai.home = None
        level.remove(creature)
        context.outputs.append(
            ChangedLevel(creature, level.partition + 1, level.state.links.get(self.stairs, self.stairs))
        )


class GoHome(Action, frozen=True):
    """Go back to the level that a creature followed a player from (rule F120)."""

    work = "step"

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Leave for the cell that it keeps; players who see it get a message."""
        home = creature.ai.home
        if home is not None:
            context.emit("goes_home", creature)
            context.level.remove(creature)
            context.outputs.append(ChangedLevel(creature, home.partition, home.cell))


def is_away(level: Level, creature: Creature) -> bool:
    """Return whether a creature keeps to a place of another level, from which it has followed a player."""
    home = creature.ai.home
    return home is not None and home.partition != level.partition


def _followers(level: Level, player: Creature, partition: PartitionId) -> list[Creature]:
    """Return the creatures beside a player that go with them to the level `partition`.

    A monster that has grown follows no player to a quiet depth: lives begin there (rule F91).
    """
    quiet = is_quiet(level, partition)
    return [
        creature
        for creature in sorted(level.creatures.values(), key=lambda each: each.number)
        if level.distance(creature, player) == 1
        and (
            _follows_at_once(level, creature, player)
            or (not (quiet and creature.levels_grown) and _follows_later(level, creature, player))
        )
    ]


def _follows_at_once(level: Level, creature: Creature, player: Creature) -> bool:
    """Return whether a creature belongs to a player and stays with them."""
    if creature.bond == "companion":
        return False  # it goes along in its owner's body
    return creature.owner == player.number and "follow" in level.campaign.creatures[creature.kind].tasks


def _follows_later(level: Level, creature: Creature, player: Creature) -> bool:
    """Return whether a creature hunts a player; one bound to its level by a place or a role follows once (rule F120)."""
    if "hunt" not in tasks_of(level.campaign, creature):
        return False
    if _is_bound(level, creature) and (
        not level.campaign.regeneration.follows_once or is_away(level, creature)
    ):
        return False
    return holds(level, creature, player) and not _fights_another(level, creature, player)


def _is_bound(level: Level, creature: Creature) -> bool:
    is_guard = "guard" in tasks_of(level.campaign, creature) or is_warden(level, creature)
    return level.campaign.creatures[creature.kind].boss or is_guard


def _fights_another(level: Level, creature: Creature, player: Creature) -> bool:
    """Return whether another player is adjacent to a creature, which then stays with that one."""
    return any(
        other is not player and level.distance(creature, other) == 1 and is_hostile(level, creature, other)
        for other in level.players()
    )
