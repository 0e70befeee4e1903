"""The public name of a realm: clients store by it what their players saw. It reveals nothing of the seed."""

from hashlib import blake2b
from typing import Final

from gloam_server.storage.directory import Directory

_SIZE: Final = 16
_PURPOSE: Final = b"gloam realm"


def realm_name(directory: Directory) -> str:
    """Return the name of the realm in a directory, "" for one without a realm.

    It is a hash of the time and campaign of the realm's founding, with a key derived from its seed. A
    restart, a restore or an upgrade does not change it, and the chance that two realms share a name is
    negligible.
    """
    identity = directory.identity()
    if identity is None:
        return ""
    seed = identity.seed
    key = blake2b(seed.to_bytes(seed.bit_length() // 8 + 1, "big", signed=True), person=_PURPOSE).digest()
    founded = f"{identity.campaign} {identity.created_s}".encode()
    return blake2b(founded, digest_size=_SIZE, key=key, person=_PURPOSE).hexdigest()
