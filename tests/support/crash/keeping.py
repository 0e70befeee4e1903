"""Kills of salvage, upgrade and backup: real processes on copies of a world, while the real one plays on.

What each would have led to unharmed is found out first. After the kill, the next start must lead there all the same.
"""

import contextlib
import os
import sqlite3
import time
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Final

from gloam_server.app.campaign_files import read_campaign, read_files
from gloam_server.app.config import resolve
from gloam_server.app.open_world import open_world
from gloam_server.app.upgrade import upgrade
from gloam_server.engine.recovery.replay import verify
from gloam_server.storage.open_store import open_store
from support.crash.auditor import WORLD, copied
from support.processes.server_forks import ForkedServer
from support.processes.server_process import clean_environment
from support.simulation.randomness import Chance

NOW_S: Final = 1_900_000_000
_PATIENCE_S: Final = 60.0

Rows = set[tuple[int, int, bytes]]
_FORK: Final = get_context("fork")
"""A start in a process of its own, without what a program takes to load: most of its life is what is to be met."""


class Keeping:
    """Scenes with the copy of one world; `inside` counts the kills that left a salvage half done."""

    def __init__(self, campaign: str, chance: Chance, scratch: Path) -> None:
        self._campaign = campaign
        self._chance = chance
        self._scratch = scratch
        self.inside = 0

    def salvage(self, world: Path, kills: int) -> None:
        """Kill starts that salvage a damaged world; the next must lead to what is left of it, and to no other world."""
        damaged = self._copy(world, "damaged")
        if not self._spoil_a_record(damaged / WORLD):
            self.start(world)
            return
        expected = _woken(self._copy(damaged, "whole"))
        assert _damaged_in(self._scratch / "whole"), "nothing was salvaged"
        for _ in range(kills):
            killed = self._copy(damaged, "killed")
            start = _FORK.Process(target=_woken, args=(killed,))
            start.start()
            self._kill(start, self._chance.choice((_changes_in, _salvaging))(killed))
            self.inside += _is_half_salvaged(killed)
            found = _woken(killed)
            assert found == expected, f"after a kill in salvage the world is {found}, and not {expected}"
            assert len(_damaged_in(killed)) == 1, "the damaged file is kept once"

    def start(self, world: Path) -> None:
        """Kill a start; the next must lead to the same world."""
        whole = self._copy(world, "whole-before")
        expected = _woken(self._copy(whole, "whole"))
        killed = self._copy(whole, "killed")
        self._kill(_begun("run", "--data", str(killed), "--port", "0"), _changes_in(killed))
        assert _woken(killed) == expected

    def upgrade(self, world: Path) -> None:
        """Kill an upgrade; another must lead to what the first would have led to."""
        old = self._copy(world, "old")
        files = self._changed_files()
        expected = _upgraded(self._copy(old, "whole"), files, NOW_S)
        killed = self._copy(old, "killed")
        upgrading = _begun("upgrade", "--data", str(killed), "--campaign", str(files))
        self._kill(upgrading, _changes_in(killed))
        assert _upgraded(killed, files, NOW_S + 1) == expected

    def backup_begins(self, data: Path) -> ForkedServer:
        """Begin a backup of a world that is being played in."""
        self._backup.unlink(missing_ok=True)
        return _begun("backup", str(self._backup), "--data", str(data))

    def look_at_backup(self, world: Path) -> None:
        """A backup that has its name is whole, and nothing in it is unknown to the world. One that has none is none."""
        if not self._backup.exists():
            return
        store = open_store(self._backup)
        try:
            replayed, _ = verify(store, read_campaign(self._campaign))
        finally:
            store.close()
        rows = _rows(self._backup)
        assert replayed >= 0
        assert rows <= _rows(world / WORLD), "a backup holds inputs that the world has not"

    @property
    def _backup(self) -> Path:
        return self._scratch / "backup.sqlite3"

    def _kill(self, process: BaseProcess | ForkedServer, begun: Callable[[], bool]) -> None:
        """Kill a process some time after it has begun to write, most often soon."""
        end = time.monotonic() + _PATIENCE_S
        while not _has_ended(process) and not begun() and time.monotonic() < end:
            time.sleep(0.0005)
        time.sleep(self._chance.choice((0, 0.02, 0.1, 0.4)) * self._chance.random())
        process.kill()
        process.join() if isinstance(process, BaseProcess) else process.wait()

    def _spoil_a_record(self, world: Path) -> bool:
        """Change a byte of a record that a start replays; return whether there is one."""
        query = (
            "SELECT place, sequence, body FROM journal WHERE sequence > (SELECT max(sequence) FROM snapshots "
            "WHERE snapshots.place = journal.place) ORDER BY place, sequence"
        )
        with contextlib.closing(sqlite3.connect(world)) as database:
            rows = database.execute(query).fetchall()
            if not rows:
                return False
            partition, sequence, body = self._chance.choice(rows)
            at = self._chance.randrange(len(body))
            spoiled = body[:at] + bytes((body[at] ^ 0x55,)) + body[at + 1 :]
            database.execute(
                "UPDATE journal SET body = ? WHERE place = ? AND sequence = ?", (spoiled, partition, sequence)
            )
            database.commit()
        return True

    def _changed_files(self) -> Path:
        """Return a folder with another version of the campaign."""
        folder = self._scratch / "campaigns" / self._campaign
        if not folder.exists():
            folder.mkdir(parents=True)
            for name, body in read_files(self._campaign).items():
                (folder / name).write_bytes(body + b"\n# changed\n")
        return folder

    def _copy(self, world: Path, name: str) -> Path:
        self._scratch.mkdir(exist_ok=True)
        copied(world, self._scratch / name)
        return self._scratch / name


