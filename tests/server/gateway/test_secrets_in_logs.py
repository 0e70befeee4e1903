"""No password, token or code of a session is ever in the log: in no notation, however wrongly it was sent."""

import base64
import io
import logging

import msgpack

from gloam_server import logs
from gloam_server.gateway.login import invites
from gloam_server.gateway.login.login_attempt import AccessRules
from gloam_shared.protocol.codec import encode
from gloam_shared.protocol.messages.login import Hello, Login, PasswordStatus, SetPassword
from gloam_shared.protocol.registry import PROTOCOL_VERSION
from support.server.raw_client import RawClient
from support.server.sim_server import SimServer

HOME, ELSEWHERE = "203.0.113.7", "198.51.100.9"
TOKEN, OTHER_TOKEN = b"token-of-Anna-that-nobody-knows!", b"token-of-another-device-of-hers!"
PASSWORD, WRONG, NEW = "correct horse", "battery staple", "trombone quartet"
PIECE = 6
"""This many bytes of a secret in a row must not be there either."""


def call(server: SimServer, host: str, login: Login) -> RawClient:
    client = RawClient(server, host)
    client.say(Hello(PROTOCOL_VERSION), login)
    server.advance(2_000)
    return client


def spoilt(message: Login | SetPassword) -> list[bytes]:
    """Return a message as programs with a mistake might send it: too long, cut off, of wrong types, in other lists."""
    body = encode(message)
    parts = msgpack.unpackb(body)
    return [
        bytes([body[0] + 1]) + body[1:] + b"\xc0",
        body[:-2],
        msgpack.packb([parts[0], *(bytes(str(part), "utf8") for part in parts[1:])]),
        b"\xdc" + len(parts).to_bytes(2, "big") + body[1:] + b"\xc0",
        b"\xdd" + len(parts).to_bytes(4, "big") + body[1:] + b"\xc0",
        msgpack.packb(dict(enumerate(parts))),
        msgpack.packb([parts[0], *parts[1:], "x" * 5_000]),
        msgpack.packb([parts]),
        msgpack.packb(["".join(map(str, parts))]),
        msgpack.packb([99, *parts]),
    ]


def session(server: SimServer) -> list[str]:
    """Let everything happen that a secret takes part in; return the codes that were handed out."""
    code = invites.invite(server.store.directory, 1, server.wall_s)
    anna = call(server, HOME, Login("Anna", TOKEN, "", code))
    anna.say(SetPassword(PASSWORD))
    server.advance(2_000)
    assert PasswordStatus(password=True, fresh=True) in anna.heard()
    call(server, ELSEWHERE, Login("Anna", OTHER_TOKEN, "", code))
    for _ in range(7):
        refused = call(server, ELSEWHERE, Login("Anna", OTHER_TOKEN, WRONG))
    assert "wait" in refused.codes()
    anna.say(SetPassword(NEW, WRONG), SetPassword(NEW, PASSWORD), SetPassword("short"))
    server.advance(2_000)
    _, reset = invites.reset_password(server.store.directory, "Anna", server.wall_s)
    call(server, "192.0.2.5", Login("Anna", OTHER_TOKEN, "", reset))
    for host in (HOME, "127.0.0.1"):
        for message in (Login("Anna", TOKEN, PASSWORD, code), SetPassword(NEW, PASSWORD)):
            for body in spoilt(message):
                client = RawClient(server, host)
                client.say(Hello(PROTOCOL_VERSION))
                client.say_raw(body)
                client.vanish()
                server.advance(11_000)
    return [code, reset]


def pieces(secret: bytes) -> set[str]:
    """Return every piece of a secret as text, and as hex; and the whole in base64."""
    runs = [secret[at : at + PIECE] for at in range(len(secret) - PIECE + 1)]
    whole = base64.b64encode(secret).decode().rstrip("=")
    return {run.decode() for run in runs} | {run.hex() for run in runs} | {whole[:-2]}


def test_nothing_secret_whole_session_log() -> None:
    """Nothing secret of a whole session is in its log."""
    stream = io.StringIO()
    handler = logs.begin("json", stream)
    logging.getLogger().setLevel(logging.DEBUG)
    server = SimServer(rules=AccessRules(open=False))
    try:
        codes = session(server)
    finally:
        logging.getLogger().removeHandler(handler)
        logging.getLogger().setLevel(logging.WARNING)
    output = stream.getvalue()

    assert "Anna joined" in output
    assert server.front.refusals.counts["auth"] > 0
    assert server.front.refusals.counts["malformed"] > 0
    for secret in (TOKEN, OTHER_TOKEN, *(each.encode() for each in (PASSWORD, WRONG, NEW, *codes))):
        found = [piece for piece in pieces(secret) if piece in output]
        assert not found, [line for line in output.splitlines() if found[0] in line]


def test_the_search_would_find_a_secret() -> None:
    assert "6f7272656374" in pieces(PASSWORD.encode())
    assert "orrect" in pieces(PASSWORD.encode())
