"""Accounts: names, their devices and passwords, and invites. The interface, the same for every backend.

Tokens and codes are stored as hashes only. This module does not know the format of password hashes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from gloam_shared.protocol.messages.watching import WhoWatches

DEVICES_MAX: Final = 16
"""The most known devices of an account; the longest unused one is forgotten."""

UNUSED_ROWS_MAX: Final = 200
"""The number of accounts that are checked for removal when one is created."""

UNSEEN_ROWS_MAX: Final = 200
"""The number of accounts that one call of `unseen` returns."""

FOR_GOOD: Final = 1 << 62
"""The end of a ban that has none."""


@dataclass(frozen=True, slots=True)
class Account:
    """A name. `password_hash` is None until one is set, and `watchers` until the player chooses; times are in seconds since 1970."""

    number: int
    name: str
    folded: str
    created_s: int
    last_seen_s: int
    password_hash: str | None = None
    watchers: WhoWatches | None = None
    """The people who may watch this player."""
    is_new_here: bool = False
    """Whether the name is of another realm of the host, and its owner was never let in here."""


@dataclass(frozen=True, slots=True)
class Resumption:
    """The hashes of the newest resume token of an account and of the one before.

    `device_hash` is the device that logged in; `left_s` is when its connection was lost (seconds since 1970, 0: it
    logged out), None while it plays.
    """

    account: int
    token_hash: bytes
    device_hash: bytes
    former_hash: bytes | None = None
    left_s: int | None = None


class Accounts(Protocol):
    """The part of the directory's interface about accounts. Each call is one transaction and may raise StorageError."""

    def account_by_name(self, folded: str) -> Account | None:
        """Return the account of a folded name."""

    def account_numbers(self) -> set[int]:
        """Return the numbers of all accounts."""

    def accounts_alike(self, name: str) -> list[int]:
        """Return the accounts whose names look like `name`, or are the same."""

    def create_account(self, name: str, token_hash: bytes, now_s: int) -> Account:
        """Make an account that belongs to one device. Raises NameTaken when the folded name exists."""

    def admit(self, account: int) -> None:
        """Note that the owner of a name of another realm was let in here; for all others it changes nothing."""

    def drop_unused(
        self, has_played: Callable[[int], bool], until_s: int, after: int
    ) -> tuple[int, list[int]]:
        """Remove accounts that were never played and were last seen before a moment, some after number `after`.

        One with a password, a ban, or the highest number stays: numbers are never given twice. Returns the
        number after which to continue, 0 at the end, and the removed accounts.
        """

    def release_name(self, account: int) -> None:
        """Free an account's name for another: the account keeps its number, history and devices, but permits no login."""

    def released_account(self, folded: str, token_hash: bytes) -> Account | None:
        """Return the account that had a folded name and knows a device, if its name was released; the newest of several."""

    def give_name(self, account: int, name: str) -> Account:
        """Give a released account another name, and return it. Raises NameTaken when the folded name exists."""

    def knows_device(self, account: int, token_hash: bytes) -> bool:
        """Return whether a device is one of the account's own."""

    def add_device(self, account: int, token_hash: bytes, now_s: int) -> None:
        """Add a device to an account."""

    def give_to(self, account: int, token_hash: bytes, now_s: int) -> None:
        """Give an account to one device: its password and all other devices are removed."""

    def set_password(self, account: int, password_hash: str, keep: bytes, former: str | None) -> bool:
        """Set a password, or change it from the hash `former`; return False if another is set by now.

        If there was one, every device except `keep` is removed.
        """

    def set_watchers(self, account: int, who: WhoWatches) -> None:
        """Store the people who may watch a player."""

    def unseen(self, until_s: int, after: int) -> list[int]:
        """Return some accounts after number `after` that were last seen until a moment, rising; none at the end."""

    def record_seen(self, account: int, now_s: int) -> None:
        """Store that an account is in play."""

    def add_invite(self, code_hash: bytes, uses: int, now_s: int, account: int | None = None) -> None:
        """Make an invite for a number of new players, or one that gives a device an existing account."""

    def spend_invite(self, code_hash: bytes, account: int | None = None) -> bool:
        """Use an invite once; False when there is none, it is used up, or it is for another account (None: newcomers)."""

    def ban(self, account: int, until_s: int) -> None:
        """Ban an account until a moment in seconds since 1970; 0 ends the ban."""

    def banned_until_s(self, account: int) -> int:
        """Return the end of an account's ban; 0 without one."""

    def device_banned_until_s(self, token_hash: bytes) -> int:
        """Return the latest end of a ban of any account that knows a device; 0 without one."""

    def resumption_of(self, account: int) -> Resumption | None:
        """Return the resume tokens of an account's last conversation; None if it never had one."""

    def keep_resumption(self, resumption: Resumption) -> None:
        """Store the resume tokens of an account's conversation."""
