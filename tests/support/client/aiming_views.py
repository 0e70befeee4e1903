"""Views with targets: foes in range and out of it, a friend, and items and spells to aim."""

from msgspec.structs import replace

from gloam_shared.view.view import Creature, CreatureFlag, InventoryItem, ItemFlag, Spell, Stat, View
from support.client.fake_server import level_view

HERE = level_view().cell

DAGGER = InventoryItem(0, ")", "white", "dagger", ItemFlag.WIELDABLE, 5, 0, 0)

SCROLL = InventoryItem(
    1, "?", "white", "fireball scroll", ItemFlag.READABLE, 0, 0, 0, "cell", 6, 2, "It burns."
)

HEALING = InventoryItem(2, "?", "white", "healing scroll", ItemFlag.READABLE, 0, 0, 0, "self")

FIREBALL = Spell("fireball", "fireball", 5, "cell", 6, 2, "Fire for all around there.")

HEAL = Spell("heal", "minor heal", 4, "self", 0, 0, "It heals.")

SLEEP = Spell("sleep", "sleep", 30, "creature", 6, 0, "It sends to sleep.")


def ready(*, reach: int = 6, mana: int = 20) -> View:
    view = level_view()
    sheet = list(view.sheet)
    sheet[Stat.REACH], sheet[Stat.MANA], sheet[Stat.MANA_MAX] = reach, mana, 20
    return replace(
        view,
        creatures=(
            *view.creatures,
            Creature(20, HERE + 5, 3, 5, 1, CreatureFlag.HOSTILE, "r", "brown", "rat"),
            Creature(21, HERE - 4, 3, 5, 1, CreatureFlag.HOSTILE, "b", "gray", "bat"),
            Creature(9, HERE + 6, 30, 40, 2, CreatureFlag.PLAYER, "@", "cyan", "Bert"),
        ),
        inventory=(DAGGER, SCROLL, HEALING),
        spells=(FIREBALL, HEAL, SLEEP),
        sheet=tuple(sheet),
    )
