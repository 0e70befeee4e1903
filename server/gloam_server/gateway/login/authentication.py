"""Authentication: decides who may log in under which name. It only answers with a refusal or an account.

A known device of a name needs no password. So an attacker who tries passwords never keeps the owner out.
"""

import hashlib
import logging
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Final, TypeAlias

from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IAddress

from gloam_server.gateway.login import bans, invites
from gloam_server.gateway.login import login_refusals as refusals
from gloam_server.gateway.login.account_jobs import AccountJobs
from gloam_server.gateway.login.login_attempt import AccessRules, AccountLookup, LoginAttempt
from gloam_server.gateway.login.password_changes import Answer, PasswordChanges, PasswordRequest
from gloam_server.gateway.login.password_hashing import PasswordHashing, TooBusy
from gloam_server.gateway.login.session_resume import ResumeTokens, secret_token
from gloam_server.net.networks import counted_network, network_of
from gloam_server.sessions import rate_limits
from gloam_server.storage.accounts import Account
from gloam_server.storage.writer import Writer, together
from gloam_server.world.transition.dungeon import Dungeon
from gloam_shared import limits, text
from gloam_shared.protocol.messages.login import Bye, Error, Login

_log: Final = logging.getLogger(__name__)
_NOTED_AGAIN_S: Final = 600
_Then: TypeAlias = Callable[[Any], None]


