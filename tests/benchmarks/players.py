"""Honest players for `attack` and `crowd`, in a process of their own: each walks about, and notes how long each step took.

They are links without a picture: a screen costs nothing of the server's. Others may be beside them, who stand or explore.
Run as a program it takes a port, seconds, the number of walkers and their seconds between two steps, the number of others,
and what they do. It prints, for each step that was answered by a patch, when the patch arrived and how long that took,
in seconds of the monotonic clock.
"""

import gc
import json
import selectors
import socket
import subprocess
import sys
import time
from pathlib import Path
from random import Random  # noqa: TID251  # seeded by each player's number
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import msgpack

from gloam_shared import limits
from gloam_shared.protocol.codec import encode
from gloam_shared.protocol.commands import Explore, Move
from gloam_shared.protocol.framing import Framer, FrameWriter
from gloam_shared.protocol.messages.login import Hello, Login
from gloam_shared.protocol.messages.play import Acknowledge, HeartbeatReply, SubmitCommand
from gloam_shared.protocol.registry import PROTOCOL_VERSION, FromClient

PLAN_EVERY_S = 0.1
SPREAD_S = 6.0
"""At first they walk as fast as they may, so that not everybody stands in the same hall."""
_WAYS = ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (-1, -1), (1, -1), (-1, 1))


class Player:
    """One player on one line."""

    def __init__(self, port: int, at: int, every_s: float = PLAN_EVERY_S) -> None:
        self._every_s = every_s
        self.times: list[tuple[float, float]] = []
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._framer = Framer(limits.FRAME_FROM_SERVER_MAX)
        self._frames = FrameWriter()
        self._chance = Random(at)
        self._number = 0
        self._sent_s: float | None = None
        self._next_s = 0.0
        self._spread_until_s = time.monotonic() + SPREAD_S
        self._way = self._chance.choice(_WAYS)
        self._patch = self._acked = 0
        self._in = False
        name = f"Guest{at}"
        self._send(
            Hello(PROTOCOL_VERSION, "bench"), Login(name, name.encode().ljust(limits.TOKEN_SIZE, b"."))
        )

    def read(self) -> None:
        """Take what arrived. Raises ConnectionError when the line is lost."""
        data = self.socket.recv(262_144)
        now_s = time.monotonic()
        if not data:
            raise ConnectionError("the server closed an honest player's line")
        for body in self._framer.feed(data):
            self._take(body, now_s)

    def act(self, now_s: float) -> None:
        """Step when it is time, or acknowledge what arrived."""
        if self._in and self._sent_s is None and now_s >= self._next_s:
            self._number += 1
            self._sent_s = time.monotonic()
            pause_s = 0.1 if now_s < self._spread_until_s else self._every_s * (0.5 + self._chance.random())
            self._next_s = self._sent_s + pause_s
            self._send(SubmitCommand(self._number, self._patch, Move(*self._way)))
            self._acked = self._patch
        elif self._patch > self._acked:
            self._acked = self._patch
            self._send(Acknowledge(self._patch))

    def _take(self, body: bytes, now_s: float) -> None:
        message = msgpack.unpackb(body)
        match message[0]:
            case 67:
                self._patch += 1
                done = message[2] if len(message) > 2 else 0
                if self._sent_s is not None and done >= self._number:
                    self.times.append((now_s, now_s - self._sent_s))
                    self._sent_s = None
            case 68 if message[1] == self._number:  # refused: rock is in the way
                self._sent_s = None
                self._way = self._chance.choice(_WAYS)
            case 66:
                self._in, self._number = True, max(self._number, message[2])
            case 73:
                self._send(HeartbeatReply(message[1]))
            case 76:
                raise ConnectionError(f"the server sent an honest player away: {message[1:]}")

    def _send(self, *messages: FromClient) -> None:
        self.socket.sendall(b"".join(self._frames.frame(encode(message)) for message in messages))


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


OTHERS: Final[dict[str, type[Player]]] = {"stand": Bystander, "explore": Explorer}


def play(
    port: int, seconds: float, walkers: int, every_s: float, others: int = 0, kind: str = "stand"
) -> list[tuple[float, float]]:
    """Let everybody play for so long; return when each step of a walker was answered, and how long that took."""
    honest = [Player(port, at, every_s) for at in range(walkers)]
    everybody = honest + [OTHERS[kind](port, walkers + at) for at in range(others)]
    gc.disable()  # our own pauses are not the server's
    end_s = time.monotonic() + seconds
    with selectors.DefaultSelector() as selector:
        for player in everybody:
            selector.register(player.socket, selectors.EVENT_READ, player)
        while (now_s := time.monotonic()) < end_s:
            for key, _ in selector.select(0.005):
                key.data.read()
            for player in everybody:
                player.act(now_s)
    return sorted(each for player in honest for each in player.times)


def start(program: str, *arguments: object) -> "subprocess.Popen[str]":
    """Start a program of this folder, whose output can be read."""
    command = [sys.executable, str(Path(__file__).with_name(program)), *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


if __name__ == "__main__":
    at, for_s, count, pause_s, beside, what = sys.argv[1:]
    print(json.dumps(play(int(at), float(for_s), int(count), float(pause_s), int(beside), what)))
