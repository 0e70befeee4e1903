"""The table of what each message costs: one row for each kind, the bucket of the code, and no more journal than it says."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, get_args

import pytest

from gloam_server.sessions.rate_limits import BUCKETS
from gloam_shared.protocol.registry import CLIENT_MESSAGES, FromClient
from support.content.kits_campaign import arena_with_kits
from support.fuzz import typed_values
from support.fuzz.broken_frames import pack
from support.server.journal_checks import written_bytes
from support.server.parties import SPACING_MS
from support.server.sim_server import SimServer
from support.simulation.randomness import Chance

_DOCUMENT: Final = Path(__file__).parents[4] / "server" / "docs" / "limits.md"
_ROW: Final = re.compile(r"^\| `(\w+)` \| ([\w, ]+) \| ([\d,]+) \|", re.MULTILINE)
_SECTION: Final = re.compile(r"^## What a message may cost$.*?(?=^## )", re.MULTILINE | re.DOTALL)
_ENDS: Final = ("Hello", "AskStatus", "AskNews", "Login", "Resume", "WatchLogin", "AskReplay", "Goodbye")
"""Messages that end a connection in play: the tests of logins and of the budget measure them."""
OTHER_LIMITS: Final = {
    "first", "logins", "replays", "chat", "views", "passwords", "budget", "messages",
}  # fmt: skip
"""Limits outside of `BUCKETS`, which the section explains."""


def rows() -> dict[str, tuple[str, int]]:
    """Return the bucket and the bytes of each row."""
    section = _SECTION.search(_DOCUMENT.read_text(encoding="utf-8"))
    assert section is not None
    return {
        name: (bucket, int(size.replace(",", ""))) for name, bucket, size in _ROW.findall(section.group())
    }


def test_each_message_has_a_row_with_its_bucket() -> None:
    kinds = {kind.__name__: kind for kind in get_args(FromClient)}
    found = rows()
    assert set(found) == set(kinds)
    for name, (bucket, _) in found.items():
        assert bucket == (CLIENT_MESSAGES[kinds[name]].limit or bucket)
        assert (bucket in BUCKETS) == (CLIENT_MESSAGES[kinds[name]].limit is not None)
        assert bucket in {*BUCKETS, *OTHER_LIMITS}


def _sample(kind: type[FromClient]) -> Iterator[bytes]:
    chance, make = Chance(kind.__name__), typed_values.makers(FromClient)[kind]
    for _ in range(12):
        yield pack(make(chance))


@pytest.mark.parametrize("kind", [each for each in get_args(FromClient) if each.__name__ not in _ENDS])
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

    assert most <= rows()[kind.__name__][1]
