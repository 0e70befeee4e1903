"""A life out of memory as the bytes of a row in the database, and back."""

from typing import Final

import msgspec

from gloam_server.world.model.inputs import ArchivedLife

_encoder: Final = msgspec.msgpack.Encoder()
_decoder: Final = msgspec.msgpack.Decoder(ArchivedLife)


def encode_life(life: ArchivedLife) -> bytes:
    """Return a life as the bytes of its row."""
    return _encoder.encode(life)


def decode_life(body: bytes) -> ArchivedLife:
    """Return the life in a row's bytes, of this or an earlier layout. Raises msgspec.MsgspecError on invalid bytes."""
    return _decoder.decode(body)
