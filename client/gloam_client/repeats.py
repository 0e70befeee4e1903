"""What a held key may send: one command under way, one behind it, and none after danger. No clock, no I/O."""

from gloam_client.link import Link
from gloam_shared.commands import AnyCommand, Move
from gloam_shared.view import Fact, View


class Repeats:
    """Stands between keys and link, so that letting go of a key stops the body within a step."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._next: AnyCommand | None = None
        self._hp = 0
        self._held = False

    def want(self, command: AnyCommand, now_ms: int) -> None:
        """Send a command at once, unless the very same is under way: then it follows when that is answered."""
        under_way = self._link.unanswered
        if under_way is None or not _same(under_way.command, command):
            self._next = None
            self._link.command(command, now_ms)
        elif not self._link.pace.waiting:
            self._next = command

    def heard(self, view: View, now_ms: int) -> None:
        """After messages came: forget what waits here if danger grew, or else send it if its turn has come."""
        hp, held = view.fact(Fact.HP), self._link.pace.held
        if hp < self._hp or (held and not self._held):
            self._next = None
        self._hp, self._held = hp, held
        if self._next is not None and self._link.unanswered is None:
            command, self._next = self._next, None
            self._link.command(command, now_ms)


def _same(under_way: AnyCommand, wanted: AnyCommand) -> bool:
    """Return whether a key that is held goes on wanting what is under way; only its first step may dig."""
    if isinstance(under_way, Move) and isinstance(wanted, Move):
        return (under_way.dx, under_way.dy) == (wanted.dx, wanted.dy)
    return under_way == wanted
