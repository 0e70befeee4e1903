"""The address of a world in a cluster, as the host writes it: `nats://...,postgresql://...`.

    nats://USER:PASSWORD@HOST:4222/REALM?replicas=3&monitor=http://HOST:8222,postgresql://USER:PASSWORD@HOST/DATABASE

Several servers of NATS stand between commas, the realm and the options in the last of them. With `tls://` instead of
`nats://` a server must show a certificate.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast
from urllib.parse import parse_qs, urlsplit

from gloam_server.storage.errors import StorageError
from gloam_server.storage.jetstream.nats_checks import Sync
from gloam_shared.text import clean

DEFAULT_REALM: Final = "gloam"
_REPLICAS: Final = ("1", "3", "5")
_SYNC: Final = ("always", "relaxed")
_OPTIONS: Final = ("replicas", "monitor", "sync", "ca")
_REALM: Final = re.compile(r"[a-z][a-z0-9_]{0,31}")
_NATS: Final = ("nats://", "tls://")
_RESERVED: Final = "pg_"
"""The beginning of the names of schemas that PostgreSQL keeps for itself."""
_EXAMPLE: Final = "nats://HOST:4222/REALM?sync=always,postgresql://USER@HOST/DATABASE"


@dataclass(frozen=True, slots=True)
class ClusterAddress:
    """The parts of an address.

    `replicas` is the number of copies of the journal, `monitors` where NATS tells its settings, `authority` the file of
    the certificate authority that signed the certificates of NATS; without it the system's authorities count.
    """

    servers: list[str]
    postgres: str
    realm: str
    replicas: int = 3
    monitors: tuple[str, ...] = ()
    sync: Sync | None = None
    authority: Path | None = None


def parse_address(text: str) -> ClusterAddress:
    """Return the parts of an address. Raises StorageError with one sentence, which names no password."""
    parts = _split(text)
    nats = [each for each in parts if each.startswith(_NATS)]
    postgres = [each for each in parts if each.startswith(("postgresql://", "postgres://"))]
    if not nats or len(postgres) != 1 or len(nats) + 1 != len(parts):
        raise StorageError(f"The store must be like {_EXAMPLE}; correct --store.")
    if len({each.split(":")[0] for each in nats}) > 1:
        raise StorageError("The servers of NATS in --store must all be nats:// or all be tls://; correct it.")
    last = urlsplit(nats[-1])
    realm = last.path.strip("/") or DEFAULT_REALM
    if not is_realm_name(realm):
        raise StorageError(
            "The realm in --store must be up to 32 small letters, digits and _, beginning with a letter; correct it."
        )
    options = _options(last.query)
    replicas = options.get("replicas", ["3"])[-1]
    sync = options["sync"][-1] if "sync" in options else None
    if replicas not in _REPLICAS or (sync is not None and sync not in _SYNC):
        raise StorageError("In --store replicas is 1, 3 or 5, and sync is always or relaxed; correct it.")
    servers = [f"{each.scheme}://{each.netloc}" for each in map(urlsplit, nats)]
    monitors = tuple(options.get("monitor", []))
    authority = Path(options["ca"][-1]) if "ca" in options else None
    if authority is not None and last.scheme != "tls":
        raise StorageError(
            "The option ca in --store is for servers with tls://; write tls:// there, or leave it out."
        )
    return ClusterAddress(
        servers, postgres[0], realm, int(replicas), monitors, cast("Sync | None", sync), authority
    )


def is_realm_name(name: str) -> bool:
    """Return whether a realm may have this name: it is part of a subject of NATS and a schema of PostgreSQL."""
    return _REALM.fullmatch(name) is not None and not name.startswith(_RESERVED)


def with_realm(text: str, realm: str) -> str:
    """Return an address of the same cluster with another realm. Raises StorageError."""
    parse_address(text)
    if not is_realm_name(realm):
        raise StorageError(
            f'"{clean(realm)[:40]}" is no name of a realm: up to 32 small letters, digits and _, beginning with a letter; '
            "correct it."
        )
    *before, last = [each for each in _split(text) if each.startswith(_NATS)]
    after = [each for each in _split(text) if not each.startswith(_NATS)]
    parts = urlsplit(last)
    return ",".join([*before, parts._replace(path=f"/{realm}").geturl(), *after])


def _split(text: str) -> list[str]:
    return re.split(r",(?=\w+://)", text)


def _options(query: str) -> dict[str, list[str]]:
    try:
        found = parse_qs(query, strict_parsing=bool(query), max_num_fields=32)
    except ValueError as error:
        raise StorageError(f"The options in --store cannot be read; write them like {_EXAMPLE}.") from error
    unknown = [name for name in found if name not in _OPTIONS]
    if unknown:
        raise StorageError(
            f"There is no option {unknown[0][:32]} in --store; there are {', '.join(_OPTIONS)}."
        )
    return found
