"""A hosted client reaches one server and nothing else, also by effects that no screen of it offers."""

import asyncio
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from gloam_client.net.tls_connect import TrustedStream, dial_plainly
from gloam_client.services.visitor import Visitor
from gloam_client.state import client_effects
from gloam_client.state.players.ladder import LadderOwner
from gloam_client.user_files.address import Address
from gloam_shared.protocol.messages.records import AskLadder
from support.client.fake_dungeon import ServerThread
from support.client.headless_client import HeadlessClient

ONE_SERVER = "This client plays on one server only"
NO_WORLDS = "This client has no worlds of its own"


@pytest.fixture
def trap() -> Iterator[socket.socket]:
    """A port of this machine that no client may dial."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setblocking(False)
        yield listening


def address(listening: socket.socket) -> Address:
    return Address(*listening.getsockname())


def visit(dungeon: ServerThread, home: Path, *, titled: bool = False) -> HeadlessClient:
    """Begin as a door does: with one dial, a store of the visitor's own, and on a page."""
    place = Address("127.0.0.1", dungeon.server.port)

    async def dial() -> TrustedStream:
        return await dial_plainly(place)

    services = Visitor(place, dial)
    return HeadlessClient(home, place.port, "Ann", kind="browser", services=services, titled=titled)


def untouched(trap: socket.socket) -> bool:
    try:
        trap.accept()
    except BlockingIOError:
        return True
    return False


def test_no_effect_dials_a_typed_address(dungeon: ServerThread, tmp_path: Path, trap: socket.socket) -> None:
    """Otherwise the door would be a proxy for attacks, such as on port 22 of its own machine."""
    place = address(trap)
    with visit(dungeon, tmp_path, titled=True) as ann:
        ann.wait_for("Your name: Ann")
        for effect in (
            client_effects.GoTo("Ann", place),
            client_effects.GoTo("Ann", place, watches=True),
            client_effects.ProbeServer(place),
            client_effects.AskBoard(LadderOwner(place), AskLadder()),
        ):
            ann.perform(effect)
            ann.wait_for("Your name: Ann")
        ann.wait_for(ONE_SERVER)
        assert untouched(trap)
        ann.perform(client_effects.GoTo("Ann"))
        ann.wait_for("HP 40/40")
    assert untouched(trap)


def test_the_title_offers_only_what_this_server_has(dungeon: ServerThread, tmp_path: Path) -> None:
    """No worlds, no friends to let in, no address to type, no seed of the day, which could only be refused."""
    with visit(dungeon, tmp_path, titled=True) as ann:
        ann.wait_for("> Play ")
        for words in ("Watch others play", "Ladder", "Replays", "Options", "Quit"):
            assert words in ann.text()
        for words in ("Worlds", "friends", "Join", "Seed"):
            assert words not in ann.text()
        ann.type("\x1b[B" * 2 + "\r")
        ann.wait_for("Ladder of 127.0.0.1")
        ann.type("\x1b")
        ann.wait_for("Your name: Ann")
        ann.type("\x1b[A" * 2 + "\r")
        ann.wait_for("HP 40/40")


def test_a_fault_names_no_file_of_the_host(dungeon: ServerThread, tmp_path: Path) -> None:
    """Neither broken options, nor options that cannot be saved, nor a broken replay."""
    (tmp_path / "options.toml").write_text("theme = ", encoding="utf-8")
    (tmp_path / "keys.toml").write_text("[vi]\nrest = []", encoding="utf-8")
    with visit(dungeon, tmp_path) as ann:
        ann.wait_for("HP 40/40")
        ann.type("m")
        ann.wait_for("Your options or keys could not be read")
        assert str(tmp_path) not in ann.text()
        ann.type("\x1b")
        (tmp_path / "options.toml").mkdir()
        ann.type("O\r")
        ann.wait_for("The options cannot be saved: Is a directory")
        assert str(tmp_path) not in ann.text()


def test_a_server_that_is_away_is_named_by_no_socket(tmp_path: Path) -> None:
    async def dial() -> TrustedStream:
        raise FileNotFoundError(2, "No such file", f"{tmp_path}/private.sock")

    services = Visitor(Address("play.example.org"), dial)
    with HeadlessClient(tmp_path, 1, "Ann", kind="browser", services=services, titled=True) as ann:
        ann.wait_for("> Play ")
        ann.type("\r")
        ann.wait_for("The server does not answer")
        assert "sock" not in ann.text()


def test_no_effect_makes_or_starts_a_world(dungeon: ServerThread, tmp_path: Path) -> None:
    """Nothing lies in the visitor's folder but the files of their store."""
    with visit(dungeon, tmp_path, titled=True) as ann:
        ann.wait_for("Your name: Ann")
        for effect in (
            client_effects.GoTo("Ann", campaign="rltut"),
            client_effects.GoTo("Ann", daily="2026-01-31"),
            client_effects.GoTo("Ann", seed=7),
            client_effects.InviteFriends(),
            client_effects.DeleteWorld("gloam"),
            client_effects.AskBoard(LadderOwner(None, "gloam"), AskLadder()),
        ):
            ann.perform(effect)
            ann.wait_for("Your name: Ann")
        ann.wait_for(NO_WORLDS)
        ann.perform(client_effects.GoTo("Ann"))
        ann.wait_for("HP 40/40")
        ann.perform(client_effects.LeaveGame(stop_server=True))
        assert ann.wait_exit() == 0
    kept = {path.name for path in tmp_path.iterdir()}
    assert kept <= {"device-token", "hints", "memory", "replays", "tips"}, kept


@pytest.mark.thorough
def test_the_one_server_answers_its_questions(dungeon: ServerThread) -> None:
    place = Address("127.0.0.1", dungeon.server.port)
    told: list[object] = []

    async def ask() -> None:
        async def dial() -> TrustedStream:
            return await dial_plainly(place)

        services = Visitor(place, dial)
        services.report_to(told.append)
        await services.probe(place)
        await services.ask_board(LadderOwner(place), AskLadder())

    asyncio.run(ask())
    assert not [each for each in told if ONE_SERVER in str(each)]
    assert len(told) == 2


def test_a_page_names_no_commands_of_a_shell(dungeon: ServerThread, tmp_path: Path) -> None:
    with visit(dungeon, tmp_path, titled=True) as ann:
        ann.wait_for("Your name: Ann")
        assert "gloam " not in ann.text()
