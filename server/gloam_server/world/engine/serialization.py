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

STATE_LAYOUT: Final = 3
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
    terrain: bytearray
    sequence: int
    minted: int
    creatures: list[Creature]
    piles: dict[int, list[Item]]
    handles: dict[int, int]
    memory: dict[int, bytearray]
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
_SAVED: Final = SerializedLevel.__struct_fields__
_BY_NUMBER: Final = ("piles", "handles", "memory", "wild_turns", "heard", "links", "traps")
_encoder = msgspec.msgpack.Encoder()
_level_decoder = msgspec.msgpack.Decoder(SerializedLevel)
_realm_decoder = msgspec.msgpack.Decoder(Realm)


def serialize_level(level: Level) -> bytes:
    """Return a level as bytes: equal levels give equal bytes, regardless of the order in which their parts were made."""
    fields = {name: getattr(level, name) for name in _SAVED}
    fields["creatures"] = [_body_in_order(level.creatures[number]) for number in sorted(level.creatures)]
    for name in _BY_NUMBER:
        fields[name] = _in_order(fields[name])
    fields["dark"] = level.dark if any(level.dark) else b""
    return _encoder.encode(SerializedLevel(**fields))


def deserialize_level(body: bytes, campaign: Campaign, realm_seed: int) -> Level:
    """Return the level that `freeze_level` gave. Raises msgspec.DecodeError on bytes that are none."""
    frozen = _level_decoder.decode(body)
    fields = {name: getattr(frozen, name) for name in _SAVED}
    fields["creatures"] = {creature.number: creature for creature in frozen.creatures}
    return Level(campaign=campaign, realm_seed=realm_seed, **fields)


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
