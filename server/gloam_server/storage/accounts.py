"""Who may play: names, the devices and passwords that they belong to, and invites. The interface, the same for every back end.

Tokens and codes are kept as hashes only. What a password's hash looks like is nobody's matter here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

DEVICES_MAX: Final = 16
"""An account has so many known devices at most; the longest unused is forgotten."""

UNUSED_ROWS_MAX: Final = 200
"""So many accounts are looked at when one is made, for some to be removed that nobody plays."""

FOR_GOOD: Final = 1 << 62
"""The end of a ban that has none."""


@dataclass(frozen=True, slots=True)
class Account:
    """A name. `password_hash` is None until one is set; times are in seconds since 1970."""

    number: int
    name: str
    folded: str
    created_s: int
    last_seen_s: int
    password_hash: str | None = None


@dataclass(frozen=True, slots=True)
class Resumption:
    """By what an account's cut conversation may be gone on with: the hashes of its newest token and of the one before.

    `device_hash` is the device's that logged in; `left_s` is when its line was cut (seconds since 1970, 0: it logged
    out), None while it plays.
    """

    account: int
    token_hash: bytes
    device_hash: bytes
    former_hash: bytes | None = None
    left_s: int | None = None


class Accounts(Protocol):
    """The part of the journal's interface about accounts. Each call is one transaction and may raise StorageError."""

    def account_by_name(self, folded: str) -> Account | None:
        """Return the account of a folded name."""

    def create_account(self, name: str, token_hash: bytes, now_s: int) -> Account:
        """Make an account that belongs to one device. Raises NameTaken when the folded name exists."""

    def drop_unused(self, has_played: Callable[[int], bool], until_s: int, after: int) -> int:
        """Remove accounts that nobody has ever played and that were last seen until a moment, some after number `after`.

        One with a password, a ban, or the highest number stays: numbers are never given twice. Returns after which
        number to go on, 0 at the end.
        """

    def release_name(self, account: int) -> None:
        """Make an account's name free for another: it keeps its number and its past, but nobody can enter it."""

    def knows_device(self, account: int, token_hash: bytes) -> bool:
        """Return whether a device is one of the account's own."""

    def add_device(self, account: int, token_hash: bytes, now_s: int) -> None:
        """Let a device play under this account from now on."""

    def give_to(self, account: int, token_hash: bytes, now_s: int) -> None:
        """Give an account to one device alone: its password and all its other devices are forgotten."""

    def set_password(self, account: int, password_hash: str, keep: bytes, former: str | None) -> bool:
        """Set a password, or change it from the hash `former`; False when another is set by now.

        Where there was one, every device but `keep` is forgotten.
        """

    def seen(self, account: int, now_s: int) -> None:
        """Note that somebody plays under an account."""

    def add_invite(self, code_hash: bytes, uses: int, now_s: int, account: int | None = None) -> None:
        """Make an invite for so many newcomers, or one that gives a device an account that exists."""

    def spend_invite(self, code_hash: bytes, account: int | None = None) -> bool:
        """Use an invite once; False when there is none, it is used up, or it is for another account (None: newcomers)."""

    def ban(self, account: int, until_s: int) -> None:
        """Keep an account out until a moment in seconds since 1970; 0 lets it in again."""

    def banned_until_s(self, account: int) -> int:
        """Return until when an account is kept out; 0 when it is not."""

    def device_banned_until_s(self, token_hash: bytes) -> int:
        """Return until when any account that knows a device is kept out; 0 when none is."""

    def resumption_of(self, account: int) -> Resumption | None:
        """Return by what an account's last conversation may be gone on with; None when it never had one."""

    def keep_resumption(self, resumption: Resumption) -> None:
        """Keep this as the one way to go on with an account's conversation."""
