"""Views made by hand: a hall, and the creatures in it."""

from msgspec.structs import replace

from gloam_shared.appearance import Terrain
from gloam_shared.view.choices import LevelGain
from gloam_shared.view.place import Place
from gloam_shared.view.view import Creature, CreatureFlag, Friend, Log, Stat, View


def view(
    *foes: int, hp: int = 40, gains: tuple[LevelGain, ...] = (), level: int = 1, stairs: int | None = None
) -> View:
    """Return a view of a hall of 7 by 5 cells, with the player in its middle and foes that hold them on cells."""
    sheet = [0] * len(Stat)
    sheet[Stat.HANDLE], sheet[Stat.HP], sheet[Stat.HP_MAX], sheet[Stat.LEVEL] = 1, hp, 40, level
    own = Creature(1, 17, hp, 40, level, int(CreatureFlag.PLAYER | CreatureFlag.SELF), "@", "white", "Bot")
    others = [
        Creature(
            2 + at, cell, 5, 5, 1, int(CreatureFlag.HOSTILE | CreatureFlag.HOLDS_YOU), "k", "white", "kobold"
        )
        for at, cell in enumerate(foes)
    ]
    terrain = bytearray([Terrain.FLOOR] * 35)
    if stairs is not None:
        terrain[stairs] = Terrain.STAIRS_DOWN
    return View(
        place=Place(1, 7, 5, "A hall"),
        terrain=bytes(terrain),
        sight=bytes([1] * 35),
        creatures=(own, *others),
        items=(),
        sheet=tuple(sheet),
        choices=("Choose this",) * len(gains),
        party=(),
        log=Log(),
        pile=(),
        inventory=(),
        spells=(),
        states=(),
        gains=gains,
    )


def with_friend(seen: View, cell: int, depth: int = 1, name: str = "Anna") -> View:
    """Return a view with a friend on a cell; the bot's own name is Bot."""
    friend = Creature(9, cell, 40, 40, 1, int(CreatureFlag.PLAYER), "@", "white", name)
    own = Friend("Bot", 1, 2, 4, 0)
    return replace(seen, creatures=(*seen.creatures, friend), party=(Friend(name, depth, 2, 4, 0), own))
