"""`gloam-server status`, `who`, `kick`, `ban`, `unban`, `say` and `restart`: a request each to a folder's server."""

import os
import socket
from pathlib import Path
from typing import Final, NoReturn

import click
import msgspec

from gloam_server.cli.options import DATA
from gloam_server.cli.output import exit_with_error
from gloam_server.ops.admin_messages import HOURS_MAX, Reply, Request, socket_path
from gloam_shared.text import clean

_PATIENCE_S: Final = 20
_RESTART_S: Final = 3_600
"""The patience with a rolling restart, whose processes start one after another."""
_SOCKET_PATH_MAX: Final = 107  # bytes
_NAME: Final = click.argument("name")


@click.command(epilog="Example: gloam-server status --data ./dungeon")
@DATA
def status(data: Path) -> None:
    """Print the state of the running server."""
    _ask(data, Request("status"))


@click.command(epilog="Example: gloam-server who --data ./dungeon")
@DATA
def who(data: Path) -> None:
    """List the players, their levels and their addresses."""
    _ask(data, Request("who"))


@click.command(epilog="Example: gloam-server kick Bert --data ./dungeon")
@_NAME
@DATA
def kick(name: str, data: Path) -> None:
    """Disconnect NAME; they may return."""
    _ask(data, Request("kick", name=name))


@click.command(epilog="Example: gloam-server ban Bert --hours 24 --data ./dungeon")
@_NAME
@click.option("--hours", type=click.IntRange(1, HOURS_MAX), help="How long; for good if left out.")
@DATA
def ban(name: str, hours: int | None, data: Path) -> None:
    """Disconnect and ban NAME, and stop their devices from making new names."""
    _ask(data, Request("ban", name=name, hours=hours or 0))


@click.command(epilog="Example: gloam-server unban Bert --data ./dungeon")
@_NAME
@DATA
def unban(name: str, data: Path) -> None:
    """Let NAME in again."""
    _ask(data, Request("unban", name=name))


@click.command(epilog='Example: gloam-server say "The server restarts at nine." --data ./dungeon')
@click.argument("text")
@DATA
def say(text: str, data: Path) -> None:
    """Send TEXT to all players."""
    _ask(data, Request("say", text=text))


@click.command(epilog="Example: gloam-server restart --data ./dungeon")
@DATA
def restart(data: Path) -> None:
    """Replace the processes of a server with a standby by new ones, of the code that is installed now; players stay."""
    from gloam_server.app.views.own_code import own_code  # noqa: PLC0415  # the other commands start without the rules

    code = msgspec.json.encode(own_code()).decode()
    _ask(data, Request("restart", text=code), _RESTART_S)


def _ask(data: Path, request: Request, patience_s: float = _PATIENCE_S) -> None:
    """Print the server's answer; exit with 2 if it refuses, and with 1 if no server runs."""
    if len(os.fsencode(socket_path(data))) > _SOCKET_PATH_MAX:
        _no_server(
            f"No server can be asked on {data}, because the path is too long for a socket; start it in that folder, and ask there, "
            "with --data ."
        )
    try:
        reply = _answer(data, request, patience_s)
    except (FileNotFoundError, NotADirectoryError, ConnectionRefusedError):
        _no_server(f"No server runs on {data}; name its folder with --data.")
    except PermissionError:
        _no_server(f"The server on {data} belongs to another user; run this command as that user.")
    except (OSError, EOFError, msgspec.MsgspecError) as error:
        _no_server(f"The server on {data} does not answer ({error}); look at its log.")
    if not reply.ok:
        exit_with_error(" ".join(reply.lines))
    for line in reply.lines:
        click.echo(f"gloam-server: {clean(line)}")


def running_address(data: Path) -> tuple[str, int] | None:
    """Return host and port where a world's server listens; None if none runs, or if it does not answer."""
    try:
        reply = _answer(data, Request("address"))
        if not reply.ok:
            return None
        host, port = reply.lines
        return host, int(port)
    except (OSError, EOFError, ValueError, msgspec.MsgspecError):
        return None


def _answer(data: Path, request: Request, patience_s: float = _PATIENCE_S) -> Reply:
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(patience_s)
        line.connect(socket_path(data))
        line.sendall(msgspec.json.encode(request) + b"\n")
        with line.makefile("rb") as incoming:
            reply = incoming.readline()
    if not reply:
        raise EOFError("it closed the connection")
    return msgspec.json.decode(reply, type=Reply)


def _no_server(sentence: str) -> NoReturn:
    exit_with_error(sentence, code=1)
