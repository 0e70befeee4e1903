"""Plans as their turns are due: how one begins, and how it goes on. Whatever needs a view is done here, and no sooner."""

from dataclasses import dataclass
from typing import TypeAlias

from gloam_server.app.roster import Player
from gloam_server.content.outline import Regeneration
from gloam_server.sessions import plans
from gloam_server.views.belongings import InventoryCache
from gloam_server.views.narration import appended
from gloam_server.views.projection import project
from gloam_server.world.creature import Creature
from gloam_server.world.gear import regeneration_of
from gloam_server.world.level import Level
from gloam_shared.codes import AnswerCode
from gloam_shared.commands import Action, Climb, Plan, Rest
from gloam_shared.view import Line, Log, View

Step: TypeAlias = tuple[Action, plans.Course | None]
"""An action for the turn, and the plan that goes on after it."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a plan cannot begin, in one sentence."""

    reason: str
    code: AnswerCode = "cannot"


def begin(
    player: Player, level: Level, body: Creature, number: int, wish: Plan | Climb
) -> Step | plans.Ended | Refused:
    """Return the first step of a plan, or of the way to stairs; or why there is none."""
    view = plain_view(level, body, player.inventory)
    command = plans.for_stairs(view, wish) if isinstance(wish, Climb) else wish
    if not isinstance(command, Plan):
        return command, None
    course = plans.begin(
        view,
        command,
        number,
        regeneration=regeneration_rule(level, body),
        damage=level.campaign.combat.damage,
        noticed=player.noticed,
    )
    if isinstance(course, plans.Ended):
        return Refused(course.reason, "cannot" if course.code == "ended" else course.code)
    if isinstance(command, Rest):
        player.log = appended(player.log, [Line("tends", "you")])
    return plans.proceed(view, course)


def go_on(player: Player, level: Level, body: Creature, course: plans.Course) -> plans.Next:
    """Return the next step of a plan under way, or why it ends."""
    return plans.proceed(plain_view(level, body, player.inventory), course)


def plain_view(level: Level, body: Creature, cache: InventoryCache | None = None) -> View:
    """Return what a plan needs to know: a player's view without the company and the log."""
    return project(level, body, marks={}, party=(), log=Log(), cache=cache)


def regeneration_rule(level: Level, body: Creature) -> Regeneration:
    """Return the rule by which a body heals while it rests: "none" also where its own regeneration is nought."""
    rule = level.campaign.regeneration.rule
    return "none" if rule == "thousandths" and regeneration_of(level, body) <= 0 else rule
