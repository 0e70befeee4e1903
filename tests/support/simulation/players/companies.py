"""The companies of a simulation: the campaign that its players have, and what they want there."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final, NamedTuple

from msgspec.structs import replace

from gloam_lab.bots import Adventurer, Walker
from gloam_server.content.campaign import Campaign
from gloam_server.content.shipped import SHIPPED
from gloam_shared.protocol import commands
from gloam_shared.view.surfaces import DEVICES
from gloam_shared.view.view import View
from support.content.campaigns import arena, shipped
from support.simulation.players.traders import Fellow, fellowship, market, trading_mind
from support.simulation.players.wild_mind import Mind, wild_mind
from support.simulation.randomness import Chance

_DEPTHS: Final = 2
"""The depths of the vaults whose rooms all have devices."""


class Company(NamedTuple):
    """The players of a simulation.

    `campaign` is their campaign by the seed. `mind` makes the mind of the player with a number; a bot also hears the answers.
    `foes` is the number of creatures on a level up to which more appear out of nothing, 0 for none at all. `sociable` is the
    share of their acts that are words of parties. With `days` the host's calendar goes on.
    """

    campaign: Callable[[int], Campaign]
    mind: Callable[[int, Chance, Adventurer], Mind]
    foes: int = 20
    sociable: float = 0.0
    days: bool = False


def campaign_of(seed: int) -> Campaign:
    """Return the arena, where lives are short, or for every fifth seed one of the campaigns that ship, in turn."""
    return shipped(SHIPPED[seed // 5 % len(SHIPPED)]) if seed % 5 == 0 else arena(monsters=6)


@cache
def vaults() -> Campaign:
    """Return the flagship with devices in all rooms of its first depths, and with players who live long.

    They begin with one of each thing that a lock or an altar takes.
    """
    gloam = shipped("gloam")
    kinds = tuple(key for key, kind in gloam.levels.items() if kind.depths[0] <= _DEPTHS)
    rooms = {
        key: replace(room, places=kinds, depths=None, sealed=False)
        for key, room in gloam.rooms.items()
        if any(entry.device for entry in room.legend.values())
    }
    levels = {
        key: replace(kind, drawn_rooms=(5, 5), monsters=1) if key in kinds else kind
        for key, kind in gloam.levels.items()
    }
    strong = replace(gloam.player_kind, hp=400)
    taken = [
        device.takes or next(key for key, kind in gloam.items.items() if kind.group == device.group)
        for device in gloam.devices.values()
        if device.takes or device.group
    ]
    creatures = {**gloam.creatures, strong.key: strong}
    return replace(gloam, rooms=rooms, levels=levels, creatures=creatures, kit=tuple(taken), kits=())


class Tinker:
    """A mind that works each device in sight: it steps on plates and off them, pulls, unlocks, and leaves things on altars."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance

    def decide(self, view: View) -> commands.AnyCommand:
        """Return what to do next."""
        luck = self._chance.random()
        cells = _device_cells(view)
        if not cells or luck < 0.15:
            return commands.Explore(pick_up=True) if luck < 0.1 or not cells else commands.Wait()
        if view.cell in cells and luck < 0.6 and view.inventory:
            return commands.Drop(self._chance.choice(view.inventory).slot)
        near = [cell for cell in cells if view.place.grid.distance(view.cell, cell) == 1]
        if near and luck < 0.6:
            return commands.Move(*view.place.grid.towards(view.cell, self._chance.choice(near)))
        return commands.Travel(self._chance.choice([cell for cell in cells if cell != view.cell] or cells))


def _device_cells(view: View) -> Sequence[int]:
    numbers = {at for at, look in enumerate(view.surface_looks, start=1) if look.marks & DEVICES}
    return [cell for cell, number in enumerate(view.surfaces) if number in numbers]


def _adventurer(at: int, chance: Chance, bot: Adventurer) -> Mind:
    minds: tuple[Mind, ...] = (bot.decide, Walker(at + 1).decide, wild_mind(chance))
    return minds[at % len(minds)]


ADVENTURERS: Final = Company(campaign_of, _adventurer)
MARKET: Final = Company(lambda _: market(), lambda _at, chance, _bot: trading_mind(chance), foes=0)
"""Players who trade, without monsters."""
FELLOWS: Final = Company(
    lambda _: fellowship(), lambda _at, chance, _bot: Fellow(chance).decide, foes=60, sociable=0.25, days=True
)
"""Frail players who choose kits and cards, lift each other, lend, and light beacons."""
TINKERS: Final = Company(lambda _: vaults(), lambda _at, chance, _bot: Tinker(chance).decide, foes=0)
"""Players who work devices, together and alone."""
