"""The remains of a connection when it is gone: nothing that needs a search for cyclic garbage.

The server searches all of its objects rarely (`app/garbage_collection.py`), and strangers connect a thousand times a
second.
"""

import gc
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gloam_server.net.encryption import Encryption
from gloam_shared import limits
from gloam_shared.protocol.messages.login import Hello, Login
from gloam_shared.protocol.registry import PROTOCOL_VERSION
from support.server.raw_client import RawClient
from support.server.sim_server import SimServer
from support.server.tls_client import FAR, Caller, certified


@pytest.fixture(autouse=True)
def _no_collection() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize("says", ["nothing", "hello", "login", "garbage"])
def test_a_plain_connection_leaves_no_cycle(says: str) -> None:
    server = SimServer()
    server.join("Anna").leave()
    client = RawClient(server)
    if says in ("hello", "login"):
        client.say(Hello(PROTOCOL_VERSION))
    if says == "login":
        client.say(Login("Anna", b"Anna".ljust(limits.TOKEN_SIZE, b".")))
    if says == "garbage":
        client.send(b"\xff" * 40)
    gone = weakref.ref(client.connection)
    client.vanish()
    server.settle()
    server.clock.advance(1)
    del client

    assert gone() is None


@pytest.mark.parametrize(
    "says", ["nothing", "half a handshake", "no handshake", "handshake", "hello", "plain text"]
)
def test_an_encrypted_connection_leaves_no_cycle(tmp_path: Path, says: str) -> None:
    server = SimServer()
    caller = Caller(server, Encryption(certified(tmp_path)), FAR, tls=says != "plain text")
    if says == "half a handshake":
        caller.send(caller.hello()[:20])
    elif says == "no handshake":
        caller.send(b"\x16" + bytes(40))
    elif says == "plain text":
        caller.say(Hello(PROTOCOL_VERSION))
    elif says != "nothing":
        caller.shake_hands()
    if says == "hello":
        caller.say(Hello(PROTOCOL_VERSION))
    line: Any = caller.line
    gone = [weakref.ref(each) for each in (line, line._connection, line._tls) if each is not None]
    line.connectionLost()
    server.settle()
    server.clock.advance(1)
    del caller, line

    assert [each() for each in gone] == [None] * len(gone)
