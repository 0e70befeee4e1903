"""Checks at a start whether NATS keeps what it confirms: its version, its copies, and when it puts writes on disk."""

import json
from typing import Final, Literal
from urllib.error import URLError
from urllib.request import urlopen

from nats.js import api
from nats.js import errors as js_errors

from gloam_server.storage.errors import NoLeader, StorageError, StorageFault
from gloam_server.storage.jetstream.entry_log import STREAM, SUBJECTS
from gloam_server.storage.jetstream.nats_thread import NatsThread

OLDEST: Final = (2, 11)
"""The oldest version of the server: with 2.9 two writers could both append."""

Sync = Literal["always", "relaxed"]
"""The host's word about NATS' setting `sync_interval`, where no address for monitoring is given."""

_MONITOR_S: Final = 3.0


def check_server(nats: NatsThread, monitors: list[str], sync: Sync | None) -> None:
    """Raise StorageError if the server is too old, has no JetStream, or may lose what it confirmed."""
    version = nats.client.connected_server_version
    if (version.major, version.minor) < OLDEST:
        raise StorageError(
            f"NATS is of version {version.major}.{version.minor}, and a journal needs {OLDEST[0]}.{OLDEST[1]}; update its servers."
        )
    try:
        nats.call(nats.jetstream.account_info)
    except NoLeader:
        raise
    except (js_errors.APIError, StorageFault) as error:
        kind = StorageFault if isinstance(error, StorageFault) else StorageError
        raise kind(
            f"NATS has no JetStream for this user ({error}); enable it with `jetstream` in its settings, and for the account."
        ) from error
    if sync == "relaxed":
        return
    if not monitors and sync is None:
        raise StorageError(
            "Whether NATS keeps what it confirms through a power cut is not known; add monitor=http://HOST:8222 to its address "
            "in --store, or sync=always if its setting sync_interval is that, or sync=relaxed to accept the loss."
        )
    for monitor in monitors:
        if not _syncs_always(monitor):
            raise StorageError(
                f"NATS at {monitor} may lose in a power cut what it confirmed; set `sync_interval: always` there, or accept "
                "the loss with sync=relaxed in --store."
            )


def _syncs_always(monitor: str) -> bool:
    try:
        with urlopen(f"{monitor.rstrip('/')}/jsz?config=true", timeout=_MONITOR_S) as answer:  # noqa: S310  # the host's own address
            config = json.loads(answer.read(1 << 20)).get("config")
    except (OSError, ValueError, URLError) as error:
        raise StorageError(
            f"NATS' monitoring at {monitor} cannot be read ({error}); correct monitor= in --store."
        ) from error
    return isinstance(config, dict) and config.get("sync_always") is True


def open_stream(nats: NatsThread, replicas: int, *, make: bool) -> None:
    """Make the stream of all realms if it is not there. Raises StorageError if it could lose entries."""
    try:
        try:
            found = nats.call(lambda: nats.jetstream.stream_info(STREAM))
        except js_errors.NotFoundError:
            if not make:
                raise StorageError(
                    "NATS has no journal of Gloam; correct its address in --store, or start a server there once."
                ) from None
            found = nats.call(lambda: nats.jetstream.add_stream(_wanted(replicas)))
    except js_errors.APIError as error:
        raise StorageError(
            f"NATS refuses the stream {STREAM} ({error.description}); give the user rights for it, or, with one server, accept one copy "
            "by replicas=1 in --store."
        ) from error
    wrong = _unsafe_setting(found.config, replicas)
    if wrong:
        raise StorageError(
            f"The stream {STREAM} in NATS has {wrong}; change it with `nats stream edit {STREAM}`, or say so in --store."
        )


def _wanted(replicas: int) -> api.StreamConfig:
    return api.StreamConfig(
        name=STREAM,
        subjects=[f"{SUBJECTS}.*"],
        storage=api.StorageType.FILE,
        retention=api.RetentionPolicy.LIMITS,
        discard=api.DiscardPolicy.NEW,
        num_replicas=replicas,
        duplicate_window=120,
    )


def _unsafe_setting(config: api.StreamConfig, replicas: int) -> str | None:
    """Return the setting of a stream by which it loses entries, or has other copies than asked for."""
    subjects = config.subjects or []
    checks = (
        (subjects != [f"{SUBJECTS}.*"], f"the subjects {', '.join(subjects)}"),
        (config.storage != api.StorageType.FILE, "its entries in memory"),
        (config.retention not in (None, api.RetentionPolicy.LIMITS), f"the retention {config.retention}"),
        (config.discard != api.DiscardPolicy.NEW, "discard old"),
        (bool(config.max_age), "a greatest age"),
        ((config.max_msgs_per_subject or -1) > 0, "a greatest number of entries for each realm"),
        ((config.num_replicas or 1) < replicas, f"{config.num_replicas} replicas instead of {replicas}"),
    )
    return next((words for is_wrong, words in checks if is_wrong), None)
