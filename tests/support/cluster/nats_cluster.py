"""Three real NATS servers on this machine that keep three copies of each stream, with or without TLS."""

import json
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from support.cluster.nats_server import NatsServer
from support.cluster.postgres_server import LACKING
from support.processes.addresses import free_port
from support.processes.cut_proxy import CutProxy

_PATIENCE_S = 60
_NOWHERE = "127.0.0.1:1"
"""The address that servers tell others of each other, where lines between them can be cut: no one listens there."""


class NatsCluster:
    """Servers that know each other. `settings` are lines of their configuration, `tls` the settings of TLS between them.

    Those that advertise tell their clients of each other. With `splits` each dials the others through proxies.
    """

    def __init__(
        self,
        folder: Path,
        settings: str = "",
        tls: str = "",
        *,
        advertises: bool = True,
        splits: bool = False,
    ) -> None:
        ports = [free_port() for _ in range(3)]
        self._lines = {(a, b): CutProxy(ports[b]) for a in range(3) for b in range(3) if splits and a != b}
        encrypted = f"\ntls {{ {tls} }}" if tls else ""
        encrypted += f'\nadvertise: "{_NOWHERE}"' if splits else ""
        hidden = "" if advertises else "\nno_advertise: true\n"
        self._scheme = "tls" if tls else "nats"
        self.servers = [
            NatsServer(
                folder / f"n{at}",
                f'server_name: n{at}\ncluster {{ name: test, listen: "127.0.0.1:{port}", routes: [{self._routes(at, ports)}] {encrypted} {hidden} }}\n'
                f"{settings}",
            )
            for at, port in enumerate(ports)
        ]

    def start(self) -> "NatsCluster":
        """Start all servers, and wait until they have elected a leader."""
        for each in self.servers:
            each.start()
        self.wait_until_whole()
        return self

    def wait_until_whole(self) -> None:
        """Wait until each server says that it follows a leader, and that its copies are current."""
        until = time.monotonic() + _PATIENCE_S
        while not self.is_whole():
            assert time.monotonic() < until, "the servers of NATS elect no leader"
            time.sleep(0.1)

    def is_whole(self) -> bool:
        """Return whether each server follows a leader, and its copies are current."""
        return all(_is_healthy(each) for each in self.servers)

    def address(self, realm: str, options: str = "", user: str = "", *, by: NatsServer | None = None) -> str:
        """Return the first half of a store's address: of all servers, or by one through which a client finds the others."""
        named = f"{user}@" if user else ""
        entrances = [by] if by is not None else self.servers
        servers = ",".join(f"{self._scheme}://{named}127.0.0.1:{each.port}" for each in entrances)
        monitors = "&".join(f"monitor={each.monitor}" for each in self.servers)
        return f"{servers}/{realm}?replicas=3&{monitors}{f'&{options}' if options else ''}"

    def split(self, one: NatsServer, *others: NatsServer) -> None:
        """Let nothing pass between a server and others, as if the network lost it all."""
        at, rest = self.servers.index(one), {self.servers.index(each) for each in others}
        for (a, b), line in self._lines.items():
            if (a == at and b in rest) or (b == at and a in rest):
                line.hold()

    def join(self) -> None:
        """Let everything pass again: all dial each other again."""
        for each in self._lines.values():
            each.cut()

    def leader(self, stream: str) -> NatsServer:
        """Return the server that leads the copies of a stream."""
        until = time.monotonic() + _PATIENCE_S
        while time.monotonic() < until:
            for each in self.servers:
                if each.runs and (name := _leader_by(each, stream)):
                    return self.servers[int(name.removeprefix("n"))]
            time.sleep(0.1)
        raise AssertionError(f"the stream {stream} has no leader")

    def follower(self, stream: str) -> NatsServer:
        """Return a server that only follows the leader of a stream."""
        leader = self.leader(stream)
        return next(each for each in self.servers if each is not leader and each.runs)

    def kill(self) -> None:
        """End all servers as a power cut would."""
        for each in self.servers:
            if each.runs:
                each.send(signal.SIGCONT)
            each.kill()
        for line in self._lines.values():
            line.cut()

    def _routes(self, at: int, ports: list[int]) -> str:
        """Return the addresses at which a server dials the others."""
        dialed = [self._lines[at, b].port for b in range(3) if b != at] if self._lines else ports
        return ", ".join(f'"nats-route://127.0.0.1:{port}"' for port in dialed)


@contextmanager
def nats_cluster(
    folder: Path, settings: str = "", tls: str = "", *, splits: bool = False
) -> Iterator[NatsCluster]:
    """Yield three running servers, and end them; skip the test where their client is not installed."""
    pytest.importorskip("nats", reason=LACKING)
    made = NatsCluster(folder, settings, tls, splits=splits)
    try:
        yield made.start()
    finally:
        made.kill()


def _is_healthy(server: NatsServer) -> bool:
    try:
        with urlopen(f"{server.monitor}/healthz", timeout=5) as answer:
            found: bool = json.load(answer)["status"] == "ok"
    except OSError:
        return False
    return found


def _leader_by(server: NatsServer, stream: str) -> str:
    """Return the name of a stream's leader as one server knows it."""
    try:
        with urlopen(f"{server.monitor}/jsz?accounts=true&streams=true", timeout=5) as answer:
            accounts = json.load(answer)["account_details"]
    except OSError:
        return ""
    for account in accounts:
        for each in account.get("stream_detail", []):
            if each["name"] == stream:
                return str(each.get("cluster", {}).get("leader", ""))
    return ""
