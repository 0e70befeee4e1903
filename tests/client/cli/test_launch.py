"""What the title tells before the private server runs."""

import json
import socket
from pathlib import Path

import pytest

from gloam_client.cli import launch
from support.processes.addresses import free_port


def test_the_title_names_the_address_of_the_server_that_runs(tmp_path: Path) -> None:
    (tmp_path / "private.json").write_text(json.dumps({"host": "127.0.0.1", "port": 45, "pid": 1}))

    assert launch._private_address(tmp_path) == "127.0.0.1:45"


def test_the_title_promises_the_usual_port_only_while_it_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = free_port()
    monkeypatch.setattr(launch, "PORT", port)

    assert launch._private_address(tmp_path) == f"127.0.0.1:{port}"
    with socket.create_server(("127.0.0.1", port)):
        assert launch._private_address(tmp_path) == ""
