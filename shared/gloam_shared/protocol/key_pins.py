"""The pin of a server's key: a client remembers it for each server, and an invite contains it."""

import base64
import hashlib


def key_pin(public_key: bytes) -> str:
    """Return the pin of a key: 43 letters, digits, `-` and `_`, the SHA-256 of its SubjectPublicKeyInfo in DER.

    A renewed certificate for the same key has the same pin.
    """
    return base64.urlsafe_b64encode(hashlib.sha256(public_key).digest()).decode().rstrip("=")
