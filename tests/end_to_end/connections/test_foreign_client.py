"""The schema is enough: a client made from shared/protocol.json alone plays against a real server over TCP."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.client import foreign_client
from support.client.foreign_client import ForeignClient
from support.processes.server_process import ServerProcess

pytestmark = pytest.mark.end_to_end


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path / "realm", campaign="jsrogue") as running:
        yield running


@pytest.mark.thorough
def test_joins_walks_reads_view_patches(server: ServerProcess) -> None:
    """It joins walks reads the view from patches and leaves."""
    with ForeignClient(server.port, "stranger") as stranger:
        assert stranger.joined == {"name": "Stranger", "number": 0, "life": 1, "kits": [], "beacons": []}
        assert stranger.own["name"] == "Stranger"
        begun = stranger.own["cell"]
        been = {begun}
        for _ in range(12):
            fresh = [way for way in stranger.ways() if cell(stranger, *way) not in been]
            stranger.do("Move", *(fresh or list(stranger.ways()))[0])
            been.add(stranger.own["cell"])
        assert len(been) > 4

        stranger.do("Wield", None)
        held = stranger.view
        stranger.send("Refresh")
        while not stranger.hear()[1].get("whole"):
            pass
        assert stranger.view == held

        stranger.send("Goodbye")
        while (said := stranger.hear())[0] != "Bye":
            pass
        assert said[1]["code"] == "goodbye"


def cell(client: ForeignClient, dx: int, dy: int) -> int:
    width: int = client.view["place"]["width"]
    return int(client.own["cell"]) + dx + dy * width


def test_it_knows_no_module_of_gloam() -> None:
    tree = ast.parse(Path(foreign_client.__file__).read_text(encoding="utf-8"))
    imported = {each.name for node in ast.walk(tree) if isinstance(node, ast.Import) for each in node.names}
    imported |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not [name for name in imported if name.startswith("gloam")]
