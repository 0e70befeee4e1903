"""`gloam-server worker`: servers for the realms of a cluster, as many as this worker gets."""

import os
import re
import socket
import sys
from pathlib import Path
from typing import Final

import click

from gloam_server import logs
from gloam_server.cli import environment
from gloam_server.cli.options import DATA, OPEN, PROXY_NETWORKS, STORE, TRUSTED_NETWORKS
from gloam_server.cli.output import exit_with_error, open_standard_streams, print_line
from gloam_server.cli.processes.serving import or_exit
from gloam_server.cli.transfer_commands import required_store

WORKER_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")


@click.command(epilog="Example: gloam-server worker --data ~/dungeons --name alpha --most 3")
@DATA
@STORE
@click.option("--name", envvar="GLOAM_WORKER_NAME", show_envvar=True,
              help="The name of this worker, which no other has.  [default: the name of the machine]")  # fmt: skip
@click.option("--realms", default="all", show_default=True, envvar="GLOAM_WORKER_REALMS", show_envvar=True,
              help="The realms that it may serve, separated by commas.")  # fmt: skip
@click.option("--most", type=click.IntRange(1, 100), default=4, show_default=True,
              envvar="GLOAM_WORKER_MOST", show_envvar=True, help="The most realms that it serves.")  # fmt: skip
@click.option("--listen", envvar="GLOAM_LISTEN", show_envvar=True,
              help="The address to listen on, each realm at its own port.  [default: 127.0.0.1]")  # fmt: skip
@OPEN
@TRUSTED_NETWORKS
@PROXY_NETWORKS
@click.option("--log-format", type=click.Choice(["plain", "json"]), envvar="GLOAM_LOG_FORMAT", show_envvar=True,
              default="plain", show_default=True, help="The form of the log.")  # fmt: skip
def worker(
    data: Path,
    *,
    store: str | None,
    name: str | None,
    realms: str,
    most: int,
    **said: object,
) -> None:
    """Serve realms of a cluster, each in a process of its own, until Ctrl-C or SIGTERM. The realm in --store does not count."""
    from gloam_server.app.config import resolve
    from gloam_server.cli.main import cli
    from gloam_server.cli.processes.realm_children import RealmChildren
    from gloam_server.cli.processes.worker import Worker, WorkerOptions
    from gloam_server.storage.errors import StorageError
    from gloam_server.storage.open_store import open_realms
    from gloam_server.storage.workers import Cluster

    open_standard_streams()
    logs.begin(str(said["log_format"]))
    or_exit(lambda: environment.check_environment(os.environ, cli))
    or_exit(lambda: resolve(data, said, private=False))
    address = required_store(store)
    own = name or re.sub(r"[^a-z0-9_-]", "-", socket.gethostname().lower())[:32]
    if WORKER_NAME.fullmatch(own) is None:
        exit_with_error(
            "A worker's name is up to 32 small letters, digits, - and _, beginning with a letter or digit; correct --name."
        )
    only = () if realms == "all" else tuple(realms.replace(",", " ").split())
    processes = RealmChildren()
    cluster: Cluster = or_exit(lambda: open_realms(address))
    try:
        for each in only:
            cluster.find(each)
        options = WorkerOptions(own, data, most, only, said)
        print_line(f"worker {own} serves up to {most} realms")
        Worker(options, cluster, processes).run()
    except StorageError as error:
        exit_with_error(str(error))
    finally:
        cluster.close()
    sys.exit(0)
