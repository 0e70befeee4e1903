"""Greetings: one version of a range, the abilities of both sides, and the answers to a side of version 1.

The bytes of version 1 were recorded with the programs of that version; they are read here without any code of ours.
"""

from typing import Any

import msgpack
import pytest

from gloam_client.net.protocol_client import ProtocolClient
from gloam_shared.protocol.commands import Wait
from gloam_shared.protocol.framing import first_frame
from gloam_shared.protocol.messages.chat import HEAL_PING
from gloam_shared.protocol.messages.lives import BEACONS
from gloam_shared.protocol.messages.login import Bye, Error, Hello, Joined, Login, Welcome, hello_of
from gloam_shared.protocol.messages.play import PACKED_MOVES
from gloam_shared.protocol.messages.watching import GUEST_BANS, GUEST_WATCH, WATCH_CHOICE
from gloam_shared.protocol.registry import ABILITIES, PROTOCOL_OLDEST, PROTOCOL_VERSION
from support.server.raw_client import RawClient
from support.server.sim_server import SimServer
from support.simulation.checkers import projection

TOKEN = b"Anna".ljust(32, b".")

CLIENT_OF_1 = bytes.fromhex(
    "0000000f" "930101ab676c6f616d2f302e392e30"  # Hello 1 "gloam/0.9.0"
    "0000002b" "9503a4416e6e61c420" + TOKEN.hex() + "a0a0"  # Login "Anna"
)  # fmt: skip
STATUS_OF_1 = bytes.fromhex("000000029102")
"""AskStatus, as the programs of version 1 ask a server how it is."""

SERVER_OF_1_TO_AN_UNKNOWN_NUMBER = bytes.fromhex(
    "0000006f934ca776657273696f6ed963"
) + (
    b"This server speaks protocol 1, the client 2: upgrade the server with `pip install --upgrade gloam`."
)  # fmt: skip
SERVER_OF_1_TO_UNKNOWN_FIELDS = bytes.fromhex("0000005f934ca96d616c666f726d6564d951") + (
    b"A message came that is out of shape: Expected `array` of at most length 2, got 4."
)


def of_version_1(data: bytes) -> list[Any]:
    """Return what the bodies of version 1's frames hold: each behind four bytes of length, and nothing after the last."""
    found = []
    while data:
        size = int.from_bytes(data[:4], "big")
        assert len(data) >= 4 + size, "a client of version 1 would wait for more"
        found.append(msgpack.unpackb(data[4 : 4 + size]))
        data = data[4 + size :]
    return found


def test_a_version_1_client_is_asked_to_upgrade() -> None:
    """A client of version 1 reads in its own frames what to upgrade."""
    client = RawClient(SimServer())
    client.send(CLIENT_OF_1)
    [[tag, code, text]] = of_version_1(bytes(client.wire.sent))
    assert (tag, code) == (76, "version")
    assert text == (
        f"This server speaks protocol {PROTOCOL_VERSION}, the client 1: upgrade the client with "
        "`pip install .` in a newer clone."
    )
    assert client.wire.closed
    assert not client.server.dungeon.levels[1].players()


def test_a_program_of_version_1_may_ask_for_the_status() -> None:
    """The fields that it knows come first; it ignores the others."""
    client = RawClient(SimServer())
    client.send(STATUS_OF_1)
    [status] = of_version_1(bytes(client.wire.sent))
    assert status[:5] == [65, True, "arena", 0, "test"]


@pytest.mark.parametrize("answer", [SERVER_OF_1_TO_AN_UNKNOWN_NUMBER, SERVER_OF_1_TO_UNKNOWN_FIELDS])
def test_client_tells_player(answer: bytes) -> None:
    """A client tells its player that a server of version 1 is to be upgraded."""
    link = ProtocolClient("Ann", TOKEN, "test")
    link.connected(0)
    [bye] = link.receive(answer, 0)
    assert isinstance(bye, Bye)
    assert bye.code == "version"
    assert "server" in bye.text
    assert "pip install" in bye.text


def test_server_version_1_reads_our_first_frame() -> None:
    """It finds no sense in what it holds, and says so; nothing after it is read."""
    link = ProtocolClient("Ann", TOKEN, "test")
    link.connected(0)
    data = link.outgoing()
    size = int.from_bytes(data[:4], "big")
    assert msgpack.unpackb(data[4 : 4 + size])[:3] == [1, PROTOCOL_VERSION, "test"]
    assert size <= 1_024


@pytest.mark.parametrize(
    ("newest", "oldest", "answer"),
    [
        (PROTOCOL_VERSION, 0, PROTOCOL_VERSION),
        (PROTOCOL_VERSION, PROTOCOL_OLDEST, PROTOCOL_VERSION),
        (PROTOCOL_VERSION + 3, 1, PROTOCOL_VERSION),
        (PROTOCOL_VERSION + 3, PROTOCOL_VERSION, PROTOCOL_VERSION),
        (PROTOCOL_VERSION + 3, PROTOCOL_VERSION + 1, "upgrade the server"),
        (PROTOCOL_VERSION + 3, 0, "upgrade the server"),
        (PROTOCOL_OLDEST - 1, 0, "upgrade the client"),
        (0, 0, "upgrade the client"),
    ],
)
def test_newest_version_both_sides_speak_spoken(newest: int, oldest: int, answer: int | str) -> None:
    """The newest version that both sides speak is spoken."""
    client = RawClient(SimServer())
    client.say(Hello(newest, "test", oldest))
    [came] = client.heard()
    if isinstance(came, Welcome):
        assert came.protocol == answer
        client.say(Login("Anna", TOKEN))
        assert any(isinstance(each, Joined) for each in client.heard())
    else:
        assert isinstance(came, Bye)
        assert came.code == "version"
        assert str(answer) in came.text


