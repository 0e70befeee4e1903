"""Bytes that are wrong: frames cut, flipped, spliced and announced falsely, and bytes that never were a message."""

from collections.abc import Sequence
from typing import Any

import msgpack

from gloam_shared.protocol.framing import frame
from support.simulation.randomness import Chance

_PACKER = msgpack.Packer(unicode_errors="surrogatepass")

NASTY: Sequence[bytes] = (
    b"",
    b"\xc1",
    b"\x91" * 1_023 + b"\x01",
    b"\x81\xa1a" * 200 + b"\x01",
    b"\xdd\xff\xff\xff\xff",
    b"\xdf\xff\xff\xff\xff",
    b"\xdb\xff\xff\xff\xffx",
    b"\xc6\xff\xff\xff\xffx",
    b"\xc9\xff\xff\xff\xff\x05x",
    b"\x98" + b"\x80" * 8,
    b"\xdc\x01\xf4" + b"\x80" * 500,
    b"\x92\x06\xa2\xc3\x28",
    b"\x92\x06\xa3\xed\xa0\x80",
    b"\x92\x06\xa2\xc0\xaf",
    b"\x92\x06\xc4\x01x",
    b"\x92\x06\xd4\x01\x00",
    b"\x92\x06\xd6\xff\x00\x00\x00\x01",
    b"\x92\x06\x82\xa1a\x01\xa1a\x02",
    b"\x92\x06\x81\x01\x02",
    b"\x92\x06\x81\x90\x02",
    b"\x92\x0b\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00",
    b"\x92\x0b\xcf\xff\xff\xff\xff\xff\xff\xff\xff",
    b"\x92\x0b\x05\x05",
    b"\x92\x0b",
    b"\x0b",
    b"\xc0",
    b"\xa5hello",
)
"""Bodies of frames that are wrong in one way each: rows A10 to A17 of `server/docs/limits.md`."""

OPENINGS: Sequence[bytes] = (
    b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    b"POST /",
    b"SSH-2.0-OpenSSH_9.2\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"\x16\x03",
    b"CONNECT a:443 HTTP/1.1\r\n",
    b"\x80\x00\x00\x00",
    b"\xff\xff\xff\xff",
    b"\x00\x00\x00\x00",
    b"\x00\x00\x04\x01" + b"x" * 1_025,
    b"\x00\x00\x10\x01" + b"x" * 4_097,
)
"""Openings of a line that are no frame, or a frame that may not be."""


def pack(raw: Any) -> bytes:
    """Return any value as msgpack, text that is no Unicode included."""
    packed: bytes = _PACKER.pack(raw)
    return packed


def bitten(chance: Chance, body: bytes) -> bytes:
    """Return bytes with a few of them flipped, cut out, doubled or put in."""
    spoiled = bytearray(body)
    for _ in range(chance.choice((1, 1, 2, 4))):
        at = chance.randrange(len(spoiled) + 1)
        luck = chance.random()
        if luck < 0.4 and at < len(spoiled):
            spoiled[at] ^= 1 << chance.randrange(8)
        elif luck < 0.6 and at < len(spoiled):
            spoiled[at] = chance.choice(
                b"\x00\x0f\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xc1\xc4\xc6\xc7\xcb\xcf\xd3\xd9\xdb\xdd\xdf\xff"
            )
        elif luck < 0.75:
            del spoiled[at:]
        elif luck < 0.9:
            spoiled[at:at] = chance.randbytes(chance.choice((1, 1, 2, 8)))
        else:
            spoiled[at:at] = spoiled[at : at + 8]
    return bytes(spoiled)


def raw_bytes(chance: Chance) -> bytes:
    """Return bytes that are no frame, or a frame round no message."""
    luck = chance.random()
    if luck < 0.3:
        return frame(chance.choice(NASTY))
    if luck < 0.5:
        return chance.choice(OPENINGS)
    if luck < 0.8:
        return frame(chance.randbytes(chance.choice((1, 4, 20, 60, 300))))
    return chance.randbytes(chance.choice((1, 3, 4, 20, 100, 1_000)))


def misframed(chance: Chance, body: bytes) -> bytes:
    """Return a frame whose length is a lie."""
    size = max(0, len(body) + chance.choice((-2, -1, 1, 2, 300, 5_000)))
    return size.to_bytes(4, "big") + body


def sliced(chance: Chance, data: bytes) -> list[bytes]:
    """Return bytes in the pieces in which they arrive."""
    if len(data) < 2 or chance.random() < 0.8:
        return [data]
    cut = chance.randrange(1, len(data))
    return [data[:cut], data[cut:]]
