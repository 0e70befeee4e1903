"""Victory: the life ends in glory, and the realm continues (rules JG.24, TG.30, RG.30, F32, F53)."""

from typing import Final

from gloam_server.world.combat.companions import take_along
from gloam_server.world.combat.death import leave_dungeon
from gloam_server.world.items.equipment import take_from_slot
from gloam_server.world.items.floor_items import destroy_item
from gloam_server.world.items.loans import return_loans
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.events import RoundAdvanced
from gloam_server.world.model.ids import partition_of_id
from gloam_server.world.model.inputs import Envelope, Respawn
from gloam_shared.level_numbers import round_of_level
from gloam_shared.narration.rendering import with_definite_article

COWARDICE: Final = "cowardice"
"""The cause of the end for a player who left the dungeon without the prize."""


def win_by_kill(context: TurnContext, victim: Creature, killer: Creature | None) -> None:
    """Let every player here who had a part in the death of the campaign's boss win (rules JG.24, F32).

    The part of a player's allies counts for the player. Without a winner the boss reappears immediately elsewhere on
    the level. Away from its level it is back there in any case, for only that level can wait for its return.
    """
    level = context.level
    rules = level.campaign.victory
    if rules.rule != "slay" or victim.kind != rules.creature:
        return
    slayers = {*victim.hurt_by, killer.number if killer is not None else 0}
    slayers |= {level.creatures[number].owner for number in slayers if number in level.creatures}
    winners = [player for player in level.players() if player.number in slayers]
    for player in winners:
        win_round(context, player, f"slaying {with_definite_article(victim.name)}")
    home = level.partition if victim.ai.home is None else victim.ai.home.partition
    if not winners or home != level.partition:
        context.outputs.append(Envelope(home, Respawn(victim.kind)))


def win_round(context: TurnContext, player: Creature, how: str) -> None:
    """End a life with a victory; `how` is its cause."""
    context.emit("wins", player, source=how)
    leave_dungeon(context, player, how, won=True)


def enter_next_round(context: TurnContext, player: Creature) -> None:
    """Let a winner enter the next round: unhurt, with one more win and all items (rule RG.32)."""
    level = context.level
    round_ = round_of_level(level.partition) + 1
    player.hp = player.hp_max
    player.statistics.wins += 1
    context.emit("goes_on", player, amount=round_)
    return_loans(context, player)
    take_along(context, player)
    level.remove(player)
    context.outputs.append(RoundAdvanced(player, round_))


def use_prize(context: TurnContext, player: Creature, slot: int) -> Item:
    """Destroy the prize in a slot; another appears where the first one was made."""
    item = take_from_slot(context.level, player, slot)
    destroy_item(context, item, player.cell)
    context.outputs.append(Envelope(partition_of_id(item.number), Respawn(item.kind)))
    return item


def slot_of_prize(prize: str, player: Creature) -> int | None:
    """Return the slot in which a player carries the kind that is the prize, or None."""
    return next(
        (slot for slot, item in enumerate(player.slots) if item is not None and item.kind == prize), None
    )
