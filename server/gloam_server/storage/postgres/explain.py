"""The meaning of PostgreSQL's errors for the host: one sentence each, without the password of an address."""

from typing import Final

import psycopg
from psycopg import errors

from gloam_server.storage.errors import StorageError, StorageFault, StorageFull

_WORDS_MAX: Final = 200

_FULL: Final = (errors.DiskFull, errors.OutOfMemory, errors.ProgramLimitExceeded)
_RIGHTS: Final = (errors.InsufficientPrivilege, errors.InvalidSchemaName)


def explain_error(error: psycopg.Error) -> StorageError:
    """Return the meaning of an error of an open database."""
    if isinstance(error, _FULL):
        return StorageFull("PostgreSQL is full; nothing is lost, and play goes on when there is room again.")
    if isinstance(error, errors.ReadOnlySqlTransaction):
        return StorageFault(
            "PostgreSQL only reads: it is a standby, or set to read only; name the primary in --store."
        )
    if isinstance(error, _RIGHTS):
        return StorageFault(
            f"PostgreSQL does not permit it ({words(error)}); give the user all rights in the realm's schema."
        )
    if isinstance(error, psycopg.OperationalError):
        return StorageFault(f"PostgreSQL does not answer ({words(error)}); see that it runs.")
    return StorageFault(f"PostgreSQL refused a statement ({words(error)}); look at its log.")


def words(error: BaseException) -> str:
    """Return the first line of an error's text."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0].strip()[:_WORDS_MAX]
