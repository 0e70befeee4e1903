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
from gloam_shared.protocol.messages.records import AskNews, Ladder, LadderRow, News, NewsItem
from gloam_shared.protocol.registry import FromClient, FromServer
from support.client.loopback_server import serving
from support.processes.addresses import free_port

WELCOME = Welcome(2, "Fake", 0, 8, abilities=(DUNGEONS,))
NEWS = News("gloam", 0, (NewsItem("death", "Ann died.\x1b[2J"),))
Told = list[tuple[Dungeon, News | str]]


def asked(data: Path, answer: Callable[[FromClient, int], FromServer]) -> tuple[Told, Address]:
    """Return the news of all dungeons of a host whose server, at this port, answers each message so; and its address."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        framer, frames = Framer(limits.FRAME_BEFORE_LOGIN_MAX), FrameWriter()
        port = writer.get_extra_info("sockname")[1]
        while data := await reader.read(1_024):
            for body in framer.feed(data):
                writer.write(frames.frame(encode(answer(decode_from_client(body), port))))

    async def run() -> tuple[Told, Address]:
        async with serving(serve) as address:
            return await ask_everywhere(address, data, AskNews(), News), address

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


def test_a_ladder_of_several_dungeons_is_told_once() -> None:
    """Servers of two campaigns: the first two dungeons have one ladder, the third its own."""
    places = [Dungeon(name, "", Address("127.0.0.1", 7_373), served=True) for name in ("one", "two", "three")]
    row = LadderRow(1, "Cyd", 31, 28, 900, 90_000, 1, True, "a\x1b[2Jghost", 5, dungeon="two")
    both = Ladder("all", "depth", "gloam", "ab12", 9, 0, 1, (row,), dungeons=("one", "two"))
    own = Ladder("all", "depth", "jsrogue", "cd34", 9)
    lines = all_text([(places[0], both), (places[1], both), (places[2], own)]).splitlines()
    assert lines[0] == "one:"
    assert lines[1] == "gloam, all time, by depth: 1 life of 2 dungeons; rules 9, content ab12"
    assert lines[3].split() == [
        "#",
        "Name",
        "Dungeon",
        "Level",
        "Depth",
        "Kills",
        "Turns",
        "Wins",
        "Day",
        "End",
    ]
    assert lines[4].split()[:3] == ["1", "Cyd", "two"]
    assert [line for line in lines[5:] if line.endswith(":")] == ["three:"]


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
