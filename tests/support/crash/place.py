"""The place of a run with faults: a server, and its cluster if it has one."""

import time
from contextlib import ExitStack
from pathlib import Path

from support.cluster.nats_cluster import NatsCluster
from support.cluster.postgres_server import PostgresServer
from support.crash.auditor import copied
from support.processes.cut_proxy import CutProxy
from support.processes.server_process import AS_A_HOST, ServerProcess, run_server_command

CUTS = ("cut-nats", "cut-postgres")
"""The faults that cut a server's lines to its cluster."""
SPLITS = ("split-leader", "split-pair")
"""The faults that cut lines between servers of NATS."""
_PATIENCE_S = 60
_VIEWS = 2


class Place:
    """A server with view processes and a standby, in a file or in a cluster of NATS (three) and PostgreSQL on this machine."""

    def __init__(
        self, folder: Path, stack: ExitStack, faults: frozenset[str], *, cluster: bool, campaign: str
    ) -> None:
        self.folder, self.data, self.campaign = folder, folder / "world", campaign
        self.store: str | None = None
        self.cuts: dict[str, list[CutProxy]] = {each: [] for each in CUTS}
        if cluster:
            proxies = not faults.isdisjoint(CUTS)
            self.nats = NatsCluster(
                folder / "nats", advertises=not proxies, splits=not faults.isdisjoint(SPLITS)
            )
            stack.callback(self.nats.kill)
            self.postgres = PostgresServer()
            stack.callback(self.postgres.remove)
            self._start_cluster()
            address = f"{self.nats.address('crash')},{self.postgres.address()}"
            if proxies:
                address = self._by_proxies(address)
            self.store = address
        self.data.mkdir()
        (self.data / "realm.toml").write_text("players_max = 1000\n")
        self.server = self._serve()
        stack.callback(self._stop)

    def restart(self) -> None:
        """Start everything again after all of it was killed."""
        if self.store is not None:
            self._start_cluster()
        self.server = self._serve()

    def export(self) -> Path:
        """Return the folder of a copy of the world, of the time when its server has stopped."""
        if self.store is None:
            return copied(self.data, self.folder / "copy")
        file, copy = self.folder / "world.sqlite3", self.folder / "copy"
        for words in (
            ("export", str(file), "--store", self.store),
            ("restore", str(file), "--data", str(copy)),
        ):
            until = time.monotonic() + _PATIENCE_S
            while (done := run_server_command(*words, timeout_s=600)).returncode:
                assert "NATS does not answer" in done.stderr, (
                    done.stderr
                )  # after a split it may elect leaders yet
                assert time.monotonic() < until, done.stderr
        return copy

    def _stop(self) -> None:
        self.server.stop()

    def _start_cluster(self) -> None:
        self.nats.start()
        self.postgres.start()

    def _by_proxies(self, address: str) -> str:
        for each in self.nats.servers:
            proxy = CutProxy(each.port)
            self.cuts["cut-nats"].append(proxy)
            address = address.replace(f"127.0.0.1:{each.port}", f"127.0.0.1:{proxy.port}")
        folder = self.folder / "pg"
        folder.mkdir()
        self.cuts["cut-postgres"].append(
            CutProxy(self.postgres.folder / ".s.PGSQL.5432", folder / ".s.PGSQL.5432")
        )
        return address.replace(str(self.postgres.folder), str(folder))

    def _serve(self) -> ServerProcess:
        store = () if self.store is None else ("--store", self.store)
        flags = ("--views", str(_VIEWS), "--standby", *store)
        return ServerProcess(self.data, *flags, campaign=self.campaign, seed=3, program=AS_A_HOST)
