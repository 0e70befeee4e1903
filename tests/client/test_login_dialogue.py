"""The way through a door that asks for something, over a real line to a fake server."""

import asyncio
from pathlib import Path

import pytest

from gloam_client.game_session import GameSession
from gloam_client.net.launch_options import LaunchOptions
from gloam_client.player_store import PlayerStore
from gloam_client.services.own_machine import OwnMachine
from gloam_client.state import client_events
from gloam_client.user_files.address import Address
from gloam_shared.protocol.invite_code import Ticket
from gloam_shared.protocol.messages.login import Bye, Error, Joined, Login
from gloam_shared.protocol.registry import FromServer
from support.client.fake_server import FakeServer

TOKEN = b"t" * 32


def start(server: FakeServer, tmp_path: Path, ticket: Ticket) -> LaunchOptions:
    place = Address("127.0.0.1", server.port)
    return LaunchOptions("Ann", "test", TOKEN, tmp_path, place, ticket=ticket)


@pytest.mark.parametrize(
    ("asks", "asked"),
    [
        (Error("password", "It has a password."), "password"),
        (Error("auth", "They do not belong together."), "auth"),
        (Bye("invite", "It is private."), "invite"),
    ],
)
def test_the_client_hangs_up_asks_and_dials_again(tmp_path: Path, asks: Error | Bye, asked: str) -> None:
    async def play() -> list[client_events.ClientEvent]:
        server = FakeServer(asks=asks, key="the key")
        await server.start()
        happened: list[client_events.ClientEvent] = []
        joining = GameSession(
            start(server, tmp_path, Ticket("")),
            OwnMachine(start(server, tmp_path, Ticket(""))),
            PlayerStore(tmp_path, tmp_path / "options.toml"),
            happened.append,
        )
        assert await asyncio.wait_for(joining.play("Ann"), 60) is None
        given = {"invite": "the key"} if asked == "invite" else {"password": "the key"}
        again = asyncio.create_task(joining.play("Ann", given.get("password", ""), given.get("invite", "")))
        while not _joined(happened):
            await asyncio.sleep(0.01)
        again.cancel()
        await asyncio.gather(again, return_exceptions=True)
        await server.stop()
        assert [each for each in server.heard if isinstance(each, Login)] == [
            Login("Ann", TOKEN),
            Login("Ann", TOKEN, **given),
        ]
        return happened

    happened = asyncio.run(asyncio.wait_for(play(), 10))
    assert client_events.CredentialsAsked(asked, asks.text) in happened


def test_many_wrong_passwords_end_program(tmp_path: Path) -> None:
    """Too many wrong passwords end the program with the servers words."""

    async def play() -> str:
        server = FakeServer(asks=Error("wait", "Try again in 200 s."), key="the right one")
        await server.start()
        ending = await GameSession(
            start(server, tmp_path, Ticket("")),
            OwnMachine(start(server, tmp_path, Ticket(""))),
            PlayerStore(tmp_path, tmp_path / "options.toml"),
            lambda _: None,
        ).play("Ann", "guess")
        await server.stop()
        assert ending is not None
        return ending.text

    assert asyncio.run(asyncio.wait_for(play(), 10)) == "Try again in 200 s."


def test_the_code_of_an_invite_goes_along(tmp_path: Path) -> None:
    async def play() -> list[Login]:
        server = FakeServer(refuse=Bye("invite", "Later."))
        await server.start()
        await GameSession(
            start(server, tmp_path, Ticket("abcdefghij234567")),
            OwnMachine(start(server, tmp_path, Ticket("abcdefghij234567"))),
            PlayerStore(tmp_path, tmp_path / "options.toml"),
            lambda _: None,
        ).play("Ann")
        await server.stop()
        return [each for each in server.heard if isinstance(each, Login)]

    assert asyncio.run(asyncio.wait_for(play(), 10)) == [Login("Ann", TOKEN, "", "abcdefghij234567")]


def _joined(happened: list[client_events.ClientEvent]) -> bool:
    heard: list[FromServer] = [
        message
        for each in happened
        if isinstance(each, client_events.MessagesReceived)
        for message in each.messages
    ]
    return any(isinstance(message, Joined) for message in heard)
