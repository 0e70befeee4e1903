"""apply(level, input): THE STATE MACHINE. Everything that ever changes a level goes through here.

It changes the level given to it, returns events and outputs, and reads nothing else: no clock, no disk, no
randomness except dice keyed by the realm's seed, the level and the number of the input.
"""

from dataclasses import dataclass
from typing import Final, assert_never

from msgspec import UNSET

from gloam_server.rules.dice import Dice
from gloam_server.world.actions.stairs import is_away
from gloam_server.world.ai.descent import go_home_unwatched, leave_unwatched
from gloam_server.world.combat.bosses import note_boss
from gloam_server.world.combat.companions import release_of, set_down, take_along
from gloam_server.world.combat.duels import give_consent, plan_consent
from gloam_server.world.combat.party.downed import get_up
from gloam_server.world.combat.run_statistics import count_depth
from gloam_server.world.effects import map_memory
from gloam_server.world.effects.device_turn import settle_devices
from gloam_server.world.effects.regeneration import heal_meanwhile
from gloam_server.world.effects.surface_turn import pass_surface_turn
from gloam_server.world.growth.beacons import set_beacons
from gloam_server.world.growth.bents import choice_level
from gloam_server.world.growth.experience import choose_option, raise_levels
from gloam_server.world.growth.renown import report_death, report_renown, set_name
from gloam_server.world.growth.sounds import resound, resound_from_stairs
from gloam_server.world.items.equipment import take_from_slot
from gloam_server.world.items.floor_items import (
    announce_pile,
    destroy_bound_items,
    drop_all,
    drop_item,
    fade_corpses,
)
from gloam_server.world.items.loans import return_loans
from gloam_server.world.model import inputs
from gloam_server.world.model.context import RuleFault, TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.events import Archived, Event
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.level import Level
from gloam_server.world.model.outcome import Impossible
from gloam_server.world.population import respawning
from gloam_server.world.population.catching_up import calm_foes, catch_up
from gloam_server.world.population.chosen_kit import take_kit
from gloam_server.world.population.inheritance import receive_keepsake, respawn_unique, send_keepsake
from gloam_server.world.population.party_scaling import scale_for_newcomer
from gloam_server.world.population.spawning import populate_level
from gloam_server.world.trading.trades import confirm, end_trade, note_refusal, offer, settle_trades
from gloam_server.world.transition.turn import run_turn, run_unattended
from gloam_shared.protocol.commands import Choose, ChooseFor, ConfirmTrade, Duel, EndTrade, OfferTrade

TURNS_TOLD = 100
"""The number of turns of a level after which it reports them to the realm."""

_POPULATIONS_FOLLOW: Final = 9
"""The version of the rules from which the creatures of a level follow the players who play there."""

ARRIVAL_GRACE = 3
"""The most turns of its turn group for which an arrival cannot be hurt, before its first own action."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one input: events for their witnesses, outputs for other partitions."""

    events: tuple[Event, ...]
    outputs: tuple[inputs.Output, ...]


def apply(level: Level, input_: inputs.LevelInput) -> Result:
    """Apply one input to a level and return the result.

    Raises RuleFault if a rule fails: the level is then half changed and must not be used any more.
    """
    level.state.sequence += 1
    context = TurnContext(level, Dice(level.realm_seed, level.partition, level.state.sequence))
    try:
        _carry_out(context, input_)
        context.acting = 0
        if level.state.devices:
            settle_devices(context)
        report_renown(context)
        settle_trades(context)
        map_memory.update_map_memory(level)
    except Exception as error:
        raise RuleFault(context.acting or _clear_derived(level), level.partition) from error
    return Result(tuple(context.events), tuple(context.outputs))


def _clear_derived(level: Level) -> int:
    """Return the first player whose field of view fails, 0 if none: that player is at fault if no creature acts."""
    for body in level.players():
        try:
            level.field_of_view(body)
        except Exception:  # noqa: BLE001  # the error was raised before; here it only identifies the player
            return body.number
    return 0


