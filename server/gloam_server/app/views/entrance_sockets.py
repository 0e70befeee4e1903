"""The sockets that all processes of a server share: the port of the game, and the socket of doors."""

import socket
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from gloam_server.app.config import Config
from gloam_server.app.listeners import DOOR_SOCKET_MODE, no_door_socket, port_taken, shared_socket
from gloam_server.net.reactor import WAITING_MAX


@dataclass(frozen=True, slots=True)
class EntranceSockets:
    """The port, bound and not listened at, and the socket of doors, if any, which listens."""

    port: socket.socket
    doors: socket.socket | None
    life: int = -1
    """A descriptor that ends with the supervisor, on which all other processes end; -1 without a supervisor."""

    def close(self) -> None:
        """Close them in this process."""
        for each in (self.port, self.doors):
            if each is not None:
                each.close()


def reserve_sockets(config: Config) -> EntranceSockets:
    """Take the port, which only this server's processes share, and the socket of doors. Raises ConfigError."""
    try:
        with socket.socket(socket.AF_INET6 if ":" in config.listen else socket.AF_INET) as alone:
            alone.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            alone.bind((config.listen, config.port))  # fails if another server has the port
        port = shared_socket(config.listen, config.port)
    except OSError as error:
        raise port_taken(config, error) from error
    if config.door_socket is None:
        return EntranceSockets(port, None)
    try:
        return EntranceSockets(port, _listening_doors(door_path(config)))
    except OSError as error:
        port.close()
        raise no_door_socket(config, str(error)) from error


def release_sockets(config: Config, sockets: EntranceSockets) -> None:
    """Close the sockets at the end of the server, and remove the one of doors."""
    sockets.close()
    if sockets.doors is not None:
        with suppress(OSError):
            door_path(config).unlink()


def door_path(config: Config) -> Path:
    """Return where the socket of doors is."""
    return config.data / (config.door_socket or "")


def _listening_doors(path: Path) -> socket.socket:
    """Return a socket of doors that listens, in place of one that a killed server left."""
    with suppress(OSError):
        path.unlink()
    doors = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        doors.bind(str(path))
        path.chmod(DOOR_SOCKET_MODE)
        doors.listen(WAITING_MAX)
        doors.settimeout(0)
    except OSError:
        doors.close()
        raise
    return doors
