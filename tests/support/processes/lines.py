"""The real client in lines of text, and a bot that plays by what these lines say and by nothing else."""

import re
import sys
import time
from pathlib import Path
from typing import Self

from support.processes.pty import PATIENCE_S, PtyTerminal

_QUIET_S = 0.15
STEP_KEYS = {
    "north": "k", "north-east": "u", "east": "l", "south-east": "n",
    "south": "j", "south-west": "b", "west": "h", "north-west": "y",
}  # fmt: skip
_FOE = re.compile(r"(?P<name>[a-z ]+), (?P<far>\d+) (?P<way>[a-z-]+), level \d+.*")
_HEALTH = re.compile(r"(?:\w+: h|H)ealth (\d+) of (\d+)")


class LineClient:
    """The client on a terminal that can only print lines."""

    def __init__(self, home: Path, *arguments: str) -> None:
        argv = [sys.executable, "-m", "gloam_client", *arguments, "--screen-reader"]
        self.pty = PtyTerminal(argv, {"GLOAM_HOME": str(home), "TERM": "dumb"}, answers=False)
        self._read = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.pty.close()

    @property
    def lines(self) -> list[str]:
        """Return all whole lines so far."""
        return self.pty.raw.decode().split("\r\n")[:-1]

    def wait_for(self, wanted: str) -> None:
        """Read until a new line holds a text."""
        deadline = time.monotonic() + PATIENCE_S
        while not any(wanted in line for line in self.lines[self._read :]):
            assert time.monotonic() < deadline, f"never said: {wanted!r}; last: {self.lines[-30:]}"
            self.pty.pump(0.05)

    def press(self, keys: str, until: str = "") -> list[str]:
        """Press keys, and return the lines that follow them: at least one with a text, then until it is quiet."""
        self._read = len(self.lines)
        self.pty.type(keys)
        if until:
            self.wait_for(until)
        else:
            self.pty.pump(1)
        while self.pty.pump(_QUIET_S):
            pass
        return self.lines[self._read :]


class LineBot:
    """Explores, opens doors, fights, heals itself, takes the stairs, and uses the prize."""

    def __init__(self, client: LineClient, prize: str, remedy: str) -> None:
        self._client = client
        self._prize, self._remedy = prize, remedy
        self._health = (1, 1)
        self._has_prize = False

    def play(self, turns: int) -> bool:
        """Play until the lines say that the game is won."""
        self._client.wait_for("Open:")
        for _ in range(turns):
            if any(line.startswith("You have won!") for line in self._client.lines):
                return True
            self._act(self._look())
        return False

    def _look(self) -> list[str]:
        """Ask for status and surroundings; leave a window that is open, or begin the next life."""
        last = "\n".join(self._client.lines[-4:])
        if "Keys:" in last:
            self._client.press("\r" if "Enter new life" in last else "\x1b")
        said = self._client.press("sX", "Open:")
        found = [match for line in said if (match := _HEALTH.match(line))]
        if found:
            self._health = (int(found[-1][1]), int(found[-1][2]))
        return said

    def _act(self, said: list[str]) -> None:
        foes = [match for line in said if (match := _FOE.fullmatch(line)) and "asleep" not in line]
        here = " ".join(line for line in said if line.startswith("Here:"))
        doors = [line.split()[-1] for line in said if line.startswith("closed door, 1 ")]
        if foes:
            self._fight(foes[0])
        elif self._has_prize:
            self._choose("q", self._remedy)
            self._choose("a", "end this life in glory")
        elif self._prize in here.casefold() or self._remedy in here.casefold():
            self._has_prize = self._prize in here.casefold()
            self._client.press(",")
        elif any(line.startswith((self._prize, self._remedy)) for line in said):
            wanted = self._prize if any(line.startswith(self._prize) for line in said) else self._remedy
            self._client.press(f"/{wanted}\r")
        elif doors and doors[0] in STEP_KEYS:
            self._client.press(STEP_KEYS[doors[0]])
        else:
            self._explore()

    def _fight(self, foe: re.Match[str]) -> None:
        health, most = self._health
        if health * 2 < most and self._choose("q", self._remedy):
            return
        self._client.press(STEP_KEYS[foe["way"]] if foe["far"] == "1" else ".")

    def _explore(self) -> None:
        if any("nothing left to explore" in line for line in self._client.press("o")):
            self._client.press(">")
            self._client.press(">")

    def _choose(self, key: str, words: str) -> bool:
        """Open a list and take the line with these words by its letter."""
        for line in self._client.press(key):
            letter, dash, rest = line.removeprefix("Marked: ").partition(" - ")
            if dash and len(letter) == 1 and words in rest:
                self._client.press(letter)
                return True
        return False
