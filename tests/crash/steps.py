"""kill -9 in what handles a world's files: founding, salvage, new tables, backup and restore.

`make crash` calls it, and the test does.

Each act is done in a child process. Half of the kills happen at its steps, one after another: whenever it opens,
renames or removes a file, or connects to a database. The others happen at moments that the seed decides. Then the act
is judged: the next start finds the old world or the new one, and the same realm in the same state as without a kill.
"""

import argparse
import gzip
import json
import logging
import os
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
import traceback
import zlib
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Final, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import msgspec
from msgspec.structs import replace

from gloam_server.app import config as settings
from gloam_server.app.config import WORLD_FILE
from gloam_server.app.open_world import open_world
from gloam_server.engine.recovery.replay import records, snapshot
from gloam_server.storage.errors import StorageError
from gloam_server.storage.sqlite.world_file.backup import backup, restore
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import EnterPlay, UnattendedTurn
from support.content.campaigns import arena_files
from support.simulation.randomness import Chance
from support.storage.writing import write

GOLDEN: Final = Path(__file__).parents[1] / "golden" / "worlds" / "issue-4.sqlite3.gz"
BEATS: Final = 40
NOW_S: Final = 2_000
_STEPS: Final = frozenset({"open", "os.rename", "os.remove", "sqlite3.connect"})
_DONE, _FAILED = 0, 1


class Act(NamedTuple):
    """Something that is done to a world, in a folder that `prepare` makes. `judge` returns what the realm is afterwards."""

    prepare: Callable[[Path], None]
    do: Callable[[Path], object]
    judge: Callable[[Path], str]


def started(folder: Path) -> str:
    """Start a server on a folder's world and stop it; return the realm and its state."""
    store, dungeon = open_world(_config(folder), NOW_S)
    identity = store.directory.identity()
    store.close()
    left = sorted(file.name for file in (folder / "data").iterdir())
    assert not [name for name in left if ".new" in name or ".salvaged" in name or "unfinished" in name], left
    assert identity is not None
    return f"{identity.campaign} {identity.seed} {dungeon.state_hash().hex()}"


def _config(folder: Path) -> settings.Config:
    named: dict[str, object] = {"campaign": f"{folder}/arena"} if (folder / "arena").exists() else {}
    if not (folder / GOLDEN.name).exists():
        named["seed"] = 1
    resolved = settings.resolve(folder / "data", {**named, "port": 0}, private=False)
    return replace(resolved, exact_seed=True)


def _empty(folder: Path) -> None:
    (folder / "arena").mkdir(parents=True)
    for name, body in arena_files(monsters=4).items():
        (folder / "arena" / name).write_bytes(body)


def _lived_in(folder: Path) -> None:
    """Make a world that was killed: the newest of it is in its log alone."""
    _empty(folder)
    started(folder)
    store, dungeon = open_world(_config(folder), 1_000)
    for beat in range(BEATS):
        if beat == 3:
            dungeon.apply_input(REALM_PARTITION, EnterPlay(1, "Ann"))
        for partition in dungeon.levels:
            dungeon.apply_input(partition, UnattendedTurn())
        kept = [snapshot(dungeon, partition) for partition in dungeon.partitions()] if beat % 15 == 14 else []
        write(store, records(dungeon.take_batch().applied), kept)
    (folder / "killed").mkdir()
    for file in (folder / "data").glob(f"{WORLD_FILE}*"):
        shutil.copyfile(file, folder / "killed" / file.name)
    store.close()
    shutil.rmtree(folder / "data")
    (folder / "killed").rename(folder / "data")


def _damaged(folder: Path) -> None:
    """Make a world with one bad page, of which something can be salvaged."""
    _lived_in(folder)
    world = folder / "data" / WORLD_FILE
    body = world.read_bytes()
    for at in range(4_096, len(body), 4_096):
        trial = folder.with_name(f"{folder.name}-trial")
        shutil.copytree(folder, trial)
        bad = body[:at] + bytes(64) + body[at + 64 :]
        (trial / "data" / WORLD_FILE).write_bytes(bad)
        salvaged = False
        with suppress(StorageError):
            started(trial)
            salvaged = any((trial / "data").glob("world.damaged-*"))
        shutil.rmtree(trial)
        if salvaged:
            world.write_bytes(bad)
            return
    raise AssertionError("no page can be damaged so that something is salvaged")


def _golden(folder: Path) -> None:
    (folder / "data").mkdir(parents=True)
    world = folder / "data" / WORLD_FILE
    world.write_bytes(gzip.decompress(GOLDEN.read_bytes()))
    with closing(sqlite3.connect(f"{world.as_uri()}?mode=ro&immutable=1", uri=True)) as database:
        [(packed,)] = database.execute("SELECT files FROM contents")
    (folder / GOLDEN.name).touch()
    (folder / "arena").mkdir()
    for name, body in msgspec.msgpack.decode(zlib.decompress(packed), type=dict[str, bytes]).items():
        (folder / "arena" / name).write_bytes(body)


def _backed_up(folder: Path) -> None:
    _lived_in(folder)
    backup(folder / "data" / WORLD_FILE, folder / "copy")
    shutil.rmtree(folder / "data")


