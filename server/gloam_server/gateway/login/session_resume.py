"""Resuming: a player who lost the connection returns with a token. It is valid for ten minutes and changes at each use.

Until the first acknowledgement after a resume, the server cannot know whether the new token arrived. Until
then the former one stays valid, too.
"""

import hashlib
import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from twisted.python.failure import Failure

from gloam_server.engine.player import Player
from gloam_server.gateway.login import bans
from gloam_server.storage.accounts import Account, Resumption
from gloam_server.storage.errors import StorageError
from gloam_server.storage.writer import Writer
from gloam_shared import limits, text
from gloam_shared.protocol.messages.login import Bye, Error, Resume

_log: Final = logging.getLogger(__name__)
_AUTH: Final = Error("auth", "That session cannot be continued; log in.")
_EXPIRED: Final = Error("expired", "That session is over; log in.")
_BUSY: Final = Bye("busy", "The server cannot read its accounts now; try again in a minute.")


@dataclass(frozen=True, slots=True)
class ResumedSession:
    """A player who may resume: the account, the device's hash, and the token for the next time."""

    account: Account
    device: bytes
    token: bytes


@dataclass(frozen=True, slots=True)
class KnownPlayer:
    """A player of another process of this server: the account, and the stored state of the conversation, if any."""

    account: Account
    resumption: Resumption | None

    def restore(self, player: Player) -> None:
        """Give a player the device and the token of the conversation again."""
        kept = self.resumption
        if kept is not None:
            player.device, player.resume.token_hash = kept.device_hash, kept.token_hash
            player.resume.unproved = player.resume.resumed = kept.former_hash is not None


def secret_token() -> bytes:
    """Return a token that no one can guess. It cannot block: the system's entropy waits only before its first use after a boot."""
    return secrets.token_bytes(limits.TOKEN_SIZE)


