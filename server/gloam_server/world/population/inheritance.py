"""Inheritance: keepsakes from graves, and prizes and bosses that appear again after a victory.

A keepsake is moved, never copied: the grave's level takes it and sends it, or reports that it is no longer
there.

If another creature was faster, the heir begins without the keepsake.
"""

from msgspec import UNSET

from gloam_server.world.combat.bosses import belongs_elsewhere, respawn_boss
from gloam_server.world.items.equipment import gain_item, slot_for
from gloam_server.world.items.floor_items import create_item, drop_item, pick_item
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.identification import learn_kind
from gloam_server.world.model.inputs import Envelope, GrantKeepsake, RequestKeepsake, Respawn, accept_once
from gloam_server.world.model.item_names import item_name
from gloam_shared.appearance import Terrain


def send_keepsake(context: TurnContext, input_: RequestKeepsake) -> None:
    """Take a keepsake out of a grave and send it to the heir; or send None if another player was faster.

    Where a cell holds only one item, a grave's items are around it (rule TG.17): any cell of the level is
    searched.
    """
    level = context.level
    if not accept_once(level.state.heard, input_.source):
        return
    lying = ((cell, item) for cell, item in level.items_at() if item.number == input_.item)
    cell, item = next(lying, (input_.cell, None))
    if item is not None:
        pick_item(level, item, cell)
        context.emit_item_event("fades", item, None, cell)
    context.outputs.append(Envelope(input_.heir_partition, GrantKeepsake(input_.heir, item)))


def receive_keepsake(context: TurnContext, input_: GrantKeepsake) -> None:
    """Give an heir the keepsake, which its line knows; without the heir, or without room, it is put on the floor."""
    level = context.level
    if not accept_once(level.state.heard, input_.source):
        return
    heir = level.creatures.get(input_.heir)
    item = input_.item
    if item is None:
        if heir is not None:
            context.emit_private("bereft", heir)
        return
    slot = None if heir is None else slot_for(level.campaign, heir, item)
    if heir is None or slot is None:
        drop_item(context, item, _free_cell(context) if heir is None else heir.cell)
        return
    gain_item(level, heir, slot, item)
    learn_kind(heir, level.campaign.items[item.kind])
    context.emit_private("inherits", heir, name=item_name(level, item, heir))


def respawn_unique(context: TurnContext, input_: Respawn) -> None:
    """Create the won prize or boss again: a prize on its first cell, a boss out of every player's sight."""
    level = context.level
    if not accept_once(level.state.heard, input_.source):
        return
    campaign = level.campaign
    if input_.kind in campaign.items:
        cell = level.state.prize if level.state.prize >= 0 else _free_cell(context)
        drop_item(context, create_item(context, campaign.items[input_.kind], cell), cell)
        return
    if not belongs_elsewhere(level, input_.kind):
        level.state.roaming = UNSET
        respawn_boss(context, input_.kind)


def _free_cell(context: TurnContext) -> int:
    """Return a random cell of plain floor."""
    floor = [cell for cell, what in enumerate(context.level.terrain) if what == Terrain.FLOOR]
    return context.dice.pick("somewhere", 0, floor)
