"""One turn of a turn group, or of the unattended creatures: energy, order, and each member's action."""

from msgspec import UNSET

from gloam_server.rules.energy import ACTION_COST, BASE_SPEED, energy_gain
from gloam_server.world import actions
from gloam_server.world.ai.behaviors import decide
from gloam_server.world.combat.damage import count_down
from gloam_server.world.combat.experience_credit import record_reach
from gloam_server.world.combat.sleep import pass_sleep_turn
from gloam_server.world.effects.traps import notice_traps, trigger_traps
from gloam_server.world.effects.upkeep import end_action, end_of_turn
from gloam_server.world.items.equipment import total_speed
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.inputs import PlayerAction, Turn
from gloam_server.world.model.level import Level
from gloam_server.world.model.turn_group_data import TurnGroup
from gloam_server.world.transition.nearest_players import least_distances
from gloam_server.world.transition.turn_groups import turn_groups


def can_act(level: Level, group: TurnGroup, player: Creature) -> bool:
    """Return whether a player will be able to act in their turn group's next turn; others count as having answered."""
    return _can_act(level, player, _fastest(level, group))


def players_who_can_act(level: Level, group: TurnGroup) -> frozenset[int]:
    """Return the players of a turn group with a true `can_act`."""
    fastest = _fastest(level, group)
    return frozenset(number for number in group.players if _can_act(level, level.creatures[number], fastest))


def _can_act(level: Level, player: Creature, fastest: int) -> bool:
    gained = energy_gain(total_speed(level, player), fastest)
    return not player.asleep and player.down is UNSET and player.energy + gained >= ACTION_COST


def run_turn(context: TurnContext, turn: Turn) -> None:
    """Run the turn of the first named player's turn group."""
    level = context.level
    acts = [act for act in turn.acts if act.player in level.creatures]
    if not acts:
        return
    group = turn_groups(level, level.state.sequence - 1).of(acts[0].player)
    fastest, bodies = _fastest(level, group), level.creatures
    for number in (*group.players, *group.creatures):
        context.acting = number
        member = bodies[number]
        member.energy += energy_gain(total_speed(level, member), fastest)
    for act in acts:
        player = level.creatures.get(act.player)
        if player is not None and act.player in group.players:
            _player_turn(context, player, act)
    _creatures_act(context, group)
    context.acting = 0
    for number in group.players:
        _end_players_turn(level, level.creatures.get(number), group)
    if level.campaign.friends.down_turns:
        count_down(context, group.players)


def run_unattended(context: TurnContext) -> None:
    """Give every unattended creature one turn at the base speed."""
    level = context.level
    level.state.wild_due = False
    division = turn_groups(level, level.state.sequence - 1)  # what an input before this one left
    for number in division.wild:
        context.acting = number
        member = level.creatures[number]
        member.energy += energy_gain(total_speed(level, member), BASE_SPEED)
    for number in division.wild:
        _act_while_able(context, number)


def _fastest(level: Level, group: TurnGroup) -> int:
    return max([total_speed(level, level.creatures[number]) for number in group.players])


def _end_players_turn(level: Level, player: Creature | None, group: TurnGroup) -> None:
    """Note who can reach a player, and count down the grace of an arrival: it holds for three turns of the turn group at most."""
    if player is None:
        return
    record_reach(level, player, group.creatures)
    if player.grace:
        player.grace -= 1


def _player_turn(context: TurnContext, player: Creature, act: PlayerAction) -> None:
    context.acting = player.number
    player.command = max(player.command, act.number)
    if player.energy < ACTION_COST:
        return
    player.energy -= ACTION_COST
    context.work = "other"
    if player.down is not UNSET:
        pass  # time passes for them, and nothing else: no hunger, no status effect
    elif player.asleep:
        _sleep(context, player)
    else:
        _act(context, player, act)
    _count_for_unattended(context.level, player)


def _act(context: TurnContext, player: Creature, act: PlayerAction) -> None:
    """Carry out a player's command, or put them on guard."""
    refusal = None
    if act.command is not None:
        player.grace = 0
        refusal = actions.try_execute(context, player, act.command)
    if act.command is None or refusal is not None:
        actions.execute(context, player, actions.plan_guard(context.level, player))
    if refusal is not None:
        context.emit("guards", player, source=refusal.text)
    trigger_traps(context)
    notice_traps(context, player)
    end_action(context, player)


def _sleep(context: TurnContext, sleeper: Creature) -> None:
    """Let a body sleep through a turn: only the upkeep is done (rules RG.5, RG.17)."""
    pass_sleep_turn(context, sleeper)
    end_of_turn(context, sleeper)


def _creatures_act(context: TurnContext, group: TurnGroup) -> None:
    """Let the creatures act, the nearest to a player first, ties by number."""
    context.acting = 0
    creatures = group.creatures
    for number in creatures if len(creatures) < 2 else _nearest_first(context.level, group):
        _act_while_able(context, number)


def _nearest_first(level: Level, group: TurnGroup) -> list[int]:
    """Return the creatures of a turn group that are still there, the nearest to a player first, ties by number."""
    bodies = level.creatures
    players = [bodies[number].cell for number in group.players if number in bodies]
    creatures = [number for number in group.creatures if number in bodies]
    away = least_distances(level.grid, [bodies[number].cell for number in creatures], players)
    return [number for _, number in sorted(zip(away, creatures, strict=True))]


def _act_while_able(context: TurnContext, number: int) -> None:
    bodies = context.level.creatures
    while (creature := bodies.get(number)) is not None and creature.energy >= ACTION_COST:
        creature.energy -= ACTION_COST
        context.acting = number
        if creature.asleep:
            _sleep(context, creature)
            continue
        decide(context, creature)
        trigger_traps(context)
        end_action(context, creature)


def _count_for_unattended(level: Level, player: Creature) -> None:
    if player.number not in level.creatures:
        return
    taken = level.wild_turns.get(player.number, 0) + 1
    if taken >= level.campaign.time.wild_every:
        level.wild_turns.clear()
        level.state.wild_due = True
    else:
        level.wild_turns[player.number] = taken
