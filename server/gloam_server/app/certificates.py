"""Which certificate a server uses: its host's, or one that it writes itself. `gloam-server certificate` tells of it."""

import time
from ipaddress import ip_address
from pathlib import Path

import click

from gloam_server.app.commands_keeping import DATA
from gloam_server.app.config import REALM_FILE, Config, ConfigError, Settings, read_realm_file
from gloam_server.app.secret_files import check_secret
from gloam_server.app.telling import refuse, tell
from gloam_server.net.certificate import (
    BadCertificate,
    Certificate,
    Files,
    ensure,
    own_files,
    pin_in,
    read,
    renew,
)
from gloam_server.net.encryption import Encryption


def encryption_of(config: Config, now_s: int) -> Encryption | None:
    """Return what lines are encrypted with; None for a server of this machine alone that has no certificate.

    One that others can reach writes itself a certificate where none is named. Raises ConfigError.
    """
    try:
        files = _named(config.data, config)
        if files is not None:
            check_secret(files.key, f"{config.data / REALM_FILE}: key")
            return Encryption(files, plain=config.plain)
        own = own_files(config.data)
        if config.proxies or not _is_loopback(config.listen):
            ensure(own, now_s)
        elif not own.key.exists():
            return None
        return Encryption(own, plain=config.plain)
    except BadCertificate as error:
        raise ConfigError(str(error)) from error


def pin_of_realm(data: Path) -> str:
    """Return the pin that guests of a realm are to see, "" while there is no certificate. Raises ConfigError."""
    files = _named(data, read_realm_file(data)) or own_files(data)
    if files == own_files(data) and not files.certificate.exists():
        return ""
    try:
        return pin_in(files.certificate)
    except BadCertificate as error:
        raise ConfigError(str(error)) from error


def told(certificate: Certificate) -> str:
    """Return a certificate in words."""
    return f"pin {certificate.pin}, good {certificate.until}"


@click.command("certificate", epilog="Example: gloam-server certificate --data ./dungeon")
@DATA
@click.option(
    "--renew", "anew", is_flag=True, help="Make a new key, and with it a new pin: every guest will be warned."
)
def certificate(data: Path, *, anew: bool) -> None:
    """Print the pin by which guests know this server; write a certificate where there is none."""
    try:
        files = _named(data, read_realm_file(data))
        if files is None:
            files = own_files(data)
            data.mkdir(parents=True, exist_ok=True)
            (renew if anew else ensure)(files, int(time.time()))
        elif anew:
            refuse(f"The certificate {files.certificate} is not Gloam's own; renew it where it comes from.")
        tell(f"{told(read(files))}: {files.certificate}")
    except OSError as error:
        refuse(f"The data folder {data} cannot be made: {error.strerror}; name another with --data.")
    except (ConfigError, BadCertificate) as error:
        refuse(str(error))


def _named(data: Path, said: Settings) -> Files | None:
    """Return the host's own files, if there are any."""
    return Files(data / said.certificate, data / said.key) if said.certificate and said.key else None


def _is_loopback(listen: str) -> bool:
    try:
        return ip_address(listen).is_loopback
    except ValueError:
        return listen == "localhost"
