"""`gloam doctor`: checks for problems that prevent playing here, each with its solution. Changes nothing."""

import asyncio
import importlib.util
import os
from pathlib import Path
from typing import NamedTuple

from gloam_client.cli.launch import speaks_unicode
from gloam_client.net.guest.server_questions import ask_status
from gloam_client.net.tls_connect import ConnectFailed, TlsConnector, TrustedStream
from gloam_client.state.model import HEIGHT_MIN, WIDTH_MIN
from gloam_client.terminal.terminal import NoTerminal, Terminal
from gloam_client.user_files.address import Address
from gloam_client.user_files.known_servers import KnownServers


class CheckResult(NamedTuple):
    """The result of one check. `good` is None for what works but could be better."""

    good: bool | None
    subject: str
    text: str


def run_checks(data: Path, address: Address | None) -> list[CheckResult]:
    """Run all checks."""
    found = [*_terminal(), _unicode(), _server(), _folder(data)]
    if address is not None:
        found += asyncio.run(_network(address, KnownServers(data)))
    return found


def describe(finding: CheckResult) -> str:
    """Return a finding as one line."""
    mark = {True: "ok  ", None: "note", False: "FAIL"}[finding.good]
    return f"{mark}  {finding.subject:10} {finding.text}"


def _terminal() -> list[CheckResult]:
    try:
        terminal = Terminal()
    except NoTerminal as error:
        return [CheckResult(good=False, subject="terminal", text=str(error))]
    width, height = terminal.size
    fits = width >= WIDTH_MIN and height >= HEIGHT_MIN
    size = f"{width}x{height}"
    mend = "" if fits else f"; make the window at least {WIDTH_MIN}x{HEIGHT_MIN}"
    able = terminal.ask()
    colors = {"true": "16.7 million", "256": "256", "16": "16", "none": "no"}[able.depth]
    off = " (switched off by NO_COLOR)" if terminal.no_color else ""
    whole = "yes" if able.synchronized else "no; pictures may flicker a little"
    return [
        CheckResult(good=True, subject="terminal", text=os.environ.get("TERM", "unnamed")),
        CheckResult(good=fits, subject="size", text=size + mend),
        CheckResult(good=able.depth != "none" or None, subject="colors", text=f"{colors} colors{off}"),
        _widths(able.ambiguous),
        CheckResult(good=able.synchronized or None, subject="frames", text=f"synchronized output: {whole}"),
    ]


def _widths(ambiguous: int) -> CheckResult:
    """Report how wide the terminal draws signs whose width is a matter of its font."""
    if ambiguous == 1:
        return CheckResult(good=True, subject="widths", text="signs of ambiguous width take one cell")
    text = "signs of ambiguous width take two cells, so the map is drawn in ASCII; the terminal's settings can change that"
    return CheckResult(good=None, subject="widths", text=text)


def _unicode() -> CheckResult:
    if speaks_unicode():
        return CheckResult(good=True, subject="glyphs", text="Unicode")
    return CheckResult(good=None, subject="glyphs", text="ASCII; a UTF-8 locale such as C.UTF-8 gives more")


def _server() -> CheckResult:
    missing = [name for name in ("twisted", "tcod") if importlib.util.find_spec(name) is None]
    if missing:
        text = 'not installed, so only others\' servers can be played on; in a clone: pip install ".[server]"'
        return CheckResult(good=None, subject="server", text=text)
    return CheckResult(good=True, subject="server", text="installed: you can play in a private dungeon")


def _folder(data: Path) -> CheckResult:
    existing = next(folder for folder in (data, *data.parents) if folder.exists())
    if os.access(existing, os.W_OK):
        return CheckResult(good=True, subject="data", text=f"{data} can be written")
    return CheckResult(
        good=False, subject="data", text=f"{data} cannot be written; name another with --data or GLOAM_HOME"
    )


async def _network(address: Address, known: KnownServers) -> list[CheckResult]:
    try:
        line = await TlsConnector(known, remember=False).dial(address)
        text = (await ask_status(address, line)).words(address)
    except ConnectFailed as error:
        return [CheckResult(good=False, subject="network", text=error.text)]
    return [CheckResult(good=True, subject="network", text=text), _line(line)]


def _line(line: TrustedStream) -> CheckResult:
    """Report the encryption of a connection, and how its server is known."""
    if line.trust == "plain":
        return CheckResult(good=True, subject="connection", text="plain text, which stays on this machine")
    known = {
        "local": "it stays on this machine",
        "known": "the one that you met here before",
        "vouched": "a new one, which a certificate authority vouches for",
    }.get(
        line.trust, "you have not met it; its host's `gloam-server status` shows whether it is the right one"
    )
    good = None if line.trust == "new" else True
    return CheckResult(good=good, subject="connection", text=f"{line.version}, key {line.pin}: {known}")
