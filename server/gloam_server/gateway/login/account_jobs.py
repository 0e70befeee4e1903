"""The jobs of logins in the writer's thread: to find accounts, and to make them."""

from collections.abc import Callable

from gloam_server.gateway.login import bans, invites
from gloam_server.gateway.login import login_refusals as refusals
from gloam_server.gateway.login.login_attempt import AccessRules, AccountLookup, LoginAttempt
from gloam_server.gateway.login.released_names import given_back
from gloam_server.gateway.login.session_resume import ResumeTokens
from gloam_server.storage.accounts import Account
from gloam_server.storage.errors import NameTaken
from gloam_server.storage.writer import Writer
from gloam_server.world.realm.realm import was_played
from gloam_server.world.transition.dungeon import Dungeon
from gloam_shared import limits, text
from gloam_shared.protocol.messages.login import Bye, Error


class AccountJobs:
    """Each job is one transaction. `removed` are accounts whose lives the realm still has to forget."""

    def __init__(
        self,
        writer: Writer,
        rules: AccessRules,
        wall_s: Callable[[], int],
        dungeon: Dungeon,
        resumes: ResumeTokens,
        reserved: frozenset[str],
    ) -> None:
        self._writer, self._rules, self._wall_s = writer, rules, wall_s
        self._dungeon, self._resumes, self._reserved = dungeon, resumes, reserved
        self._swept = 0
        self.removed = self._lives_without_account()

    def needs_invite(self, caller: LoginAttempt) -> bool:
        """Return whether a new name needs one: unless the realm is open, or the player is on this machine."""
        return not (self._rules.open or caller.local)

    def look_up(self, caller: LoginAttempt) -> AccountLookup:
        """Return the account of the name, and whether it knows the device."""
        directory = self._writer.directory
        account = directory.account_by_name(caller.folded)
        if account is None or not directory.knows_device(account.number, caller.device):
            account = given_back(directory, caller, self._reserved) or account
        if account is None or account.is_new_here:
            banned_until_s = self._remaining_ban_s(directory.device_banned_until_s(caller.device))
            if account is None or banned_until_s:
                return AccountLookup(None, banned_until_s=banned_until_s)
        if banned_until_s := self._remaining_ban_s(directory.banned_until_s(account.number)):
            return AccountLookup(account, banned_until_s=banned_until_s)
        known = directory.knows_device(account.number, caller.device)
        if known and caller.login.token and not account.is_new_here:
            directory.add_device(account.number, caller.device, self._wall_s())
            directory.record_seen(account.number, self._wall_s())
            self._prepare_resume(caller, account)
        return AccountLookup(account, known)

    def look_or_make(self, caller: LoginAttempt, may_make: bool) -> AccountLookup | Error | Bye:  # noqa: FBT001  # passed on by position
        """Find the account, or create it: one job, since each job waits for the batch's commit."""
        found = self.look_up(caller)
        if may_make and found.known_device and found.account is not None and found.account.is_new_here:
            refusal = self._admit(caller, found.account)
            return refusal or AccountLookup(found.account, known_device=True, made=True)
        if found.account is not None or found.banned_until_s or caller.login.password or not may_make:
            return found
        made = self.create(caller)
        if isinstance(made, Error) and (own := self._find_own(caller)) is not None:
            made = self._admit(caller, own) or own
        return made if isinstance(made, Error | Bye) else AccountLookup(made, known_device=True, made=True)

    def _find_own(self, caller: LoginAttempt) -> Account | None:
        """Return the account of a name that another realm has given to this device a moment ago."""
        directory = self._writer.directory
        account = directory.account_by_name(caller.folded)
        is_own = (
            account is not None
            and account.is_new_here
            and directory.knows_device(account.number, caller.device)
        )
        return account if is_own else None

    def _remaining_ban_s(self, until_s: int) -> int:
        return until_s if until_s > self._wall_s() else 0

    def add_device(self, caller: LoginAttempt, account: Account) -> Account | Bye:
        """Add a device to an account, unless it was banned while its password was checked."""
        directory = self._writer.directory
        if banned_until_s := self._remaining_ban_s(directory.banned_until_s(account.number)):
            return bans.refusal(banned_until_s)
        if account.is_new_here and (refusal := self._admit(caller, account)) is not None:
            return refusal
        directory.add_device(account.number, caller.device, self._wall_s())
        self._prepare_resume(caller, account)
        return account

    def _admit(self, caller: LoginAttempt, account: Account) -> Bye | None:
        """Let the owner of a name of another realm in here, with an invite where new names need one."""
        directory = self._writer.directory
        if self.needs_invite(caller) and not directory.spend_invite(invites.digest(caller.login.invite)):
            return refusals.INVITE_USED
        self._let_in(caller, account)
        return None

    def _let_in(self, caller: LoginAttempt, account: Account) -> None:
        directory = self._writer.directory
        directory.admit(account.number)
        directory.record_seen(account.number, self._wall_s())
        self._prepare_resume(caller, account)

    def create(self, caller: LoginAttempt, former: Account | None = None) -> Account | Error | Bye:
        """Make an account; `former` has had the name, and loses it."""
        directory = self._writer.directory
        name = text.capitalize_name(caller.login.name)
        until_s = self._wall_s() - limits.UNUSED_S
        self._swept, gone = directory.drop_unused(self._was_played, until_s, self._swept)
        self.removed += gone
        if set(directory.accounts_alike(name)) - ({former.number} if former is not None else set()):
            return refusals.looks_like_another(name)
        if self.needs_invite(caller) and not directory.spend_invite(invites.digest(caller.login.invite)):
            return refusals.INVITE_USED
        try:
            if former is not None:
                directory.release_name(former.number)
            made = directory.create_account(name, caller.device, self._wall_s())
        except NameTaken:
            own = self._find_own(caller)
            if own is None:
                return refusals.belongs_to_another(name)
            self._let_in(caller, own)  # the invite is spent
            return own
        self._prepare_resume(caller, made)
        return made

    def _lives_without_account(self) -> list[int]:
        """Return accounts that were removed just before the server was killed."""
        unused = [account for account in self._dungeon.realm.lives if not self._was_played(account)]
        return sorted({*unused} - self._writer.directory.account_numbers()) if unused else []

    def _was_played(self, account: int) -> bool:
        return was_played(self._dungeon.realm, account)

    def _prepare_resume(self, caller: LoginAttempt, account: Account) -> None:
        if caller.plays:
            self._resumes.prepare(account.number, caller.device)