def test_abilities_server_not_know_ignored() -> None:
    """Abilities that a server does not know are ignored and the others hold."""
    client = RawClient(SimServer())
    client.say(hello_of(PROTOCOL_VERSION, "test", 0, ("telepathy", *ABILITIES)))
    [welcome] = client.heard()
    assert isinstance(welcome, Welcome)
    held = tuple(
        each
        for each in ABILITIES
        if each not in ("beside", "cards", "kits", "lends", "rescue", "surfaces", "beacons", GUEST_WATCH)
    )  # the arena has none of them, and its host lets no guest watch
    assert welcome.abilities == held
    assert client.connection.session.abilities == frozenset(held)


@pytest.mark.parametrize("compressed", [False, True])
def test_a_client_may_ask_for_compression(compressed: bool) -> None:
    """With the ability, what follows `Welcome` is compressed; without it, it is not. Both say the same."""
    server = SimServer(compressed=compressed)
    client = server.join("Anna")
    assert client.connection._compressor is not None if compressed else client.connection._compressor is None
    client.command(Wait())
    server.advance(100)
    assert client.link.unanswered is None
    assert client.view == projection(server, client.connection.player)


def test_who_names_no_abilities_gets_none() -> None:
    client = RawClient(SimServer())
    client.say(Hello(PROTOCOL_VERSION))
    assert [getattr(each, "abilities", None) for each in client.heard()] == [()]


@pytest.mark.parametrize("abilities", [["a"] * 17, ["a" * 33], [7], "deflate"])
def test_a_list_of_abilities_that_is_none_is_refused(abilities: Any) -> None:
    """bound: ABILITIES_MAX. bound: ABILITY_MAX."""
    client = RawClient(SimServer())
    client.send(first_frame(msgpack.packb([1, PROTOCOL_VERSION, "test", 0, abilities])))
    assert client.codes()[0] in ("range", "type", "malformed")
    assert client.wire.closed


@pytest.mark.parametrize("abilities", [["a"] * 16, ["a" * 32]])
def test_a_list_of_abilities_may_be_as_long_as_that(abilities: list[str]) -> None:
    """bound: ABILITIES_MAX. bound: ABILITY_MAX."""
    client = RawClient(SimServer())
    client.say(Hello(PROTOCOL_VERSION, "test", 0, tuple(abilities)))
    assert [type(each) for each in client.heard()] == [Welcome]


@pytest.mark.parametrize("further", [["a"] * 33, ["a" * 33], [7], "rescue"])
def test_a_second_list_that_is_none_is_refused(further: Any) -> None:
    """bound: ABILITIES_FURTHER_MAX."""
    client = RawClient(SimServer())
    client.send(first_frame(msgpack.packb([1, PROTOCOL_VERSION, "test", 0, [], further])))
    assert client.codes()[0] in ("range", "type", "malformed")
    assert client.wire.closed


def test_abilities_beyond_the_first_list_count() -> None:
    """bound: ABILITIES_FURTHER_MAX. An ability holds wherever it stands, and a full greeting fits a frame."""
    client = RawClient(SimServer())
    client.say(Hello(PROTOCOL_VERSION, "test", 0, ("deflate",), (HEAL_PING, *["a"] * 31)))
    [welcome] = client.heard()
    assert isinstance(welcome, Welcome)
    assert welcome.abilities == (HEAL_PING, "deflate")


def test_older_servers_read_our_greeting() -> None:
    """A server of 0.3.0 refuses more than 16 abilities in the first list, and ignores what stands after it.

    The first list has the abilities of that server, compression among them; this version's own are in the second.
    """
    link = ProtocolClient("Ann", TOKEN, "test")
    link.connected(0)
    data = link.outgoing()
    size = int.from_bytes(data[:4], "big")
    _, _, _, _, first, second = msgpack.unpackb(data[4 : 4 + size])
    assert len(first) == 16
    assert {"deflate", "shout", "trade", "recap", "parties", "kits"} < set(first)
    assert set(second) == {
        "rescue",
        "lends",
        "surfaces",
        HEAL_PING,
        GUEST_WATCH,
        GUEST_BANS,
        WATCH_CHOICE,
        PACKED_MOVES,
        BEACONS,
    }


def test_a_client_of_an_older_release_plays() -> None:
    """Its greeting has one list; it gets what that names, and neither more nor a second list."""
    client = RawClient(SimServer())
    client.send(first_frame(msgpack.packb([1, PROTOCOL_VERSION, "gloam/0.3.0", 2, ["party", "shout"]])))
    [welcome] = client.heard()
    assert isinstance(welcome, Welcome)
    assert welcome.abilities == ("party", "shout")


def test_greeting_fields_later_version_read() -> None:
    """A greeting with fields of a later version is read and a login with any is not."""
    client = RawClient(SimServer())
    client.send(first_frame(msgpack.packb([1, PROTOCOL_VERSION, "test", 0, [], [], "more", [1, 2]])))
    assert [type(each) for each in client.heard()] == [Welcome]
    client.say_raw(b"")
    assert client.codes() == ["empty"]
    later = RawClient(SimServer())
    later.say(Hello(PROTOCOL_VERSION))
    later.heard()
    later.say_raw(msgpack.packb([3, "Anna", TOKEN, "", "", "more"]))
    assert later.codes() == ["malformed"]


def test_no_error_greeting_leaves_line_another() -> None:
    """No error of a greeting leaves a line of another version open."""
    client = RawClient(SimServer())
    client.say(Hello(PROTOCOL_OLDEST - 1), Login("Anna", TOKEN))
    assert not [each for each in client.heard() if isinstance(each, Error)]
    assert client.wire.closed
