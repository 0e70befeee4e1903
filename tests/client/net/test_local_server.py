"""The private server of bare `gloam`: found, or started by its command, or refused in words."""

import asyncio
import contextlib
import fcntl
import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gloam_client.net import local_server
from gloam_client.user_files.address import Address
from gloam_server.app.config import ConfigError, PortTaken
from gloam_server.cli import start_status
from gloam_server.storage.errors import WorldOpen
from support.client.fake_server import FakeServer


def write_address(data: Path, port: int, pid: int = 1) -> None:
    (data / "private.json").write_text(
        json.dumps({"host": "127.0.0.1", "port": port, "pid": pid}), encoding="utf-8"
    )


def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Let a shell script stand where the server's Python would."""
    program = tmp_path / "server"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: object())


def listens(port: int) -> str:
    """Return the shell command of a server that tells where it listens."""
    return f"echo '{start_status.listening('127.0.0.1', port)}'"


def fails(code: str) -> str:
    """Return the shell commands of a server that tells why it does not start, in words that no program may read."""
    return f"""echo '{{"status": "failed", "code": "{code}", "text": "Nothing to read."}}'; exit 2"""


@contextlib.contextmanager
def world_open(data: Path) -> Iterator[None]:
    """Hold the world as a running server does."""
    with (data / "world.sqlite3-lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def ended() -> None:
    """Wait for the stand-in to end."""
    for process in local_server._STARTED:
        assert isinstance(process, subprocess.Popen)
        process.wait()
    local_server._STARTED.clear()


def test_a_server_that_runs_already_is_joined(tmp_path: Path) -> None:
    async def main() -> local_server.LocalServer:
        server = FakeServer()
        write_address(tmp_path, await server.start())
        try:
            return await local_server.ensure(tmp_path)
        finally:
            await server.stop()

    with world_open(tmp_path):
        running = asyncio.run(main())
    assert running.pid == 1


def test_address_left_behind_not_believed(tmp_path: Path) -> None:
    """An address that was left behind is not believed."""

    async def main() -> local_server.LocalServer | None:
        somebody_else = FakeServer()
        write_address(tmp_path, await somebody_else.start())
        try:
            return await local_server.find(tmp_path)
        finally:
            await somebody_else.stop()

    assert asyncio.run(main()) is None


def test_address_dead_server_not_believed(tmp_path: Path) -> None:
    """An address of a dead server is not believed while the next one starts."""
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()

    async def main() -> list[local_server.LocalServer | None]:
        somebody_else = FakeServer()
        port = await somebody_else.start()
        found = []
        for pid in (gone.pid, 0, -1, 1 << 31, 10**30):
            write_address(tmp_path, port, pid)
            found.append(await local_server.find(tmp_path))
        await somebody_else.stop()
        return found

    with world_open(tmp_path):
        assert asyncio.run(main()) == [None] * 5


def test_forestalled_another_stops_at_once_tries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At first both ports find the world open in another server; then there is none."""
    stand_in(
        tmp_path,
        monkeypatch,
        f"echo x >> {tmp_path}/tries; if [ $(wc -l < {tmp_path}/tries) -lt 3 ]; then "
        f"{fails('world_open')}; fi; {listens(45)}",
    )
    running = asyncio.run(local_server.ensure(tmp_path / "world"))

    assert running.address.port == 45
    ended()


def test_who_is_forestalled_for_ever_gives_up_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(tmp_path, monkeypatch, fails("world_open"))
    with pytest.raises(local_server.NoLocalServer, match="again and again"):
        asyncio.run(local_server.ensure(tmp_path / "world"))


def test_forestalled_tells_more_log_joins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server forestalled by one that tells more in the log joins that one."""
    stand_in(tmp_path, monkeypatch, f"touch {tmp_path}/tried; sleep 0.3; echo 'INFO Bert joined' >&2; exit 2")

    async def main() -> local_server.LocalServer:
        server = FakeServer()
        starting = asyncio.create_task(local_server.ensure(tmp_path))
        while not (tmp_path / "tried").exists():
            await asyncio.sleep(0.01)
        with world_open(tmp_path):
            write_address(tmp_path, await server.start())
            running = await starting
        await server.stop()
        return running

    assert asyncio.run(main()).pid == 1


def test_fails_beside_another_tidied_says_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that fails beside another that has tidied up says so in words."""
    world = tmp_path / "world"
    stand_in(tmp_path, monkeypatch, f"echo 'No such campaign.' >&2; rm -r {world}; exit 2")
    with pytest.raises(local_server.NoLocalServer, match="did not start: it gives no reason"):
        asyncio.run(local_server.ensure(world))


def test_address_dead_server(tmp_path: Path) -> None:
    """An address of a dead server or a broken file is no server."""
    assert asyncio.run(local_server.find(tmp_path)) is None
    write_address(tmp_path, 1)
    assert asyncio.run(local_server.find(tmp_path)) is None
    (tmp_path / "private.json").write_text("[]", encoding="utf-8")
    assert asyncio.run(local_server.find(tmp_path)) is None


def test_server_started_and_address_read_status(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server is started and its address read from its status."""
    stand_in(tmp_path, monkeypatch, f'echo "$@" >&2; {listens(7373)}')
    running = asyncio.run(local_server.ensure(tmp_path))

    assert Address("127.0.0.1", 7373) == running.address
    ended()
    words = (tmp_path / "server.log").read_text(encoding="utf-8")
    assert (
        f"-m gloam_server run --private --status-json --data {tmp_path} --listen 127.0.0.1 --port 7373"
        in words
    )


def test_a_busy_port_is_answered_by_a_free_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(
        tmp_path,
        monkeypatch,
        f'case "$*" in *"--port 0") {listens(45)};; *) {fails("port_taken")};; esac',
    )
    running = asyncio.run(local_server.ensure(tmp_path))

    assert running.address.port == 45
    ended()


def test_campaign_chosen_and_no_other_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its campaign is the one that was chosen and no other of the shell."""
    stand_in(
        tmp_path,
        monkeypatch,
        f'echo "campaign <$GLOAM_CAMPAIGN>" >&2; {listens(7373)}',
    )
    monkeypatch.setenv("GLOAM_CAMPAIGN", "ruggrogue")
    for campaign, world in (("jsrogue", tmp_path / "campaigns" / "jsrogue"), ("", tmp_path)):
        asyncio.run(local_server.ensure(world, campaign))
        ended()
        assert (world / "server.log").read_text(encoding="utf-8") == f"campaign <{campaign}>\n"


def test_refused_campaign_reported_servers_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The client shows the server's words about a refused campaign. Nothing is left behind."""
    text = 'There is no campaign "nethack".'
    stand_in(tmp_path, monkeypatch, f"echo 'gloam-server: {text}' >&2; exit 2")
    with pytest.raises(local_server.NoLocalServer) as refused:
        asyncio.run(local_server.ensure(tmp_path / "home" / "nethack", "nethack"))
    assert str(refused.value) == f"The private server did not start: {text}"
    assert list((tmp_path / "home").iterdir()) == []


def test_the_log_of_a_world_that_there_is_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path, monkeypatch, "echo 'The world is damaged.' >&2; exit 1")
    (tmp_path / "world.sqlite3").touch()
    with pytest.raises(local_server.NoLocalServer):
        asyncio.run(local_server.ensure(tmp_path))
    assert "damaged" in (tmp_path / "server.log").read_text(encoding="utf-8")


