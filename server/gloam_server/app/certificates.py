"""The certificate of a server: its host's, or one that it writes itself."""

from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from twisted.internet.defer import Deferred, maybeDeferred

from gloam_server.app.config import REALM_FILE, Config, ConfigError, Settings, read_realm_file
from gloam_server.app.file_permissions import require_private
from gloam_server.net.certificate import (
    BadCertificate,
    Certificate,
    Files,
    ensure,
    own_files,
    pin_in,
)
from gloam_server.net.encryption import Encryption


def encryption_of(
    config: Config, now_s: int, call: Callable[..., Deferred[Any]] = maybeDeferred
) -> Encryption | None:
    """Return the encryption of connections; None for a server without a certificate that only this machine can reach.

    A server that others can reach writes its own certificate if none is configured. `call` runs what reads changed files. Raises ConfigError.
    """
    try:
        files = certificate_files(config.data, config)
        if files is not None:
            require_private(files.key, f"{config.data / REALM_FILE}: key")
            return Encryption(files, plain=config.plain, call=call)
        own = own_files(config.data)
        if config.proxies or not _is_loopback(config.listen):
            ensure(own, now_s)
        elif not own.key.exists():
            return None
        return Encryption(own, plain=config.plain, call=call)
    except BadCertificate as error:
        raise ConfigError(str(error)) from error


def pin_of_realm(data: Path) -> str:
    """Return the pin of a realm's certificate, "" while there is none. Raises ConfigError."""
    files = certificate_files(data, read_realm_file(data)) or own_files(data)
    if files == own_files(data) and not files.certificate.exists():
        return ""
    try:
        return pin_in(files.certificate)
    except BadCertificate as error:
        raise ConfigError(str(error)) from error


def describe(certificate: Certificate) -> str:
    """Return a certificate in words."""
    return f"pin {certificate.pin}, good {certificate.until}"


def certificate_files(data: Path, said: Settings) -> Files | None:
    """Return the certificate files from the settings, if any."""
    return Files(data / said.certificate, data / said.key) if said.certificate and said.key else None


def _is_loopback(listen: str) -> bool:
    try:
        return ip_address(listen).is_loopback
    except ValueError:
        return listen == "localhost"
