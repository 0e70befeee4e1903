"""What passes from life to life: keepsakes out of graves, and prizes and bosses that are to be won again.

A keepsake is moved, never copied: the grave's level takes it up and sends it on, or says that it lies there no more.
"""

from gloam_server.world.combat.bosses import rise_again
from gloam_server.world.items.equipment import place_for, put_in
from gloam_server.world.items.floor_items import lay, lift, make
from gloam_server.world.model.context import Stage
from gloam_server.world.model.events import Bequeathed
from gloam_server.world.model.inputs import Bestow, Claim, Restore, is_news
from gloam_server.world.model.item_names import words
from gloam_shared.appearance import Terrain


def claim(stage: Stage, input_: Claim) -> None:
    """Take a keepsake out of a grave and send it to the heir; send word if somebody was faster.

    Where one thing lies on a cell, what was in a grave lies around it (rule TG.17): any cell of the level will do.
    """
    level = stage.level
    if not is_news(level.heard, input_.source):
        return
    lying = ((cell, item) for cell, item in level.lying() if item.number == input_.item)
    cell, item = next(lying, (input_.cell, None))
    if item is not None:
        lift(level, item, cell)
        stage.tell_of("fades", item, None, cell)
    stage.outputs.append(Bequeathed(item, input_.heir, input_.heir_place))


def bestow(stage: Stage, input_: Bestow) -> None:
    """Give an heir his keepsake; if he or his room for it is gone, it lies on the level."""
    level = stage.level
    if not is_news(level.heard, input_.source):
        return
    heir = level.creatures.get(input_.heir)
    item = input_.item
    if item is None:
        if heir is not None:
            stage.note("bereft", heir)
        return
    slot = None if heir is None else place_for(level.campaign, heir, item)
    if heir is None or slot is None:
        lay(stage, item, _somewhere(stage) if heir is None else heir.cell)
        return
    put_in(heir, slot, item)
    stage.note("inherits", heir, name=words(level, item, heir))


def restore(stage: Stage, input_: Restore) -> None:
    """Bring what was won into being again: a prize where it lay at first, a boss out of every player's sight."""
    level = stage.level
    if not is_news(level.heard, input_.source):
        return
    campaign = level.campaign
    if input_.kind in campaign.items:
        cell = level.prize if level.prize >= 0 else _somewhere(stage)
        lay(stage, make(stage, campaign.items[input_.kind], cell), cell)
        return
    rise_again(stage, input_.kind)


def _somewhere(stage: Stage) -> int:
    """Return a random cell of plain floor."""
    floor = [cell for cell, what in enumerate(stage.level.terrain) if what == Terrain.FLOOR]
    return stage.dice.pick("somewhere", 0, floor)
