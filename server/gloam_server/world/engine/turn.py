"""One turn of a bubble, or of the wild: energy, order, and each member's action."""

from gloam_server.rules.energy import ACTION_COST, BASE_SPEED, gain
from gloam_server.world import actions
from gloam_server.world.ai.behaviors import decide
from gloam_server.world.combat.sleep import sleep_on
from gloam_server.world.effects.traps import notice_traps, spring_traps
from gloam_server.world.effects.upkeep import age, pass_time
from gloam_server.world.engine.turn_groups import divide, divided
from gloam_server.world.items.equipment import speed_of
from gloam_server.world.model.context import Stage
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.inputs import Act, Turn
from gloam_server.world.model.level import Level
from gloam_server.world.model.turn_group_data import Bubble, Division
from gloam_shared.geometry import chebyshev


def able(level: Level, bubble: Bubble, player: Creature) -> bool:
    """Return whether a player will be able to act in his bubble's next turn; who will not counts as having answered."""
    gained = gain(speed_of(level, player), _fastest(level, bubble))
    return not player.asleep and player.energy + gained >= ACTION_COST


def run_turn(stage: Stage, turn: Turn) -> None:
    """Run the turn of the bubble that the first player named belongs to."""
    level = stage.level
    acts = [act for act in turn.acts if act.player in level.creatures]
    if not acts:
        return
    bubble = divided(level, level.sequence - 1).of(acts[0].player)
    fastest = _fastest(level, bubble)
    for number in (*bubble.players, *bubble.creatures):
        stage.acting = number
        member = level.creatures[number]
        member.energy += gain(speed_of(level, member), fastest)
    for act in acts:
        player = level.creatures.get(act.player)
        if player is not None and act.player in bubble.players:
            _play(stage, player, act)
    _creatures_act(stage, bubble)
    stage.acting = 0
    for number in bubble.players:
        _wear_off(level.creatures.get(number))


def run_wild(stage: Stage) -> None:
    """Give every creature that no player is near one turn at the base speed."""
    level = stage.level
    level.wild_due = False
    division: Division = divide(level)
    for number in division.wild:
        stage.acting = number
        member = level.creatures[number]
        member.energy += gain(speed_of(level, member), BASE_SPEED)
    for number in division.wild:
        _act_while_able(stage, number)


def _fastest(level: Level, bubble: Bubble) -> int:
    return max(speed_of(level, level.creatures[number]) for number in bubble.players)


def _wear_off(player: Creature | None) -> None:
    """Let the grace of an arrival run out, after a turn in which it still held: three turns of his bubble, at most."""
    if player is not None and player.grace:
        player.grace -= 1


def _play(stage: Stage, player: Creature, act: Act) -> None:
    stage.acting = player.number
    player.command = max(player.command, act.number)
    if player.energy < ACTION_COST:
        return
    player.energy -= ACTION_COST
    stage.work = "other"
    if player.asleep:
        _sleep(stage, player)
    else:
        _act(stage, player, act)
    _count_for_wild(stage.level, player)


def _act(stage: Stage, player: Creature, act: Act) -> None:
    """Do what a player wished for, or let him be on guard."""
    refusal = None
    if act.command is not None:
        player.grace = 0
        refusal = actions.attempt(stage, player, act.command)
    if act.command is None or refusal is not None:
        actions.perform(stage, player, actions.guard(stage.level, player))
    if refusal is not None:
        stage.tell("guards", player, source=refusal.reason)
    spring_traps(stage)
    notice_traps(stage, player)
    age(stage, player)


def _sleep(stage: Stage, sleeper: Creature) -> None:
    """Let a body sleep through a turn: it does nothing, but hungers and heals, and its states pass (rules RG.5, RG.17)."""
    sleep_on(stage, sleeper)
    pass_time(stage, sleeper)


def _creatures_act(stage: Stage, bubble: Bubble) -> None:
    """Let the creatures act, the nearest to a player first, ties by number."""
    level = stage.level
    stage.acting = 0
    players = [level.creatures[number] for number in bubble.players if number in level.creatures]
    order = []
    for number in bubble.creatures:
        creature = level.creatures.get(number)
        if creature is not None:
            away = min((chebyshev(creature.cell, p.cell, level.width) for p in players), default=0)
            order.append((away, number))
    for _, number in sorted(order):
        _act_while_able(stage, number)


def _act_while_able(stage: Stage, number: int) -> None:
    level = stage.level
    while (creature := level.creatures.get(number)) is not None and creature.energy >= ACTION_COST:
        creature.energy -= ACTION_COST
        stage.acting = number
        if creature.asleep:
            _sleep(stage, creature)
            continue
        decide(stage, creature)
        spring_traps(stage)
        age(stage, creature)


def _count_for_wild(level: Level, player: Creature) -> None:
    if player.number not in level.creatures:
        return
    taken = level.wild_turns.get(player.number, 0) + 1
    if taken >= level.campaign.time.wild_every:
        level.wild_turns.clear()
        level.wild_due = True
    else:
        level.wild_turns[player.number] = taken
