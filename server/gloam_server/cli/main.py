"""The command line of gloam-server: run, verify, health, and the commands of other modules.

Installs the reactor before anything else needs one.
"""

import gc
import os
import socket
import sys
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from gloam_server import logs
from gloam_server.app import config as settings
from gloam_server.cli import environment, start_status
from gloam_server.cli.late_commands import LateCommands
from gloam_server.cli.options import DATA, OPEN, PROXY_NETWORKS, STORE, TRUSTED_NETWORKS
from gloam_server.cli.output import exit_with_error, open_standard_streams
from gloam_server.cli.processes.forks import keep_one_thread
from gloam_server.cli.processes.server_reactor import install_reactor
from gloam_server.cli.processes.serving import Signals, block_signals, or_exit, serve
from gloam_server.engine.server_statistics import Histogram
from gloam_shared import limits
from gloam_shared.protocol import codec, framing
from gloam_shared.protocol.messages.login import AskStatus, Status
from gloam_shared.protocol.registry import PROTOCOL_VERSION
from gloam_shared.text import clean

if TYPE_CHECKING:
    pass


@click.group(
    cls=LateCommands,
    epilog="Example: gloam-server run --data ~/dungeon --listen 0.0.0.0",
    context_settings={"max_content_width": 100},
)
@click.version_option(package_name="gloam", prog_name="gloam-server")
def cli() -> None:
    """Host a Gloam dungeon."""
    logs.begin("plain")


@cli.command(epilog="Example: gloam-server run --data ./dungeon --campaign jsrogue --seed 7 --port 7373")
@DATA
@click.option("--campaign", envvar="GLOAM_CAMPAIGN", show_envvar=True, help="The campaign of a new world.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), envvar="GLOAM_SEED", show_envvar=True,
              help="The seed of a new world, which also gets its own secret.")  # fmt: skip
@click.option("--exact-seed", is_flag=True,
              help="Make a new world from --seed alone: a player who knows or guesses the seed can predict the dungeon.")  # fmt: skip
@click.option("--one-life", is_flag=True,
              help="Let one player live one life in this world, as in the seed of the day.")  # fmt: skip
@click.option(
    "--listen",
    envvar="GLOAM_LISTEN",
    show_envvar=True,
    help="The address to listen on.  [default: 127.0.0.1]",
)
@click.option("--port", type=click.IntRange(0, 65_535), envvar="GLOAM_PORT", show_envvar=True,
              help="The port to listen on; 0 takes any that is free.  [default: 7373]")  # fmt: skip
@click.option(
    "--private", is_flag=True, help="Stop when the last player has left, as a player's own server does."
)
@OPEN
@click.option("--plain", is_flag=True, default=None, envvar="GLOAM_PLAIN", show_envvar=True,
              help="Accept unencrypted connections from other machines, too.")  # fmt: skip
@TRUSTED_NETWORKS
@PROXY_NETWORKS
@click.option("--door-socket", envvar="GLOAM_DOOR_SOCKET", show_envvar=True,
              help="A Unix socket for doors, which let visitors in by browser and ssh.")  # fmt: skip
@click.option("--watch-guests", is_flag=True, default=None, envvar="GLOAM_WATCH_GUESTS", show_envvar=True,
              help="Let visitors of doors watch by a link the players who allow everyone.")  # fmt: skip
@click.option("--views", type=click.IntRange(0, 32), envvar="GLOAM_VIEWS", show_envvar=True,
              help="The number of processes for connections and views; 0 for one process.  [default: 0]")  # fmt: skip
@click.option("--standby", is_flag=True, default=None, envvar="GLOAM_STANDBY", show_envvar=True,
              help="Keep a second process that takes over when the one that decides turns is killed; needs --views.")  # fmt: skip
@click.option("--log-format", type=click.Choice(["plain", "json"]), envvar="GLOAM_LOG_FORMAT", show_envvar=True,
              help="The form of the log: plain text, or one JSON object a line.  [default: plain]")  # fmt: skip
@click.option("--metrics-port", type=click.IntRange(0, 65_535), envvar="GLOAM_METRICS_PORT", show_envvar=True,
              help="Serve metrics and health for programs of yours on this port.")  # fmt: skip
@click.option("--metrics-listen", envvar="GLOAM_METRICS_LISTEN", show_envvar=True,
              help="The address to serve them on.  [default: 127.0.0.1]")  # fmt: skip
@click.option("--status-json", is_flag=True, hidden=True,
              help="Print the result of the start for programs on stdout: one JSON object on one line.")  # fmt: skip
