"""apply(level, input): THE STATE MACHINE. Everything that ever changes a level goes through here.

It changes the level given to it, returns events and outputs, and reads nothing else: no clock, no disk, no chance
but dice keyed by the realm's seed, the level and the number of the input.
"""

from dataclasses import dataclass
from typing import assert_never

from gloam_server.rules.dice import Dice
from gloam_server.world.combat.duels import consent, resolve_duel
from gloam_server.world.combat.experience import choices_of, spend
from gloam_server.world.combat.run_statistics import note_depth
from gloam_server.world.engine.turn import run_turn, run_wild
from gloam_server.world.items.equipment import take_out
from gloam_server.world.items.floor_items import lay, notice_pile, spill, unmake_bound
from gloam_server.world.model.context import Stage
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.events import Event, Output, Withdrew
from gloam_server.world.model.fault import Fault
from gloam_server.world.model.free_cells import nearest_free_cell
from gloam_server.world.model.ids import REALM_PLACE
from gloam_server.world.model.inputs import (
    Arrive,
    Bestow,
    Claim,
    Free,
    Leave,
    LevelInput,
    Populate,
    Remove,
    Restore,
    Rules,
    Turn,
    Wild,
    is_news,
)
from gloam_server.world.model.level import Level
from gloam_server.world.model.map_memory import remember
from gloam_server.world.model.outcome import Impossible
from gloam_server.world.population.inheritance import bestow, claim, restore
from gloam_server.world.population.party_scaling import welcome
from gloam_server.world.population.respawning import repopulate
from gloam_server.world.population.spawning import populate
from gloam_shared.protocol.commands import Choose, Duel

ARRIVAL_GRACE = 3
"""Who arrives cannot be hurt before his first own action, for so many turns of his bubble at most."""


@dataclass(frozen=True, slots=True)
class Result:
    """What one input led to: events for those who saw them, outputs for other places."""

    events: tuple[Event, ...]
    outputs: tuple[Output, ...]


def apply(level: Level, input_: LevelInput) -> Result:
    """Apply one input to a level and return what came of it.

    Raises Fault when a rule of ours fails: the level is half changed then and must not be used any more.
    """
    level.sequence += 1
    stage = Stage(level, Dice(level.realm_seed, level.place, level.sequence))
    try:
        _carry_out(stage, input_)
        stage.acting = 0
        remember(level)
    except Exception as error:
        raise Fault(stage.acting or _blind(level), level.place) from error
    return Result(tuple(stage.events), tuple(stage.outputs))


def _blind(level: Level) -> int:
    """Return the first player whose sight cannot be told, 0 if all can: he is at fault where nobody acts."""
    for body in level.players():
        try:
            level.sight(body)
        except Exception:  # noqa: BLE001  # it has been raised before; here it only tells whose it is
            return body.number
    return 0


def _carry_out(stage: Stage, input_: LevelInput) -> None:
    level = stage.level
    match input_:
        case Turn():
            run_turn(stage, input_)
            repopulate(stage)
        case Wild():
            run_wild(stage)
        case Free():
            _take_liberty(stage, input_)
        case Arrive():
            _arrive(stage, input_)
        case Leave(player):
            _leave(stage, player)
        case Populate():
            populate(stage, input_)
        case Remove():
            _remove(stage, input_)
        case Claim():
            claim(stage, input_)
        case Bestow():
            bestow(stage, input_)
        case Restore():
            restore(stage, input_)
        case Rules(version, libraries):
            level.rules_version, level.libraries = version, libraries
        case _:
            assert_never(input_)


def _take_liberty(stage: Stage, input_: Free) -> None:
    stage.acting = input_.player
    player = stage.level.creatures.get(input_.player)
    if player is None:
        return
    player.command = max(player.command, input_.number)
    match input_.command:
        case Choose(option):
            offered = choices_of(stage.level, player)
            if player.points and option < len(offered):
                spend(stage, player, offered[option])
        case Duel(handle, agree):
            other = resolve_duel(stage.level, player, handle, agree=agree)
            if not isinstance(other, Impossible):
                consent(stage, player, stage.level.creatures[other], agree=agree)
        case _:
            assert_never(input_.command)


def _arrive(stage: Stage, input_: Arrive) -> None:
    level = stage.level
    stage.acting = input_.creature.number
    if not is_news(level.heard, input_.source):
        return
    cell = nearest_free_cell(level, input_.cell if input_.cell >= 0 else level.arrival)
    if cell is None:
        raise RuntimeError(f"level {level.place} has no free cell left for creature {input_.creature.number}")
    creature = input_.creature
    comes_back = input_.source[0] == REALM_PLACE and creature.number in level.memory and cell == input_.cell
    creature.energy = 0
    creature.grace = ARRIVAL_GRACE if creature.account else 0
    level.add(creature, cell, stage.dice)
    note_depth(creature, level.depth)
    enters = creature.account and input_.source[0] == REALM_PLACE
    stage.tell("enters" if enters else "arrives", creature)
    welcome(stage, creature)
    if not comes_back:  # to where they stood: what lies there was told when they came upon it
        notice_pile(stage, creature)


def _leave(stage: Stage, number: int) -> None:
    stage.acting = number
    body = stage.level.creatures.get(number)
    if body is None:
        return
    stage.tell("leaves", body)
    _lay_prize(stage, body)
    stage.level.take(body)
    stage.outputs.append(Withdrew(body, stage.level.place))


def _remove(stage: Stage, input_: Remove) -> None:
    level = stage.level
    stage.acting = input_.creature
    if not is_news(level.heard, input_.source):
        return
    creature = level.creatures.get(input_.creature)
    if creature is None:
        for other in level.creatures.values():
            other.contacts.pop(input_.creature, None)
        level.memory.pop(input_.creature, None)
        unmake_bound(stage, input_.creature)
        return
    stage.tell("removed", creature, source=input_.why)
    if creature.account:
        _lay_prize(stage, creature)
    else:
        spill(stage, creature)
    level.take(creature)
    if creature.account:
        stage.outputs.append(Withdrew(creature, level.place))


def _lay_prize(stage: Stage, body: Creature) -> None:
    """Whoever leaves play leaves the campaign's one prize behind, for others to win with (rule F53)."""
    for slot, item in enumerate(body.slots):
        if item is not None and item.kind == stage.level.campaign.victory.item:
            thing = take_out(body, slot)
            stage.tell_of("drops", thing, body, body.cell)
            lay(stage, thing, body.cell)