def _judged_copy(folder: Path) -> str:
    """The copy is whole or not there; in either case the world is as it was and can be copied."""
    result = started(folder)
    if not (folder / "copy").exists():
        backup(folder / "data" / WORLD_FILE, folder / "copy")
    shutil.rmtree(folder / "data")
    restore(folder / "copy", folder / "data" / WORLD_FILE)
    assert started(folder) == result
    return result


def _judged_restore(folder: Path) -> str:
    """The world is whole or not there, and then no other takes its place."""
    if not (folder / "data" / WORLD_FILE).exists():
        if any((folder / "data").glob("*unfinished*")):
            with suppress(StorageError):
                started(folder)
                raise AssertionError("a new realm was founded where one was being restored")
        restore(folder / "copy", folder / "data" / WORLD_FILE)
    return started(folder)


ACTS: Final = {
    "salvage": Act(_damaged, started, started),
    "found": Act(_empty, started, started),
    "new tables": Act(_golden, started, started),
    "backup": Act(
        _lived_in, lambda folder: backup(folder / "data" / WORLD_FILE, folder / "copy"), _judged_copy
    ),
    "restore": Act(
        _backed_up, lambda folder: restore(folder / "copy", folder / "data" / WORLD_FILE), _judged_restore
    ),
}


class Steps:
    """Kills one act again and again, each time in a folder of its own."""

    def __init__(self, act: Act, folder: Path, chance: Chance) -> None:
        self._act = act
        self._base = folder / "base"
        self._try = folder / "try"
        self._chance = chance
        act.prepare(self._base)
        shutil.copytree(self._base, self._try)
        self._count, self._seconds = self._measured()
        self._expected = self._judged()

    def kill(self, number: int, kills: int) -> bool:
        """Kill the act once, at a step or at a moment; raises AssertionError when the world is not what it was or becomes."""
        shutil.rmtree(self._try)
        shutil.copytree(self._base, self._try)
        steps = -(-kills // 2)
        if number < steps:
            killed = self._killed_at_step(1 + number * self._count // steps % self._count)
            assert killed, "the act had fewer steps than when they were counted"
        else:
            killed = self._killed_after(self._chance.uniform(0, self._seconds))
        found = self._judged()
        assert found == self._expected, f"the realm is {found}, and was {self._expected}"
        return killed

    def _measured(self) -> tuple[int, float]:
        """Do the act to its end; return how many steps it has, and how long it takes."""
        reading, writing = os.pipe()
        began = time.monotonic()

        def counted() -> None:
            count = [0]
            sys.addaudithook(lambda event, said: count.__setitem__(0, count[0] + self._is_step(event, said)))
            self._act.do(self._try)
            os.write(writing, str(count[0]).encode())

        assert _waited(_forked(counted)) == _DONE, "the act itself failed"
        os.close(writing)
        with os.fdopen(reading) as stream:
            return int(stream.read()), time.monotonic() - began

    def _killed_at_step(self, step: int) -> bool:
        def cut() -> None:
            left = [step]

            def hook(event: str, said: tuple[object, ...]) -> None:
                # `os.kill` is an audited event itself, so only a step may get as far as the kill.
                if self._is_step(event, said):
                    left[0] -= 1
                    if not left[0]:
                        os.kill(os.getpid(), signal.SIGKILL)

            sys.addaudithook(hook)
            self._act.do(self._try)

        return _waited(_forked(cut)) == -signal.SIGKILL

    def _killed_after(self, seconds: float) -> bool:
        child = _forked(lambda: self._act.do(self._try))
        time.sleep(seconds)
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        return _waited(child) == -signal.SIGKILL

    def _judged(self) -> str:
        """Judge in a process of its own, as a next start is one; and once more, for what it leaves must hold."""
        collected: list[str] = []
        for judge in (self._act.judge, started):
            reading, writing = os.pipe()
            child = _forked(lambda judge=judge, to=writing: os.write(to, judge(self._try).encode()))  # type: ignore[misc]
            os.close(writing)
            with os.fdopen(reading) as answer:
                collected.append(answer.read())
            assert _waited(child) == _DONE, "the world does not open: see above"
        assert collected[0] == collected[1]
        return collected[0]

    def _is_step(self, event: str, said: tuple[object, ...]) -> bool:
        return event in _STEPS and str(self._try) in str(said[0])


def _forked(work: Callable[[], object]) -> int:
    child = os.fork()
    if child:
        return child
    code = _FAILED
    try:
        work()
        code = _DONE
    except BaseException:  # noqa: BLE001  # no error may go on as the parent
        traceback.print_exc()
    finally:
        os._exit(code)


def _waited(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main() -> int:
    """Run, and tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200, help="in salvage; half as many in each other act")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--acts", nargs="*", choices=ACTS, default=list(ACTS))
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    logging.disable()
    killed: Counter[str] = Counter()
    for name in options.acts:
        kills = options.kills if name == "salvage" else max(1, options.kills // 2)
        with tempfile.TemporaryDirectory() as folder:
            steps = Steps(ACTS[name], Path(folder), Chance(options.seed))
            for number in range(kills):
                killed[name] += steps.kill(number, kills)
    summary = ", ".join(f"{count} in {name}" for name, count in killed.items())
    print(
        json.dumps(killed)
        if options.json
        else f"{killed.total()} kills of files' acts ({summary}): 0 worlds lost"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
