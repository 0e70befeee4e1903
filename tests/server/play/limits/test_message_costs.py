"""The table of what each message costs: one row for each kind, the bucket of the code, and no more journal than it says."""

from collections.abc import Callable, Iterator
from typing import Final, get_args

import pytest

from gloam_server.sessions.rate_limits import BUCKETS
from gloam_shared.protocol.messages import login
from gloam_shared.protocol.registry import CLIENT_MESSAGES, FromClient
from support.content.kits_campaign import arena_with_kits
from support.documents.message_budgets import budget_of
from support.fuzz import typed_values
from support.fuzz.broken_frames import pack
from support.server.journal_checks import written_bytes
from support.server.parties import SPACING_MS
from support.server.sim_server import SimServer
from support.simulation.randomness import Chance

_ENDS: Final = {
    login.Goodbye,
    *(kind for kind, row in CLIENT_MESSAGES.items() if not row.phases & {"playing", "watching"}),
}
"""Messages that end a connection in play: the tests of logins and of the budget measure them."""
OTHER_LIMITS: Final = {
    "first", "logins", "replays", "chat", "views", "passwords", "budget", "messages",
}  # fmt: skip
"""Limits outside of `BUCKETS`, which the section explains."""


def test_each_message_has_a_known_limit() -> None:
    assert set(CLIENT_MESSAGES) == set(get_args(FromClient))
    for kind, row in CLIENT_MESSAGES.items():
        named = budget_of(kind).limit
        assert named == (row.limit or named)
        assert (named in BUCKETS) == (row.limit is not None)
        assert named in {*BUCKETS, *OTHER_LIMITS}


def _sample(kind: type[FromClient]) -> Iterator[bytes]:
    chance, make = Chance(kind.__name__), typed_values.makers(FromClient)[kind]
    for _ in range(12):
        yield pack(make(chance))


@pytest.mark.parametrize("kind", [each for each in get_args(FromClient) if each not in _ENDS])
def test_a_message_writes_no_more_than_its_row(
    kind: type[FromClient], record_property: Callable[..., None]
) -> None:
    """Any values that the kind allows, sent by hand one after another, in play beside a friend."""
    most, server = 0, SimServer(campaign=arena_with_kits())
    client = server.join("Ann")
    server.join("Bert")
    server.advance(200)
    for body in _sample(kind):
        if not client.up:
            client = server.join("Ann")
            server.advance(200)
        before = written_bytes(server)
        client.connection.dataReceived(client.link._line.frames.frame(body))
        server.advance(SPACING_MS * 4)
        if not client.wire.closed:  # a connection that ends lets the body leave
            most = max(most, written_bytes(server) - before)
    record_property("bytes", most)

    assert most <= budget_of(kind).journal
