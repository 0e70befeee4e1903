"""Plans at their due turns: how they start and continue. Only here are views computed for them."""

from dataclasses import dataclass, replace
from typing import TypeAlias

from msgspec import structs

from gloam_server.autopilot import plans
from gloam_server.autopilot.assessment import is_full
from gloam_server.autopilot.fighting import reason_to_leave
from gloam_server.engine.player import Player
from gloam_server.views.inventory import InventoryCache
from gloam_server.views.projection import project
from gloam_server.views.texts.narration import append_lines
from gloam_server.world.effects.regeneration import regeneration_rule
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.modifiers import is_silenced
from gloam_shared.protocol.codes import ReasonCode
from gloam_shared.protocol.commands import ActionCommand, Climb, Fight, PickUp, Plan, Rest
from gloam_shared.view.view import Hunger, Log, LogLine, Stat, View

Step: TypeAlias = tuple[ActionCommand, plans.RunningPlan | None]
"""The action for the turn, and the plan that continues after it."""


@dataclass(frozen=True, slots=True)
class PlanRefused:
    """The reason why a plan cannot start: one sentence for the player, and the code for programs."""

    text: str
    reason: ReasonCode


def begin_plan(
    player: Player, level: Level, body: Creature, number: int, wanted: Plan | Climb
) -> Step | plans.PlanEnded | PlanRefused:
    """Return the first step of a plan, or of the way to stairs, or why there is none."""
    view = plain_view(level, body, player.client.shown.inventory)
    if _picks_up(wanted):
        _tell_if_full(player, body, view)
    command = plans.plan_for_stairs(view, wanted) if isinstance(wanted, Climb) else wanted
    if not isinstance(command, Plan):
        return command, None
    course = plans.begin_plan(
        view,
        command,
        number,
        regeneration=regeneration_rule(level, body),
        damage=level.campaign.combat.damage,
        noticed=player.turns.points_of_interest,
    )
    if isinstance(course, plans.PlanEnded):
        return PlanRefused(course.text, course.reason)
    warning = _warning(player, level, view, command)
    if warning:
        return PlanRefused(warning, "foe")
    _tell_if_no_food(player, view, command)
    if isinstance(command, Rest):
        player.client.log = append_lines(player.client.log, [LogLine("tends", "you")])
    return plans.continue_plan(view, goals_with_room(body, course))


def continue_plan(player: Player, level: Level, body: Creature, course: plans.RunningPlan) -> plans.Next:
    """Return the next step of a plan under way, or why it ends."""
    view = plain_view(level, body, player.client.shown.inventory)
    if _picks_up(course.plan):
        _tell_if_full(player, body, view)
    return plans.continue_plan(view, goals_with_room(body, course))


def take_up(player: Player, level: Level, body: Creature) -> PickUp | None:
    """Return the pickup after a step onto items, if any are worth it and nothing prevents it."""
    if not level.piles.get(body.cell):
        return None
    view = plain_view(level, body, player.client.shown.inventory)
    _tell_if_full(player, body, view)
    return plans.taking(view, level.campaign.combat.damage)


def _warning(player: Player, level: Level, view: View, plan: Plan) -> str:
    """Return why leaving is better than the fight that a plan begins: once for a fight, else ""."""
    reason = reason_to_leave(view, level.campaign.combat.damage)
    if not reason or not isinstance(plan, Fight):
        player.turns.warned_of_fight &= bool(reason)
        return ""
    known, player.turns.warned_of_fight = player.turns.warned_of_fight, True
    return "" if known else reason


def goals_with_room(body: Creature, course: plans.RunningPlan) -> plans.RunningPlan:
    """Remove the remembered items from the goals that exploring begins with while the inventory is full.

    Later goals were seen with room for them, in a stack perhaps; without them exploring would turn back and forth.
    """
    return course if None in body.slots or course.steps else replace(course, wanted=frozenset())


def _tell_if_full(player: Player, body: Creature, view: View) -> None:
    """Notify a player who picks up items that there is no room, once until there is room again."""
    if None in body.slots:
        player.turns.notified_full = False
    elif is_full(view) and not player.turns.notified_full:
        player.turns.notified_full = True
        player.client.log = append_lines(player.client.log, [LogLine("pack_full", "you")])


def _tell_if_no_food(player: Player, view: View, plan: Plan) -> None:
    """Notify a starving player once that they have nothing to eat, because exploring continues then."""
    if view.fact(Stat.HUNGER) != Hunger.STARVING:
        player.turns.notified_starving = False
    elif plans.lacks_food(view, plan) and not player.turns.notified_starving:
        player.turns.notified_starving = True
        player.client.log = append_lines(player.client.log, [LogLine("no_food", "you")])


def _picks_up(plan: Plan | Climb) -> bool:
    return not isinstance(plan, Rest | Fight) and plan.pick_up


def plain_view(level: Level, body: Creature, cache: InventoryCache | None = None) -> View:
    """Return the view that a plan needs: a player's view without the party, the log, and spells that they cannot cast."""
    view = project(level, body, marks={}, party=(), log=Log(), cache=cache)
    return structs.replace(view, spells=()) if is_silenced(level.campaign, body) else view