@click.option(
    "--take-over", is_flag=True, help="Take over the world from a server that has it open and hangs."
)
@STORE
@click.pass_context
def run(
    context: click.Context,
    /,
    data: Path,
    *,
    private: bool,
    take_over: bool,
    exact_seed: bool,
    one_life: bool,
    status_json: bool,
    store: str | None,
    **said: object,
) -> None:
    """Run a server until Ctrl-C or SIGTERM."""
    gc.disable()  # the objects of a start stay; searching them for garbage is useless
    open_standard_streams()
    block_signals()
    logs.begin(str(said["log_format"] or "plain"))

    def failed(error: BaseException) -> None:
        if status_json:
            click.echo(start_status.failed(error))

    or_exit(lambda: environment.check_environment(os.environ, cli), failed)
    named = environment.source_of(context)
    resolved = or_exit(lambda: settings.resolve(data, said, private=private, variables=named), failed)
    config = msgspec.structs.replace(
        resolved, take_over=take_over, exact_seed=exact_seed, one_life=one_life, store=store or None
    )
    if config.views:
        keep_one_thread()
    if config.standby:
        from gloam_server.cli.processes.supervisor import supervise

        sys.exit(or_exit(lambda: supervise(config, status_json=status_json), failed))
    views = None
    if config.views:
        from gloam_server.cli.processes.view_starter import ViewStarter

        views = ViewStarter()
    signals = Signals()
    busy = Histogram()
    _, begin_listening = install_reactor(busy)
    sys.exit(serve(config, busy, begin_listening, signals, views=views, status_json=status_json))


@cli.command(epilog="Example: gloam-server verify ./dungeon-monday.sqlite3")
@click.argument("file", type=click.Path(path_type=Path), required=False)
@DATA
@click.option("--campaign", envvar="GLOAM_CAMPAIGN", show_envvar=True,
              help="The folder of the world's campaign, if it did not come with the game.")  # fmt: skip
def verify(file: Path | None, data: Path, campaign: str | None) -> None:
    """Check every row, rebuild the world from its oldest snapshots, and compare every hash. With FILE check a backup."""
    from gloam_server.app.verify_world import verify_backup, verify_world
    from gloam_server.storage.open_store import file_store

    if file is not None:
        replayed, digest = or_exit(lambda: verify_backup(file, campaign))
    elif file_store(data / settings.WORLD_FILE).exists():
        replayed, digest = or_exit(lambda: verify_world(data / settings.WORLD_FILE, campaign))
    else:
        exit_with_error(f"There is no world in {data}; name its folder with --data.")
    click.echo(f"gloam-server: verified {replayed} inputs, state {digest.hex()}")


@cli.command(epilog="Example: gloam-server health --port 7373")
@click.option("--host", default="127.0.0.1", show_default=True, help="The server's address.")
@click.option("--port", type=int, default=settings.DEFAULT_PORT, envvar="GLOAM_PORT", show_default=True,
              help="The server's port.")  # fmt: skip
def health(host: str, port: int) -> None:
    """Ask a running server for its status; exit with 0 if it is ready."""
    try:
        status = _ask_status(host, port)
    except (OSError, codec.Malformed, framing.FrameTooLarge, EOFError) as error:
        click.echo(f"gloam-server: no healthy server on {host}:{port}: {error}", err=True)
        sys.exit(1)
    problem = "" if status.ready else ": something is wrong; `gloam-server status` shows what"
    summary = f"{status.campaign}, {status.players} players, version {status.version}{problem}"
    click.echo(f"gloam-server: {clean(summary)}")
    sys.exit(0 if status.ready else 1)


def _ask_status(host: str, port: int) -> Status:
    with _connect(host, port) as line:
        line.sendall(framing.first_frame(codec.encode(AskStatus())))
        framer = framing.Framer(limits.FRAME_FROM_SERVER_MAX)
        while data := line.recv(65_536):
            for body in framer.feed(data):
                message = codec.decode_from_server(body)
                if isinstance(message, Status):
                    return message
    raise EOFError(f"it does not speak protocol {PROTOCOL_VERSION}")


def _connect(host: str, port: int) -> socket.socket:
    """Return a connection to a server, encrypted unless it is on this machine. Any key is accepted for a status request."""
    line = socket.create_connection((host, port), timeout=4)
    if ip_address(line.getpeername()[0].partition("%")[0]).is_loopback:
        return line
    import ssl

    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        return context.wrap_socket(line, server_hostname=host)
    except OSError:
        line.close()
        raise
