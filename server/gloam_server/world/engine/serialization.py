"""Freeze, thaw and hash: a level or the realm as bytes. Snapshots, rebuilding and `verify` all stand on this file."""

import hashlib
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from gloam_server.content.campaign import Campaign
from gloam_server.world.engine.realm import Realm
from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.level import Level

K = TypeVar("K", int, str)

STATE_LAYOUT: Final = 2
"""The layout of a state's bytes: raised by hand whenever equal states give other bytes. Hashes of records start with it."""


class SerializedLevel(Struct, frozen=True, kw_only=True):
    """All of a level that is not derived, its terrain included. `dark` is empty where everything is lit.

    The order of the fields is that of the bytes. What has a default worlds of rules version 1 did not have yet; `refit`
    mends what that leaves untold.
    """

    place: int
    kind: str = ""
    width: int
    height: int
    terrain: bytes
    sequence: int
    minted: int
    creatures: list[Creature]
    piles: dict[int, list[Item]]
    handles: dict[int, int]
    memory: dict[int, bytes]
    wild_turns: dict[int, int]
    wild_due: bool
    rules_version: int
    libraries: str
    heard: dict[int, tuple[int, int]]
    links: dict[int, int] = field(default_factory=dict)
    arrival: int = -1
    difficulty: int = 100
    share: int = -1
    quiet: int = 0
    dark: bytes = b""
    traps: dict[int, str] = field(default_factory=dict)
    guests: list[int] = field(default_factory=list)
    prize: int = -1


_HASH_BYTES: Final = 16
_encoder = msgspec.msgpack.Encoder()
_level_decoder = msgspec.msgpack.Decoder(SerializedLevel)
_realm_decoder = msgspec.msgpack.Decoder(Realm)


def serialize_level(level: Level) -> bytes:
    """Return a level as bytes: equal levels give equal bytes, regardless of the order in which their parts were made."""
    frozen = SerializedLevel(
        place=level.place,
        kind=level.kind,
        width=level.width,
        height=level.height,
        terrain=bytes(level.terrain),
        sequence=level.sequence,
        minted=level.minted,
        creatures=[_body_in_order(level.creatures[number]) for number in sorted(level.creatures)],
        piles=_in_order(level.piles),
        handles=_in_order(level.handles),
        memory={number: bytes(level.memory[number]) for number in sorted(level.memory)},
        wild_turns=_in_order(level.wild_turns),
        wild_due=level.wild_due,
        rules_version=level.rules_version,
        libraries=level.libraries,
        heard=_in_order(level.heard),
        links=_in_order(level.links),
        arrival=level.arrival,
        difficulty=level.difficulty,
        share=level.share,
        quiet=level.quiet,
        dark=level.dark if any(level.dark) else b"",
        traps=_in_order(level.traps),
        guests=level.guests,
        prize=level.prize,
    )
    return _encoder.encode(frozen)


def deserialize_level(body: bytes, campaign: Campaign, realm_seed: int) -> Level:
    """Return the level that `freeze_level` gave. Raises msgspec.DecodeError on bytes that are none."""
    frozen = _level_decoder.decode(body)
    return Level(
        campaign=campaign,
        realm_seed=realm_seed,
        place=frozen.place,
        kind=frozen.kind,
        width=frozen.width,
        height=frozen.height,
        terrain=bytearray(frozen.terrain),
        sequence=frozen.sequence,
        minted=frozen.minted,
        creatures={creature.number: creature for creature in frozen.creatures},
        piles=frozen.piles,
        handles=frozen.handles,
        memory={number: bytearray(known) for number, known in frozen.memory.items()},
        wild_turns=frozen.wild_turns,
        wild_due=frozen.wild_due,
        rules_version=frozen.rules_version,
        libraries=frozen.libraries,
        heard=frozen.heard,
        links=frozen.links,
        arrival=frozen.arrival,
        difficulty=frozen.difficulty,
        share=frozen.share,
        quiet=frozen.quiet,
        dark=frozen.dark,
        traps=frozen.traps,
        guests=frozen.guests,
        prize=frozen.prize,
    )


def serialize_realm(realm: Realm) -> bytes:
    """Return the realm as bytes."""
    return _encoder.encode(realm)


def deserialize_realm(body: bytes) -> Realm:
    """Return the realm that `freeze_realm` gave. Raises msgspec.DecodeError on bytes that are none."""
    return _realm_decoder.decode(body)


def state_hash(frozen: bytes) -> bytes:
    """Return the 16-byte hash of a frozen state."""
    return hashlib.blake2b(frozen, digest_size=_HASH_BYTES).digest()


def record_hash(frozen: bytes) -> bytes:
    """Return the hash of a state for its record: the number of the layout, and the hash of the bytes."""
    return bytes([STATE_LAYOUT]) + state_hash(frozen)


def is_record_hash_of(recorded: bytes, frozen: bytes) -> bool:
    """Return whether a record's hash is that of a state; one of another layout tells nothing, so it agrees.

    Layout 1 has no number in front. Replays of its records are compared by their digests and their snapshots.
    """
    return recorded[0] != STATE_LAYOUT or len(recorded) == _HASH_BYTES or recorded == record_hash(frozen)


def _body_in_order(body: Creature) -> Creature:
    return replace(
        body,
        contacts=_in_order(body.contacts),
        hurt_by=_in_order(body.hurt_by),
        statistics=replace(body.statistics, slain=_in_order(body.statistics.slain)),
        consents=sorted(body.consents),
        stacks=_in_order(body.stacks),
    )


def _in_order(mapping: dict[K, Any]) -> dict[K, Any]:
    return {key: mapping[key] for key in sorted(mapping)}
