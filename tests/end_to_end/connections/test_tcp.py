"""Fake clients over real TCP against a real server process: what a group of friends does in an evening."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from gloam_lab.bots.adventurer import Adventurer
from gloam_shared.appearance import Terrain
from gloam_shared.geometry import DIRECTIONS
from gloam_shared.protocol.commands import AnyCommand, Choose, Climb, Explore, Fight, Move, Travel, Wait
from gloam_shared.protocol.framing import frame
from gloam_shared.protocol.messages.chat import ChatLine
from gloam_shared.protocol.messages.lives import Died, NewLife
from gloam_shared.protocol.messages.login import Error, Joined, Login
from gloam_shared.protocol.messages.play import Pace, Update
from gloam_shared.view.view import Creature, CreatureFlag, Stat, View
from support.client.fake_client import FakeClient
from support.content.campaigns import arena_files
from support.processes.server_process import ServerProcess, run_server_command

pytestmark = pytest.mark.end_to_end


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    """A jsrogue realm grown from seed 7, on a free port."""
    with ServerProcess(tmp_path / "realm", campaign="jsrogue") as running:
        yield running


@pytest.fixture
def pit(tmp_path: Path) -> Iterator[ServerProcess]:
    """A small campaign whose first level is full of kobolds and rats that hate each other."""
    folder = _write_campaign(tmp_path / "pit", arena_files(monsters=12))
    with ServerProcess(tmp_path / "realm", campaign=folder, seed=3) as running:
        yield running


def test_a_player_joins_and_stands_in_the_dungeon(server: ServerProcess) -> None:
    with FakeClient(server.port, "Anna") as anna:
        assert anna.of_kind(Joined)[0].life == 1
        assert anna.fact(Stat.HP) == 40
        assert anna.seen("Anna") is not None


def test_two_players_arrive_beside_other(server: ServerProcess) -> None:
    """Two players arrive beside each other and see each other move."""
    with FakeClient(server.port, "Anna") as anna, FakeClient(server.port, "Bert") as bert:
        anna.wait_for(lambda: anna.sees("Bert"))
        assert anna.distance_to("Bert") == 1
        mine, his = anna.seen("Bert"), bert.seen("Bert")
        assert mine is not None
        assert his is not None
        assert mine.handle == his.handle

        before = his.cell
        _step_somewhere(bert)

        assert bert.view.cell != before
        anna.wait_for(lambda: (seen := anna.seen("Bert")) is not None and seen.cell == bert.view.cell)


@pytest.mark.thorough
def test_friends_see_the_same_monsters(pit: ServerProcess) -> None:
    with FakeClient(pit.port, "Anna") as anna, FakeClient(pit.port, "Bert") as bert:
        _walk_together_into_a_fight(anna, bert)
        for handle in _shared_foes(anna, bert):
            here = next(foe for foe in anna.view.creatures if foe.handle == handle)
            there = next(foe for foe in bert.view.creatures if foe.handle == handle)
            assert (here.cell, here.hp, here.name) == (there.cell, there.hp, there.name)


@pytest.mark.thorough
def test_friends_fight_beside_other(pit: ServerProcess) -> None:
    """Friends fight beside each other and one gains a level meanwhile."""
    with FakeClient(pit.port, "Anna") as anna, FakeClient(pit.port, "Bert") as bert:
        anna_bot, bert_bot = Adventurer(), Adventurer()

        def somebody_rose() -> bool:
            return max(anna.fact(Stat.LEVEL), bert.fact(Stat.LEVEL)) > 1

        for _ in range(300):
            if somebody_rose():
                break
            anna.do(anna_bot.decide(anna.view), answered=False)
            bert.do(bert_bot.decide(bert.view), answered=False)
            anna.settle(0.06)
            bert.settle(0.06)
        assert somebody_rose()
        risen = anna if anna.fact(Stat.LEVEL) > 1 else bert
        if risen.fact(Stat.POINTS):
            points = risen.fact(Stat.POINTS)
            risen.do(Choose(0))
            risen.wait_for(lambda: risen.fact(Stat.POINTS) == points - 1)
        kinds = [line.kind for line in risen.view.log.lines]
        assert "advances" in kinds
        assert "stronger" in kinds


@pytest.mark.thorough
def test_slow_answer_holds_fight_patience(pit: ServerProcess) -> None:
    """A player who is slow to answer holds a fight up for their patience and no longer."""
    with FakeClient(pit.port, "Anna") as anna, FakeClient(pit.port, "Slow") as slow:
        _walk_together_into_a_fight(anna, slow)
        told_before = len(anna.of_kind(Pace))
        turns = anna.link.done
        anna.do(Wait(), answered=False)
        anna.wait_for(lambda: anna.link.done > turns)
        waits = [pace for pace in anna.of_kind(Pace)[told_before:] if "Slow" in pace.for_names]
        assert waits, "`Pace` never named the players that the turn waited for"
        assert all(0 < pace.ms <= 2_000 for pace in waits)


@pytest.mark.thorough
def test_a_client_that_never_reads_does_no_harm(server: ServerProcess) -> None:
    with FakeClient(server.port, "Anna") as anna, FakeClient(server.port, "Mute") as mute:
        read_before = mute.received_bytes
        for _ in range(
            12
        ):  # fewer than make her wait for Mute: who is held and reads nothing is let go of in time
            _step_somewhere(anna)
        assert mute.received_bytes == read_before
        mute.settle()
        updates = mute.of_kind(Update)
        assert len(updates) <= 6, "more patches were sent than may be unacknowledged"
        mute.wait_for(lambda: (seen := mute.seen("Anna")) is None or seen.cell == anna.view.cell)


@pytest.mark.thorough
def test_whose_line_is_cut_returns_to_the_same_body(server: ServerProcess) -> None:
    with FakeClient(server.port, "Anna") as anna:
        for _ in range(5):
            _step_somewhere(anna)
        cell, done = anna.view.cell, anna.link.done
        anna.hang_up()
        time.sleep(0.2)
        anna.connect()
        anna.wait_for(lambda: len(anna.of_kind(Joined)) == 2)
        anna.settle()
        again = anna.of_kind(Joined)[-1]
        assert again.life == 1
        assert again.number == done
        assert anna.view.cell == cell


@pytest.mark.thorough
@pytest.mark.rule("F58")
def test_newer_login_takes_over_and_body(server: ServerProcess) -> None:
    """A newer login takes over and there is one body."""
    with FakeClient(server.port, "Anna") as first, FakeClient(server.port, "Anna") as second:
        first.wait_for(lambda: first.closed)
        assert [creature.name for creature in second.view.creatures].count("Anna") == 1


@pytest.mark.thorough
def test_a_name_belongs_to_the_device_that_made_it(server: ServerProcess) -> None:
    with FakeClient(server.port, "Anna"):
        thief = FakeClient(server.port, "anna", token=b"another device".ljust(32))
        thief.wait_for(lambda: [error.code for error in thief.of_kind(Error)] == ["name"])
        assert not thief.of_kind(Joined)
        thief.send(Login("Carl", b"another device".ljust(32)))  # the line stands for another name
        thief.wait_for(lambda: thief.of_kind(Joined))
        thief.leave()
        thief.hang_up()


def straight_down(view: View) -> AnyCommand:
    """Take the stairs down as soon as they are known."""
    return Climb(down=True) if Terrain.STAIRS_DOWN in view.terrain else Explore()


@pytest.mark.thorough
def test_stairs_lead_another_level(tmp_path: Path) -> None:
    """Stairs lead to another level and friends hear where."""
    folder = _write_campaign(tmp_path / "quiet", arena_files(monsters=0))
    with (
        ServerProcess(tmp_path / "realm", campaign=folder, seed=3) as server,
        FakeClient(server.port, "Anna") as anna,
        FakeClient(server.port, "Bert") as bert,
    ):
        anna.play(straight_down, lambda: anna.view.place.depth > 1)
        assert anna.view.place.depth == 2
        assert anna.view.terrain[anna.view.cell] == Terrain.STAIRS_UP
        bert.wait_for(lambda: any(f.name == "Anna" and f.depth == 2 for f in bert.view.party))
        assert not bert.sees("Anna")
        anna.do(Climb(down=False))
        assert anna.view.place.depth == 1
        assert anna.view.terrain[anna.view.cell] == Terrain.STAIRS_DOWN


@pytest.mark.thorough
def test_death_reported_and_next_life_bears_same_name(tmp_path: Path) -> None:
    """The client shows the death, and the next life has the same name."""
    files = arena_files(monsters=12)
    files["creatures.toml"] = files["creatures.toml"].replace(b"attack = 4", b"attack = 90")
    folder = _write_campaign(tmp_path / "grave", files)
    with (
        ServerProcess(tmp_path / "realm", campaign=folder, seed=3) as server,
        FakeClient(server.port, "Anna") as anna,
    ):
        for _ in range(400):
            if anna.of_kind(Died):
                break
            anna.do(Fight() if _foes(anna) else Explore(), answered=False)
            anna.settle(0.06)
        assert anna.of_kind(Died)[0].by in {"kobold", "bat"}
        anna.send(NewLife(1))
        anna.wait_for(lambda: len(anna.of_kind(Joined)) == 2)
        anna.settle()
        assert anna.of_kind(Joined)[-1].life == 2
        assert anna.fact(Stat.HP) == 40
        assert anna.seen("Anna") is not None


@pytest.mark.thorough
def test_everybody_hears_what_is_said(server: ServerProcess) -> None:
    with FakeClient(server.port, "Anna") as anna, FakeClient(server.port, "Bert") as bert:
        anna.say("over \x1b[2Jhere")
        bert.wait_for(bert.chat)
        assert bert.chat()[-1] == ChatLine("Anna", "over [2Jhere")


@pytest.mark.thorough
def test_move_thousand_cells_refused(server: ServerProcess) -> None:
    """A move of a thousand cells is refused and the session goes on."""
    with FakeClient(server.port, "Anna") as anna:
        body = bytes.fromhex("94 04 01 00 93 01 cd 03e8 00")
        anna.send_raw(frame(body))
        anna.wait_for(lambda: anna.of_kind(Error))
        assert anna.of_kind(Error)[-1].code == "range"
        _step_somewhere(anna)


@pytest.mark.thorough
@pytest.mark.parametrize("stop", ["kill", "term"])
def test_a_restarted_server_has_the_same_world(tmp_path: Path, stop: str) -> None:
    realm = tmp_path / "realm"
    with ServerProcess(realm, campaign="jsrogue") as server, FakeClient(server.port, "Anna") as anna:
        for _ in range(25):
            _step_somewhere(anna)
        cell, done, terrain = anna.view.cell, anna.link.done, anna.view.terrain
        if stop == "kill":
            server.kill()
        else:
            assert server.stop() == 0
    verified = run_server_command("verify", "--data", str(realm))
    assert verified.returncode == 0, verified.stderr
    with ServerProcess(realm, seed=None) as server, FakeClient(server.port, "Anna") as anna:
        assert anna.view.cell == cell
        assert anna.link.done == done
        assert anna.view.terrain == terrain
    again = run_server_command("verify", "--data", str(realm))
    assert again.returncode == 0, again.stderr


def _write_campaign(folder: Path, files: dict[str, bytes]) -> str:
    """Write a campaign's files and return the name by which a server takes a folder."""
    folder.mkdir()
    for name, body in files.items():
        (folder / name).write_bytes(body)
    return f"{folder}/"


