"""The public key in a server's certificate, cut out of its DER.

Reads nothing else, and checks every length. By hand (decision 125): `cryptography` is 15 MB and 0.2 s at each start.
"""

from typing import Final

_SEQUENCE: Final = 0x30
_VERSION: Final = 0xA0
_BEFORE_THE_KEY: Final = 5
"""Serial number, signature algorithm, issuer, validity, subject (RFC 5280, 4.1)."""


class NoCertificate(ValueError):
    """The bytes are no X.509 certificate."""


def public_key(certificate: bytes) -> bytes:
    """Return the SubjectPublicKeyInfo of a certificate, both in DER. Raises NoCertificate."""
    signed = _inside(certificate, 0)
    start, end = _inside(certificate, signed[0])
    if certificate[start : start + 1] == bytes([_VERSION]):
        start = _after(certificate, start)
    for _ in range(_BEFORE_THE_KEY):
        start = _after(certificate, start)
    key_end = _inside(certificate, start)[1]
    if key_end > end or end > signed[1]:
        raise NoCertificate("A part of the certificate is longer than the whole.")
    return certificate[start:key_end]


def _inside(data: bytes, at: int) -> tuple[int, int]:
    """Return where the contents of the sequence at `at` begin and end."""
    if data[at : at + 1] != bytes([_SEQUENCE]):
        raise NoCertificate(f"Byte {at} begins no sequence.")
    return _contents(data, at)


def _after(data: bytes, at: int) -> int:
    """Return where the element behind the one at `at` begins."""
    return _contents(data, at)[1]


def _contents(data: bytes, at: int) -> tuple[int, int]:
    """Return where the contents of the element at `at` begin and end. Its tag is one byte, as all of these are."""
    if at + 2 > len(data):
        raise NoCertificate("The certificate ends too soon.")
    start, length = at + 2, data[at + 1]
    if length >= 0x80:
        size = length & 0x7F
        if not 1 <= size <= 4:
            raise NoCertificate(f"The length at byte {at + 1} is none of DER's.")
        start, length = start + size, int.from_bytes(data[start : start + size], "big")
    if start + length > len(data):
        raise NoCertificate("The certificate ends too soon.")
    return start, start + length
