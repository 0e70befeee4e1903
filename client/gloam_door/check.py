"""`gloam-door check`: what a guest would meet at this door. Each check is a line with its solution; nothing is changed."""

import asyncio
import ssl
from pathlib import Path
from urllib.parse import urlsplit

from gloam_client.cli.doctor import CheckResult
from gloam_client.net.guest.server_questions import ask
from gloam_client.net.tls_connect import ConnectFailed
from gloam_door import config
from gloam_door.ssh.server import fingerprint, offered_host_key
from gloam_door.upstream import Visitor
from gloam_shared.protocol.messages.login import AskStatus, Status
from gloam_shared.text import clean

_PATIENCE_S = 5
_ASK = Visitor("web", "127.0.0.1")


async def run_checks(settings: config.Settings, data: Path) -> list[CheckResult]:
    """Run all checks."""
    return [
        *await _server(settings),
        await _page(settings),
        *await _links(settings),
        await _ssh(settings, data),
    ]


async def _server(settings: config.Settings) -> list[CheckResult]:
    """Ask the game server as a visitor does."""
    address = config.address_of(settings)
    try:
        status = await ask(address, await config.upstream_of(settings).dial(_ASK), AskStatus(), Status)
    except ConnectFailed as error:
        text = f"{settings.server}: {error.text} Start it with --door-socket, or correct server in {config.FILE}."
        return [CheckResult(good=False, subject="server", text=text)]
    words = f"{clean(status.campaign)}, {status.players} playing, version {clean(status.version)}"
    guests = (
        "newcomers come in by the link alone"
        if status.open
        else "newcomers need an invite: `gloam-server invite` makes a code, and the link ends with #CODE"
    )
    return [
        CheckResult(
            good=status.ready, subject="server", text=words if status.ready else f"{words}; it is not well"
        ),
        CheckResult(good=status.open or None, subject="guests", text=guests),
    ]


async def _page(settings: config.Settings) -> CheckResult:
    """Ask the running door for its page."""
    secure = settings.certificate is not None
    at = f"{settings.listen}:{settings.port}"
    try:
        head = await _head(_reachable(settings.listen), settings.port, _trusting() if secure else None)
    except (OSError, TimeoutError) as error:
        text = f"nothing answers on {at} ({error}); start the door with `gloam-door run`"
        return CheckResult(good=False, subject="door", text=text)
    good = head.startswith("HTTP/1.1 200")
    return CheckResult(
        good=good, subject="door", text=f"open on {at}" if good else f"{at} is no door: {clean(head)}"
    )


async def _links(settings: config.Settings) -> list[CheckResult]:
    """Open each link as a browser does, with the certificates that this machine trusts."""
    if not settings.origins:
        text = "for this machine alone; name the address of browsers as origins"
        return [CheckResult(good=None, subject="link", text=text)]
    return [await _link(origin) for origin in settings.origins]


async def _link(origin: str) -> CheckResult:
    parts = urlsplit(origin)
    secure = parts.scheme == "https"
    try:
        port = parts.port or (443 if secure else 80)
        head = await _head(parts.hostname or "", port, ssl.create_default_context() if secure else None)
    except ssl.SSLError as error:
        return CheckResult(
            good=False, subject="link", text=f"{origin}: browsers refuse its certificate ({error.reason})"
        )
    except (OSError, TimeoutError, ValueError) as error:
        text = (
            f"{origin} cannot be reached from here ({error}); from elsewhere it may be, or the port is closed"
        )
        return CheckResult(good=None, subject="link", text=text)
    good = head.startswith("HTTP/1.1 200")
    return CheckResult(good=good, subject="link", text=origin if good else f"{origin} answers {clean(head)}")


async def _ssh(settings: config.Settings, data: Path) -> CheckResult:
    """Compare the host key that visitors are shown with the one in the data folder."""
    if settings.ssh_port is None:
        return CheckResult(good=None, subject="ssh", text="not offered; ssh_port offers it")
    at = f"{settings.listen}:{settings.ssh_port}"
    shown = await offered_host_key(_reachable(settings.listen), settings.ssh_port, _PATIENCE_S)
    if shown is None:
        return CheckResult(
            good=False, subject="ssh", text=f"nothing answers on {at}; start the door with `gloam-door run`"
        )
    own = fingerprint(data)
    words = f"on {at}, host key {shown}" if shown == own else f"{at} shows {shown}, but {data} has {own}"
    return CheckResult(good=shown == own, subject="ssh", text=words)


async def _head(host: str, port: int, tls: ssl.SSLContext | None) -> str:
    """Return the first line of the answer to a request for the page. Raises OSError or TimeoutError."""
    async with asyncio.timeout(_PATIENCE_S):
        reader, writer = await asyncio.open_connection(host, port, ssl=tls)
        try:
            writer.write(f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
            return (await reader.readline()).decode("latin-1").strip()
        finally:
            writer.transport.abort()


def _reachable(listen: str) -> str:
    """Return an address of this machine at which a listener can be reached."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(listen, listen)  # noqa: S104  # not bound, but compared


def _trusting() -> ssl.SSLContext:
    """Return a context that takes any certificate: this asks whether the door runs, not who it is."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context
