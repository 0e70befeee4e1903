"""The player's name where the command line gives none: as at this server before, as the player answers, or the login name."""

import getpass
import sys
from pathlib import Path

import click

from gloam_client.user_files.recent_servers import name_at
from gloam_shared.text import fit_name, name_fault


def login_name() -> str:
    """Return a permitted name that is as near as possible to the login name on this machine."""
    try:
        return fit_name(getpass.getuser())
    except (OSError, KeyError):
        return fit_name("")


def name_at_server(data: Path, place: str) -> str:
    """Return the name of this user's last life at a server; where there was none, ask for it on the terminal.

    The login name is only the default, because another player may have it. Without a terminal, it is the name.
    """
    known = name_at(data, place)
    if name_fault(known) is None:
        return known
    while sys.stdin.isatty() and sys.stdout.isatty():
        name: str = click.prompt(f"Your name at {place} (--name skips this)", default=login_name())
        fault = name_fault(name)
        if fault is None:
            return name
        click.echo(fault)
    return login_name()