def _step_somewhere(client: FakeClient) -> None:
    """Take a step that the view shows to be free, in an order that wanders; wait where there is none."""
    start = client.link.done % 8
    for turn in range(8):
        dx, dy = DIRECTIONS[(start + turn * 3) % 8]
        cell = client.view.step((dx, dy))
        if cell is not None and client.view.terrain[cell] == Terrain.FLOOR and client.view.at(cell) is None:
            client.do(Move(dx, dy))
            return
    client.do(Wait())


def _foes(client: FakeClient) -> list[Creature]:
    return [creature for creature in client.view.creatures if creature.marks & CreatureFlag.HOLDS_YOU]


def _walk_together_into_a_fight(anna: FakeClient, other: FakeClient) -> None:
    """Lead two players on until one enemy holds both: one explores, the other keeps to her, and who is held waits."""
    for _ in range(300):
        anna.settle(0.06)
        other.settle(0.06)
        if _shared_foes(anna, other):
            anna.do(Wait(), answered=False)  # a turn by hand, so that no plan is left under way
            other.do(Wait())
            anna.settle(0.1)
            if _shared_foes(anna, other):
                return
        anna.do(Wait() if _foes(anna) else Explore(), answered=False)
        friend = other.seen("Anna")
        away = friend is not None and other.distance_to("Anna") > 1
        keeps_to_her = Travel(friend.cell) if friend is not None and away else Wait()
        other.do(Wait() if _foes(other) else keeps_to_her, answered=False)
    pytest.fail("no enemy ever held both")


def _shared_foes(one: FakeClient, other: FakeClient) -> set[int]:
    """Return the foes that hold both, when both know of it."""
    if not (one.link.pace.held and other.link.pace.held):
        return set()
    return {foe.handle for foe in _foes(one)} & {foe.handle for foe in _foes(other)}
