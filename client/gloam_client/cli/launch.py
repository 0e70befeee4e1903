"""From the command line to the terminal: draw the first frame, run the loop, restore the terminal."""

import asyncio
import getpass
import os
import shlex
import signal
import sys
from pathlib import Path
from typing import NoReturn

import click

from gloam_client.app import App
from gloam_client.app_start import agent, begin
from gloam_client.cli.usage_error import UsageError
from gloam_client.net.launch_options import NO_TICKET, ExitStatus, LaunchOptions
from gloam_client.net.local_server import find
from gloam_client.player_store import PlayerStore
from gloam_client.services.own_machine import OwnMachine
from gloam_client.surface.terminal_surface import TerminalSurface
from gloam_client.terminal.terminal import LostTerminal, NoTerminal, Terminal, speaks_utf8
from gloam_client.user_files.address import Address
from gloam_client.user_files.device_token import load_device_token
from gloam_client.user_files.recent_servers import name_at
from gloam_client.user_files.user_folders import options_file, world_folder
from gloam_shared.protocol.invite_code import Ticket
from gloam_shared.text import clean, fit_name, name_fault


def launch(
    name: str,
    data: Path,
    *,
    address: Address | None = None,
    ticket: Ticket = NO_TICKET,
    campaign: str = "",
    title: bool = False,
    watch: bool = False,
    daily: str = "",
    record: Path | None = None,
    replay: Path | None = None,
    linear: bool = False,
) -> None:
    """Play on this terminal, in lines of text if `linear`, and exit the program.

    Raises UsageError for what a user can correct.
    """
    try:
        store = PlayerStore(data, options_file())
        options, faults = store.load_options()
        terminal = Terminal(linear=linear or options.screen_reader == "on")
        token = load_device_token(data)
        start = LaunchOptions(
            name,
            agent(),
            token,
            data,
            address,
            record,
            replay,
            ticket,
            campaign,
            watch=watch,
            titled=title,
            daily=daily,
            asks_dungeons=address is not None and not ticket.code,
        )
        surface = TerminalSurface(terminal, unicode=speaks_unicode())
        app = begin(start, surface, OwnMachine(start), store, options, faults)
    except NoTerminal as error:
        raise UsageError(str(error)) from error
    except OSError as error:
        raise UsageError(
            f"{error.filename or data} cannot be used ({error.strerror}); name another."
        ) from error
    _end(_play(app, surface, terminal))


def _end(ending: ExitStatus) -> NoReturn:
    """Say the last words, and exit the program."""
    if ending.text and not ending.code:
        click.echo(ending.text)
    elif ending.text:
        click.echo(f"gloam: {clean(ending.text)}", err=True)
    sys.exit(ending.code)


def speaks_unicode() -> bool:
    """Return whether this terminal's locale can show more than ASCII."""
    return speaks_utf8() and os.environ.get("TERM") != "linux"


def _play(app: App, surface: TerminalSurface, terminal: Terminal) -> ExitStatus:
    """Run the app on the terminal, and restore the terminal at every end."""
    _end_on_signals()
    try:
        terminal.open()
        app.first_paint()
        surface.begin()  # the terminal may be waited for, which a signal must be able to end
        return asyncio.run(_run(app))
    except LostTerminal:
        return ExitStatus(1)
    finally:
        terminal.close()


async def _run(app: App) -> ExitStatus:
    """Run the app, which takes the signals of the process meanwhile."""
    loop = asyncio.get_running_loop()

    def end(number: signal.Signals) -> None:
        """End in order; a second signal ends without waiting for the server, and still restores the terminal."""
        loop.remove_signal_handler(number)
        _end_on_signals()
        app.finish(ExitStatus(128 + number))

    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        loop.add_signal_handler(number, end, number)
    loop.add_signal_handler(signal.SIGWINCH, app.resize)
    loop.add_signal_handler(signal.SIGTSTP, app.suspend)
    return await app.run()


def _end_on_signals() -> None:
    """Make signals end the program in order until the loop handles them itself."""

    def end(number: int, _frame: object) -> None:
        sys.exit(128 + number)

    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, end)


def login_name() -> str:
    """Return a permitted name that is as near as possible to the login name on this machine."""
    try:
        return fit_name(getpass.getuser())
    except (OSError, KeyError):
        return fit_name("")


def name_at_server(data: Path, address: str) -> str:
    """Return the name of this user's last life at a server; where there was none, ask for it on the terminal.

    The login name is only the default, because another player may have it. Without a terminal, it is the name.
    """
    known = name_at(data, address)
    if name_fault(known) is None:
        return known
    while sys.stdin.isatty() and sys.stdout.isatty():
        name: str = click.prompt(f"Your name at {address} (--name skips this)", default=login_name())
        fault = name_fault(name)
        if fault is None:
            return name
        click.echo(fault)
    return login_name()


def require_own_server(data: Path, campaign: str) -> None:
    """Raise UsageError unless the private server of a campaign runs."""
    if asyncio.run(find(world_folder(data, campaign))) is None:
        name = shlex.quote(campaign)
        which, option, made = (
            (f" of {name}", f" --campaign {name}", f" CAMPAIGN={name}") if campaign else ("",) * 3
        )
        raise UsageError(
            f"You have no private server{which} running; gloam{option} starts one (in a clone: make play{made}), "
            "gloam join HOST joins another's (make join PLACE=HOST)."
        )
