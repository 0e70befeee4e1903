"""The line: what is said when there is none, and how it returns after a cut."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from gloam_client.net import tls_connect
from gloam_client.net.connection import ENDS, Connection
from gloam_client.net.protocol_client import ProtocolClient
from gloam_client.net.tls_connect import ConnectFailed
from gloam_client.user_files.address import Address
from gloam_shared.protocol.codes import ByeCode, ErrorCode
from gloam_shared.protocol.commands import Move
from gloam_shared.protocol.messages.login import Bye, Error, Goodbye, Login, Resume
from gloam_shared.protocol.messages.play import SubmitCommand
from support.client.connection_listener import Ear
from support.client.fake_server import FakeServer


def run(story: Callable[[FakeServer, ProtocolClient, Connection, Ear], Awaitable[None]]) -> Ear:
    ear = Ear()

    async def main() -> None:
        loop = asyncio.get_running_loop()
        server = FakeServer()
        await server.start()
        link = ProtocolClient("Ann", bytes(32), "test")
        line = Connection(link, Address("127.0.0.1", server.port), ear, lambda: int(loop.time() * 1_000))
        task = asyncio.create_task(line.run())
        try:
            async with asyncio.timeout(60):
                await story(server, link, line, ear)
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await server.stop()

    asyncio.run(main())
    return ear


async def until(true: Callable[[], object]) -> None:
    while not true():
        await asyncio.sleep(0.005)


def fault(server: FakeServer) -> ConnectFailed:
    async def main() -> None:
        await server.start()
        try:
            place = Address("127.0.0.1", server.port)
            async with asyncio.timeout(60):
                await Connection(ProtocolClient("Ann", bytes(32), "test"), place, Ear(), lambda: 0).run()
        finally:
            await server.stop()

    with pytest.raises(ConnectFailed) as error:
        asyncio.run(main())
    return error.value


def test_command_reaches_server() -> None:
    """A command reaches the server and its patch returns."""

    async def story(_server: FakeServer, link: ProtocolClient, line: Connection, _ear: Ear) -> None:
        await until(lambda: link.view.place.width)
        link.command(Move(1, 0), 0)
        line.flush()
        before = link.view.cell
        await until(lambda: link.done == 1)
        assert before + 1 == link.view.cell

    run(story)


def test_after_cut_line_comes_back() -> None:
    """After a cut the line returns and the unanswered command with it."""

    async def story(server: FakeServer, link: ProtocolClient, line: Connection, ear: Ear) -> None:
        await until(lambda: link.view.place.width)
        server.silent = True
        link.command(Move(1, 0), 0)
        line.flush()
        await until(lambda: any(isinstance(message, SubmitCommand) for message in server.heard))
        server.cut()
        server.silent = False
        await until(lambda: link.done == 1)
        assert server.joins == 2
        assert len(ear.away) == 1
        assert [message.number for message in server.heard if isinstance(message, SubmitCommand)] == [1, 1]

    assert len(run(story).cuts) == 1


@pytest.mark.parametrize(("denied", "logins"), [(None, 1), ("expired", 2), ("auth", 2)])
def test_after_cut_resumes_and_logs_must(denied: ErrorCode | None, logins: int) -> None:
    """After a cut it resumes by itself and logs in only where it must."""

    async def story(server: FakeServer, link: ProtocolClient, _line: Connection, ear: Ear) -> None:
        server.token, server.denies = b"1" * 32, denied
        await until(lambda: link.view.place.width)
        server.cut()
        await until(lambda: ear.away)
        kinds = [type(message) for message in server.heard if isinstance(message, Login | Resume)]
        assert kinds == [Login, Resume, Login][: logins + 1]
        assert server.joins == 2

    assert len(run(story).cuts) == 1


def test_server_asks_wait_tried_after_time() -> None:
    """A server that asks to wait is tried again after that time."""
    waits = Error("wait", "You come and go too often; try again in 1 s.")

    async def story(server: FakeServer, link: ProtocolClient, _line: Connection, ear: Ear) -> None:
        server.asks, server.key = waits, "none"
        await until(lambda: ear.cuts)
        server.asks = None
        await until(lambda: link.joined)
        assert ear.pauses_ms[0] >= 1_000

    assert run(story).cuts == [waits.text]


def test_resume_must_wait_tried_token() -> None:
    """A resume that must wait is tried again with its token."""

    async def story(server: FakeServer, link: ProtocolClient, _line: Connection, ear: Ear) -> None:
        server.token = b"1" * 32
        await until(lambda: link.view.place.width)
        server.denies, server.words = "wait", "You come and go too often; try again in 1 s."
        server.cut()
        await until(lambda: len(ear.cuts) == 2)
        server.denies = None
        await until(lambda: ear.away)
        kinds = [type(message) for message in server.heard if isinstance(message, Login | Resume)]
        assert kinds == [Login, Resume, Resume]

    run(story)


@pytest.mark.parametrize(("seconds", "again"), [(59, True), (60, True), (61, False)])
def test_who_must_wait_long_decides_for_themselves(seconds: int, again: bool) -> None:
    """bound: WAIT_MAX_S."""
    waits = Error("wait", f"Too many new names come from your address; try again in {seconds} s.")

    async def story() -> Ear:
        ear, server = Ear(), FakeServer(asks=waits, key="none")
        await server.start()
        place = Address("127.0.0.1", server.port)
        task = asyncio.create_task(
            Connection(ProtocolClient("Ann", bytes(32), "test"), place, ear, lambda: 0).run()
        )
        async with asyncio.timeout(60):
            await until(lambda: ear.cuts or task.done())
        task.cancel()
        ended = (await asyncio.gather(task, return_exceptions=True))[0]
        assert isinstance(ended, ConnectFailed) is not again
        await server.stop()
        return ear

    assert asyncio.run(story()).cuts == ([waits.text] if again else [])


def test_goodbye_reaches_server() -> None:
    """Goodbye reaches the server before the line closes."""

    async def story(server: FakeServer, link: ProtocolClient, line: Connection, _ear: Ear) -> None:
        await until(lambda: link.joined)
        await line.goodbye()
        await until(lambda: Goodbye() in server.heard)

    run(story)


@pytest.mark.parametrize("code", ["invite", "version", "full"])
def test_a_server_that_will_not_have_us_is_quoted(code: ByeCode) -> None:
    assert fault(FakeServer(refuse=Bye(code, "Why not: because."))).text == "Why not: because."


@pytest.mark.parametrize("greeting", [b"SSH-2.0-OpenSSH_9.2\r\n", b"\x16\x03\x01\x02\x00\x01"])
def test_a_foreign_protocol_is_reported_as_such(greeting: bytes) -> None:
    assert "no Gloam server" in fault(FakeServer(greeting=greeting, silent=True)).text


def test_a_silent_server_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gloam_shared.limits.DEAD_S", 0.2)
    assert "answers nothing" in fault(FakeServer(silent=True)).text


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (Address("127.0.0.1", 1), "Nothing listens at 127.0.0.1:1"),
        (Address("no-such-host.invalid"), 'No computer called "no-such-host.invalid"'),
        (Address("a" * 70 + ".example"), "check"),
    ],
)
def test_an_unanswered_address_is_one_sentence(
    place: Address, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = socket.getaddrinfo

    def answer(host: str, *args: Any, **kwargs: Any) -> Any:  # a network's own answer may take long
        if host == "no-such-host.invalid":
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return ask(host, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", answer)
    with pytest.raises(ConnectFailed, match=words):
        asyncio.run(tls_connect.dial_plainly(place))


def test_a_place_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(*_: object, **__: object) -> None:
        await asyncio.sleep(60)

    monkeypatch.setattr(asyncio, "open_connection", never)
    monkeypatch.setattr(tls_connect, "CONNECT_S", 0.05)
    with pytest.raises(ConnectFailed, match="does not answer"):
        asyncio.run(tls_connect.dial_plainly(Address("10.255.255.1")))


def test_server_now_asked_before_new_try() -> None:
    """The server's present address is asked for before each new try."""
    asked: list[int] = []

    async def story(server: FakeServer, link: ProtocolClient, line: Connection, ear: Ear) -> None:
        async def again() -> Address:
            asked.append(len(ear.cuts))
            return Address("127.0.0.1", server.port)

        line._again = again
        await until(lambda: link.joined)
        server.cut()
        await until(lambda: server.joins == 2 and ear.away)

    run(story)
    assert asked == [1]