def _carry_out(context: TurnContext, input_: inputs.LevelInput) -> None:
    match input_:
        case inputs.Turn():
            _turn(context, input_)
        case inputs.UnattendedTurn():
            run_unattended(context)
        case inputs.FreeAction() | inputs.TakeKit():
            _free_action(context, input_)
        case inputs.Arrive():
            _arrive(context, input_)
        case inputs.Leave(player):
            _leave(context, player)
            leave_unwatched(context)
            respawning.withdraw_if_due(context)
        case inputs.PopulateLevel():
            populate_level(context, input_)
        case inputs.Remove():
            _remove(context, input_)
            respawning.withdraw_if_due(context)
        case inputs.RequestKeepsake():
            send_keepsake(context, input_)
        case inputs.GrantKeepsake():
            receive_keepsake(context, input_)
        case inputs.Respawn():
            respawn_unique(context, input_)
        case inputs.SetName():
            set_name(context, input_)
        case inputs.Refill():
            respawning.refill(context, input_)
        case (
            inputs.ShareMaps()
            | inputs.DropChart()
            | inputs.TakeMemory()
            | inputs.GiveMemory()
            | inputs.Resound()
            | inputs.SetBeacons()
        ):
            _take_message(context, input_)
        case inputs.AdoptRules():
            _adopt_rules(context, input_)
        case _:
            assert_never(input_)


def _turn(context: TurnContext, turn: inputs.Turn) -> None:
    """Run a turn of players, and what each such turn brings to the level.

    It is counted, and reported to the realm from time to time, because names depend on it.
    """
    level = context.level
    run_turn(context, turn)
    if level.state.surfaces and level.state.surfaces.active:
        pass_surface_turn(context, [act.player for act in turn.acts])
    respawning.respawn_if_due(context)
    leave_unwatched(context)
    respawning.withdraw_if_due(context)
    level.state.turns += 1
    if level.campaign.named.max and level.state.turns % TURNS_TOLD == 0:
        context.outputs.append(inputs.Envelope(REALM_PARTITION, inputs.RecordTurns(TURNS_TOLD)))
    fade_corpses(context)


def _adopt_rules(context: TurnContext, input_: inputs.AdoptRules) -> None:
    state = context.level.state
    if state.rules_version < _POPULATIONS_FOLLOW:
        respawning.adopt_population(context)
    state.rules_version, state.libraries = input_.version, input_.libraries


def _free_action(context: TurnContext, input_: inputs.FreeAction | inputs.TakeKit) -> None:
    context.acting = input_.player
    player = context.level.creatures.get(input_.player)
    if player is None:
        return
    if isinstance(input_, inputs.TakeKit):
        take_kit(context, player, input_.kit)
        return
    player.command = max(player.command, input_.number)
    match input_.command:
        case Choose(option) as command:
            if not isinstance(command, ChooseFor) or command.level == choice_level(context.level, player):
                choose_option(context, player, option)
        case Duel(handle, agree):
            other = plan_consent(context.level, player, handle, agree=agree)
            if not isinstance(other, Impossible):
                give_consent(context, player, context.level.creatures[other], agree=agree)
        case OfferTrade() as command:
            note_refusal(context, player, offer(context, player, command))
        case ConfirmTrade() as command:
            note_refusal(context, player, confirm(context, player, command))
        case EndTrade():
            note_refusal(context, player, end_trade(context, player, cut=not input_.number))
        case _:
            assert_never(input_.command)


def _arrive(context: TurnContext, input_: inputs.Arrive) -> None:
    level = context.level
    context.acting = input_.creature.number
    if not inputs.accept_once(level.state.heard, input_.source):
        return
    goal = input_.cell if input_.cell >= 0 else level.state.arrival
    if input_.creature.ai.leaves and not level.players():
        goal = respawning.settling_cell(context, input_.creature, goal)
    cell = level.nearest_free_cell(goal)
    if cell is None:
        raise RuntimeError(
            f"level {level.partition} has no free cell left for creature {input_.creature.number}"
        )
    creature = input_.creature
    if creature.account and input_.source[0] != level.partition:  # what another level refused stays
        go_home_unwatched(context)
        context.acting = creature.number
    comes_back = (
        input_.source[0] == REALM_PARTITION and creature.number in level.memory and cell == input_.cell
    )
    begins = creature.cell < 0  # it has never stood on a level
    is_new = creature.number not in level.memory
    creature.energy = 0
    creature.grace = ARRIVAL_GRACE if creature.account else 0
    if creature.account:
        heal_meanwhile(level, creature)
    level.add(creature, cell, context.dice)
    if not is_away(level, creature):
        note_boss(level, creature, leaves=False)
    map_memory.begin_sharing(level, creature)
    if not creature.account:
        context.renowned.setdefault(creature.number, False)
        raise_levels(context, creature)  # what it earned on a quiet depth (rule F91)
    count_depth(creature, level.depth)
    if not (creature.account and input_.source[0] == REALM_PARTITION):
        _tell_arrival(context, creature)
    if input_.catches_up:
        catch_up(context, creature, input_.catches_up, begins=begins)
        calm_foes(context, creature, input_.cell)
    companion = set_down(context, creature)
    if companion is not None:
        raise_levels(context, companion)  # as above
    scale_for_newcomer(context, creature)
    words = level.campaign.arrival_words(level.state.kind, level.depth)
    if is_new and words:
        context.emit_private("temper", creature, source=words)
    if is_new and level.temper is not None:
        context.emit_private("temper", creature, source=level.temper.words)
    if not comes_back:  # to their old cell: the message about its items arrived earlier
        announce_pile(context, creature)


