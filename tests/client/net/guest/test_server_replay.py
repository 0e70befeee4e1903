"""A shared replay, fetched without a login: what servers answer, and what no server should."""

import asyncio
from pathlib import Path

import pytest

from gloam_client.net.guest.server_replay import fetch_replay
from gloam_client.net.tls_connect import ConnectFailed
from gloam_shared import limits
from gloam_shared.protocol.codec import decode_from_client, encode
from gloam_shared.protocol.framing import ForeignProtocol, Framer, FrameWriter
from gloam_shared.protocol.messages.login import Bye, Error, Hello, Welcome
from gloam_shared.protocol.messages.replays import REPLAYS, AskReplay, ReplayPart
from gloam_shared.protocol.registry import FromServer
from support.client.loopback_server import serving

BYTES = limits.REPLAY_PART_BYTES
WELCOME = Welcome(2, "Fake", 0, 8, abilities=(REPLAYS,))
SLOW = Error("slow", "Many fetch replays now.")
FIRST, LAST = ReplayPart(0, 2, BYTES + 3, b"a" * BYTES), ReplayPart(1, 2, BYTES + 3, b"end")


def fetched(data: Path, *answers: FromServer | bytes) -> bytes:
    """Return what the client fetches from a server that answers each of its messages with the next of these."""
    asked = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        framer, frames = Framer(limits.FRAME_BEFORE_LOGIN_MAX), FrameWriter()
        for answer in answers:
            try:
                [body] = framer.feed(await reader.read(1_024))
            except ForeignProtocol:  # the client tries TLS first
                break
            asked.append(decode_from_client(body))
            writer.write(answer if isinstance(answer, bytes) else frames.frame(encode(answer)))
            await writer.drain()

    async def run() -> bytes:
        async with serving(serve) as address:
            return await fetch_replay(address, data, "Ann-1")

    whole = asyncio.run(run())
    assert isinstance(asked[0], Hello)
    assert asked[0].abilities == (REPLAYS,)
    assert {each.id for each in asked[1:] if isinstance(each, AskReplay)} == {"Ann-1"}
    return whole


def test_parts_become_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gloam_client.net.guest.server_replay._SLOW_S", 0)
    assert fetched(tmp_path, WELCOME, FIRST, SLOW, LAST) == FIRST.data + LAST.data


@pytest.mark.rule("A73")
@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ((Welcome(2, "Fake", 0, 8),), "is older and shares no replays"),
        ((Bye("version", "Upgrade the client."),), "Upgrade the client."),
        ((WELCOME, Error("replay", "\x1b[2JNo such replay.")), "No such replay."),
        ((WELCOME, Bye("too-many", "Too many.")), "Too many."),
        ((WELCOME, WELCOME), "did not come whole"),
        ((WELCOME, LAST), "did not come whole"),
        ((WELCOME, ReplayPart(0, 1, 9, b"short")), "did not come whole"),
        ((WELCOME, FIRST, ReplayPart(1, 2, BYTES + 4, b"grew")), "changed on the server"),
        ((WELCOME, FIRST), "closed the connection"),
        ((b"HTTP/1.1 400 Bad Request\r\n\r\n",), "is no Gloam server"),
        ((WELCOME, b"\xff" * 8), "is no Gloam server"),
    ],
    ids=[
        "older", "version", "unknown", "full", "greeting", "other-part", "short", "grew", "cut", "http", "huge",
    ],
)  # fmt: skip
def test_another_answer_is_one_sentence(
    tmp_path: Path, answers: tuple[FromServer | bytes, ...], expected: str
) -> None:
    """An older server, a refusal, and parts that are no file: one clean sentence each."""
    with pytest.raises(ConnectFailed) as failed:
        fetched(tmp_path, *answers)
    assert expected in failed.value.text
    assert failed.value.text.isprintable()
