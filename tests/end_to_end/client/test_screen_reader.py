"""The game in lines of text: a bot that reads nothing else wins a small dungeon with the real client."""

from pathlib import Path

import pytest

from support.content.little_dungeon import write_little_dungeon
from support.processes.lines import LineBot, LineClient
from support.processes.screen import entered, gloam
from support.processes.server_process import ServerProcess

pytestmark = pytest.mark.end_to_end


@pytest.mark.thorough
def test_a_bot_wins_from_the_text_alone(tmp_path: Path) -> None:
    """U37: doors, a fight, a potion, stairs and the prize, by lines of text on a terminal that can only print."""
    campaign = write_little_dungeon(tmp_path / "little")
    with (
        ServerProcess(tmp_path / "realm", campaign=campaign, seed=2) as server,
        LineClient(tmp_path / "home", f"127.0.0.1:{server.port}", "--name", "Ann") as client,
    ):
        won = LineBot(client, "silver bell", "potion of balm").play(turns=150)
        said = "\n".join(client.lines)
        assert won, said
        for part in ("You open the door.", "warden, ", "quaff", "You descend to level 2!", "The bell rings"):
            assert part in said
        assert b"\x1b" not in client.pty.raw


@pytest.mark.thorough
def test_the_option_turns_lines_on_at_once(tmp_path: Path) -> None:
    """U37: the option leaves the drawn screen immediately, and the next start begins in lines."""
    campaign = write_little_dungeon(tmp_path / "little")
    home = {"GLOAM_HOME": str(tmp_path / "home"), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    with ServerProcess(tmp_path / "realm", campaign=campaign, seed=3) as server:
        place = f"127.0.0.1:{server.port}"
        with entered(gloam(tmp_path / "home", place, "--name", "Ann", env=home)) as pty:
            pty.type("O" + "j" * 4 + "\r")
            pty.wait_for(lambda _: b"Lines of text: s says your status" in pty.raw)
            assert pty.restored is False  # the keys are still raw
            assert pty.left_last(b"\x1b[?1049l", b"\x1b[?1049h")
            begun = len(pty.raw)
            pty.type("\x1bs")
            pty.wait_for("Ann: health 40 of 40")
            pty.type("Qy")
            assert pty.wait_exit() == 0
            assert b"\x1b" not in pty.raw[begun:]
        with gloam(tmp_path / "home", place, "--name", "Ann", env=home) as pty:
            pty.wait_for(lambda _: b"Lines of text: s says your status" in pty.raw)
            assert b"\x1b" not in pty.raw
