"""The errors of storage, the same for every backend. The text of each is one sentence for people, with cause and solution."""


class StorageError(Exception):
    """A storage operation failed."""


class StorageFull(StorageError):
    """The disk is full. Nothing was written; the same call may succeed later."""


class StorageFault(StorageError):
    """The disk or the database failed. The same call may succeed later, whether or not anything was written."""


class NoLeader(StorageFault):
    """The servers of a store elect a leader, as after each start of all of them, and answer again after that."""


class StorageDamaged(StorageError):
    """The data on disk is damaged; the last good state may still be readable."""


class WrongSequence(StorageError):
    """Another writer has claimed the world or appended here, or a record is missing: the caller must stop."""


class WorldOpen(StorageError):
    """Another server has the world open."""


class NameTaken(StorageError):
    """An account of this name exists."""
