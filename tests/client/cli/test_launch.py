"""The title's texts before the private server runs."""

import json
import socket
from pathlib import Path

import pytest

from gloam_client.cli import launch
from support.processes.addresses import free_port


def test_title_names_address_server_runs(tmp_path: Path) -> None:
    """The title names the address of the server that runs."""
    (tmp_path / "private.json").write_text(json.dumps({"host": "127.0.0.1", "port": 45, "pid": 1}))

    assert launch._private_address(tmp_path) == "127.0.0.1:45"


def test_title_promises_usual_port_while_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The title promises the usual port only while it is free."""
    port = free_port()
    monkeypatch.setattr(launch, "PORT", port)

    assert launch._private_address(tmp_path) == f"127.0.0.1:{port}"
    with socket.create_server(("127.0.0.1", port)):
        assert launch._private_address(tmp_path) == ""
