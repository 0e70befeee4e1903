"""The news of all dungeons of a host, asked for without a login: what servers answer, and what no server should."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gloam_client.cli.ladder import all_json, all_text
from gloam_client.net.guest.host_dungeons import ask_everywhere
from gloam_client.net.many_dungeons import Dungeon
from gloam_client.net.tls_connect import ConnectFailed
from gloam_client.user_files.address import Address
from gloam_shared import limits
from gloam_shared.protocol.codec import decode_from_client, encode
from gloam_shared.protocol.framing import Framer, FrameWriter
from gloam_shared.protocol.messages.dungeons import DUNGEONS, AskDungeons, DungeonRow, Dungeons
from gloam_shared.protocol.messages.login import Bye, Hello, Welcome
from gloam_shared.protocol.messages.records import AskNews, News, NewsItem
from gloam_shared.protocol.registry import FromClient, FromServer
from support.processes.addresses import free_port

WELCOME = Welcome(2, "Fake", 0, 8, abilities=(DUNGEONS,))
NEWS = News("gloam", 0, (NewsItem("death", "Ann died.\x1b[2J"),))
Told = list[tuple[Dungeon, News | str]]


def asked(data: Path, answer: Callable[[FromClient, int], FromServer]) -> tuple[Told, Address]:
    """Return the news of all dungeons of a host whose server, at this port, answers each message so; and its address."""

    served: set[asyncio.Task[None] | None] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        served.add(asyncio.current_task())
        try:
            await converse(reader, writer)
        except ConnectionError:
            pass  # the client has hung up
        finally:
            writer.transport.abort()

    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        framer, frames = Framer(limits.FRAME_BEFORE_LOGIN_MAX), FrameWriter()
        port = writer.get_extra_info("sockname")[1]
        while data := await reader.read(1_024):
            for body in framer.feed(data):
                writer.write(frames.frame(encode(answer(decode_from_client(body), port))))

    async def run() -> tuple[Told, Address]:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        place = Address(*server.sockets[0].getsockname()[:2])
        try:
            return await ask_everywhere(place, data, AskNews(), News), place
        finally:
            server.close()
            await asyncio.wait([task for task in served if task is not None])
            await asyncio.sleep(0)  # what was aborted is closed

    return asyncio.run(run())


def host_of(rows: Callable[[int], tuple[DungeonRow, ...]]) -> Callable[[FromClient, int], FromServer]:
    """Return the answers of a server that lists these rows, made for its port."""

    def answer(question: FromClient, port: int) -> FromServer:
        match question:
            case Hello(abilities=abilities):
                assert abilities == (DUNGEONS,)
                return WELCOME
            case AskDungeons():
                return Dungeons("first", rows(port))
        return NEWS

    return answer


def test_each_dungeon_stands_with_its_news(tmp_path: Path) -> None:
    """One without a server, and one whose server has ended, stand with a sentence; texts are made safe."""
    gone = free_port()

    def rows(port: int) -> tuple[DungeonRow, ...]:
        return (
            DungeonRow("first", "The Gloam", 7373, served=True),  # the dialed one, at whichever port it says
            DungeonRow("sec\x1b]0;x\x07ond", "The\u202e Cave", port, served=True),
            DungeonRow("third", "The Cave", gone, served=True),
            DungeonRow("fourth", "", 7376, served=False),
            DungeonRow("fifth", "", 65_536, served=True),
        )

    found, place = asked(tmp_path, host_of(rows))
    assert [(dungeon.name, dungeon.title) for dungeon, _ in found] == [
        *(("first", "The Gloam"), ("sec]0;xond", "The Cave"), ("third", "The Cave"), ("fourth", "")),
    ]
    assert found[0] == (Dungeon("first", "The Gloam", place, served=True), NEWS)
    text = all_text(found)
    assert text.startswith("first (The Gloam):\nAnn died.[2J\n\nsec]0;xond (The Cave):\nAnn died.")
    assert text.endswith("fourth:\nNo server has it open now.")
    assert str(gone) in text
    documents = json.loads(all_json(found))["dungeons"]
    assert documents[0]["news"]["items"] == [{"kind": "death", "text": "Ann died.[2J"}]
    assert [min({"news", "fault"} & {*each}) for each in documents] == [
        "news",
        "news",
        "fault",
        "fault",
    ]


def test_an_older_server_is_a_dungeon_alone(tmp_path: Path) -> None:
    def answer(question: FromClient, _: int) -> FromServer:
        return Welcome(2, "Fake", 0, 8) if isinstance(question, Hello) else NEWS

    found, place = asked(tmp_path, answer)
    assert found == [(Dungeon("", "", place, served=True), NEWS)]
    assert all_text(found).startswith(f"{place}:\n")


def test_a_list_of_thousands_is_cut_off(tmp_path: Path) -> None:
    row = DungeonRow("x", "", 0, served=False)
    assert len(asked(tmp_path, host_of(lambda _: (row,) * 5_000))[0]) == limits.DUNGEONS_MAX


@pytest.mark.parametrize("said", [Bye("too-many", "Too many.\x1b[2J"), Bye("version", "Upgrade the client.")])
def test_a_host_that_refuses_says_why(tmp_path: Path, said: Bye) -> None:
    with pytest.raises(ConnectFailed, match=r"Too many|Upgrade"):
        asked(tmp_path, lambda *_: said)
