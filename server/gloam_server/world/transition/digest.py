"""A cheap digest of a partition: recorded at each batch's end, so that a replay detects a difference immediately.

It covers the results of sight, dice and rules, and does its work in C: serializing the whole state takes
about ten times as long, and is done only at every thousandth input. Names of libraries are no part of it.

Another version of numpy or tcod may compute another field of view, and a replay would then differ silently. So a tail
that other library versions wrote is replayed and compared, and the world is refused only where a digest differs.
"""

from operator import attrgetter
from typing import Final
from zlib import crc32

import msgspec
from msgspec import UNSET

from gloam_server.world.model.level import Level
from gloam_server.world.realm.realm import Realm

_BODY: Final = attrgetter("number", "cell", "hp", "mana", "experience", "energy", "actions")
_encoder: Final = msgspec.msgpack.Encoder()


def digest_of(state: Realm | Level) -> int:
    """Return 32 bits that almost surely differ if two states of a partition do."""
    return _of_level(state) if isinstance(state, Level) else _of_realm(state)


def _of_level(level: Level) -> int:
    """Cover every body, every item with its cell, the terrain, and the map memory of one player there after another."""
    state = level.state
    counters = (state.sequence, state.minted, state.quiet, state.wild_due)
    items = (len(level.piles), sum(level.piles), len(level.handles), sum(level.handles))
    bodies = sorted(map(_BODY, level.creatures.values()))
    digest = crc32(level.terrain, crc32(_encoder.encode((counters, items, bodies))))
    if state.surfaces is not UNSET:
        active = sorted((cell, one.ends, one.by) for cell, one in state.surfaces.active.items())
        digest = crc32(state.surfaces.cells, crc32(_encoder.encode((state.surfaces.turn, active)), digest))
    if state.devices is not UNSET:
        devices = [(cell, one.on) for cell, one in sorted(state.devices.placed.items())]
        digest = crc32(_encoder.encode(devices), digest)
    if players := level.players():  # in a crowd, all memories together cost as much as a turn
        digest = crc32(level.memory.get(players[state.sequence % len(players)].number, b""), digest)
    return digest


def _of_realm(realm: Realm) -> int:
    counters = (
        realm.sequence,
        realm.minted,
        realm.deaths,
        len(realm.lives),
        len(realm.fallen),
        sum(realm.lives),
    )
    return crc32(_encoder.encode((counters, sum(life.partition for life in realm.lives.values()))))
