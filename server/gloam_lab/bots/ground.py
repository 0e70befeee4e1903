"""Ground in a bot's fights and ways: it leaves what harms, burns what foes stand on, and lets ground hold them off. Pure.

Only bots that are made with it use this: `gloam-server lives --ground` compares them with others.
"""

from collections.abc import Iterator
from typing import Final

from gloam_lab.bots import means, navigation
from gloam_lab.bots.bot_memory import BotMemory
from gloam_lab.bots.combat_estimate import foes_of, friends_of, own_health
from gloam_server.autopilot import pathfinding
from gloam_shared.appearance import WALKABLE, Terrain
from gloam_shared.geometry import Direction
from gloam_shared.protocol.commands import AnyCommand, Cast, Move
from gloam_shared.view.menace import DamageKind
from gloam_shared.view.surfaces import DEVICES, SurfaceFlag, SurfaceLook, surface_at
from gloam_shared.view.view import Creature, Spell, Stat, View

_HOLDS: Final = int(SurfaceFlag.HOLDS)
_SINKS: Final = int(SurfaceFlag.SINKS)
_WORKS_FROM: Final = 80
"""The health in percent from which a bot works devices: some strike, and some wake sleepers."""
_BURNS_FROM: Final = 40
"""The health in percent from which a bot burns foes before all else; below it heals or gets away first."""
_SAFE_FROM: Final = 3
"""The least distance to a foe that a bot sets alight: fire goes over to what burns beside it."""


def leave(view: View) -> Iterator[AnyCommand]:
    """Yield the steps off ground that harms, those away from foes first."""
    if not _harms(view, view.cell):
        return
    foes = [foe.cell for foe in foes_of(view)]

    def worth(way: Direction) -> tuple[int, int]:
        cell = view.step(way)
        near = min((view.place.grid.distance(cell, foe) for foe in foes if cell is not None), default=9)
        return (-min(near, 3), view.place.directions.index(way))

    for way in sorted(view.place.directions, key=worth):
        cell = view.step(way)
        if cell is not None and _is_free(view, cell) and not _harms(view, cell):
            yield Move(*way)


def is_folly(view: View, command: AnyCommand) -> bool:
    """Return whether a step leads onto ground that harms, or, before a foe, onto ground that holds.

    From ground that harms any step is allowed.
    """
    if not isinstance(command, Move) or not view.surfaces or _harms(view, view.cell):
        return False
    cell = view.step((command.dx, command.dy))
    if cell is None or view.at(cell) is not None:
        return False
    look = _look(view, cell)
    if look is None:
        return False
    return bool(look.harm) or (bool(look.marks & _HOLDS) and bool(foes_of(view)))


def work(view: View, memory: BotMemory) -> Iterator[AnyCommand]:
    """Yield the way to levers and the like, where a whole bot knows nothing left to explore."""
    if own_health(view) >= _WORKS_FROM and pathfinding.first_step(view, pathfinding.frontier(view)) is None:
        yield from navigation.work_devices(view, memory, most=1)


def burn(view: View, foes: list[Creature]) -> Iterator[AnyCommand]:
    """Yield fire for the nearest foe, if it stands on what burns, some cells away from a bot that does not stand on it."""
    if own_health(view) < _BURNS_FROM:
        return
    near = min(foes, key=lambda foe: (view.place.grid.distance(view.cell, foe.cell), foe.hp, foe.handle))
    away = view.place.grid.distance(view.cell, near.cell)
    if away < _SAFE_FROM or not _may_burn(view, near.cell) or _may_burn(view, view.cell):
        return
    if any(view.place.grid.distance(friend.cell, near.cell) < _SAFE_FROM for friend in friends_of(view)):
        return
    for spell in view.spells:
        cell = _aimed(view, spell, near)
        if cell is not None and spell.cost <= view.fact(Stat.MANA):
            yield Cast(spell.key, cell)


def _aimed(view: View, spell: Spell, foe: Creature) -> int | None:
    burns = spell.deals == DamageKind.FIRE and spell.target not in ("", "self")
    return means.aim_at(view, spell, foe) if burns else None


def _may_burn(view: View, cell: int) -> bool:
    """Return whether a cell has grass, or something on it that does no harm by itself, such as oil or a web."""
    look = _look(view, cell)
    if look is None:
        return view.terrain[cell] == Terrain.GRASS
    return not look.harm and not look.marks & DEVICES


def _harms(view: View, cell: int) -> bool:
    look = _look(view, cell)
    return look is not None and bool(look.harm) and not look.marks & _SINKS


def _look(view: View, cell: int) -> SurfaceLook | None:
    return surface_at(view.surface_looks, view.surfaces, cell) if view.surfaces else None


def _is_free(view: View, cell: int) -> bool:
    terrain = view.terrain[cell]
    return terrain in WALKABLE and terrain != Terrain.TRAP and view.at(cell) is None
