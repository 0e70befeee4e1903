"""NATS about all realms: the holder of each lease, and the newest entry of each journal. Nothing is written."""

from collections.abc import Iterable
from contextlib import suppress

from nats.js import errors as js_errors
from nats.js.kv import KeyValue

from gloam_server.storage.jetstream.entry_log import STREAM, SUBJECTS
from gloam_server.storage.jetstream.nats_lease import BUCKET, holder_in
from gloam_server.storage.jetstream.nats_thread import ANSWER_S, NatsThread
from gloam_server.storage.realms import Holder, NewestEntry


class NatsRealms:
    """Answers questions about realms by name."""

    def __init__(self, nats: NatsThread) -> None:
        self._nats = nats

    def holders(self, realms: Iterable[str]) -> dict[str, Holder]:
        """Return the servers that have realms open; a realm without one is left out."""
        asked = list(realms)
        return self._nats.call(lambda: self._holders(asked), ANSWER_S * (1 + len(asked)))

    def newest(self, realm: str) -> NewestEntry | None:
        """Return the newest entry of a realm's journal, None without any."""
        with suppress(js_errors.NotFoundError):
            found = self._nats.call(lambda: self._nats.jetstream.get_last_msg(STREAM, f"{SUBJECTS}.{realm}"))
            if found.time is not None:
                return NewestEntry(found.seq or 0, int(found.time.timestamp()))
        return None

    async def _holders(self, realms: list[str]) -> dict[str, Holder]:
        found: dict[str, Holder] = {}
        bucket: KeyValue
        with suppress(js_errors.NotFoundError):  # no server was ever started here
            bucket = await self._nats.jetstream.key_value(BUCKET)
            for realm in realms:
                with suppress(js_errors.KeyNotFoundError):
                    found[realm] = holder_in((await bucket.get(realm)).value or b"")
        return found
