"""On a real terminal: a first life is asked for its kit, and one key takes it (rule F96)."""

import sys
from pathlib import Path

import pytest

from support.content.kits_campaign import kits_files
from support.processes.pty import PtyTerminal
from support.processes.screen import attentive
from support.processes.server_process import ServerProcess

pytestmark = [pytest.mark.end_to_end, pytest.mark.rule("F96")]


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
def test_one_key_takes_a_kit_on_a_terminal(tmp_path: Path, size: tuple[int, int]) -> None:
    """The choice opens above the story; after it the inventory holds what was chosen."""
    folder = tmp_path / "kits"
    folder.mkdir()
    for name, raw in kits_files().items():
        (folder / name).write_bytes(raw)
    with ServerProcess(tmp_path / "realm", campaign=f"{folder}/") as server:
        argv = [sys.executable, "-m", "gloam_client", f"127.0.0.1:{server.port}", "--name", "Ann"]
        home = {"GLOAM_HOME": str(tmp_path / "home")}
        with PtyTerminal(argv, home, rows=size[1], cols=size[0]) as pty:
            attentive(pty, "Choose your kit")
            pty.wait_for("b - a wanderer's kit")
            pty.type("b")
            pty.wait_for("Your story")
            pty.type("\r")
            pty.type("i")
            pty.wait_for("sword")