class ResumeTokens:
    """Issues and exchanges tokens.

    `wall_s` is the time of day, because a token outlives the server's process. `draw` makes a token.
    """

    def __init__(
        self,
        writer: Writer,
        wall_s: Callable[[], int],
        draw: Callable[[], bytes],
    ) -> None:
        self._writer = writer
        self._wall_s = wall_s
        self._draw = draw
        self._began_s = wall_s()
        self.ours: dict[int, None] = {}
        """The accounts whose conversations this process has written."""
        self.prepared: dict[int, tuple[bytes, bytes]] = {}
        """The devices and tokens of accounts that logins have written and that are not granted yet."""

    def grant(self, account: int, device: bytes, give: Callable[[bytes], None]) -> bytes:
        """Make a token for a player who has logged in, and invalidate the former ones.

        Return its hash immediately. `give` gets the token once it is on disk: immediately if the login has written it.
        """
        known, token = self.prepared.pop(account, (b"", b""))
        if token and known == device:
            give(token)
            return hash_of(token)
        token = self._draw()
        self._later(self._keep, Resumption(account, hash_of(token), device), done=lambda: give(token))
        return hash_of(token)

    def resume(self, request: Resume, answer: Callable[[Error | Bye | ResumedSession], None]) -> None:
        """Decide about a resume; `answer` gets the account, or the refusal."""

        def failed(failure: Failure) -> None:
            _log.error("a session cannot be continued: %s", failure.getErrorMessage())
            answer(_BUSY)

        folded = text.fold(request.name)
        self._writer.share(folded, self._exchange, folded, request.token, self._draw()).addCallbacks(
            answer, failed
        )

    def find_again(self, account: int, name: str, answer: Callable[[Bye | KnownPlayer], None]) -> None:
        """Give `answer` a player of another process of this server, or why they may not stay."""

        def failed(failure: Failure) -> None:
            _log.error("a player cannot be taken in again: %s", failure.getErrorMessage())
            answer(_BUSY)

        folded = text.fold(name)
        self._writer.share(folded, self._find_again, account, folded).addCallbacks(answer, failed)

    def drop_former_token(self, account: int, token_hash: bytes) -> None:
        """Invalidate the former token: the client has confirmed its new one."""
        self._later(self._change, account, token_hash, lambda kept: replace(kept, former_hash=None))

    def cut(self, account: int, token_hash: bytes) -> None:
        """Note a lost connection: from now on its token is valid for ten minutes."""
        now_s = self._wall_s()
        if token_hash:
            self._later(self._change, account, token_hash, lambda kept: replace(kept, left_s=now_s))

    def forget_token(self, account: int, token_hash: bytes) -> None:
        """Invalidate the token of a player who has left or was kicked."""
        self._later(self._change, account, token_hash, lambda kept: replace(kept, left_s=0))

    def _later(
        self, work: Callable[..., None], *args: object, done: Callable[[], None] = lambda: None
    ) -> None:
        """Run a job on the writer; if it fails, the player has to log in instead of resuming.

        It locks no name, and goes before exchanges that wait: it is about a token that they cannot have made yet.
        """
        self._writer.share("", work, *args).addCallbacks(
            lambda _: done(),
            lambda failure: _log.warning("a resume token is not kept: %s", failure.getErrorMessage()),
        )

    # These run in the writer's thread.

    def prepare(self, account: int, device: bytes) -> None:
        """Write the token for a login in the transaction of its account: a transaction of its own costs a sync more."""
        token = self._draw()
        try:
            self._keep(Resumption(account, hash_of(token), device))
        except StorageError as error:  # the player logs in nevertheless, and gets a token later or none
            _log.warning("a resume token is not kept: %s", error)
        else:
            self.prepared[account] = device, token

    def _exchange(self, folded: str, presented: bytes, token: bytes) -> Error | Bye | ResumedSession:
        """Exchange a token for the next one."""
        directory = self._writer.directory
        account = directory.account_by_name(folded)
        kept = directory.resumption_of(account.number) if account is not None else None
        offered = hash_of(presented)
        if account is None or kept is None or offered not in (kept.token_hash, kept.former_hash):
            return _AUTH
        if not directory.knows_device(account.number, kept.device_hash):
            return _AUTH  # its password was changed, or it was given to another device
        if (until_s := directory.banned_until_s(account.number)) > self._wall_s():
            return bans.refusal(until_s)
        if not self._is_fresh(kept):
            return _EXPIRED
        self._keep(replace(kept, token_hash=hash_of(token), former_hash=offered, left_s=None))
        return ResumedSession(account, kept.device_hash, token)

    def _find_again(self, number: int, folded: str) -> Bye | KnownPlayer:
        directory = self._writer.directory
        account = directory.account_by_name(folded)
        if account is None or account.number != number:
            return _BUSY
        if (until_s := directory.banned_until_s(number)) > self._wall_s():
            return bans.refusal(until_s)
        self.ours[number] = None
        return KnownPlayer(account, directory.resumption_of(number))

    def _is_fresh(self, kept: Resumption) -> bool:
        """Return whether a conversation was cut recently; if the clock has jumped back, it was not."""
        left_s = kept.left_s
        if left_s is None:  # its connection is open, or was open when the server's last process ended
            left_s = self._wall_s() if kept.account in self.ours else self._began_s
        return 0 <= self._wall_s() - left_s < limits.RESUME_S

    def _keep(self, resumption: Resumption) -> None:
        self._writer.directory.keep_resumption(resumption)
        self.ours[resumption.account] = None

    def _change(self, account: int, token_hash: bytes, change: Callable[[Resumption], Resumption]) -> None:
        """Change the stored state of a conversation, unless a newer connection has replaced it."""
        kept = self._writer.directory.resumption_of(account)
        if kept is not None and kept.token_hash == token_hash:
            self._writer.directory.keep_resumption(change(kept))


def hash_of(token: bytes) -> bytes:
    """Return the stored hash of a token."""
    return hashlib.sha256(token).digest()
