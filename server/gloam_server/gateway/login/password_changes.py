"""Password changes: one at a time for each account, and rate-limited: all share one hashing thread."""

import hashlib
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from hmac import compare_digest
from typing import Final

from gloam_server.sessions.rate_limits import password_changes
from gloam_server.storage.accounts import Account
from gloam_shared import limits
from gloam_shared.protocol.messages.login import Bye, Error

Answer = Callable[[Error | Bye | Account], None]
Change = Callable[[Answer], None]
"""A job that changes a password, and answers exactly once."""

_BUSY: Final = Error("busy", "Another change of your password is under way; wait for its answer.")


@dataclass(frozen=True, slots=True)
class PasswordRequest:
    """A player's request for a new password, with what proves the player: the former one, or the token of the device."""

    account: int
    name: str
    device: bytes
    """The hash of the device's token."""
    new: str
    old: str
    resumed: bool
    """Whether the connection began with a resume token: then only `old` may show the device's token."""

    @property
    def proves_device(self) -> bool:
        """Whether the device has shown its token: by a login, or here in hexadecimal digits."""
        try:
            shown = bytes.fromhex(self.old)
        except ValueError:
            shown = b""
        return not self.resumed or compare_digest(hashlib.sha256(shown).digest(), self.device)


class PasswordChanges:
    """Queues changes.

    A waiting change starts when the one before it is answered, so it sees the new password.
    """

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._limiter = password_changes()
        self._waiting: dict[int, deque[tuple[Change, Answer]]] = {}

    def ask(self, account: int, change: Change, answer: Answer) -> None:
        """Run a change, now or after the one under way; `answer` gets its result, or why it is refused."""
        key = (str(account),)
        waiting = self._waiting.get(account)
        if waiting is not None and len(waiting) >= limits.PASSWORD_CHANGES_WAITING_MAX:
            answer(_BUSY)
        elif wait_s := self._limiter.wait_s(key, self._now_ms()):
            answer(Error("wait", f"You changed your password too often; try again in {wait_s} s."))
        else:
            self._limiter.count(key, self._now_ms())
            if waiting is None:
                self._waiting[account] = deque()
                self._begin(account, change, answer)
            else:
                waiting.append((change, answer))

    def _begin(self, account: int, change: Change, answer: Answer) -> None:
        def answered(reply: Error | Bye | Account) -> None:
            answer(reply)
            waiting = self._waiting[account]
            if waiting:
                self._begin(account, *waiting.popleft())
            else:
                del self._waiting[account]

        change(answered)
