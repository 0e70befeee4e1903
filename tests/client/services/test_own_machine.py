"""The services of a client that its own user starts."""

import json
import socket
from dataclasses import replace
from pathlib import Path

import pytest

from gloam_client.net.launch_options import LaunchOptions
from gloam_client.services import own_machine
from gloam_client.services.own_machine import OwnMachine
from gloam_client.user_files.address import Address
from support.processes.addresses import free_port

ELSEWHERE = Address("example.org")


def start(data: Path) -> LaunchOptions:
    return LaunchOptions("Ann", "test", b"t" * 32, data)


def test_title_names_address_server_runs(tmp_path: Path) -> None:
    """The title names the address of the server that runs."""
    world = start(tmp_path).world
    world.mkdir(parents=True, exist_ok=True)
    (world / "private.json").write_text(json.dumps({"host": "127.0.0.1", "port": 45, "pid": 1}))

    assert OwnMachine(start(tmp_path)).own_address() == "127.0.0.1:45"


def test_title_promises_usual_port_while_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The title promises the usual port only while it is free."""
    port = free_port()
    monkeypatch.setattr(own_machine, "PORT", port)
    services = OwnMachine(start(tmp_path))

    assert services.own_address() == f"127.0.0.1:{port}"
    with socket.create_server(("127.0.0.1", port)):
        assert services.own_address() == ""


@pytest.mark.parametrize(
    ("code", "choices", "sentence"),
    [
        ("replaced", {}, "A second player needs another name: gloam join --name NAME"),
        ("name", {}, "The option --name gives one: gloam join --name NAME"),
        ("name", {"address": ELSEWHERE}, "The option --name gives one: gloam example.org:7373 --name NAME"),
        (
            "name",
            {"address": ELSEWHERE, "watch": True},
            "The option --name gives one: gloam watch example.org:7373 --name NAME",
        ),
        ("name", {"titled": True}, ""),
        ("wait", {}, ""),
    ],
)
def test_a_goodbye_is_followed_by_the_command(
    tmp_path: Path, code: str, choices: dict[str, object], sentence: str
) -> None:
    """A server does not know how this client is started, so that it cannot name the command that helps."""
    options = replace(start(tmp_path), **choices)  # type: ignore[arg-type]  # fields of its own
    assert OwnMachine(options).advice(code, options) == sentence
