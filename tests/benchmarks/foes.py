"""Attackers for `crowd`, in a process of their own: lines that say nothing, that drip, and that never read.

Or a player logs in and hangs up without end.

Each comes from an address of its own in 127.0.0.0/8, and dials again when the server has closed its line. On a real network
they would have machines of their own: here they are nice, and yield the processor.
"""

import os
import resource
import selectors
import socket
import sys
import time
from collections import Counter

from gloam_shared import limits
from gloam_shared.protocol.codec import encode
from gloam_shared.protocol.framing import FrameWriter, first_frame, frame
from gloam_shared.protocol.messages.login import Hello, Login
from gloam_shared.protocol.registry import PROTOCOL_VERSION

SILENT, DRIPPERS, READLESS = 10_000, 500, 200
_AGAIN_S = 5.0
"""A line that was closed is dialled again after so long."""
_DIALS_PER_TURN = 40
_TURN_S = 0.02
_DRIP_S = 1.0
_SPARE = 64


class Foe:
    """One attacker and their present line. `kind` is "silent", "dripping" or "readless"."""

    __slots__ = ("address", "due_s", "kind", "line", "name", "to_drip")

    def __init__(self, at: int, kind: str) -> None:
        self.kind = kind
        self.address = f"127.{101 + at // 62_500}.{at // 250 % 250}.{1 + at % 250}"
        self.line: socket.socket | None = None
        self.due_s = 0.0
        self.name = f"Foe{at}"
        self.to_drip = b""

    def dial(self, port: int) -> None:
        """Begin a line; it is there when it is there."""
        self.line = socket.socket()
        self.line.setblocking(False)
        if self.kind == "readless":
            self.line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        self.line.bind((self.address, 0))
        self.line.connect_ex(("127.0.0.1", port))
        self.to_drip = first_frame(encode(Hello(PROTOCOL_VERSION, "drip" * 15)))

    def log_in(self) -> None:
        """Say hello and log in, to be shown the dungeon; nothing of it will be read."""
        login = Login(self.name, self.name.encode().ljust(limits.TOKEN_SIZE, b"."))
        self.say(first_frame(encode(Hello(PROTOCOL_VERSION, "readless"))) + frame(encode(login)))

    def drip(self) -> None:
        """Send one byte more."""
        data, self.to_drip = self.to_drip[:1], self.to_drip[1:]
        self.say(data)

    def say(self, data: bytes) -> None:
        """Send, if the line takes it."""
        try:
            if self.line is not None:
                self.line.send(data)
        except OSError:
            return  # it shows as closed


def attack(port: int, seconds: float) -> Counter[str]:
    """Attack for so long; return how often lines of each kind were dialled and closed on us."""
    counts: Counter[str] = Counter()
    kinds = ["readless"] * READLESS + ["dripping"] * DRIPPERS + ["silent"] * SILENT
    foes = [Foe(at, kind) for at, kind in enumerate(kinds[: _affordable()])]
    waiting = foes[::-1]
    end_s = time.monotonic() + seconds
    drip_s = 0.0
    with selectors.DefaultSelector() as selector:
        while (now_s := time.monotonic()) < end_s:
            for _ in range(_DIALS_PER_TURN):
                if not waiting or waiting[-1].due_s > now_s:
                    break
                _dial(waiting.pop(), port, selector, counts)
            for key, events in selector.select(_TURN_S):
                _heed(key.data, events, selector, counts, waiting, now_s)
            if now_s - drip_s > _DRIP_S:
                drip_s = now_s
                for foe in foes[READLESS : READLESS + DRIPPERS]:
                    foe.drip()
            time.sleep(_TURN_S / 4)
    counts["foes"] = len(foes)
    return counts


def _dial(foe: Foe, port: int, selector: selectors.BaseSelector, counts: Counter[str]) -> None:
    foe.dial(port)
    counts[f"{foe.kind} dialled"] += 1
    assert foe.line is not None
    wanted = selectors.EVENT_WRITE if foe.kind == "readless" else selectors.EVENT_READ
    selector.register(foe.line, wanted, foe)


def _heed(
    foe: Foe,
    events: int,
    selector: selectors.BaseSelector,
    counts: Counter[str],
    waiting: list[Foe],
    now_s: float,
) -> None:
    """A line is there, or was closed: a closed one is dialled again later."""
    assert foe.line is not None
    if foe.kind == "readless" and events & selectors.EVENT_WRITE:
        selector.unregister(foe.line)  # from now on they look at it no more
        foe.log_in()
        return
    try:
        data = foe.line.recv(4_096)
    except BlockingIOError:
        return
    except OSError:
        data = b""
    if not data:
        counts[f"{foe.kind} closed"] += 1
        selector.unregister(foe.line)
        foe.line.close()
        foe.due_s = now_s + _AGAIN_S
        waiting.insert(0, foe)


def _affordable() -> int:
    """Return how many lines this process may have; its bound on descriptors is raised as far as it goes."""
    wanted = SILENT + DRIPPERS + READLESS + _SPARE
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, most), most))
    return min(wanted, most) - _SPARE


def come_and_go(port: int, until_s: float) -> int:
    """Log in and hang up again and again, as fast as the server answers; return how often that got anybody in."""
    name = "Flighty"
    login = Login(name, name.encode().ljust(limits.TOKEN_SIZE, b"."))
    frames = FrameWriter()
    hello = b"".join(frames.frame(encode(each)) for each in (Hello(PROTOCOL_VERSION, "bench"), login))
    came = 0
    while time.monotonic() < until_s:
        with socket.create_connection(("127.0.0.1", port), timeout=20) as line:
            line.sendall(hello)
            received = b""
            while b"\x42\xa7Flighty" not in received and b"come and go" not in received:
                try:
                    data = line.recv(65_536)
                except ConnectionResetError:  # the server hung up while our bytes were on their way
                    break
                if not data:
                    break
                received += data
            came += b"\x42\xa7Flighty" in received
    return came


if __name__ == "__main__":
    to, for_s = int(sys.argv[1]), float(sys.argv[2])
    if sys.argv[3:] == ["come"]:
        print(come_and_go(to, time.monotonic() + for_s))
    else:
        os.nice(10)
        print(dict(attack(to, for_s)))
