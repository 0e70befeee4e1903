"""Confinement as a command: random keys on every screen of a visitor's client, while an audit hook looks on.

The client of a visitor dials the game server and no other address, writes into its own folder alone, and starts nothing.
"""

import argparse
import asyncio
import itertools
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from gloam_client.input import keymap
from gloam_client.input.bracketed_paste import Pasted
from gloam_client.input.mouse import MouseEvent
from gloam_client.user_files.address import Address
from gloam_door.identity import DoorKey
from gloam_door.player_folders import PlayerFolders
from gloam_door.surfaces.cell_surface import CellSurface
from gloam_door.upstream import SocketUpstream, Visitor
from gloam_door.visits import Arrival, Limits, Visit, Visits
from support.processes.server_process import ServerProcess
from support.simulation.randomness import Chance

SIZE: Final = (100, 30)
TEXTS: Final = (
    "127.0.0.1:22", "/password", "/link", "/../../etc/passwd", "$(touch x)", "localhost", "[::1]:7373", "gloam.example/abcdef", "Ann", "\x1b[2J",
)  # fmt: skip
STARTS: Final = frozenset({"os.exec", "os.fork", "os.forkpty", "os.kill", "os.killpg", "os.posix_spawn", "os.spawn", "os.system", "pty.spawn", "subprocess.Popen"})  # fmt: skip
NAMES: Final = frozenset(
    {"socket.getaddrinfo", "socket.gethostbyaddr", "socket.gethostbyname", "socket.bind"}
)
CHANGES: Final = frozenset({"os.chmod", "os.chown", "os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.symlink", "os.truncate", "os.utime", "shutil.rmtree"})  # fmt: skip
WRITES: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
RESTART_AFTER: Final = 500
"""Keys after which a visit ends and another begins: the first screens are as important as the last."""


class Watch:
    """Notes what is forbidden: anything but the one socket, and writing into the one folder."""

    def __init__(self, socket: Path, folder: Path) -> None:
        self.faults: Counter[str] = Counter()
        self.dialed = 0
        self._socket = str(socket)
        self._folder = str(folder)

    def hear(self, event: str, args: tuple[Any, ...]) -> None:
        """Take in an audit event."""
        if event == "socket.connect":
            if args[1] == self._socket:
                self.dialed += 1
            else:
                self.faults[f"dials {args[1]!r}"] += 1
        elif event == "open":
            path, flags = args[0], args[2]
            if flags & WRITES and not self._is_within(path):
                self.faults[f"writes {path!r}"] += 1
        elif event in CHANGES:
            if not all(
                self._is_within(path) for path in args[:2] if isinstance(path, str | bytes | os.PathLike)
            ):
                self.faults[f"{event} {args[:2]!r}"] += 1
        elif event in STARTS or event in NAMES:
            self.faults[f"{event} {args[:2]!r}"] += 1

    def _is_within(self, path: object) -> bool:
        if isinstance(path, int):
            return True  # a descriptor that is open already
        return os.path.realpath(os.fsdecode(path)).startswith(self._folder)  # type: ignore[arg-type]  # a path


class Monkey:
    """One visitor who presses random keys, in one visit after another."""

    def __init__(self, visits: Visits, chance: Chance) -> None:
        self._visits = visits
        self._chance = chance
        self._key = DoorKey(b"k" * 32)
        self.states: Counter[str] = Counter()

    async def press(self, count: int) -> None:
        """Press this number of keys."""
        pressed = 0
        for number in itertools.count():
            if pressed >= count:
                return
            name = self._chance.choice(("Anna", "Bert", "Cara")) if number % 2 else ""
            secret = self._chance.choice((b"a", b"b", b"c")) * 32
            arrival = Arrival(
                self._key.identify("web", secret), Visitor("web", "127.0.0.1"), name, titled=not name
            )
            surface = _taking(say=self._chance.random() < 0.2)
            visit = self._visits.begin(arrival, surface)
            visit.start()
            for _ in range(min(RESTART_AFTER, count - pressed)):
                self._press(visit, surface)
                pressed += 1
                await asyncio.sleep(0.02 if pressed % 50 == 0 else 0)
                if visit.over:
                    break
            if not visit.over:
                visit.end()
            while not visit.over:
                await asyncio.sleep(0.01)

    def _press(self, visit: Visit, surface: CellSurface) -> None:
        """Press a key that the screen knows, most often; else any, a text, or the mouse."""
        chance, model = self._chance, visit.app._model
        self.states[model.top.state] += 1
        known = [key for row in keymap.rows(model.options.keys, model.top.state) for key in row.keys]
        roll = chance.random()
        if roll < 0.6 and known:
            surface.press(chance.choice(known))
        elif roll < 0.9:
            surface.press(chance.choice(ALL_KEYS))
        elif roll < 0.95:
            surface.press(MouseEvent("left", chance.randrange(SIZE[0]), chance.randrange(SIZE[1])))
        else:
            surface.press(Pasted(chance.choice(TEXTS)))


def _taking(*, say: bool) -> CellSurface:
    """Return a surface whose page takes each frame immediately."""
    surface = CellSurface(SIZE, lambda _: surface.frames.taken(), say=say)
    return surface


ALL_KEYS: Final = sorted({key for row in keymap.table("vi") for key in row.keys} | set("abcdefghz 0-/"))


def confine(
    socket: Path, folder: Path, keys: int, seed: int, attend: Callable[[Watch], object]
) -> tuple[Watch, Monkey]:
    """Press keys at the server behind a socket; `attend` installs the hook."""
    watch = Watch(socket, folder)

    async def run() -> Monkey:
        folders = PlayerFolders(folder)
        with ThreadPoolExecutor(1) as writer:
            visits = Visits(SocketUpstream(socket), folders, Address("localhost"), writer, Limits())
            monkey = Monkey(visits, Chance(f"confine {seed}"))
            attend(watch)
            await monkey.press(keys)
            await visits.close()
        return monkey

    return watch, asyncio.run(run())


def main() -> int:
    """Confine, and tell; 1 when a key led out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--socket", type=Path, help="the door socket of a running server; without it one starts"
    )
    parser.add_argument("--keys", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    sys.dont_write_bytecode = True
    with ExitStack() as stack:
        folder = Path(os.path.realpath(stack.enter_context(tempfile.TemporaryDirectory())))
        socket = options.socket
        if socket is None:
            world = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "world"
            stack.enter_context(ServerProcess(world, "--door-socket", "door.sock", "--open"))
            socket = world / "door.sock"
        watch, monkey = confine(
            socket, folder, options.keys, options.seed, lambda each: sys.addaudithook(each.hear)
        )
        watched = {
            "keys": options.keys,
            "dialed": watch.dialed,
            "faults": watch.faults,
            "screens": monkey.states,
        }
        print(json.dumps(watched), flush=True)
        faults = sum(watch.faults.values())  # without the end of the server below
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
