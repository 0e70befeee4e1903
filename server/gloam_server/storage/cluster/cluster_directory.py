"""The directory of a realm in a cluster: a name and its credentials hold on all realms of the host.

An account of a realm is as in a world alone, and has the realm's number. Its credentials are copied from the host's name
before they are read, and written there with each change, in the same transaction.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from gloam_server.storage.accounts import Account
from gloam_server.storage.errors import NameTaken
from gloam_server.storage.postgres import host_names
from gloam_server.storage.postgres.postgres_transactions import PostgresTransactions
from gloam_server.storage.sql.directory.sql_directory import SqlDirectory
from gloam_server.storage.sql.transactions import Connection
from gloam_shared.text import fold, skeleton

_BRING: Final = (
    "INSERT INTO accounts (id, name, folded, skeleton, created_s, last_seen_s)"
    " SELECT coalesce(max(id), 0) + 1, ?, ?, ?, ?, ? FROM accounts WHERE true RETURNING id"
)
_LOOKS_LIKE_ONE_ELSEWHERE: Final = 0
"""The number that stands for an account of another realm among those that look alike."""


class ClusterDirectory(SqlDirectory):
    """The implementation of `Directory` where the names are the host's."""

    def __init__(self, transactions: PostgresTransactions) -> None:
        super().__init__(transactions)
        self._postgres: Final = transactions

    def account_by_name(self, folded: str) -> Account | None:
        """Return the account of a folded name; it is made for an owner who has the name on another realm of the host."""
        with self._whole() as connection:
            owned, account = host_names.find_name(connection, folded), super().account_by_name(folded)
            if owned is None:
                if account is not None and account.folded == folded:
                    _enter(connection, account)
                return account
            if account is None:
                values = (owned.name, folded, skeleton(owned.name), owned.created_s, owned.last_seen_s)
                [(number,)] = connection.execute(_BRING, values).fetchall()
                host_names.link(connection, number, owned.owner, is_new=True)
            elif host_names.owner_of(connection, account.number) != owned.owner:
                return account
            else:
                number = account.number
            is_new = host_names.is_new_here(connection, number)
            if not is_new:
                host_names.pull(connection, number, owned.owner)
            found = super().account_by_name(folded)
            assert found is not None
            return replace(
                found, is_new_here=is_new, password_hash=owned.password_hash, last_seen_s=owned.last_seen_s
            )

    def knows_device(self, account: int, token_hash: bytes) -> bool:
        """Return whether a device is one of the account's own; of a new one here the host alone knows them."""
        with self._whole() as connection:
            owner = host_names.owner_of(connection, account)
            if owner is not None and host_names.is_new_here(connection, account):
                return host_names.knows(connection, owner, token_hash)
            return super().knows_device(account, token_hash)

    def admit(self, account: int) -> None:
        """Note that the owner of a name of another realm was let in here."""
        with self._whole() as connection:
            owner = host_names.owner_of(connection, account)
            if owner is not None and host_names.is_new_here(connection, account):
                host_names.link(connection, account, owner)
                host_names.count_realm(connection, owner, 1)
                host_names.pull(connection, account, owner)

    def accounts_alike(self, name: str) -> list[int]:
        """Return the accounts whose names look like `name`, or are the same; 0 for one of another realm alone."""
        with self._whole() as connection:
            elsewhere = host_names.is_alike(connection, skeleton(name))
            return super().accounts_alike(name) + [_LOOKS_LIKE_ONE_ELSEWHERE] * elsewhere

    def create_account(self, name: str, token_hash: bytes, now_s: int) -> Account:
        """Make an account that belongs to one device. Raises NameTaken when the folded name exists, on any realm of the host."""
        with self._whole() as connection:
            folded = fold(name)
            if super().account_by_name(folded) is not None:
                raise _taken(name)
            owner = host_names.add_name(connection, Account(0, name, folded, now_s, now_s), skeleton(name))
            if owner is None:
                raise _taken(name)
            made = super().create_account(name, token_hash, now_s)
            host_names.add_devices(connection, owner, [(token_hash, now_s)])
            host_names.link(connection, made.number, owner)
            return made

    def drop_unused(
        self, has_played: Callable[[int], bool], until_s: int, after: int
    ) -> tuple[int, list[int]]:
        """Remove accounts that were never played; a name that no realm has any more is free on all."""
        with self._whole() as connection:
            following, gone = super().drop_unused(has_played, until_s, after)
            owners = [
                owner for account in gone if (owner := host_names.unlink(connection, account)) is not None
            ]
            for owner in sorted(owners):  # in the same order on all realms, which wait for each other
                host_names.count_realm(connection, owner, -1, until_s)
            return following, gone

    def release_name(self, account: int) -> None:
        """Free an account's name for another, on all realms of the host; others keep theirs of this name."""
        with self._whole() as connection:
            owner = host_names.owner_of(connection, account)
            if owner is not None:
                host_names.drop_name(connection, owner)
            host_names.unlink(connection, account)
            super().release_name(account)

    def give_name(self, account: int, name: str) -> Account:
        """Give a released account another name, and return it. Raises NameTaken when it exists on any realm of the host."""
        with self._whole() as connection:
            if host_names.find_name(connection, fold(name)) is not None:
                raise _taken(name)
            given = super().give_name(account, name)
            if not _enter(connection, given):
                raise _taken(name)
            return given

    def add_device(self, account: int, token_hash: bytes, now_s: int) -> None:
        """Add a device to an account."""
        with self._whole() as connection:
            if (owner := host_names.owner_of(connection, account)) is not None:
                host_names.add_devices(connection, owner, [(token_hash, now_s)])
            super().add_device(account, token_hash, now_s)

    def give_to(self, account: int, token_hash: bytes, now_s: int) -> None:
        """Give an account to one device: its password and all other devices are removed, on all realms of the host."""
        with self._whole() as connection:
            self.admit(account)
            if (owner := host_names.owner_of(connection, account)) is not None:
                host_names.give_name_to(connection, owner, token_hash, now_s)
            super().give_to(account, token_hash, now_s)

    def set_password(self, account: int, password_hash: str, keep: bytes, former: str | None) -> bool:
        """Set a password, or change it from the hash `former`; return False if another is set by now, on any realm."""
        with self._whole() as connection:
            owner = host_names.owner_of(connection, account)
            if owner is None:
                return super().set_password(account, password_hash, keep, former)
            if not host_names.set_password(connection, owner, password_hash, keep, former):
                return False
            host_names.pull(connection, account, owner)
            return True

    def record_seen(self, account: int, now_s: int) -> None:
        """Store that an account is in play."""
        with self._whole() as connection:
            if (owner := host_names.owner_of(connection, account)) is not None:
                host_names.note_seen(connection, owner, now_s)
            super().record_seen(account, now_s)

    def link_accounts(self) -> None:
        """Tell the host the owners of accounts that it does not know: of an older server, or of an import.

        Where the name has an owner, an account with a device of theirs is theirs. Two owners keep the account of the own realm
        each. On all others an import takes no name from its owner; of two in a cluster of before, the one whose account was
        made first has the name.
        """
        with self._whole() as connection:
            is_older = host_names.begin_links(connection)
            for *fields, _ in host_names.unlinked(connection):
                _merge(connection, Account(*fields), is_older=is_older)

    @contextmanager
    def _whole(self) -> Iterator[Connection]:
        """Yield the connection of one transaction for all calls inside."""
        if self._postgres.held() is not None:
            with self._postgres.begin() as connection:
                yield connection
        else:
            with self._postgres.together(), self._postgres.begin() as connection:
                yield connection


