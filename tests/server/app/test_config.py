"""Configuration: what is said nearest to the call wins, and every wrong setting is a sentence."""

from ipaddress import ip_network
from pathlib import Path

import pytest
from click.testing import CliRunner

from gloam_server.app import config, main
from gloam_server.app.config import Config, ConfigError, read_realm_file, resolve

FILE = 'campaign = "rltut"\nseed = 5\nlisten = "0.0.0.0"\nport = 4000\npatience_ms = 1500\nplayers_max = 7\n'


def test_without_a_word_the_defaults_hold(tmp_path: Path) -> None:
    assert resolve(tmp_path, None, None, None, None, private=False) == Config(
        tmp_path, None, None, "127.0.0.1", 7373, private=False, patience_ms=2_000, players_max=64
    )


def test_the_file_goes_before_the_defaults(tmp_path: Path) -> None:
    (tmp_path / "realm.toml").write_text(FILE)

    assert resolve(tmp_path, None, None, None, None, private=False) == Config(
        tmp_path, "rltut", 5, "0.0.0.0", 4_000, private=False, patience_ms=1_500, players_max=7
    )


def test_what_is_given_goes_before_the_file(tmp_path: Path) -> None:
    (tmp_path / "realm.toml").write_text(FILE)

    assert resolve(tmp_path, "jsrogue", 6, "::1", 5_000, private=True) == Config(
        tmp_path, "jsrogue", 6, "::1", 5_000, private=True, patience_ms=1_500, players_max=7
    )


def test_zero_is_something_that_was_said(tmp_path: Path) -> None:
    (tmp_path / "realm.toml").write_text(FILE)
    resolved = resolve(tmp_path, None, 0, None, 0, private=False)

    assert (resolved.seed, resolved.port) == (0, 0)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("pateince_ms = 3", "pateince_ms"),
        ("port = 65536", "port"),
        ("port = -1", "port"),
        ("port = true", "port"),
        ('seed = "7"', "seed"),
        ("seed = 1.5", "seed"),
        ("patience_ms = 249", "patience_ms"),
        ("patience_ms = 60001", "patience_ms"),
        ("players_max = 0", "players_max"),
        ("port = 1\nseed 5", "line 2"),
    ],
)
def test_a71_a_wrong_setting_is_named_with_its_file(tmp_path: Path, text: str, named: str) -> None:
    (tmp_path / "realm.toml").write_text(text)

    with pytest.raises(ConfigError) as refused:
        read_realm_file(tmp_path)
    assert named in str(refused.value)
    assert str(tmp_path / "realm.toml") in str(refused.value)
    assert str(refused.value).endswith("mend it or remove it.")


@pytest.mark.parametrize("text", ["port = 0", "port = 65535", "patience_ms = 250", "patience_ms = 60000", ""])
def test_the_bounds_themselves_are_allowed(tmp_path: Path, text: str) -> None:
    (tmp_path / "realm.toml").write_text(text)
    read_realm_file(tmp_path)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "realm.toml").write_bytes(b"\xff\xfe")

    with pytest.raises(ConfigError, match="cannot be read"):
        read_realm_file(tmp_path)


def test_flags_go_before_variables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[object, ...]] = []

    def refuse(*given: object, private: bool, open_: bool | None, plain: bool | None) -> Config:
        asked.append((*given, private, open_, plain))
        raise ConfigError("Enough.")

    monkeypatch.setattr(config, "resolve", refuse)
    env = {"GLOAM_DATA": f"{tmp_path}", "GLOAM_SEED": "3", "GLOAM_PORT": "4000", "GLOAM_CAMPAIGN": "rltut"}
    result = CliRunner().invoke(main.cli, ["run", "--seed", "4"], env=env)

    assert asked == [(tmp_path, "rltut", 4, None, 4_000, False, None, None)]
    assert (result.exit_code, result.stderr) == (2, "gloam-server: Enough.\n")


def test_the_door_is_closed_unless_the_host_opens_it(tmp_path: Path) -> None:
    assert not resolve(tmp_path, None, None, None, None, private=False).open
    assert resolve(tmp_path, None, None, None, None, private=False, open_=True).open
    (tmp_path / "realm.toml").write_text('open = true\ntrusted_networks = ["10.0.0.0/8"]\n')
    resolved = resolve(tmp_path, None, None, None, None, private=False)
    assert resolved.open
    assert resolved.trusted_networks == (ip_network("10.0.0.0/8"),)


def test_a_network_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "realm.toml").write_text('trusted_networks = ["10.0.0.0/33"]\n')
    with pytest.raises(ConfigError, match=r"trusted_networks.*10\.0\.0\.0/33"):
        resolve(tmp_path, None, None, None, None, private=False)
