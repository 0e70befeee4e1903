"""Complaints: one line an address in ten seconds, and no more memory for any number of addresses."""

from collections import Counter
from itertools import pairwise

import pytest

from gloam_server.gateway.log_rate_limit import ADDRESSES_MAX, OTHERS, LogRateLimiter, LogWindow

A, B = "192.0.2.1", "192.0.2.2"


def test_first_reported_at_once() -> None:
    """The log has the first refusal immediately, and the next ones ten seconds later."""
    complaints = LogRateLimiter()
    assert complaints.record(A, "malformed", "c1", 0) == (A, LogWindow(0, Counter(malformed=1), "c1"))
    assert complaints.look_at_ms() is None
    assert complaints.record(A, "malformed", "c1ff", 1) is None
    assert complaints.record(A, "depth", "91", 9_999) is None
    assert complaints.record(B, "rate", "", 5_000) == (B, LogWindow(5_000, Counter(rate=1), ""))
    assert complaints.look_at_ms() == 10_000
    assert complaints.due(9_999) == []
    assert complaints.due(10_000) == [(A, LogWindow(0, Counter(malformed=1, depth=1), "c1ff"))]


def test_goes_reported_ten_seconds() -> None:
    """An address that continues is logged every ten seconds. One that stops is forgotten."""
    complaints = LogRateLimiter()
    collected = []
    for now_ms in range(0, 60_000, 10):
        collected += [] if complaints.record(A, "rate", "", now_ms) is None else [now_ms]
        collected += [now_ms for _ in complaints.due(now_ms)]
    assert len(collected) == 6
    assert all(later - earlier >= 10_000 for earlier, later in pairwise(collected))
    complaints.due(70_000)
    assert len(complaints) == 1, "it was just reported"
    complaints.due(80_000)
    assert len(complaints) == 0
    assert complaints.record(A, "rate", "", 80_001) is not None


@pytest.mark.rule("A72")
def test_addresses_beyond_the_bound_share_one_line() -> None:
    complaints = LogRateLimiter()
    windows = [complaints.record(f"2001:db8::{number:x}", "late", "", 0) for number in range(10_000)]
    assert sum(each is not None for each in windows) == ADDRESSES_MAX + 1
    assert len(complaints) == ADDRESSES_MAX + 1
    [(address, others)] = complaints.due(10_000)
    assert (address, others.reasons) == (OTHERS, Counter(late=10_000 - ADDRESSES_MAX - 1))


def test_newcomer_line_once_others_quiet() -> None:
    """A newcomer has a line again once others were quiet for ten seconds."""
    complaints = LogRateLimiter()
    for number in range(ADDRESSES_MAX):
        complaints.record(str(number), "late", "", 0)
    logged = complaints.record(A, "late", "", 10_000)
    assert logged is not None
    assert logged[0] == A
    assert len(complaints) == 1