class Authenticator:
    """Answers logins and changes of passwords, each exactly once.

    `in_play` returns whether an account's body is in use. The `dungeon` knows which accounts were ever played, and the
    names of creatures, which no newcomer may imitate. `resumes` resumes sessions after a cut, by tokens from `draw_token`.
    """

    def __init__(
        self,
        writer: Writer,
        passwords: PasswordHashing,
        rules: AccessRules,
        now_ms: Callable[[], int],
        wall_s: Callable[[], int],
        in_play: Callable[[int], bool],
        dungeon: Dungeon,
        draw_token: Callable[[], bytes] = secret_token,
    ) -> None:
        self.resumes = ResumeTokens(writer, wall_s, draw_token)
        self._writer = writer
        self._passwords, self._rules = passwords, rules
        self._now_ms, self._wall_s = now_ms, wall_s
        self._in_play = in_play
        self._seen_s: dict[int, int] = {}
        self._here_ms: dict[int, int] = {}
        self._failures, self._logins = rate_limits.failures(), rate_limits.logins()
        self._creations, self._exempt_creations = rate_limits.creations(), rate_limits.exempt_creations()
        self._waiting: set[object] = set()
        self._reserved = refusals.reserved_skeletons(
            kind.name for kind in dungeon.campaign.creatures.values()
        )
        self._jobs = AccountJobs(writer, rules, wall_s, dungeon, self.resumes, self._reserved)
        self.removed = self._jobs.removed
        self._changes = PasswordChanges(now_ms)

    @property
    def is_open(self) -> bool:
        """Whether new names need no invite."""
        return self._rules.open

    def authenticate(self, address: IAddress, login: Login, answer: Answer, *, plays: bool = True) -> None:
        """Decide about a login; `answer` gets the account or the refusal. A watcher gets no resume token."""
        if len(self._waiting) >= limits.LOGINS_WAITING_MAX:
            answer(refusals.CROWDED)
            return
        waiting = object()
        self._waiting.add(waiting)
        self._look_up(address, login, partial(self._answer_login, waiting, answer), plays=plays)

    def _answer_login(self, waiting: object, answer: Answer, reply: Error | Bye | Account) -> None:
        self._waiting.discard(waiting)  # a fault in the answer is answered, too
        answer(reply)

    def _look_up(self, address: IAddress, login: Login, answer: Answer, *, plays: bool) -> None:
        device = hashlib.sha256(login.token).digest()
        network = self._counted_network(address)
        caller = LoginAttempt(login, device, network, not network_of(address), plays)
        refusal = self._creation_refusal(caller)
        reserved = refusal is None
        if reserved:
            self._creations_of(caller).count((caller.network,), self._now_ms())  # many may be on their way

        def found(found: AccountLookup | Error | Bye) -> None:
            if reserved and isinstance(found, AccountLookup) and not found.made:
                self._creations_of(caller).take_back((caller.network,))
            if isinstance(found, Error | Bye):
                answer(found)
            else:
                self._answer_lookup(caller, answer, found, refusal)

        self._ask(caller, answer, found, self._jobs.look_or_make, caller, refusal is None)

    def change_password(self, address: IAddress, request: PasswordRequest, answer: Answer) -> None:
        """Set or change a player's password; `answer` gets their account or the refusal.

        A password is changed with the former one. The first one of a name needs the device's own token, by a login or
        in the request: a stolen resume token does not suffice.
        """
        self._changes.ask(request.account, partial(self._change_password, address, request), answer)

    def _change_password(self, address: IAddress, request: PasswordRequest, answer: Answer) -> None:
        login = Login(request.name, b"", request.old)
        caller = LoginAttempt(login, request.device, self._counted_network(address), not network_of(address))

        def found(now: AccountLookup) -> None:
            if now.account is None or now.account.number != request.account:
                answer(refusals.AUTH)
            elif now.account.password_hash is None:
                if request.proves_device:
                    set_password(now.account)
                else:
                    answer(refusals.RESUMED)
            else:
                self._check(caller, now.account, answer, set_password)

        def set_password(current: Account) -> None:
            self._hash_then(self._passwords.make, request.new, answer, partial(keep, current))

        def keep(current: Account, password_hash: str) -> None:
            keeping, former = self._writer.directory.set_password, current.password_hash

            change = (keeping, request.account, password_hash, request.device, former)
            self._ask(caller, answer, lambda kept: answer(current if kept else refusals.AUTH), *change)

        self._ask(caller, answer, found, self._jobs.look_up, caller)

    def too_often(self, address: IAddress, name: str) -> Error | None:
        """Return why a name may not log in from an address yet, if it has logged in too often."""
        wait_s = self._logins.wait_s(_coming(address, name), self._now_ms())
        return Error("wait", f"You come and go too often; try again in {wait_s} s.") if wait_s else None

    def let_in(self, address: IAddress, name: str) -> None:
        """Count a successful login. Failed ones do not count, so that a stranger cannot use up the owner's limit."""
        self._logins.count(_coming(address, name), self._now_ms())

    def find_ban(self, token: bytes, answer: Callable[[Bye | None], None]) -> None:
        """Give `answer` the refusal of a device that a banned name knows; None if none does."""
        bans.find(self._writer, token, self._wall_s(), answer)

    def connection_closed(self, account: int, name: str) -> None:
        """Store when an account was last here, unless that was stored recently."""
        self._here_ms[account] = self._now_ms()
        if not 0 <= self._wall_s() - self._seen_s.get(account, 0) < _NOTED_AGAIN_S:
            self._seen_s[account] = self._wall_s()
            self._note_seen(account, name)

    def forget(self, account: int) -> None:
        """Drop what memory holds of an account that was removed."""
        for kept in (self._seen_s, self._here_ms, self.resumes.prepared, self.resumes.ours):
            kept.pop(account, None)

    def _note_seen(self, account: int, name: str) -> None:
        record = self._writer.directory.record_seen
        self._writer.share(text.fold(name), record, account, self._wall_s()).addErrback(
            lambda failure: _log.warning("who was seen is not noted: %s", failure.getErrorMessage())
        )

    def _counted_network(self, address: IAddress) -> str:
        """Return the network to count an address by, or "" if it is not counted."""
        return counted_network(address, self._rules.trusted)

    # Each of these runs in the reactor's thread and leads to exactly one answer.

    def _answer_lookup(
        self, caller: LoginAttempt, answer: Answer, found: AccountLookup, refusal: Error | Bye | None
    ) -> None:
        account, login = found.account, caller.login
        if found.banned_until_s:
            answer(bans.refusal(found.banned_until_s))
        elif account is not None and account.is_new_here and refusal is not None:
            answer(refusal)  # an owner of the name needs what a new player needs, too
        elif account is not None and found.known_device:
            self._seen_s[account.number] = self._wall_s()
            answer(account)
        elif account is not None and login.invite and not login.password:
            self._claim(caller, account, answer)
        elif login.password:
            self._check(caller, account, answer, partial(self._adopt, caller, answer))
        elif account is None:
            answer(refusal or refusals.BUSY)
        else:
            self._without_password(caller, account, answer)

    def _without_password(self, caller: LoginAttempt, account: Account, answer: Answer) -> None:
        """Answer an unknown device that gives only a name."""
        if account.password_hash is not None:
            answer(
                Error(
                    "password",
                    f'"{account.name}" has a password, and does not know this device; give the password.',
                )
            )
        elif self._is_free(account):
            self._recreate(caller, account, answer)
        else:
            answer(refusals.belongs_to_another(account.name))

    def _is_free(self, account: Account) -> bool:
        """Return whether a name without a password has been unused for so long that it is free for others.

        A time stamp of a wrong clock is ignored: the period starts now. For a player that this server has
        seen, its monotonic clock counts.
        """
        if self._in_play(account.number):
            return False
        wall_s = self._wall_s()
        if wall_s < limits.CLOCK_UNSET_S:
            return False
        if not limits.CLOCK_UNSET_S <= account.last_seen_s <= wall_s:
            self._note_seen(account.number, account.name)
            return False
        seen_ms = self._here_ms.get(account.number)
        if seen_ms is not None and self._now_ms() - seen_ms < limits.NAME_FREE_S * 1_000:
            return False
        return wall_s - account.last_seen_s >= limits.NAME_FREE_S

    def _claim(self, caller: LoginAttempt, account: Account, answer: Answer) -> None:
        """Use a code that gives an account to a device; any other code is ignored."""
        key = (caller.network, caller.folded)
        if caller.network and (wait_s := self._failures.wait_s(key, self._now_ms())):
            answer(refusals.too_many_passwords(wait_s))
            return

        def spent(good: bool) -> None:  # noqa: FBT001  # a Deferred's answer
            if good:
                free = replace(account, password_hash=None)
                give = self._writer.directory.give_to
                given = (give, account.number, caller.device, self._wall_s())
                self._ask(caller, answer, lambda _: answer(free), *given)
                return
            if caller.network:
                self._failures.count(key, self._now_ms())
            self._without_password(caller, account, answer)

        spend, code = self._writer.directory.spend_invite, invites.digest(caller.login.invite)
        self._ask(caller, answer, spent, spend, code, account.number)

    def _check(
        self, caller: LoginAttempt, account: Account | None, answer: Answer, right: Callable[[Account], None]
    ) -> None:
        """Check a password, within the limits.

        An unknown name and a wrong password have the same cost and answer.
        """
        key = (caller.network, caller.folded)
        if caller.network and (wait_s := self._failures.wait_s(key, self._now_ms())):
            answer(refusals.too_many_passwords(wait_s))
            return
        if caller.network:
            self._failures.count(key, self._now_ms())  # before the hash is made: many may be on their way

        def checked(good: bool) -> None:  # noqa: FBT001  # a Deferred's answer
            if good and account is not None:
                self._failures.take_back(key)
                right(account)
            else:
                answer(refusals.AUTH)

        password_hash = account.password_hash if account is not None else None
        self._hash_then(partial(self._passwords.check, password_hash), caller.login.password, answer, checked)

    def _adopt(self, caller: LoginAttempt, answer: Answer, account: Account) -> None:
        """Add a device to an account."""
        self._ask(caller, answer, answer, self._jobs.add_device, caller, account)

    def _recreate(self, caller: LoginAttempt, former: Account, answer: Answer) -> None:
        """Give a released name to the player who asks for it, like a new one."""
        refusal = self._creation_refusal(caller)
        if refusal is not None:
            answer(refusal)
            return
        self._creations_of(caller).count((caller.network,), self._now_ms())
        self._ask(caller, answer, answer, self._jobs.create, caller, former)

    def _creation_refusal(self, caller: LoginAttempt) -> Error | Bye | None:
        """Return why a new name is refused; it needs an invite unless the realm is open or the player is on this machine."""
        if wait_s := self._creations_of(caller).wait_s((caller.network,), self._now_ms()):
            return Error("wait", f"Too many new names come from your address; try again in {wait_s} s.")
        if self._jobs.needs_invite(caller) and not caller.login.invite:
            return refusals.INVITE
        return refusals.imitation(caller.login.name, self._reserved)

    def _creations_of(self, caller: LoginAttempt) -> rate_limits.SlidingWindow | rate_limits.RateLimiter:
        """Return the key for counting new names from an address."""
        return self._creations if caller.network else self._exempt_creations

    def _hash_then(
        self, work: Callable[[str], Deferred[Any]], password: str, answer: Answer, then: Callable[..., None]
    ) -> None:
        try:
            done = work(password)
        except TooBusy:
            answer(refusals.BUSY)
            return
        done.addCallback(then)
        done.addErrback(lambda failure: answer(refusals.unreadable("a password", failure)))

    def _ask(
        self, caller: LoginAttempt, answer: Answer, then: _Then, work: Callable[..., Any], *args: object
    ) -> None:
        """Run a job on the writer, and call `then` with its result. An error in either is logged and answered.

        Nothing else would show a fault in `then` before the Deferred is collected as garbage.
        """
        asked = self._writer.call(together, self._writer.directory, work, *args)
        asked.addCallback(then)
        asked.addErrback(lambda failure: answer(refusals.unreadable(caller.login.name, failure)))


def _coming(address: IAddress, name: str) -> tuple[str, ...]:
    """Return the key for counting logins and resumes; this machine and trusted networks count, too."""
    return network_of(address, loopback_exempt=False), text.fold(name)
