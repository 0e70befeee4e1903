"""The running door: its listeners, and the order in which it starts and stops."""

import asyncio
import logging
import os
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from gloam_door import config
from gloam_door.identity import load_door_key
from gloam_door.player_folders import PlayerFolders
from gloam_door.replays import Replays
from gloam_door.ssh.server import SshDoor
from gloam_door.visits import Limits, Visits
from gloam_door.web.host_pages import HostPages
from gloam_door.web.server import WebDoor, WebSettings

_PRUNE_S: Final = 86_400
_SEND_BUFFER: Final = 65_536
_log: Final = logging.getLogger(__name__)


class Door:
    """One door to one game server. `web_port` and `ssh_port` are known once it listens."""

    def __init__(self, settings: config.Settings, data: Path) -> None:
        self._settings = settings
        self._data = data
        self._folders = PlayerFolders(data)
        self._writer = ThreadPoolExecutor(1, "door-files")
        self.web_port = 0
        self.ssh_port = 0
        self.metrics_port = 0

    @property
    def link(self) -> str:
        """The address at which browsers find this door."""
        return config.origins_of(self._settings, self.web_port)[0]

    @property
    def ssh_line(self) -> str:
        """The command for players with ssh; "" without it."""
        return (
            f"ssh -p {self.ssh_port} NAME@{config.address_of(self._settings).host}" if self.ssh_port else ""
        )

    async def run(self, listening: Callable[["Door"], object], stop: asyncio.Event) -> None:
        """Serve until `stop` is set. Raises ConfigError, or OSError if a port or the data folder cannot be used."""
        settings = self._settings
        key = load_door_key(self._data)
        listener = _listening(settings.listen, settings.port)
        self.web_port = listener.getsockname()[1]
        visits = Visits(
            config.upstream_of(settings),
            self._folders,
            config.address_of(settings),
            self._writer,
            Limits(settings.visits_max, settings.visits_per_address_max),
            self.link,
        )
        replays = Replays(self._data, visits.upstream, visits.address)
        web = WebDoor(
            WebSettings(
                listener,
                config.origins_of(settings, self.web_port),
                config.proxies_of(settings),
                self._tls(),
            ),
            key,
            visits,
            replays,
        )
        await web.start()
        ssh = None
        if settings.ssh_port is not None:
            ssh = SshDoor(settings.listen, settings.ssh_port, self._data, key, visits)
            with _naming_port(settings.listen, settings.ssh_port):
                self.ssh_port = await ssh.start()
        pages = None
        if settings.metrics_port is not None:
            listener = _listening(settings.metrics_listen, settings.metrics_port)
            self.metrics_port = listener.getsockname()[1]
            pages = HostPages(listener, visits.health, visits.metrics)
            await pages.start()
        housekeeping = [asyncio.create_task(work) for work in (self._prune(), visits.statistics.measure())]
        try:
            listening(self)
            await stop.wait()
        finally:
            for task in housekeeping:
                task.cancel()
            await visits.close()
            await web.stop()
            if ssh is not None:
                await ssh.stop()
            if pages is not None:
                pages.stop()
            replays.close()
            self._writer.shutdown()

    def _tls(self) -> ssl.SSLContext | None:
        if self._settings.certificate is None or self._settings.key is None:
            return None
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.load_cert_chain(self._data / self._settings.certificate, self._data / self._settings.key)
        return context

    async def _prune(self) -> None:
        """Remove the folders that were not used for long, once a day."""
        while True:
            began_s = time.monotonic()
            try:
                await asyncio.get_running_loop().run_in_executor(self._writer, self._folders.prune)
            except OSError as error:
                _log.warning("old folders of visitors cannot be removed: %s", error)
            await asyncio.sleep(_PRUNE_S - (time.monotonic() - began_s))


@contextmanager
def _naming_port(host: str, port: int) -> Iterator[None]:
    """Let the OSError of a port that is in use name the port; one of a file names that already."""
    try:
        yield
    except OSError as error:
        if error.filename is not None:
            raise
        raise OSError(error.errno, os.strerror(error.errno or 0), f"Port {port} of {host}") from error


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with _naming_port(host, port):
        listener = socket.create_server((host, port), family=family)
    # accepted lines have the same: one that is never read holds this, and not the megabytes that the system would give it
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)
    return listener
