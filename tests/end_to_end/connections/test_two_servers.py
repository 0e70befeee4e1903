"""Two servers on one world: they never both act, whichever of them hangs or wakes."""

from pathlib import Path

import pytest

from gloam_shared.protocol.commands import Wait
from gloam_shared.protocol.messages.play import Answer, Update
from support.client.fake_client import FakeClient
from support.processes.server_process import ServerProcess, run_server_command

pytestmark = pytest.mark.end_to_end


@pytest.mark.thorough
def test_second_server_world_says_sentence(tmp_path: Path) -> None:
    """The second server of a world says so in one sentence and ends."""
    with ServerProcess(tmp_path / "realm") as first:
        second = run_server_command("run", "--data", str(first.data), "--port", "0")
        assert second.returncode == 2
        assert second.stdout == ""
        assert "is open in another server" in second.stderr
        assert "--take-over" in second.stderr
        assert second.stderr.count("\n") == 1
        with FakeClient(first.port, "Anna") as anna:
            anna.do(Wait())


@pytest.mark.thorough
def test_server_hung_and_wakes_finds_fenced(tmp_path: Path) -> None:
    """A server that hung and wakes finds itself fenced, and ends without a message to any player."""
    with ServerProcess(tmp_path / "realm") as first, FakeClient(first.port, "Anna") as anna:
        anna.do(Wait())
        first.hang()
        number = anna.do(Wait(), answered=False) - 1
        with ServerProcess(first.data, "--take-over", seed=None) as second:
            with FakeClient(second.port, "Anna") as there:
                turns = [there.do(Wait()) for _ in range(3)]
                before = len(anna.got)
                first.wake()

                assert first.process.wait(60) == 1
                anna.wait_for(lambda: anna.closed)
                assert anna.link.done == number
                assert [each for each in anna.got[before:] if isinstance(each, Update | Answer)] == []
                assert "Another server has taken this world over" in first.errors.read_text()
                assert there.do(Wait()) == turns[-1] + 1
            assert run_server_command("status", "--data", str(second.data)).returncode == 0
    checked = run_server_command("verify", "--data", str(tmp_path / "realm"))
    assert checked.returncode == 0, checked.stderr


@pytest.mark.thorough
def test_a_hung_unused_server_is_fenced(tmp_path: Path) -> None:
    """A server that hung while no one played is fenced at the door."""
    with ServerProcess(tmp_path / "realm") as first:
        first.hang()
        with ServerProcess(first.data, "--take-over", seed=None):
            late = FakeClient(first.port, "Anna")  # before it wakes: it may find out by itself
            first.wake()
            assert first.process.wait(60) == 1
            late.settle()
            late.leave()
            assert not late.link.joined
            assert late.view.place.depth == 0
        assert "Traceback" not in first.errors.read_text()


@pytest.mark.thorough
def test_server_taken_over_unawares_stops(tmp_path: Path) -> None:
    """A server that was taken over unawares stops without taking the others socket with it."""
    with (
        ServerProcess(tmp_path / "realm") as first,
        ServerProcess(first.data, "--take-over", seed=None) as second,
    ):
        assert first.stop() in (0, 1)
        assert "Traceback" not in first.errors.read_text()
        assert run_server_command("status", "--data", str(second.data)).returncode == 0
        with FakeClient(second.port, "Anna") as anna:
            anna.do(Wait())