def _woken(folder: Path) -> tuple[bytes, dict[int, int]]:
    """Let a start open a folder's world; return its state's hash, and how far each of its places is."""
    store, dungeon = open_world(resolve(folder, private=False), NOW_S)
    store.close()
    return dungeon.state_hash(), {
        partition: dungeon.sequence(partition) for partition in dungeon.partitions()
    }


def _upgraded(folder: Path, files: Path, now_s: int) -> bytes:
    """Upgrade a world, as far as that is not done, and return the hash to which it is replayed."""
    upgrade(folder / WORLD, str(files), now_s)
    store = open_store(folder / WORLD)
    try:
        return verify(store, read_campaign(str(files)))[1]
    finally:
        store.close()


def _changes_in(folder: Path) -> Callable[[], bool]:
    """Return a function that says whether anything in a folder has changed since this call."""

    def seen() -> dict[str, tuple[int, int]]:
        found = {}
        for entry in os.scandir(folder):
            with contextlib.suppress(FileNotFoundError):
                status = entry.stat()
                found[entry.name] = (status.st_mtime_ns, status.st_size)
        return found

    before = seen()
    return lambda: seen() != before


def _names(folder: Path) -> list[str]:
    return [entry.name for entry in os.scandir(folder)]


def _salvaging(folder: Path) -> Callable[[], bool]:
    """Return a function that says whether a salvage has begun to write in a folder."""
    return lambda: any(word in name for name in _names(folder) for word in (".new", ".damaged-"))


def _is_half_salvaged(folder: Path) -> bool:
    """Return whether a salvage was cut off between its first file and its last step."""
    names = _names(folder)
    return WORLD not in names or any(word in name for name in names for word in (".new", ".salvaged-"))


def _rows(world: Path) -> Rows:
    with contextlib.closing(sqlite3.connect(world)) as database:
        return set(database.execute("SELECT place, sequence, body FROM journal"))


def _damaged_in(folder: Path) -> list[Path]:
    return list(folder.glob("world.damaged-*.sqlite3"))


def _has_ended(process: BaseProcess | ForkedServer) -> bool:
    return (process.exitcode if isinstance(process, BaseProcess) else process.poll()) is not None


def _begun(*words: str) -> ForkedServer:
    """Begin a command of gloam-server."""
    with Path(os.devnull).open("wb") as nothing:
        return ForkedServer([*words], nothing.fileno(), clean_environment(), nothing.fileno())
