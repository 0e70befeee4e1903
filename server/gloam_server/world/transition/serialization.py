"""Serialize, deserialize and hash a level or the realm.

Snapshots, rebuilding and `verify` depend on this file.
"""

import hashlib
from operator import attrgetter
from typing import Any, Final, TypeVar

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from gloam_server.content.campaign import Campaign
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.level_state import LevelState
from gloam_server.world.realm.realm import Realm

K = TypeVar("K", int, str)

STATE_LAYOUT: Final = 3
"""The layout of a state's bytes: raised by hand whenever equal states give other bytes. Hashes of records start with it."""


_MAPS: Final = attrgetter(
    "contacts", "hurt_by", "statistics.slain", "statistics.wounds", "reached", "consents", "stacks"
)
_HASH_BYTES: Final = 16
_encoder = msgspec.msgpack.Encoder()
_level_decoder = msgspec.msgpack.Decoder(LevelState)
_realm_decoder = msgspec.msgpack.Decoder(Realm)


def serialize_level(level: Level) -> bytes:
    """Return a level as bytes: equal levels give equal bytes, in any order of their parts' creation."""
    return _encoder.encode(_level_in_order(level.state))


def deserialize_level(body: bytes, campaign: Campaign, realm_seed: int) -> Level:
    """Return the level in the bytes of `serialize_level`. Raises msgspec.DecodeError on invalid bytes."""
    return Level(_level_decoder.decode(body), campaign, realm_seed)


def saved_state(state: Realm | Level) -> Realm | LevelState:
    """Return the saved part of the realm or of a level."""
    return state.state if isinstance(state, Level) else state


def serialize_realm(realm: Realm) -> bytes:
    """Return the realm as bytes."""
    return _encoder.encode(realm)


def deserialize_realm(body: bytes) -> Realm:
    """Return the realm in the bytes of `serialize_realm`. Raises msgspec.DecodeError on invalid bytes."""
    return _realm_decoder.decode(body)


def state_hash(frozen: bytes) -> bytes:
    """Return the 16-byte hash of a serialized state."""
    return hashlib.blake2b(frozen, digest_size=_HASH_BYTES).digest()


def record_hash(frozen: bytes) -> bytes:
    """Return the hash of a state for its record: the number of the layout, and the hash of the bytes."""
    return bytes([STATE_LAYOUT]) + state_hash(frozen)


def is_record_hash_of(recorded: bytes, frozen: bytes) -> bool:
    """Return whether a record's hash matches a state.

    One of another layout cannot be compared, so it counts as a match.

    Layout 1 has no number in front. Replays of its records are compared by their digests and their snapshots.
    """
    return recorded[0] != STATE_LAYOUT or len(recorded) == _HASH_BYTES or recorded == record_hash(frozen)


def _level_in_order(state: LevelState) -> LevelState:
    """Return the same state with all maps ordered by their keys: msgspec orders maps with text for keys alone."""
    return replace(
        state,
        bodies=[_body_in_order(body) for body in state.bodies],
        piles=_in_order(state.piles),
        handles=_in_order(state.handles),
        memory=_in_order(state.memory),
        wild_turns=_in_order(state.wild_turns),
        heard=_in_order(state.heard),
        links=_in_order(state.links),
        traps=_in_order(state.traps),
        charts=_in_order(state.charts) if isinstance(state.charts, dict) else state.charts,
        surfaces=UNSET
        if state.surfaces is UNSET
        else replace(state.surfaces, active=_in_order(state.surfaces.active)),
        devices=UNSET
        if state.devices is UNSET
        else replace(state.devices, placed=_in_order(state.devices.placed)),
    )


def _body_in_order(body: Creature) -> Creature:
    """Return the same body with all maps in order: most bodies of a crowd have none to order."""
    if max(map(len, _MAPS(body))) < 2:
        return body
    return replace(
        body,
        contacts=_in_order(body.contacts),
        hurt_by=_in_order(body.hurt_by),
        statistics=replace(
            body.statistics,
            slain=_in_order(body.statistics.slain),
            wounds=_in_order(body.statistics.wounds),
        ),
        reached=_in_order(body.reached),
        consents=sorted(body.consents),
        stacks=_in_order(body.stacks),
    )


def _in_order(mapping: dict[K, Any]) -> dict[K, Any]:
    return {key: mapping[key] for key in sorted(mapping)}
