"""Opening a world: the one place that names a backend. Imported by `app`, by commands on a world's file, and by tests."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from gloam_server.storage.errors import StorageError
from gloam_server.storage.sqlite.sqlite_file import SqliteFile
from gloam_server.storage.sqlite.sqlite_store import open_sqlite
from gloam_server.storage.store import PATIENT, FileStore, HashOf, LeaseTerms, Store, Transferred
from gloam_server.storage.workers import Cluster

_LACKING: Final = frozenset({"nats", "psycopg"})


def open_store(
    address: Path | str,
    *,
    take_over: bool = False,
    make: bool = True,
    older: bool = True,
    terms: LeaseTerms = PATIENT,
) -> Store:
    """Return an open world: a file, or the address of a cluster. Raises StorageError with a sentence for the host.

    Then the world is unchanged. `take_over` opens it even while another server has it open; `claim` then fences that one.
    `terms` say how the lease of a cluster is asked for. `make` creates the world if there is no part of it yet; `older` brings tables of an older version up to date.
    """
    if isinstance(address, Path):
        return open_sqlite(address, take_over=take_over, make=make, older=older)
    with _libraries():
        from gloam_server.storage.cluster.cluster_store import open_cluster  # noqa: PLC0415  # as below
    return open_cluster(address, take_over=take_over, make=make, terms=terms)


def read_store(address: str) -> Store:
    """Return the world of a cluster for reading alone, while a server has it open. Raises StorageError."""
    with _libraries():
        from gloam_server.storage.cluster.cluster_store import read_cluster  # noqa: PLC0415  # as below
    return read_cluster(address)


def export_world(address: str, file: Path) -> Transferred:
    """Write the world of a cluster, which no server may have open, to a file that is not there yet. Raises StorageError."""
    with _libraries():
        from gloam_server.storage.cluster.transfer import export_world as write  # noqa: PLC0415  # as below
    return write(address, file)


def back_up_world(address: str, file: Path) -> Transferred:
    """Write the world of a cluster, in which a server may play, to a file that is not there yet. Raises StorageError."""
    with _libraries():
        from gloam_server.storage.cluster.transfer import back_up_world as write  # noqa: PLC0415  # as below
    return write(address, file)


def import_world(file: Path, address: str, hash_of: HashOf) -> Transferred:
    """Write the world in a file into a realm of a cluster that has none; `hash_of` checks its snapshots. Raises StorageError."""
    with _libraries():
        from gloam_server.storage.cluster.transfer import import_world as write  # noqa: PLC0415  # as below
    return write(file, address, hash_of)


def open_realms(address: str) -> Cluster:
    """Return all realms of the cluster at an address, whose own realm does not count. Raises StorageError."""
    with _libraries():
        from gloam_server.storage.cluster.cluster_realms import ClusterRealms  # noqa: PLC0415  # as above
    return ClusterRealms(address)


@contextmanager
def _libraries() -> Iterator[None]:
    """Explain an import that fails: only a cluster's host has its libraries."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name not in _LACKING:
            raise
        raise StorageError(
            f"A world in a cluster needs {error.name}, which is not installed; install Gloam with its extra: pip install "
            "--editable '.[server,cluster]'."
        ) from error


def file_store(path: Path) -> FileStore:
    """Return a world's file, which need not exist."""
    return SqliteFile(path)
