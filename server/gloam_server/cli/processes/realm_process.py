"""The process of a realm, which a worker forks: a whole server, as `run` starts it. It ends with its worker."""

import gc
import os
import signal
import sys
from multiprocessing.connection import Connection
from threading import Thread
from typing import NoReturn

from gloam_server import logs
from gloam_server.app.config import Config
from gloam_server.app.open_world import open_world, read_dungeon
from gloam_server.cli.processes.realm_start import TAKEN, Entry, RealmStart, Step
from gloam_server.cli.processes.server_reactor import install_reactor
from gloam_server.cli.processes.serving import Signals, or_exit, serve
from gloam_server.cli.processes.view_starter import ViewStarter
from gloam_server.engine.server_statistics import Histogram
from gloam_server.storage.errors import WorldOpen
from gloam_server.storage.open_store import read_store
from gloam_server.storage.store import Store
from gloam_server.world.transition.dungeon import Dungeon


def run_realm(start: RealmStart, line: Connection) -> NoReturn:
    """Run the server of a realm until it stops, and end this process."""
    gc.disable()  # as at the start of `run`
    logs.begin(str(start.settings["log_format"]))
    config: Config = or_exit(start.config)
    views = ViewStarter() if config.views else None
    signals = Signals()
    Thread(target=_end_with, args=(line,), name="gloam-worker", daemon=True).start()
    busy = Histogram()
    _, begin_listening = install_reactor(busy)

    def enter(config: Config, now_s: int) -> tuple[Store, Dungeon]:
        known = _read(start, config) if start.entry is Entry.FOLLOWS else None
        line.send(Step.HAS_READ)
        try:
            return open_world(config, now_s, known)
        except WorldOpen:
            sys.exit(TAKEN)

    sys.exit(
        serve(
            config,
            busy,
            begin_listening,
            signals,
            status_json=False,
            ready=lambda: line.send(Step.LISTENS),
            views=views,
            enter=enter,
            name=start.realm,
        )
    )


def _read(start: RealmStart, config: Config) -> Dungeon | None:
    """Return the dungeon while its holder still plays it: little is left to do once that one has released it."""
    store = read_store(start.store)
    try:
        return read_dungeon(store, config.campaign)
    finally:
        store.close()


def _end_with(line: Connection) -> None:
    """Stop this process when its worker has ended: it sends nothing before that."""
    try:
        line.recv_bytes()
    except (EOFError, OSError):
        os.kill(os.getpid(), signal.SIGTERM)