def _enter(connection: Connection, account: Account) -> bool:
    """Give a free name of the host to the owner of an account; return False if another realm was quicker."""
    owner = host_names.add_name(connection, account, skeleton(account.name))
    if owner is None:
        return False
    host_names.add_devices(connection, owner, host_names.devices_of(connection, account.number))
    host_names.link(connection, account.number, owner)
    return True


def _merge(connection: Connection, account: Account, *, is_older: bool) -> None:
    """Link an account with the owner of its name: the same person, or another one."""
    owned = host_names.find_name(connection, account.folded)
    devices = host_names.devices_of(connection, account.number)
    if owned is None:
        _enter(connection, account)
    elif not devices and account.password_hash is None:  # no one can log in: its owner was never let in
        host_names.link(connection, account.number, owned.owner, is_new=True)
    elif owned.created_s == account.created_s or any(
        host_names.knows(connection, owned.owner, token) for token, _ in devices
    ):
        _join(connection, account, devices, owned)
    elif is_older and account.created_s < owned.created_s:
        host_names.drop_name(connection, owned.owner)
        _enter(connection, account)
    else:
        host_names.link(connection, account.number, None)


def _join(
    connection: Connection, account: Account, devices: list[tuple[bytes, int]], owned: host_names.HostName
) -> None:
    """Link an account with its owner. A password may have removed devices that an older copy has still."""
    if owned.password_hash is None:
        host_names.add_devices(connection, owned.owner, devices)
        if account.password_hash is not None:
            host_names.set_password(connection, owned.owner, account.password_hash, b"", None)
    host_names.note_seen(connection, owned.owner, account.last_seen_s)
    host_names.note_made(connection, owned.owner, account.created_s)
    host_names.link(connection, account.number, owned.owner)
    host_names.count_realm(connection, owned.owner, 1)
    host_names.pull(connection, account.number, owned.owner)


def _taken(name: str) -> NameTaken:
    return NameTaken(f"The name {name} is taken; choose another.")
