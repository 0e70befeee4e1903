"""One real server and one real door for the tests of a file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.door.axe import axe_script
from support.door.running_door import RunningDoor
from support.processes.server_process import ServerProcess


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder = tmp_path_factory.mktemp("realm")
    with ServerProcess(
        folder / "world", "--door-socket", "door.sock", "--open", campaign="jsrogue"
    ) as running:
        yield running


@pytest.fixture(scope="module")
def door(server: ServerProcess, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningDoor]:
    with RunningDoor(tmp_path_factory.mktemp("door"), server.data / "door.sock") as running:
        yield running


@pytest.fixture
def home(tmp_path: Path) -> Path:
    path = tmp_path / "home"
    path.mkdir()
    return path


@pytest.fixture(scope="module")
def axe() -> str:
    """Return the script of axe-core; skip without it."""
    script = axe_script()
    if script is None:
        pytest.skip("needs axe-core from npm (apt-get install npm)")
    return script