def test_goodbye_last_not_tried() -> None:
    """A goodbye that is to be the last one is not tried again."""

    async def story(server: FakeServer, link: ProtocolClient, line: Connection, _ear: Ear) -> None:
        line._ends |= {"full"}
        await until(lambda: link.joined)
        server.send(Bye("full", "All is kept."))
        server._close()
        await until(lambda: line._writer is None)

    assert run(story).cuts == []
    assert fault(FakeServer(refuse=Bye("stopping", "All is kept."))).code == "stopping"


def test_goodbye_stands_though_line_reset() -> None:
    """A goodbye stands though the line is reset after it."""

    async def story(server: FakeServer, link: ProtocolClient, line: Connection, _ear: Ear) -> None:
        await until(lambda: link.joined)
        server.send(Bye("kicked", "Out."))
        await until(lambda: line._bye)
        server.reset()
        await until(lambda: line._writer is None)
        assert server.joins == 1

    assert run(story).cuts == []


def test_server_stop_tried_before_first_joining() -> None:
    """One's own server that is about to stop is tried again before the first joining."""

    async def main() -> FakeServer:
        server, ear = FakeServer(refuse=Bye("stopping", "All is kept.")), Ear()
        place = Address("127.0.0.1", await server.start())

        async def again() -> Address:
            server.refuse = None
            return place

        ends = ENDS | {"stopping"}
        line = Connection(ProtocolClient("Ann", bytes(32), "test"), place, ear, lambda: 0, again, ends)
        task = asyncio.create_task(line.run())
        async with asyncio.timeout(60):
            await until(lambda: line._joined_once)
            server.send(Bye("stopping", "All is kept."))
            server._close()
            with pytest.raises(ConnectFailed, match="All is kept"):
                await task
        await server.stop()
        return server

    assert asyncio.run(main()).joins == 1


def test_server_tried_before_first_joining() -> None:
    """One's own server is tried again before the first joining."""

    async def main() -> int:
        server, ear = FakeServer(), Ear()
        await server.start()
        tries = 0

        async def again() -> Address:
            nonlocal tries
            tries += 1
            return Address("127.0.0.1", server.port if tries > 1 else 1)

        line = Connection(
            ProtocolClient("Ann", bytes(32), "test"), Address("127.0.0.1", 1), ear, lambda: 0, again
        )
        task = asyncio.create_task(line.run())
        async with asyncio.timeout(60):
            await until(lambda: server.joins)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await server.stop()
        return tries

    assert asyncio.run(main()) == 2
