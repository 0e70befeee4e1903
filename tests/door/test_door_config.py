"""The settings of a door: from options, variables and door.toml; what would send secrets in the open is refused."""

from pathlib import Path
from typing import Any

import pytest

from gloam_door.config import ConfigError, address_of, origins_of, resolve


def refusal(tmp_path: Path, **said: Any) -> str:
    with pytest.raises(ConfigError) as caught:
        resolve(tmp_path, {"server": "./door.sock", **said}, {})
    return str(caught.value)


def test_options_come_before_variables_and_file(tmp_path: Path) -> None:
    (tmp_path / "door.toml").write_text('server = "./file.sock"\nport = 1\nvisits_max = 9\n')
    settings = resolve(
        tmp_path, {"port": 3}, {"GLOAM_DOOR_PORT": "2", "GLOAM_DOOR_SERVER": "./variable.sock"}
    )
    assert (settings.server, settings.port, settings.visits_max) == ("./variable.sock", 3, 9)
    assert origins_of(settings, 3) == ("http://localhost:3", "http://127.0.0.1:3")


def test_other_machines_need_tls(tmp_path: Path) -> None:
    assert "needs TLS" in refusal(tmp_path, listen="0.0.0.0")
    assert "needs TLS" in refusal(tmp_path, listen="0.0.0.0", trusted_proxies=["10.0.0.1"])
    assert "needs TLS" in refusal(
        tmp_path, listen="0.0.0.0", trusted_proxies=["10.0.0.1"], origins=["http://play.example.org"]
    )
    behind = {"listen": "0.0.0.0", "trusted_proxies": ["10.0.0.1"], "origins": ["https://play.example.org"]}
    assert resolve(tmp_path, {"server": "./door.sock", **behind}, {}).listen == "0.0.0.0"


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ({}, "127.0.0.1"),
        ({"listen": "::1"}, "[::1]"),
        ({"origins": ["https://play.example.org"]}, "play.example.org"),
        ({"origins": ["https://play.example.org:8443", "https://b.example.org"]}, "play.example.org"),
        ({"origins": ["http://[::1]:8080"]}, "[::1]"),
    ],
)
def test_visitors_read_the_host_of_the_door(tmp_path: Path, said: dict[str, Any], name: str) -> None:
    """They know no port of the game server, which may be another machine."""
    assert str(address_of(resolve(tmp_path, {"server": "./door.sock", **said}, {}))) == name


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ({"server": ""}, "server"),
        ({"server": "play.example.org"}, "pin"),
        ({"certificate": "a.pem"}, "certificate and key"),
        ({"listen": "nowhere"}, "listen"),
        ({"trusted_proxies": ["nobody"]}, "trusted_proxies"),
        ({"port": 70_000}, "port"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_wrong_setting_is_named(tmp_path: Path, said: dict[str, Any], named: str) -> None:
    assert named in refusal(tmp_path, **said)


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "door.toml").write_text("port = ")
    assert "door.toml cannot be read" in refusal(tmp_path)
