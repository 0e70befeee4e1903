"""Plans at their due turns: how they start and continue. Only here are views computed for them."""

from dataclasses import dataclass, replace
from typing import TypeAlias

from msgspec import structs

from gloam_server.autopilot import plans
from gloam_server.autopilot.assessment import is_full
from gloam_server.autopilot.fighting import reason_to_leave
from gloam_server.engine.messages import Lines
from gloam_server.engine.player import Player
from gloam_server.views.projection import PlanViews
from gloam_server.world.actions import plan
from gloam_server.world.effects.map_memory import known_from_maps
from gloam_server.world.effects.regeneration import regeneration_rule
from gloam_server.world.model.context import RuleFault
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.modifiers import is_silenced
from gloam_server.world.model.outcome import Impossible
from gloam_shared.event_kinds import EventKind
from gloam_shared.protocol.codes import ReasonCode
from gloam_shared.protocol.commands import ActionCommand, Climb, Fight, PickUp, Plan, Rest
from gloam_shared.view.view import Hunger, LogLine, Stat, View

Step: TypeAlias = tuple[ActionCommand, plans.RunningPlan | None]
"""The action for the turn, and the plan that continues after it."""


@dataclass(frozen=True, slots=True)
class PlanRefused:
    """The reason why a plan cannot start: one sentence for the player, and the code for programs."""

    text: str
    reason: ReasonCode


class PlanSteps:
    """The steps of all players' plans. A fault in one names its body: RuleFault."""

    def __init__(self) -> None:
        self.lines: list[Lines] = []
        """The log lines of the steps of this batch."""
        self._views = PlanViews()

    def begin(
        self, player: Player, level: Level, body: Creature, number: int, command: Plan | Climb
    ) -> Step | plans.PlanEnded | PlanRefused:
        """Return the first step of a plan, or of the way to stairs, or why there is none."""
        try:
            return _begin(
                player, level, body, number, command, plain_view(level, body, self._views), self.lines
            )
        except Exception as error:
            raise RuleFault(body.number, level.partition) from error

    def proceed(self, player: Player, level: Level, body: Creature, course: plans.RunningPlan) -> plans.Next:
        """Return the next step of a plan under way, or why it ends."""
        try:
            view = plain_view(level, body, self._views)
            if _picks_up(course.plan):
                _tell_if_full(player, body, view, self.lines)
            mapped = known_from_maps(level, body.number)
            return plans.continue_plan(view, goals_with_room(body, course), mapped)
        except Exception as error:
            raise RuleFault(body.number, level.partition) from error

    def take_underfoot(self, player: Player, level: Level, body: Creature) -> tuple[int, PickUp] | None:
        """Return the pickup after a step, under the step's number; a waiting command follows it."""
        number, player.turns.stepped = player.turns.stepped, None
        if number is None or not level.piles.get(body.cell):
            return None
        try:
            view = plain_view(level, body, self._views)
            _tell_if_full(player, body, view, self.lines)
            taking = plans.taking(view, level.campaign.combat.damage)
            if taking is None or isinstance(plan(level, body, taking), Impossible):
                return None
        except Exception as error:
            raise RuleFault(body.number, level.partition) from error
        return number, taking


def _begin(
    player: Player,
    level: Level,
    body: Creature,
    number: int,
    wanted: Plan | Climb,
    view: View,
    told: list[Lines],
) -> Step | plans.PlanEnded | PlanRefused:
    if _picks_up(wanted):
        _tell_if_full(player, body, view, told)
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
    _tell_if_no_food(player, view, command, told)
    if isinstance(command, Rest):
        told.append(_line(player, "tends"))
    return plans.continue_plan(view, goals_with_room(body, course), known_from_maps(level, body.number))


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


def _tell_if_full(player: Player, body: Creature, view: View, told: list[Lines]) -> None:
    """Notify a player who picks up items that there is no room, once until there is room again."""
    if None in body.slots:
        player.turns.notified_full = False
    elif is_full(view) and not player.turns.notified_full:
        player.turns.notified_full = True
        told.append(_line(player, "pack_full"))


def _tell_if_no_food(player: Player, view: View, plan: Plan, told: list[Lines]) -> None:
    """Notify a starving player once that they have nothing to eat, because exploring continues then."""
    if view.fact(Stat.HUNGER) != Hunger.STARVING:
        player.turns.notified_starving = False
    elif plans.lacks_food(view, plan) and not player.turns.notified_starving:
        player.turns.notified_starving = True
        told.append(_line(player, "no_food"))


def _line(player: Player, kind: EventKind) -> Lines:
    return Lines(player.account, (LogLine(kind, "you"),))


def _picks_up(plan: Plan | Climb) -> bool:
    return not isinstance(plan, Rest | Fight) and plan.pick_up


def plain_view(level: Level, body: Creature, views: PlanViews | None = None) -> View:
    """Return the view that a plan needs: a player's view without the party, the log, and spells that they cannot cast."""
    view = (views or PlanViews()).of(level, body)
    return structs.replace(view, spells=()) if is_silenced(level.campaign, body) else view
