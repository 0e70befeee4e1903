"""A board asked for without a login: what servers answer, and what no server should."""

import asyncio
from pathlib import Path

import pytest

from gloam_client.net.guest.server_questions import ask_board
from gloam_client.net.tls_connect import ConnectFailed
from gloam_shared import limits
from gloam_shared.protocol.codec import encode
from gloam_shared.protocol.framing import FrameWriter
from gloam_shared.protocol.messages.login import Bye, Error
from gloam_shared.protocol.messages.records import AskLadder, Ladder, LadderRow
from gloam_shared.protocol.registry import FromServer
from support.client.loopback_server import serving

ROW = LadderRow(1, "Ann", 4, 5, 23, 1_234, 0, False, "orc", 9)
BOARD = Ladder("all", "depth", "gloam", "ab12", 12, lives=1, rows=(ROW,), own=ROW)


def asked(data: Path, answer: bytes, question: AskLadder = AskLadder()) -> Ladder:  # noqa: B008  # it is frozen
    """Return what the client makes of an answer, after which the server closes the connection."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1_024)
        writer.write(answer)
        await writer.drain()

    async def run() -> Ladder:
        async with serving(serve) as address:
            return await ask_board(address, data, question)

    return asyncio.run(run())


def frames(*messages: FromServer) -> bytes:
    writer = FrameWriter()
    return b"".join(writer.frame(encode(message)) for message in messages)


def test_a_board_comes_whole(tmp_path: Path) -> None:
    assert asked(tmp_path, frames(BOARD)) == BOARD


@pytest.mark.rule("A73")
@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (frames(Bye("unknown", "A message of an unknown kind.")), "is older and has no ladder"),
        (frames(Error("slow", "Many ask for the ladder now.")), "Many ask for the ladder now."),
        (frames(Bye("full", "\x1b[2JToo many.")), "Too many."),
        (b"", "closed the connection without an answer"),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "is no Gloam server"),
        (b"\x7f\xff\xff\xff", "is no Gloam server"),
        (b"\0\0\0\3\xc1\xc1\xc1", "is no Gloam server"),
        (frames(BOARD)[:-3], "closed the connection without an answer"),
    ],
    ids=["older", "slow", "full", "silent", "http", "huge", "malformed", "cut"],
)
def test_another_answer_is_one_sentence(tmp_path: Path, answer: bytes, expected: str) -> None:
    """An older server, a refusal, and bytes that are no answer: one clean sentence each."""
    with pytest.raises(ConnectFailed) as failed:
        asked(tmp_path, answer)
    assert expected in failed.value.text
    assert failed.value.text.isprintable()


@pytest.mark.rule("A73")
def test_an_older_server_ranks_not_by_beacons(tmp_path: Path) -> None:
    """An order that a server does not know is as a kind that it does not know."""
    with pytest.raises(ConnectFailed, match="is older and ranks no lives by beacons"):
        asked(tmp_path, frames(Bye("unknown", "A part of a message.")), AskLadder(order="beacons"))


def test_the_longest_board_fits_a_frame() -> None:
    most = 2**31 - 1
    row = LadderRow(most, "x" * 64, most, most, most, most, most, True, "y" * 200, 2**53 - 1)
    whole = Ladder("season", "victory", "z" * 64, "0" * 12, 9, 1, 1, (row,) * limits.LADDER_SHOWN_MAX, row)
    assert len(encode(whole)) < limits.FRAME_FROM_SERVER_MAX // 10