def _tell_arrival(context: TurnContext, creature: Creature) -> None:
    """Tell who arrives; of a monster that has outgrown the depth above, why (rule F97)."""
    if creature.account or not creature.ai.leaves:
        context.emit("arrives", creature)
        return
    creature.ai.leaves = False
    context.emit("invades", creature)
    resound(context, "arrival", creature)


def _take_message(
    context: TurnContext,
    input_: inputs.ShareMaps
    | inputs.DropChart
    | inputs.TakeMemory
    | inputs.GiveMemory
    | inputs.Resound
    | inputs.SetBeacons,
) -> None:
    """Carry out what another partition asks for or tells, once."""
    level = context.level
    if not inputs.accept_once(level.state.heard, input_.source):
        return
    match input_:
        case inputs.DropChart(party):
            map_memory.drop_chart(level, party)
        case inputs.TakeMemory(account, number, source):
            if memory := map_memory.take_memory(level, number):
                context.outputs.append(Archived(account, number, level.partition, source[1], memory))
        case inputs.GiveMemory(number, memory):
            map_memory.give_memory(level, number, memory)
        case inputs.Resound():
            resound_from_stairs(context, input_)
        case inputs.SetBeacons():
            set_beacons(context, input_)
        case inputs.ShareMaps():
            _share(context, input_)


def _share(context: TurnContext, input_: inputs.ShareMaps) -> None:
    context.acting = input_.creature
    body = context.level.creatures.get(input_.creature)
    if body is not None:
        body.party = input_.party or UNSET
        if body.member != (input_.member or UNSET):
            return_loans(context, body)
        body.member = input_.member or UNSET
        map_memory.begin_sharing(context.level, body)


def _leave(context: TurnContext, number: int) -> None:
    context.acting = number
    body = context.level.creatures.get(number)
    if body is None:
        return
    _place_prize(context, body)
    _part_from_friends(context, body)
    take_along(context, body)
    context.level.remove(body)
    context.outputs.append(inputs.Envelope(REALM_PARTITION, inputs.StoreBody(body, context.level.partition)))


def _remove(context: TurnContext, input_: inputs.Remove) -> None:
    level = context.level
    context.acting = input_.creature
    if not inputs.accept_once(level.state.heard, input_.source):
        return
    creature = level.creatures.get(input_.creature)
    if creature is None:
        for other in level.creatures.values():
            other.contacts.pop(input_.creature, None)
        level.memory.pop(input_.creature, None)
        release_of(level, input_.creature)
        destroy_bound_items(context, input_.creature)
        return
    context.emit("removed", creature, source=input_.why)
    if creature.account:
        _place_prize(context, creature)
        _part_from_friends(context, creature)
        take_along(context, creature)
    else:
        drop_all(context, creature)
        report_death(context, creature, input_.why, None)
    level.remove(creature)
    if creature.account:
        context.outputs.append(inputs.Envelope(REALM_PARTITION, inputs.StoreBody(creature, level.partition)))


def _part_from_friends(context: TurnContext, body: Creature) -> None:
    """Return loans, and let a downed player who leaves play stand up: a return is as after any absence."""
    return_loans(context, body)
    if body.down is not UNSET:
        get_up(context, body)


def _place_prize(context: TurnContext, body: Creature) -> None:
    """Put down the campaign's one prize when its player leaves play, so that others can win (rule F53)."""
    for slot, item in enumerate(body.slots):
        if item is not None and item.kind == context.level.campaign.victory.item:
            carried = take_from_slot(context.level, body, slot)
            context.emit_item_event("drops", carried, body, body.cell)
            drop_item(context, carried, body.cell)
