"""The commands that a held key may send: one under way, none behind it, none after danger, within the limit.

A terminal reports no release, only presses: the client recognizes a held key by their rhythm. A key pressed twice on
purpose waits behind the first.
"""

from typing import Final

from gloam_client.net.protocol_client import ProtocolClient
from gloam_shared import limits
from gloam_shared.protocol.commands import AnyCommand, Move
from gloam_shared.view.view import Stat, View

SPACING_MS: Final = 1_000 * 5 // (limits.COMMANDS_PER_S * 4)
"""The average interval between commands: it leaves a fifth of the server's rate limit to other messages."""
BURST: Final = limits.COMMANDS_BURST // 2
"""The number of commands that may go out in one burst."""
_HELD_MS: Final = (10, 100)
"""The time between two presses of a held key; terminals repeat every 20 to 50 ms, pasted keys arrive without a gap."""
_HELD_TIMES: Final = 2
"""After this number of such intervals in a row the key counts as held: no one types so fast."""


class KeyRepeat:
    """Limits the commands from keys, so that the body stops within a step after a key is released."""

    def __init__(self, link: ProtocolClient) -> None:
        self._link = link
        self._next: AnyCommand | None = None
        self._hp = 0
        self._held = False
        self._level_ms = 0
        self._pressed: AnyCommand | None = None
        self._pressed_ms = 0
        self._rhythm = 0

    def due_ms(self, now_ms: int) -> int | None:
        """Return when `tick` can send the command that waits for the rate limit.

        None without such a command.
        """
        if self._next is None or self._same_under_way(self._next):
            return None
        return max(now_ms, self._level_ms - (BURST - 1) * SPACING_MS)

    def press(self, command: AnyCommand, now_ms: int) -> None:
        """Send a command immediately; it waits if the same command is under way or the rate limit is reached.

        A held key waits for nothing: its next press sends the next command, so that the body takes no further step
        after the one under way when the key is released, on a slow line, too.
        """
        held = self._is_held(command, now_ms)
        if not self._same_under_way(command):
            self._next = None
            self._send(command, now_ms)
        elif held:
            self._next = None
        elif not self._link.pace.waiting:
            self._next = command

    def tick(self, now_ms: int) -> None:
        """Send the command that waited for the rate limit."""
        if self._next is not None and not self._same_under_way(self._next):
            self._send(self._next, now_ms)

    def state_changed(self, view: View, now_ms: int) -> None:
        """Handle new messages: drop the waiting command if danger grew, else send it if it is due."""
        hp, held = view.fact(Stat.HP), self._link.pace.held
        if hp < self._hp or (held and not self._held):
            self._next = None
        self._hp, self._held = hp, held
        if self._next is not None and self._link.unanswered is None:
            self._send(self._next, now_ms)

    def _is_held(self, command: AnyCommand, now_ms: int) -> bool:
        """Note a press; return whether its key is held down."""
        least, most = _HELD_MS
        again = self._pressed is not None and _same(self._pressed, command)
        self._rhythm = self._rhythm + 1 if again and least <= now_ms - self._pressed_ms <= most else 0
        self._pressed, self._pressed_ms = command, now_ms
        return self._rhythm >= _HELD_TIMES

    def _same_under_way(self, command: AnyCommand) -> bool:
        under_way = self._link.unanswered
        return under_way is not None and _same(under_way.command, command)

    def _send(self, command: AnyCommand, now_ms: int) -> None:
        """Send the command, or keep it until the rate limit permits it; a newer one replaces it."""
        if self._level_ms - now_ms > (BURST - 1) * SPACING_MS:
            self._next = command
            return
        self._next = None
        self._level_ms = max(self._level_ms, now_ms) + SPACING_MS
        self._link.command(command, now_ms)


def _same(under_way: AnyCommand, wanted: AnyCommand) -> bool:
    """Return whether a held key asks for the command that is under way; only its first step may dig."""
    if isinstance(under_way, Move) and isinstance(wanted, Move):
        return (under_way.dx, under_way.dy) == (wanted.dx, wanted.dy)
    return under_way == wanted
