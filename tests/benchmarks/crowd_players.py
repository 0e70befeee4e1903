"""A crowd for `crowd`, in a process of its own: honest walkers, whose steps are timed, and others.

The others stand, explore, or join and leave.

Run as a program it takes a port, seconds, how many of the others, and what they do; it prints as `players` does, and
how often someone joined.
"""

import gc
import json
import selectors
import socket
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.players import Player
from gloam_shared import limits
from gloam_shared.protocol.codec import encode
from gloam_shared.protocol.commands import Explore
from gloam_shared.protocol.framing import FrameWriter
from gloam_shared.protocol.messages.login import Hello, Login
from gloam_shared.protocol.messages.play import Acknowledge, SubmitCommand
from gloam_shared.protocol.registry import PROTOCOL_VERSION

HONEST = 4
PLAN_EVERY_S = 0.1


class Bystander(Player):
    """Stands, and only shows that the line stands."""

    def act(self, now_s: float) -> None:
        """Acknowledge what arrived."""
        self._next_s = now_s
        if self._patch > self._acked:
            self._acked = self._patch
            self._send(Acknowledge(self._patch))


class Explorer(Bystander):
    """Asks ten times a second to explore, with any answer."""

    def act(self, now_s: float) -> None:
        """Ask once more when it is time."""
        if not self._in or now_s < self._next_s:
            super().act(self._next_s)
            return
        self._next_s = max(self._next_s + PLAN_EVERY_S, now_s)
        self._number += 1
        self._acked = self._patch
        self._send(SubmitCommand(self._number, self._patch, Explore()))


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


def play(port: int, seconds: float, count: int, kind: str) -> list[tuple[float, float]]:
    """Let the crowd be there for so long; return when each honest step was sent and how long its answer took."""
    others: type[Player] = Explorer if kind == "explore" else Bystander
    players = [Player(port, at) for at in range(HONEST)] + [others(port, HONEST + at) for at in range(count)]
    gc.disable()  # our own pauses are not the server's
    end_s = time.monotonic() + seconds
    with selectors.DefaultSelector() as selector:
        for player in players:
            selector.register(player.socket, selectors.EVENT_READ, player)
        while (now_s := time.monotonic()) < end_s:
            for key, _ in selector.select(0.005):
                key.data.read()
            for player in players:
                player.act(now_s)
    return sorted(each for player in players[:HONEST] for each in player.times)


if __name__ == "__main__":
    at, for_s, others, what = int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    if what == "come":
        print(come_and_go(at, time.monotonic() + for_s))
    else:
        print(json.dumps(play(at, for_s, others, what)))
