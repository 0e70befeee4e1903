"""Accounts, devices and invites in memory."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from gloam_server.storage.accounts import (
    DEVICES_MAX,
    UNSEEN_ROWS_MAX,
    UNUSED_ROWS_MAX,
    Account,
    Resumption,
)
from gloam_server.storage.errors import NameTaken
from gloam_shared.protocol.messages.watching import WhoWatches
from gloam_shared.text import fold, skeleton


class MemoryAccounts:
    """An implementation of `Accounts` in dictionaries."""

    def __init__(self) -> None:
        self._accounts: dict[int, Account] = {}
        self._devices: dict[int, dict[bytes, int]] = {}
        self._invites: dict[bytes, tuple[int | None, int]] = {}
        self._bans: dict[int, int] = {}
        self._resumptions: dict[int, Resumption] = {}

    def account_by_name(self, folded: str) -> Account | None:
        """Return the account of a folded name."""
        return next((account for account in self._accounts.values() if account.folded == folded), None)

    def account_numbers(self) -> set[int]:
        """Return the numbers of all accounts."""
        return set(self._accounts)

    def accounts_alike(self, name: str) -> list[int]:
        """Return the accounts whose names look like `name`, or are the same."""
        return [
            account.number
            for account in self._accounts.values()
            if skeleton(account.folded) == skeleton(name)
        ]

    def create_account(self, name: str, token_hash: bytes, now_s: int) -> Account:
        """Make an account that belongs to one device. Raises NameTaken when the folded name exists."""
        if self.account_by_name(fold(name)) is not None:
            raise NameTaken(f"The name {name} is taken; choose another.")
        account = Account(max(self._accounts, default=0) + 1, name, fold(name), now_s, now_s)
        self._accounts[account.number] = account
        self._devices[account.number] = {token_hash: now_s}
        return account

    def admit(self, account: int) -> None:
        """Do nothing: a world alone has no names of others."""

    def drop_unused(
        self, has_played: Callable[[int], bool], until_s: int, after: int
    ) -> tuple[int, list[int]]:
        """Remove accounts that no one has ever played and that were last seen until a moment, some after number `after`."""
        newest = max(self._accounts, default=0)
        gone = []
        numbers = sorted(number for number in self._accounts if number > after)[:UNUSED_ROWS_MAX]
        for number in numbers:
            account = self._accounts[number]
            kept = account.password_hash is not None or number == newest or self.banned_until_s(number)
            if account.last_seen_s <= until_s and not kept and not has_played(number):
                self._invites = {code: each for code, each in self._invites.items() if each[0] != number}
                self._resumptions.pop(number, None)
                self._forget_chat(number)
                self._drop_archived([number])
                del self._accounts[number], self._devices[number]
                gone.append(number)
        return (numbers[-1] if len(numbers) == UNUSED_ROWS_MAX else 0), gone

    def _drop_archived(self, accounts: Sequence[int]) -> None:
        """Forget the archived lives of accounts."""

    def _forget_chat(self, account: int) -> None:
        """Forget who an account ignores, and who ignores it."""

    def set_watchers(self, account: int, who: WhoWatches) -> None:
        """Store the people who may watch a player."""
        self._accounts[account] = replace(self._accounts[account], watchers=who)

    def release_name(self, account: int) -> None:
        """Make an account's name free for another."""
        former = self._accounts[account]
        self._accounts[account] = replace(former, folded=f"{former.folded} {account}", password_hash=None)

    def released_account(self, folded: str, token_hash: bytes) -> Account | None:
        """Return the newest account that had a folded name until it was released, and knows a device."""
        former = [
            one
            for one in self._accounts.values()
            if one.folded.startswith(f"{folded} ") and token_hash in self._devices[one.number]
        ]
        return max(former, key=lambda one: one.number, default=None)

    def give_name(self, account: int, name: str) -> Account:
        """Give a released account another name. Raises NameTaken when the folded name exists."""
        if self.account_by_name(fold(name)) is not None:
            raise NameTaken(f"The name {name} is taken; choose another.")
        self._accounts[account] = replace(self._accounts[account], name=name, folded=fold(name))
        return self._accounts[account]

    def knows_device(self, account: int, token_hash: bytes) -> bool:
        """Return whether a device is one of the account's own."""
        return token_hash in self._devices[account]

    def add_device(self, account: int, token_hash: bytes, now_s: int) -> None:
        """Let a device play under this account from now on."""
        devices = {**self._devices[account], token_hash: now_s}
        newest = sorted(devices, key=lambda each: devices[each], reverse=True)[:DEVICES_MAX]
        self._devices[account] = {each: devices[each] for each in newest}

    def give_to(self, account: int, token_hash: bytes, now_s: int) -> None:
        """Give an account to one device alone: its password and all its other devices are forgotten."""
        self._accounts[account] = replace(self._accounts[account], password_hash=None, last_seen_s=now_s)
        self._devices[account] = {token_hash: now_s}

    def set_password(self, account: int, password_hash: str, keep: bytes, former: str | None) -> bool:
        """Set a password, or change it from the hash `former`; False when another is set by now."""
        if self._accounts[account].password_hash != former:
            return False
        if former is not None:
            self._devices[account] = {each: at for each, at in self._devices[account].items() if each == keep}
        self._accounts[account] = replace(self._accounts[account], password_hash=password_hash)
        return True

    def unseen(self, until_s: int, after: int) -> list[int]:
        """Return some accounts after number `after` that were last seen until a moment, rising."""
        last = sorted(number for number, each in self._accounts.items() if each.last_seen_s <= until_s)
        return [number for number in last if number > after][:UNSEEN_ROWS_MAX]

    def record_seen(self, account: int, now_s: int) -> None:
        """Note that someone plays under an account."""
        self._accounts[account] = replace(self._accounts[account], last_seen_s=now_s)

    def add_invite(self, code_hash: bytes, uses: int, now_s: int, account: int | None = None) -> None:  # noqa: ARG002
        """Make an invite for this many newcomers, or one that gives a device an account that exists."""
        self._invites[code_hash] = (account, uses)

    def spend_invite(self, code_hash: bytes, account: int | None = None) -> bool:
        """Use an invite once; False when there is none, it is used up, or it is for someone else."""
        whose, uses = self._invites.get(code_hash, (None, 0))
        if not uses or whose != account:
            return False
        self._invites[code_hash] = (whose, uses - 1)
        return True

    def ban(self, account: int, until_s: int) -> None:
        """Keep an account out until a moment in seconds since 1970; 0 lets it in again."""
        self._bans[account] = until_s

    def banned_until_s(self, account: int) -> int:
        """Return until when an account is kept out; 0 when it is not."""
        return self._bans.get(account, 0)

    def device_banned_until_s(self, token_hash: bytes) -> int:
        """Return until when any account that knows a device is kept out; 0 when none is."""
        return max(
            (until_s for account, until_s in self._bans.items() if token_hash in self._devices[account]),
            default=0,
        )

    def resumption_of(self, account: int) -> Resumption | None:
        """Return the token that resumes the account's last session; None if it had no session."""
        return self._resumptions.get(account)

    def keep_resumption(self, resumption: Resumption) -> None:
        """Keep this as the one way to go on with an account's conversation."""
        self._resumptions[resumption.account] = resumption
