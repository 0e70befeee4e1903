"""Rejections: everything that the server turns down is counted by its reason and logged briefly.

A host must see attacks and mistakes, and an attacker must not fill the log. So each is counted where it is sent, and
the log reports them by address: the first immediately, the rest in one line in 10 s. Of a frame the log shows only the
bytes before its first text, because the rest may be a password.
"""

import logging
import re
from functools import lru_cache
from typing import Final, cast

from twisted.internet.address import IPv4Address
from twisted.internet.interfaces import IAddress

from gloam_server.gateway.log_rate_limit import LogRateLimiter, LogWindow
from gloam_server.logs import fields
from gloam_server.net.networks import network_of
from gloam_server.net.reactor import DelayedCall, ReactorClock

REASONS: Final = (
    *("empty", "too-big", "malformed", "depth", "elements", "utf8", "type", "keys", "range", "unknown"),
    *(
        "foreign",
        "plain",
        "proxy",
        "tls",
        "late",
        "silent",
        "unread",
        "too-many",
        "flapping",
        "state",
        "version",
        "rate",
        "ack",
        "slow",
        "length",
    ),
    *(
        "name",
        "auth",
        "password",
        "invite",
        "wait",
        "busy",
        "banned",
        "full",
        "expired",
        "watching",
        "friend",
        "party",
        "one-life",
        "replay",
        "kit",
        "beacon",
        "other",
    ),
)
"""All reasons for refusals: a closed list, so that clients cannot add to it.

Besides the codes of PROTOCOL.md: `foreign` uses another protocol, `plain` is not encrypted, `proxy` came from a proxy's
address without the header that names the client's, `tls` failed the TLS handshake, `late` did not finish in time,
`silent` sent nothing for too long, `unread` did not read what was sent, `flapping` connected and left too often;
`other` is any code missing here.
"""

EXPECTED_CLOSES: Final = frozenset({"goodbye", "stopping", "replaced", "kicked", "fault"})
"""Codes of connections that end without a refusal."""

FRAME_SHOWN: Final = 32
"""The most bytes of a frame in the log, in hex."""

_BEFORE_TEXT: Final = re.compile(rb"[^\xa0-\xbf\xc4-\xc6\xd9-\xdb]{0,%d}" % FRAME_SHOWN, re.DOTALL)
"""Matches the bytes before the first one with which msgpack could begin a text or bytes."""

_log: Final = logging.getLogger(__name__)


class Rejections:
    """Counts rejections by reason since the start of the server, and logs them."""

    def __init__(self, clock: ReactorClock) -> None:
        self.counts: dict[str, int] = dict.fromkeys(REASONS, 0)
        self._clock = clock
        self._complaints = LogRateLimiter()
        self._timer: DelayedCall | None = None

    def record(self, address: IAddress, reason: str, frame: bytes) -> None:
        """Count a refusal and log it, immediately or later with others. `frame` are the refused bytes, if any."""
        if reason in EXPECTED_CLOSES:
            return
        if reason not in self.counts:
            reason = "other"
        self.counts[reason] += 1
        now_ms = int(self._clock.seconds() * 1_000)
        entry = self._complaints.record(
            _network_name(getattr(address, "host", "")), reason, _shown_frame(frame), now_ms
        )
        if entry is not None:
            _describe(*entry)
        elif self._timer is None:
            self._wait(now_ms)

    def stop(self) -> None:
        """Log all held-back records, and stop the timer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for entry in self._complaints.take_rest():
            _describe(*entry)

    def _wait(self, now_ms: int) -> None:
        """Set the timer for the next summary, if one is held back."""
        at_ms = self._complaints.look_at_ms()
        if at_ms is not None:
            self._timer = self._clock.callLater(max(0, at_ms - now_ms) / 1_000, self._sum_up)

    def _sum_up(self) -> None:
        self._timer = None
        now_ms = int(self._clock.seconds() * 1_000)
        for entry in self._complaints.due(now_ms):
            _describe(*entry)
        self._wait(now_ms)


def _describe(address: str, complaint: LogWindow) -> None:
    reasons, count = complaint.reasons, complaint.reasons.total()
    why = (
        [f"{reason} {number:,}" for reason, number in reasons.most_common()] if len(reasons) > 1 else reasons
    )
    frame = f" (frame {complaint.frame})" if complaint.frame else ""
    extra_fields = fields(
        "refused", address=address, count=count, reasons=dict(reasons), frame=complaint.frame
    )
    _log.warning("%s: %s refused: %s%s", address, f"{count:,}", ", ".join(why), frame, extra=extra_fields)


@lru_cache(maxsize=1_024)
def _network_name(host: str) -> str:
    return (
        network_of(cast(IAddress, IPv4Address("TCP", host, 0))).removesuffix("/32") or host or "this machine"
    )


def _shown_frame(frame: bytes) -> str:
    """Return a frame's start in hex, up to its first text or bytes, which may be a secret."""
    found = _BEFORE_TEXT.match(frame)
    return found[0].hex() if found else ""
