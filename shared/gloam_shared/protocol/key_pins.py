"""The pin of a server's key: what a client remembers of a server, and an invite carries."""

import base64
import hashlib


def key_pin(public_key: bytes) -> str:
    """Return the pin of a key: 43 letters, digits, `-` and `_`, the SHA-256 of its SubjectPublicKeyInfo in DER.

    A certificate that is renewed for the same key keeps it.
    """
    return base64.urlsafe_b64encode(hashlib.sha256(public_key).digest()).decode().rstrip("=")
