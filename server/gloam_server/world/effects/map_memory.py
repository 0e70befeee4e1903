"""Map memory of a level: after every input each player remembers the visible terrain.

Players who share what they see with their party keep a chart together: the terrain that any of them has seen on the
level while sharing (rule F94). Each of them on the level remembers what another sees. A restarted server writes all
sights again, so at every moment each of them must remember the terrain in all of their sights: `begin_sharing` sees
to that.

The memory is part of the saved state of a level, one byte a cell for each life: `apply` writes it, so it is replayed and
hashed with the level, and survives a crash. A cell that a life knows from a map alone, such as a scroll's, has the bit `_MAPPED`
besides its terrain until the life sees it: exploring goes there all the same.
"""

import zlib
from collections.abc import Iterable
from typing import Final

import numpy as np
from msgspec import UNSET

from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_shared.appearance import WALKABLE, Terrain
from gloam_shared.kept import CHECKS, verify

_MAPPED: Final = 128
_TERRAIN: Final = bytes([value % _MAPPED for value in range(256)])
_IS_MAPPED: Final = bytes([value // _MAPPED for value in range(256)])

_FASTEST: Final = 1
"""Most of what is remembered of a level is zero: 2,400 bytes become about a hundred."""


def update_map_memory(level: Level) -> None:
    """Write the terrain that each player sees now into the memory of their life."""
    sights, written = level.players_sight(), level.caches.written
    if sights is not written.of_players:
        memory = level.memory
        for body, seen in _new_sights(level, sights):
            if written.by_life.get(body.number) is not seen or body.number not in memory:
                written.by_life[body.number] = seen  # a change of terrain makes a new field of view
                known = memory.setdefault(body.number, bytearray(level.grid.size))
                _write_cells(known, level.terrain, seen)
                if body.party is not UNSET:
                    _share_sight(level, body, seen)
        written.of_players, written.players = sights, level.players()
    if CHECKS.report is not None:
        verify("the sights in map memory", list[tuple[int, int]](), lambda: _unwritten(level))


def _unwritten(level: Level) -> list[tuple[int, int]]:
    """Return each player with each cell that they see, and of which they remember another terrain."""
    return [
        (body.number, cell)
        for body in level.players()
        for cell, (is_seen, terrain) in enumerate(zip(level.field_of_view(body), level.terrain, strict=True))
        if is_seen and level.memory[body.number][cell] != terrain
    ]


def _new_sights(level: Level, sights: tuple[bytes, ...]) -> Iterable[tuple[Creature, bytes]]:
    """Return the players with their fields of view, without those that were surely written before."""
    players, before = level.players(), level.caches.written.of_players
    if before is None or players is not level.caches.written.players:
        return zip(players, sights, strict=True)
    return [(players[at], sights[at]) for at in level.sight.renewed_since(before)]


def begin_sharing(level: Level, body: Creature) -> None:
    """Let a body that shares know its party's chart where it remembers nothing itself; do nothing for any other.

    The sights of all who share with it are written again after this input, so that they know what it sees, too.
    """
    if body.party is UNSET:
        return
    chart = _charts(level).get(body.party)
    if chart is not None:
        known = level.memory.setdefault(body.number, bytearray(level.grid.size))
        cells = np.frombuffer(known, dtype=np.uint8)
        np.copyto(cells, np.frombuffer(chart, dtype=np.uint8), where=cells == Terrain.UNKNOWN)
    for other in level.players():
        if other.party == body.party:
            level.caches.written.by_life.pop(other.number, None)
    level.caches.written.of_players = None


def drop_chart(level: Level, party: int) -> None:
    """Forget the chart of a party that has ended."""
    charts = _charts(level)
    charts.pop(party, None)
    level.state.charts = charts or UNSET


def take_memory(level: Level, number: int) -> bytes:
    """Forget what a life that is not on the level remembers of it, and return that, compressed; nothing for any other."""
    if number in level.creatures or number not in level.memory:
        return b""
    return zlib.compress(level.memory.pop(number), _FASTEST)


def give_memory(level: Level, number: int, memory: bytes) -> None:
    """Let a life remember what was taken from it, unless it has been here since."""
    size = level.grid.size
    try:
        known = zlib.decompressobj().decompress(memory, size + 1)
    except zlib.error:
        return
    if len(known) == size:
        level.memory.setdefault(number, bytearray(known))


def remembered_terrain(level: Level, number: int) -> bytearray:
    """Return the terrain that a life remembers of a level, empty if it never was there."""
    known = level.memory.get(number)
    return bytearray(level.grid.size) if known is None else known.translate(_TERRAIN)


def known_from_maps(level: Level, number: int) -> bytes:
    """Return which cells a life knows from a map alone, one byte for each cell: 1 if it never saw it."""
    return bytes(level.memory.get(number, b"").translate(_IS_MAPPED))


def reveal_cells(level: Level, player: Creature, cells: Iterable[int]) -> None:
    """Write part of the level into a life's map memory: walkable cells, and the cells around them."""
    known = level.memory.setdefault(player.number, bytearray(level.grid.size))
    for cell in cells:
        if level.terrain[cell] in WALKABLE:
            for at in (cell, *level.grid.neighbors(cell)):
                known[at] = level.terrain[at] | (
                    _MAPPED if known[at] == Terrain.UNKNOWN else known[at] & _MAPPED
                )


def _share_sight(level: Level, body: Creature, seen: bytes) -> None:
    """Write what a body sees into its party's chart, and into the memory of the others who share it on the level."""
    assert isinstance(body.party, int)
    charts = level.state.charts = _charts(level)
    size = level.grid.size
    _write_cells(charts.setdefault(body.party, bytearray(size)), level.terrain, seen)
    for other in level.players():
        if other.party == body.party and other is not body:
            _write_cells(level.memory.setdefault(other.number, bytearray(size)), level.terrain, seen)


def _charts(level: Level) -> dict[int, bytearray]:
    return level.state.charts if isinstance(level.state.charts, dict) else {}


def _write_cells(known: bytearray, terrain: bytearray, seen: bytes) -> None:
    whole = np.frombuffer(terrain, dtype=np.uint8)
    np.copyto(np.frombuffer(known, dtype=np.uint8), whole, where=np.frombuffer(seen, dtype=np.bool_))
