"""Using unidentified items: the spell of a scroll or a wand that its user may not know yet (rule F77)."""

from gloam_server.content.items import ItemKind
from gloam_server.world.effects.spells import cast_item_spell
from gloam_server.world.items.identify_by_use import identify
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature


def cast_tried_spell(
    context: TurnContext, kind: ItemKind, spell_key: str, user: Creature, cell: int | None
) -> None:
    """Cast the spell of an item at a cell, None for nowhere; its user knows its name from then on."""
    if cell is None:
        context.emit_private("fizzles", user)
    else:
        cast_item_spell(context, kind, spell_key, user, cell)
    identify(context, user, kind)
