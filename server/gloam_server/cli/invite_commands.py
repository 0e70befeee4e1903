"""`gloam-server invite` and `reset-password`: a code is added to the world's file, whether its server runs or not."""

import socket
import time
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from gloam_server.app import config as settings
from gloam_server.cli.options import DATA
from gloam_server.cli.output import exit_with_error
from gloam_server.gateway.login import invites
from gloam_shared import limits

if TYPE_CHECKING:
    from gloam_server.storage.directory import Directory

R = TypeVar("R")
_HOST = click.option("--host", envvar="GLOAM_HOST", show_envvar=True, metavar="HOST[:PORT]",
                     help="The address at which players reach this server.  [default: where it listens]")  # fmt: skip


@click.command(epilog="Example: gloam-server invite --data ./dungeon --host play.example.org --uses 5")
@DATA
@_HOST
@click.option("--uses", type=click.IntRange(1, limits.INVITE_USES_MAX), default=1, show_default=True,
              help="How many new players it admits.")  # fmt: skip
def invite(data: Path, host: str | None, uses: int) -> None:
    """Print the command with which a new player joins, once."""
    code = with_accounts(data, lambda accounts: invites.invite(accounts, uses, int(time.time())))
    click.echo(invites.invite_line(host or _address(data), code, _pin(data)))


@click.command("reset-password", epilog="Example: gloam-server reset-password Bert --data ./dungeon")
@click.argument("name")
@DATA
@_HOST
def reset_password(name: str, data: Path, host: str | None) -> None:
    """Print the command that gives NAME to one new device, after a lost device or a forgotten password."""
    account, code = with_accounts(
        data, lambda accounts: invites.reset_password(accounts, name, int(time.time()))
    )
    click.echo(invites.invite_line(host or _address(data), code, _pin(data), account.name))


def with_accounts(data: Path, work: "Callable[[Directory], R]") -> R:
    """Return what `work` returns of the accounts of a world; exits with a sentence if there is no such world."""
    from gloam_server.storage.errors import StorageError
    from gloam_server.storage.open_store import file_store

    world = file_store(data / settings.WORLD_FILE)
    if not world.exists():
        exit_with_error(f"There is no world in {data}; name its folder with --data.")
    try:
        with world.accounts() as accounts:
            return work(accounts)
    except (StorageError, invites.NoSuchName) as error:
        exit_with_error(str(error))


def _pin(data: Path) -> str:
    from gloam_server.app.certificates import pin_of_realm

    try:
        return pin_of_realm(data)
    except settings.ConfigError as error:
        exit_with_error(str(error))


def _address(data: Path) -> str:
    """Return the address for an invite that names none, and say on stderr who can reach it."""
    from gloam_server.cli.admin_commands import running_address
    from gloam_server.cli.start_status import bracket_host

    host, port = running_address(data) or ("", _port_of_settings(data))
    listens = ip_address(host) if host else None
    if listens is not None and listens.is_loopback:
        note = (
            f"this server listens on {host}, where no other machine reaches it: start it with --listen 0.0.0.0, "
            "or give the address that leads to it with --host."
        )
    elif listens is None or listens.is_unspecified:
        host, note = "", "players must reach this name; if they cannot, give your address with --host."
    else:
        note = "players must reach this address; if they cannot, give another one with --host."
    click.echo(f"gloam-server: {note}", err=True)
    name = bracket_host(host) if host else socket.gethostname()
    return name + (f":{port}" if port not in (0, settings.DEFAULT_PORT) else "")


def _port_of_settings(data: Path) -> int:
    try:
        return settings.read_realm_file(data).port
    except settings.ConfigError:
        return 0
