"""What a held key may send: one command under way, one behind it, none after danger, and no more than the server takes."""

from typing import Final

from gloam_client.net.protocol_client import ProtocolClient
from gloam_shared import limits
from gloam_shared.protocol.commands import AnyCommand, Move
from gloam_shared.view.view import Stat, View

SPACING_MS: Final = 1_000 * 5 // (limits.COMMANDS_PER_S * 4)
"""In the long run commands go out so far apart: they leave a fifth of what the server takes to all other messages."""
BURST: Final = limits.COMMANDS_BURST // 2
"""The number of commands that may go out at once."""


class KeyRepeat:
    """Stands between keys and link, so that letting go of a key stops the body within a step."""

    def __init__(self, link: ProtocolClient) -> None:
        self._link = link
        self._next: AnyCommand | None = None
        self._hp = 0
        self._held = False
        self._level_ms = 0

    def due_ms(self, now_ms: int) -> int | None:
        """Return when `tick` has a command to send that had to wait for the limit; None when it has none."""
        if self._next is None or self._same_under_way(self._next):
            return None
        return max(now_ms, self._level_ms - (BURST - 1) * SPACING_MS)

    def press(self, command: AnyCommand, now_ms: int) -> None:
        """Send a command at once, unless the very same is under way, or too many went out: then it follows."""
        if not self._same_under_way(command):
            self._next = None
            self._send(command, now_ms)
        elif not self._link.pace.waiting:
            self._next = command

    def tick(self, now_ms: int) -> None:
        """Send what had to wait for the limit."""
        if self._next is not None and not self._same_under_way(self._next):
            self._send(self._next, now_ms)

    def state_changed(self, view: View, now_ms: int) -> None:
        """After messages came: forget what waits here if danger grew, or else send it if its turn has come."""
        hp, held = view.fact(Stat.HP), self._link.pace.held
        if hp < self._hp or (held and not self._held):
            self._next = None
        self._hp, self._held = hp, held
        if self._next is not None and self._link.unanswered is None:
            self._send(self._next, now_ms)

    def _same_under_way(self, command: AnyCommand) -> bool:
        under_way = self._link.unanswered
        return under_way is not None and _same(under_way.command, command)

    def _send(self, command: AnyCommand, now_ms: int) -> None:
        """Send it, or keep it until the limit lets it through; the newest replaces it."""
        if self._level_ms - now_ms > (BURST - 1) * SPACING_MS:
            self._next = command
            return
        self._next = None
        self._level_ms = max(self._level_ms, now_ms) + SPACING_MS
        self._link.command(command, now_ms)


def _same(under_way: AnyCommand, wanted: AnyCommand) -> bool:
    """Return whether a key that is held goes on wanting what is under way; only its first step may dig."""
    if isinstance(under_way, Move) and isinstance(wanted, Move):
        return (under_way.dx, under_way.dy) == (wanted.dx, wanted.dy)
    return under_way == wanted
