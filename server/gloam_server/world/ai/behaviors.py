"""Behaviors of monsters: the first task of their kind that applies acts, by the same commands as players'."""

from collections.abc import Callable
from typing import Final

from msgspec import UNSET

from gloam_server.content.creatures import Behavior
from gloam_server.world.actions.stairs import is_away
from gloam_server.world.ai import hunting
from gloam_server.world.ai.ambush import wait_in_ambush, wait_in_dark
from gloam_server.world.ai.descent import go_deeper, go_home
from gloam_server.world.ai.gear_use import equip_better, shoot_at_enemy, throw_at_enemy, zap_at_enemy
from gloam_server.world.ai.idle import follow, guard, hold_door, move_erratically, stand_still, wander
from gloam_server.world.ai.limb_growth import begin_movement, grow_limb, split_hall
from gloam_server.world.ai.looting import go_to_items, hurl_at_enemy, pick_up_wanted, quaff_useful
from gloam_server.world.ai.retreat import (
    flee_in_fear,
    flee_when_hurt,
    keep_distance,
    rest_when_hurt,
    wait_for_pack,
    withdraw,
)
from gloam_server.world.ai.spellcasting import cast_at_enemy, heal_kin, summon_help, tend_kin
from gloam_server.world.ai.spreading import multiply
from gloam_server.world.ai.stealing import steal_and_run
from gloam_server.world.ai.steering import leave_surface
from gloam_server.world.ai.swimming import stay_in_water
from gloam_server.world.growth.renown import be_seen
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.modifiers import is_afraid, tasks_of

TASKS: Final[dict[Behavior, Callable[[TurnContext, Creature], bool]]] = {
    "hunt": hunting.chase,
    "wander": wander,
    "spread": multiply,
    "idle": stand_still,
    "flutter": move_erratically,
    "arm": equip_better,
    "shoot": shoot_at_enemy,
    "throw": throw_at_enemy,
    "zap": zap_at_enemy,
    "pick_up": pick_up_wanted,
    "gather": go_to_items,
    "quaff": quaff_useful,
    "steal": steal_and_run,
    "flee": flee_when_hurt,
    "pack": wait_for_pack,
    "keep_distance": keep_distance,
    "mend": heal_kin,
    "cast": cast_at_enemy,
    "call": summon_help,
    "tunnel": hunting.dig_to_enemy,
    "ambush": wait_in_ambush,
    "guard": guard,
    "prowl": hunting.search_last_seen,
    "follow": follow,
    "swim": stay_in_water,
    "stalk": hunting.keep_behind,
    "lurk": wait_in_dark,
    "grow_limb": grow_limb,
    "rest": rest_when_hurt,
    "track": hunting.hunt_by_scent,
    "rally": hunting.call_kin,
    "split": split_hall,
    "hurl": hurl_at_enemy,
    "bar": hold_door,
    "tend": tend_kin,
}
"""The function of each task; it returns whether it acted."""

_REMEMBERING: Final = frozenset({"prowl", "stalk"})
"""The tasks that go where a foe was seen last; a creature without them goes only where its kin call it."""


def speak_first(context: TurnContext, creature: Creature, speech: str) -> None:
    """Say a unique creature's line to each player that it sees for the first time (rule F118)."""
    seen = context.level.field_of_view(creature)
    for player in context.level.players():
        known = player.met if player.met is not UNSET else []
        if seen[player.cell] and not creature.hidden and creature.kind not in known:
            player.met = [*known, creature.kind]
            context.emit("speaks", creature, source=f'says: "{speech}"')


def decide(context: TurnContext, creature: Creature) -> None:
    """Let a creature act by its tasks, its kind's and those that it has learned.

    Without a task that applies the action passes. A creature in fear only flees. One that has outgrown its
    depth, or belongs to another, leaves it first.
    """
    if creature.title or creature.level > creature.born_level:
        be_seen(context, creature)
    kind = context.level.campaign.creatures[creature.kind]
    if creature.bond == "captive":
        return
    if kind.speech:
        speak_first(context, creature, kind.speech)
    if context.level.state.surfaces and leave_surface(context, creature):
        return
    if is_afraid(context.level.campaign, creature):
        flee_in_fear(context, creature)
        return
    if creature.bond == "companion" and withdraw(context, creature):
        return
    if creature.ai.home is not None and is_away(context.level, creature) and go_home(context, creature):
        return
    if context.level.campaign.learning.leaves_above and go_deeper(context, creature):
        return
    if kind.movements:
        begin_movement(context, creature)
    tasks = tasks_of(context.level.campaign, creature)
    called = creature.ai.last_seen is not None and _REMEMBERING.isdisjoint(tasks)
    if called and hunting.search_last_seen(context, creature):
        return
    for task in tasks:
        if TASKS[task](context, creature):
            return
