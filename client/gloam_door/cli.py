"""The command line of gloam-door."""

import asyncio
import gc
import logging
import os
import resource
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NoReturn

import click
import uvloop

from gloam_client.cli.doctor import describe
from gloam_door import config
from gloam_door.check import run_checks
from gloam_door.door import Door
from gloam_door.ssh.server import fingerprint

_DATA: Final = click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("door"),
    show_default=True,
    envvar="GLOAM_DOOR_DATA",
    show_envvar=True,
    help="The folder of the door's key, its settings and its visitors' options.",
)
_SETTINGS: Final = (
    _DATA,
    click.option("--server", help="The game server's door socket, or its HOST:PORT."),
    click.option("--pin", help="The pin of a game server on another machine."),
    click.option("--listen", help="The address to listen on.  [default: 127.0.0.1]"),
    click.option("--port", type=click.IntRange(0, 65_535), help="The port for browsers.  [default: 8080]"),
    click.option("--ssh-port", type=click.IntRange(0, 65_535), help="The port for ssh.  [default: 2222]"),
)
_UMASK: Final = 0o077
_DESCRIPTORS: Final = 8_192
"""A visit takes two; the others are for pages that watch, and for lines that say nothing yet."""
_SEARCHES: Final = (20_000, 10, 5)
"""The counts that start searches for cyclic garbage. The models of clients refer to themselves in no circle, and are many, so
searches are rare; ended visits leave no circles, but ended lines of pages and logins by ssh leave a few."""


def _settings(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that name a door's settings."""
    for option in reversed(_SETTINGS):
        command = option(command)
    return command


@click.group(epilog="Example: gloam-door run --server ./dungeon/door.sock")
@click.version_option(package_name="gloam", prog_name="gloam-door")
def cli() -> None:
    """Let visitors play a Gloam dungeon by browser and ssh, without installing anything."""


@cli.command(epilog="Example: gloam-door run --server ./dungeon/door.sock --port 8080")
@_settings
def run(data: Path, **said: Any) -> None:
    """Run a door until Ctrl-C or SIGTERM."""
    os.umask(_UMASK)
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("websockets").setLevel(logging.WARNING)
    try:
        settings = config.resolve(data, said, config.read_variables())
        door = Door(settings, data)
        _raise_file_limit()
        gc.freeze()
        gc.set_threshold(*_SEARCHES)
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(_serve(door))
    except config.ConfigError as error:
        _exit(str(error))
    except OSError as error:
        _exit(f"{error.filename or 'The door'} cannot be used: {error.strerror}; name another, or free it.")


@cli.command(epilog="Example: gloam-door check --server ./dungeon/door.sock")
@_settings
def check(data: Path, **said: Any) -> None:
    """Check what a guest would meet: server, page, link, ssh. The exit code is 1 if something is wrong."""
    try:
        settings = config.resolve(data, said, config.read_variables())
        found = asyncio.run(run_checks(settings, data))
    except (config.ConfigError, OSError) as error:
        _exit(str(error))
    for finding in found:
        click.echo(describe(finding))
    sys.exit(1 if any(finding.good is False for finding in found) else 0)


@cli.command(epilog="Example: gloam-door key --data door")
@_DATA
def key(data: Path) -> None:
    """Print the fingerprint of the ssh host key, which guests compare at their first connection."""
    os.umask(_UMASK)
    try:
        click.echo(fingerprint(data))
    except OSError as error:
        _exit(f"{error.filename or data} cannot be used: {error.strerror}; name another with --data.")


def _raise_file_limit() -> None:
    """Allow as many open files as a crowd of half-open lines cannot soon use up, if the system lets us."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _DESCRIPTORS if hard == resource.RLIM_INFINITY else min(_DESCRIPTORS, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


async def _serve(door: Door) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await door.run(_announce, stop)


def _announce(door: Door) -> None:
    click.echo(f"gloam-door: browsers play at {door.link}")
    if door.ssh_line:
        click.echo(f"gloam-door: terminals play with: {door.ssh_line}")
    sys.stdout.flush()


def _exit(sentence: str) -> NoReturn:
    click.echo(f"gloam-door: {sentence}", err=True)
    sys.exit(2)
