"""Open invites to parties. They are kept in memory alone: a restart ends them, and a flood of them writes nothing.

The caller gives the time, in whole milliseconds; memory is bounded.
"""

from typing import Final, NamedTuple

from gloam_shared import limits

_OPEN_MS: Final = limits.PARTY_INVITE_S * 1_000
_IGNORED_MS: Final = limits.PARTY_IGNORE_S * 1_000
_KEPT_MAX: Final = 10_000

TOO_MANY: Final = f"{limits.PARTY_INVITES_MAX} of your invites are open; wait until one is answered."


class Invite(NamedTuple):
    """An invite from one account to another, until a moment."""

    host: int
    guest: int
    until_ms: int


class OpenInvites:
    """The open invites, and which of them a player declined or did not answer."""

    def __init__(self) -> None:
        self._open: list[Invite] = []
        self._ignored_until_ms: dict[tuple[int, int], int] = {}

    def invite(self, host: int, guest: int, guest_name: str, now_ms: int) -> str:
        """Open an invite; return why not as a sentence for the host, "" if it is open now."""
        self._expire(now_ms)
        ignored_ms = self._ignored_until_ms.get((host, guest), now_ms) - now_ms
        if ignored_ms > 0:
            minutes = -(-ignored_ms // 60_000)
            return f"{guest_name} did not accept your invite; you can invite them again in {minutes} min."
        if any((each.host, each.guest) == (host, guest) for each in self._open):
            return f"{guest_name} has your invite already; wait for their answer."
        if sum(each.host == host for each in self._open) >= limits.PARTY_INVITES_MAX:
            return TOO_MANY
        if sum(each.guest == guest for each in self._open) >= limits.PARTY_INVITES_MAX:
            return f"{guest_name} has {limits.PARTY_INVITES_MAX} invites to answer; try again later."
        self._open.append(Invite(host, guest, now_ms + _OPEN_MS))
        return ""

    def from_hosts(self, guest: int, now_ms: int) -> list[int]:
        """Return the accounts that have invited a player, the newest last."""
        self._expire(now_ms)
        return [each.host for each in self._open if each.guest == guest]

    def accept(self, host: int, guest: int) -> None:
        """Close an invite whose guest joins."""
        self._open = [each for each in self._open if (each.host, each.guest) != (host, guest)]

    def decline(self, host: int, guest: int, now_ms: int) -> None:
        """Close an invite, and ignore this host's invites to this player for a while."""
        self.accept(host, guest)
        self._ignore(host, guest, now_ms)

    def close_from(self, host: int) -> list[int]:
        """Close all invites from an account; return the accounts that had them."""
        guests = [each.guest for each in self._open if each.host == host]
        self._open = [each for each in self._open if each.host != host]
        return guests

    def _expire(self, now_ms: int) -> None:
        over = [each for each in self._open if each.until_ms <= now_ms]
        if over:
            self._open = [each for each in self._open if each.until_ms > now_ms]
            for each in over:
                self._ignore(each.host, each.guest, each.until_ms)

    def _ignore(self, host: int, guest: int, since_ms: int) -> None:
        self._ignored_until_ms.pop((host, guest), None)
        if len(self._ignored_until_ms) >= _KEPT_MAX:
            self._ignored_until_ms.pop(next(iter(self._ignored_until_ms)))
        self._ignored_until_ms[host, guest] = since_ms + _IGNORED_MS
