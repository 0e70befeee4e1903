"""The dungeons of a host with a real NATS and a real PostgreSQL: a client shows them, and goes into the chosen one."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from gloam_client.__main__ import cli
from gloam_client.net.many_dungeons import ManyDungeons
from gloam_client.user_files.recent_servers import read
from gloam_shared.protocol.commands import Wait
from gloam_shared.protocol.messages.dungeons import DungeonRow
from gloam_shared.protocol.messages.login import Error, Joined
from support.client.dungeon_list import listed
from support.client.fake_client import FakeClient
from support.client.headless_client import HeadlessClient
from support.cluster.workers import WorkerProcess, create_realm, looking, wait_for_servers
from support.processes.addresses import free_port
from support.processes.screen import choose, entered, leave
from support.processes.server_process import AS_A_HOST, ServerProcess
from support.run.waiting import wait_until
from support.storage.clusters import Cluster

pytestmark = [pytest.mark.end_to_end, pytest.mark.thorough]


class HostOfThree(NamedTuple):
    """A host with the realms "first" and "second", which a worker serves, and "third", which no server has open."""

    cluster: Cluster
    ports: dict[str, int]


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HostOfThree]:
    folder = tmp_path_factory.mktemp("host")
    cluster = Cluster(folder / "nats")
    worker: WorkerProcess | None = None
    try:
        store, ports = cluster.address("any"), {name: free_port() for name in ("first", "second", "third")}
        for name, port in ports.items():
            create_realm(store, name, port)
        worker = WorkerProcess(folder, store, "alpha", "--realms", "first,second")
        with looking(store) as realms:
            wait_for_servers(realms, "alpha", "alpha")
        yield HostOfThree(cluster, ports)
    finally:
        if worker is not None:
            worker.remove()
        cluster.close()


def test_a_server_lists_the_dungeons_of_its_host(host: HostOfThree) -> None:
    """The list has the titles of campaigns, and says which dungeons have a server."""
    second = host.ports["second"]
    wait_until(lambda: {row.title for row in rows_at(second)[:2]} == {"The Cave"}, "a title is lacking")
    rows = rows_at(second)
    assert [(row.name, row.port, row.served) for row in rows] == [
        ("first", host.ports["first"], True),
        ("second", second, True),
        ("third", host.ports["third"], rows[2].served),
    ]


def test_a_player_chooses_a_dungeon(host: HostOfThree, tmp_path: Path) -> None:
    """One letter leads into another dungeon than the dialed one; one without a server is refused."""
    wait_until(lambda: not rows_at(host.ports["first"])[2].served, "it is served")
    with HeadlessClient(tmp_path, host.ports["first"], "Anna", asks_dungeons=True) as pty:
        pty.wait_for("Dungeons of 127.0.0.1")
        pty.wait_for(lambda rows: count_played(rows) == 2)
        assert "third" in pty.text()
        pty.type("c")
        pty.wait_for("No server has third open now; Ctrl-R asks again.")
        pty.type("b")
        entered(pty)
        assert [each.address for each in read(tmp_path)] == [f"127.0.0.1:{host.ports['second']}"]
        leave(pty)


def test_the_title_leads_to_the_list_and_back(host: HostOfThree, tmp_path: Path) -> None:
    """From the title; Enter alone takes the dialed dungeon, and Esc leads back."""
    with HeadlessClient(tmp_path, None, "Bert", titled=True, campaign="jsrogue") as pty:
        pty.wait_for("Your name: Bert")
        choose(pty, "Join a server")
        pty.type(f"127.0.0.1:{host.ports['second']}\r")
        pty.wait_for("Dungeons of 127.0.0.1")
        pty.type("\x1b")
        pty.wait_for("Your name: Bert")
        choose(pty, "Join a server")
        pty.type(f"127.0.0.1:{host.ports['second']}\r")
        pty.wait_for("Dungeons of 127.0.0.1")
        pty.type("\r")
        entered(pty)
        assert [each.address for each in read(tmp_path)] == [f"127.0.0.1:{host.ports['second']}"]
        leave(pty)


def test_a_dungeon_vanishes_before_the_choice(host: HostOfThree, tmp_path: Path) -> None:
    """Its server ends while the list is shown: the title says that it cannot be reached, and the others are there still."""
    port, first = str(host.ports["third"]), f"127.0.0.1:{host.ports['first']}"
    words = ("--store", host.cluster.address("third"), "--port", port)
    with HeadlessClient(tmp_path, None, "Carl", titled=True, campaign="jsrogue") as pty:
        pty.wait_for("Your name: Carl")
        with ServerProcess(tmp_path / "third", *words, seed=None, program=AS_A_HOST) as third:
            wait_until(lambda: all(row.served for row in rows_at(host.ports["first"])), "it is not served")
            choose(pty, "Join a server")
            pty.type(f"{first}\r")
            pty.wait_for(lambda rows: count_played(rows) == 3)
            assert third.stop() == 0
        pty.type("c")
        pty.wait_for("Your name: Carl")
        pty.wait_for(f"127.0.0.1:{port}")
        choose(pty, "Join a server")
        pty.type(f"{first}\r")
        pty.wait_for(lambda rows: "c - third" in "".join(rows) and count_played(rows) == 2)


def test_a_name_is_one_account_in_all_dungeons(host: HostOfThree) -> None:
    """Another device does not get it in a dungeon where its owner never was; the owner does, and begins a life there."""
    first, second = host.ports["first"], host.ports["second"]
    with FakeClient(first, "Dora") as dora:
        dora.do(Wait())
    thief = FakeClient(second, "Dora", token=b"t" * 32)
    thief.wait_for(lambda: bool(thief.of_kind(Error)))
    assert thief.of_kind(Error)[-1].code == "name"
    thief.leave()
    with FakeClient(second, "Dora") as dora:
        assert dora.of_kind(Joined)[-1].life == 1
        assert dora.do(Wait()) == 1


def test_news_and_ladder_of_all_dungeons(host: HostOfThree, tmp_path: Path) -> None:
    wait_until(lambda: not rows_at(host.ports["first"])[2].served, "it is served")
    place = f"127.0.0.1:{host.ports['first']}"
    news = CliRunner().invoke(cli, ["news", place, "--dungeons", "--data", str(tmp_path)])
    assert news.exit_code == 0, news.output
    assert [line for line in news.output.splitlines() if line.endswith(":")] == [
        "first (The Cave):",
        "second (The Cave):",
        news.output.splitlines()[-2],
    ]
    assert news.output.splitlines()[-2].startswith("third (")
    assert news.output.splitlines()[-1] == "No server has it open now."
    shown = CliRunner().invoke(cli, ["ladder", place, "--dungeons", "--json", "--data", str(tmp_path)])
    boards = json.loads(shown.output)["dungeons"]
    assert [each["name"] for each in boards] == ["first", "second", "third"]
    assert boards[1]["ladder"]["campaign"] == "jsrogue"
    assert boards[2]["fault"] == "No server has it open now."


def test_one_ladder_has_the_lives_of_all_dungeons(host: HostOfThree, tmp_path: Path) -> None:
    """Also the lives of a dungeon without a server; `--dungeons` shows it once."""
    ended = (
        "INSERT INTO {}.deaths (account, name, killer, depth, level, experience, turns, at_s, life, deepest) "
    )
    for realm, name, depth in (("second", "Elsa", 4), ("third", "Finn", 9)):
        host.cluster.postgres.execute(
            f"INSERT INTO {realm}.accounts (id, name, folded, created_s, last_seen_s) VALUES (900, '{name}', '{name}', 5, 5)"
        )
        row = f"VALUES (900, '{name}', 'kobold', {depth}, 2, 0, 77, 1800000000, 999, {depth})"
        host.cluster.postgres.execute(ended.format(realm) + row)
    place, data = f"127.0.0.1:{host.ports['first']}", str(tmp_path)

    def lives() -> list[tuple[str, str, int]]:
        shown = CliRunner().invoke(cli, ["ladder", place, "--json", "--data", data])
        board = json.loads(shown.output)
        assert board["dungeons"] == ["first", "second", "third"]
        rows = [(row["name"], row["dungeon"], row["depth"]) for row in board["rows"]]
        return [row for row in rows if row[0] in ("Elsa", "Finn")]

    # a board is kept for a moment, and all who ask without a login share a limit
    wait_until(lives, "the ladder is an older one", 0.5)
    assert lives() == [("Finn", "third", 9), ("Elsa", "second", 4)]
    told = CliRunner().invoke(cli, ["ladder", place, "--dungeons", "--data", data]).output
    assert told.count("Elsa") == 1
    assert "of 3 dungeons" in told


def rows_at(port: int) -> tuple[DungeonRow, ...]:
    """Return the dungeons that the server at a port lists."""
    with pytest.raises(ManyDungeons) as offer:
        listed(port)
    return offer.value.found.rows


def count_played(rows: list[str]) -> int:
    """Return how many dungeons of the shown list have answered."""
    return sum(" playing, " in row for row in rows)
