"""A first life is asked for its kit, and one key takes it (rule F96)."""

from pathlib import Path

import pytest

from support.client.headless_client import HeadlessClient
from support.content.kits_campaign import kits_files
from support.processes.screen import attentive
from support.processes.server_process import ServerProcess

pytestmark = [pytest.mark.end_to_end, pytest.mark.rule("F96")]


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
def test_one_key_takes_a_kit(tmp_path: Path, size: tuple[int, int]) -> None:
    """The choice opens above the story; after it the inventory holds what was chosen."""
    folder = tmp_path / "kits"
    folder.mkdir()
    for name, raw in kits_files().items():
        (folder / name).write_bytes(raw)
    with (
        ServerProcess(tmp_path / "realm", campaign=f"{folder}/") as server,
        HeadlessClient(tmp_path / "home", server.port, "Ann", rows=size[1], cols=size[0]) as ann,
    ):
        attentive(ann, "Choose your kit")
        ann.wait_for("b - a wanderer's kit")
        ann.type("b")
        ann.wait_for("Your story")
        ann.type("\r")
        ann.type("i")
        ann.wait_for("sword")
