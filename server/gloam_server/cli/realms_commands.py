"""`gloam-server realms`: the realms of a cluster, each with a dungeon of its own."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click

from gloam_server.cli.options import STORE
from gloam_server.cli.output import exit_with_error, print_line
from gloam_server.cli.processes.moves import balance_workers, drain_worker, move_realm
from gloam_server.cli.processes.serving import or_exit
from gloam_server.cli.transfer_commands import required_store
from gloam_server.storage.realms import RealmReport, RealmState
from gloam_server.storage.workers import Cluster, Placed, WorkerState

_PRIVATE: Final = 0o077  # an export holds password hashes
_REALM: Final = click.argument("realm")
_PORT: Final = click.option("--port", type=click.IntRange(1, 65_535),
                            help="The port at which workers serve the realm.  [default: the next free one from 7373 on]")  # fmt: skip
_NUMBER_MASK: Final = (1 << 64) - 1
"""The bits of a seed that the host named; the others are secret."""


@click.group()
def realms() -> None:
    """List, make, move and retire the realms of a cluster. The realm in --store does not count."""


@realms.command(
    "list",
    epilog="Example: gloam-server realms list --store nats://HOST:4222?sync=always,postgresql://USER@HOST/DATABASE",
)
@STORE
def list_realms(store: str | None) -> None:
    """Show each realm: its server, port, campaign, seed and newest entry of the journal; and each worker."""
    with _opened(store) as opened:
        found = or_exit(opened.reports)
        placed: Placed = or_exit(opened.workers.look)
    for each in found:
        print_line(_describe(each))
    for worker in placed.workers.values():
        print_line(_describe_worker(worker))
    if not found:
        print_line("there is no realm; make one with: gloam-server realms create NAME")


@realms.command(epilog="Example: gloam-server realms create second --campaign jsrogue --seed 7")
@_REALM
@click.option("--campaign", envvar="GLOAM_CAMPAIGN", show_envvar=True, help="The campaign of the realm.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), envvar="GLOAM_SEED", show_envvar=True,
              help="The seed of the realm, which also gets its own secret.")  # fmt: skip
@click.option("--exact-seed", is_flag=True,
              help="Use --seed alone: a player who knows or guesses the seed can predict the dungeon.")  # fmt: skip
@_PORT
@STORE
def create(
    realm: str,
    campaign: str | None,
    seed: int | None,
    port: int | None,
    store: str | None,
    *,
    exact_seed: bool,
) -> None:
    """Make a realm with its dungeon, without serving it."""
    from gloam_server.app.new_realm import NewRealm, create_realm

    new = NewRealm(realm, campaign or None, seed, exact_seed, port)
    with _opened(store) as opened:
        given = or_exit(lambda: create_realm(opened, new, int(time.time())))
    print_line(f"the realm {realm} is made, for port {given}")


@realms.command(epilog="Example: gloam-server realms retire second ./second.sqlite3 --yes")
@_REALM
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--yes", is_flag=True, help="Erase the realm, once its export is compared.")
@STORE
def retire(realm: str, file: Path, store: str | None, *, yes: bool) -> None:
    """Export a realm, which no server has open, to FILE, and then erase it: `import` makes a realm of FILE again."""
    os.umask(_PRIVATE)
    with _opened(store) as opened:
        or_exit(lambda: opened.find(realm))
        if not yes:
            exit_with_error(
                f"This erases the realm {realm} after its export to {file}; confirm it with --yes."
            )
        done = or_exit(lambda: opened.retire(realm, file))
    if done is None:
        print_line(f"the realm {realm} was exported before, and is erased now")
    else:
        print_line(
            f"{file} holds the world: {done.records} inputs, content {done.digest.hex()}; the realm {realm} is erased"
        )


@realms.command(epilog="Example: gloam-server realms port second")
@_REALM
@_PORT
@STORE
def port(realm: str, port: int | None, store: str | None) -> None:
    """Let workers serve a realm that `import` or `run` made; or change its port, from the next start of its server on."""
    with _opened(store) as opened:
        found: RealmReport = or_exit(lambda: opened.find(realm))
        if found.identity is None or found.state is RealmState.RETIRED:
            exit_with_error(f"The realm {realm} has no dungeon to serve; name another one.")
        given = or_exit(lambda: opened.assign_port(realm, port))
    print_line(f"workers serve the realm {realm} at port {given}")


@realms.command(epilog="Example: gloam-server realms move second --to beta")
@_REALM
@click.option("--to", "worker", required=True, help="The name of a worker that runs.")
@STORE
def move(realm: str, worker: str, store: str | None) -> None:
    """Move a realm to another worker: players return there within a second, with everything that was answered."""
    with _opened(store) as opened:
        or_exit(lambda: move_realm(opened, realm, worker))
    print_line(f"the realm {realm} is at worker {worker}")


@realms.command(epilog="Example: gloam-server realms drain alpha")
@click.argument("worker")
@STORE
def drain(worker: str, store: str | None) -> None:
    """Move all realms of a worker to the others; it takes no more until it is started again."""
    with _opened(store) as opened:
        moved: list[tuple[str, str]] = or_exit(lambda: drain_worker(opened, worker))
    for realm, target in moved:
        print_line(f"the realm {realm} is at worker {target}")
    print_line(f"worker {worker} has no realm, and takes no more; stop it, or start it again")


@realms.command(epilog="Example: gloam-server realms balance")
@STORE
def balance(store: str | None) -> None:
    """Move realms to the workers that have the fewest, such as a new one, until the others have at most one more."""
    with _opened(store) as opened:
        moved: list[tuple[str, str]] = or_exit(lambda: balance_workers(opened))
    for realm, target in moved:
        print_line(f"the realm {realm} is at worker {target}")
    if not moved:
        print_line("no move would make the workers more equal")


@contextmanager
def _opened(store: str | None) -> Iterator[Cluster]:
    from gloam_server.storage.open_store import open_realms

    address = required_store(store)
    opened: Cluster = or_exit(lambda: open_realms(address))
    try:
        yield opened
    finally:
        opened.close()


def _describe(realm: RealmReport) -> str:
    """Return a realm in a line."""
    words = [f"{realm.name}: {_served(realm)}"]
    if realm.state is RealmState.KEPT:
        words.append(f"port {realm.port}" if realm.port is not None else "no port for workers")
    if realm.identity is not None:
        words += [
            f"dungeon {realm.dungeon}",
            f"campaign {realm.identity.campaign}",
            f"seed {realm.identity.seed & _NUMBER_MASK}",
        ]
    if realm.newest is not None:
        at = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(realm.newest.at_s))
        words.append(f"newest entry {realm.newest.number} of {at}")
    return ", ".join(words)


def _describe_worker(worker: WorkerState) -> str:
    """Return a worker in a line."""
    drains = ", takes no more" if worker.drains else ""
    return f"worker {worker.name}: {len(worker.realms)} of {worker.most} realms{drains}"


def _served(realm: RealmReport) -> str:
    if realm.state is RealmState.RETIRED:
        return "exported and not erased yet"
    if realm.holder is not None:
        by = f"worker {realm.holder.worker}, " if realm.holder.worker else ""
        return f"open in {by}{realm.holder.name}"
    return "open in no server" if realm.identity is not None else "without a dungeon"