def test_a_server_that_does_not_start_is_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path, monkeypatch, "echo 'The world is damaged.' >&2; exit 1")
    with pytest.raises(local_server.NoLocalServer, match="The world is damaged"):
        asyncio.run(local_server.ensure(tmp_path))


def test_without_servers_libraries_mend_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the servers libraries the mend is named."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(local_server.NoLocalServer, match=r"pip install '\.\[server\]'"):
        asyncio.run(local_server.ensure(tmp_path))


def test_world_another_server_holds_waited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A world that another server holds is waited for and then named."""
    stand_in(tmp_path, monkeypatch, "echo 'The world is open.' >&2; exit 2")
    monkeypatch.setattr(local_server, "OPEN_ELSEWHERE_S", 0.3)
    with (tmp_path / "world.sqlite3-lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(local_server.NoLocalServer, match="open in another server"):
            asyncio.run(local_server.ensure(tmp_path))
    assert not (tmp_path / "server.log").exists()


def test_status_line_names_port_and_world_taken() -> None:
    """The codes that the client reads are those that the server's faults have."""
    faults = PortTaken("That port is taken."), WorldOpen("That world is open."), ConfigError("No.")
    records = [json.loads(start_status.failed(fault)) for fault in faults]
    assert [each["code"] for each in records] == ["port_taken", "world_open", "refused"]
    assert [each["text"] for each in records] == [str(fault) for fault in faults]
