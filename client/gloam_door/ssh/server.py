"""The door's ssh server: keys as identity, guests without one, and one terminal a connection; everything else is refused."""

import asyncio
import hashlib
import logging
from collections import Counter
from pathlib import Path
from typing import Any, Final

import asyncssh

from gloam_door.identity import DoorKey, Identity, guest, keep_secret
from gloam_door.ssh.terminal_session import Line, TerminalSession
from gloam_door.upstream import Visitor
from gloam_door.visits import Visits, network_of

KEY_FILE: Final = "ssh-host-key"
LOGIN_S: Final = 20
TRIES_MAX: Final = 6
LOGINS_MAX: Final = 16
"""The most connections that have no terminal yet; each has `LOGIN_S` to get one."""
_KEEPALIVE_S: Final = 15


class SshDoor:
    """Listens for ssh, and gives each connection a visit."""

    def __init__(self, host: str, port: int, data: Path, key: DoorKey, visits: Visits) -> None:
        self._host = host
        self._port = port
        self._data = data
        self._key = key
        self._visits = visits
        self._acceptor: asyncssh.SSHAcceptor | None = None

    async def start(self) -> int:
        """Listen, and return the port. Raises OSError."""
        logging.getLogger("asyncssh").setLevel(logging.WARNING)
        logins: Counter[str] = Counter()
        self._acceptor = await asyncssh.create_server(
            lambda: Doorkeeper(self._key, self._visits, logins),
            self._host,
            self._port,
            server_host_keys=[load_host_key(self._data)],
            login_timeout=LOGIN_S,
            keepalive_interval=_KEEPALIVE_S,
            keepalive_count_max=1,
            encoding=None,
            line_editor=False,
            compression_algs=None,
            agent_forwarding=False,
            x11_forwarding=False,
            allow_scp=False,
            gss_host=None,
            server_version="Gloam",
        )
        port: int = self._acceptor.get_port()
        return port

    async def stop(self) -> None:
        """Stop listening, and close all connections."""
        if self._acceptor is not None:
            self._acceptor.close()
            await self._acceptor.wait_closed()


def load_host_key(data: Path) -> asyncssh.SSHKey:
    """Return the host key of a door, made at the first start. Raises OSError."""
    path = data / KEY_FILE
    if not path.exists():
        keep_secret(path, asyncssh.generate_private_key("ssh-ed25519").export_private_key())
    try:
        return asyncssh.read_private_key(path)
    except asyncssh.KeyImportError as error:
        raise OSError(0, "it contains no key; restore it from a backup, or remove it", str(path)) from error


def fingerprint(data: Path) -> str:
    """Return the fingerprint of a door's host key, which is made if there is none. Raises OSError."""
    return load_host_key(data).get_fingerprint()


async def offered_host_key(host: str, port: int, patience_s: float) -> str | None:
    """Return the fingerprint of the host key that a running door shows; None if there is no door."""
    try:
        async with asyncio.timeout(patience_s):
            key = await asyncssh.get_server_host_key(host, port)
    except (OSError, TimeoutError, asyncssh.Error):
        return None
    return None if key is None else key.get_fingerprint()


class Doorkeeper(asyncssh.SSHServer):
    """One ssh connection. Any key whose signature is right is an identity; without a key a visitor is a guest.

    The method "none" is always refused: OpenSSH would never offer a key after it, and no visitor would have an identity.
    """

    def __init__(self, key: DoorKey, visits: Visits, logins: Counter[str]) -> None:
        self._door_key = key
        self._visits = visits
        self._logins = logins
        self._network: str | None = None
        self._due: asyncio.TimerHandle | None = None
        self._connection: Any = None
        self._digest: bytes | None = None
        self._tries = 0
        self._has_session = False

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        """Let a connection log in, if there is room among those that do."""
        self._connection = conn
        network = network_of(self._visitor().host)
        if self._logins.total() >= LOGINS_MAX or self._logins[network] >= self._visits.limits.of_an_address:
            conn.abort()
            return
        self._network = network
        self._logins[network] += 1
        self._due = asyncio.get_running_loop().call_later(LOGIN_S, conn.abort)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # a cut is no fault
        """Make room for another."""
        self._end_login()

    def begin_auth(self, username: str) -> bool:  # noqa: ARG002  # everyone must say who they are
        """Ask for a key, or for an answer without a question."""
        return True

    def public_key_auth_supported(self) -> bool:
        """Accept keys."""
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:  # noqa: ARG002  # any name
        """Accept any key; asyncssh checks its signature. The last key before success is the visitor's."""
        self._digest = hashlib.sha256(key.public_data).digest()
        return self._has_tries()

    def kbdint_auth_supported(self) -> bool:
        """Let in visitors who have no key."""
        return True

    def get_kbdint_challenge(self, username: str, lang: str, submethods: str) -> Any:  # noqa: ARG002  # one for all
        """Ask nothing."""
        return "", "", "", []

    def validate_kbdint_response(self, username: str, responses: Any) -> bool:  # noqa: ARG002  # none was asked for
        """Accept a guest."""
        self._digest = None
        return self._has_tries()

    def session_requested(self) -> TerminalSession | bool:
        """Give the connection its one terminal."""
        if self._has_session:
            return False
        self._has_session = True
        user: str = self._connection.get_extra_info("username")
        line = Line(self._end_login, self._connection.abort)
        return TerminalSession(self._identity(), self._visitor(), self._visits, user, line)

    def _visitor(self) -> Visitor:
        host, port = self._connection.get_extra_info("peername")[:2]
        return Visitor("ssh", host.partition("%")[0], port)

    def _end_login(self) -> None:
        if self._due is not None:
            self._due.cancel()
        if self._network is not None:
            self._logins -= Counter({self._network: 1})
            self._network = None

    def _identity(self) -> Identity:
        return guest() if self._digest is None else self._door_key.identify("ssh", self._digest)

    def _has_tries(self) -> bool:
        self._tries += 1
        if self._tries > TRIES_MAX:
            asyncio.get_running_loop().call_soon(self._connection.abort)
            return False
        return True
