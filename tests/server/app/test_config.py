"""Configuration: what is said nearest to the call wins, and every wrong setting is a sentence."""

from ipaddress import ip_network
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from gloam_server.app import config
from gloam_server.app.config import Config, ConfigError, Settings, config_of, read_realm_file, resolve
from gloam_server.cli import main
from support.run.fault_seam import FaultSeam

FILE = 'campaign = "rltut"\nseed = 5\nlisten = "0.0.0.0"\nport = 4000\npatience_ms = 1500\nplayers_max = 7\n'
FILED = Settings(campaign="rltut", seed=5, listen="0.0.0.0", port=4_000, patience_ms=1_500, players_max=7)


def write(folder: Path, text: str) -> Path:
    path = folder / "realm.toml"
    path.write_text(text)
    return path


def refusal(folder: Path, **said: object) -> str:
    """Return the one sentence with which a configuration is refused."""
    with pytest.raises(ConfigError) as refused:
        resolve(folder, said, private=False)
    sentence = str(refused.value)
    assert "\n" not in sentence
    assert sentence.endswith(".")
    return sentence


def test_without_a_word_the_defaults_hold(tmp_path: Path) -> None:
    resolved = resolve(tmp_path, private=False)
    assert resolved == Config(data=tmp_path, private=False)
    assert (resolved.listen, resolved.port, resolved.players_max) == ("127.0.0.1", 7_373, 64)


def test_2048_connections_held_unless_file_says(tmp_path: Path) -> None:
    """2048 connections are held unless the file says otherwise."""
    assert resolve(tmp_path, private=False).connections_max == 2_048
    write(tmp_path, "connections_max = 16")
    assert resolve(tmp_path, private=False).connections_max == 16


def test_the_file_goes_before_the_defaults(tmp_path: Path) -> None:
    write(tmp_path, FILE)
    assert read_realm_file(tmp_path) == FILED
    resolved = resolve(tmp_path, private=True)
    assert all(getattr(resolved, key) == getattr(FILED, key) for key in Settings.__struct_fields__)


def test_a_file_edited_on_windows_is_read(tmp_path: Path) -> None:
    (tmp_path / "realm.toml").write_bytes(b"\xef\xbb\xbf" + FILE.replace("\n", "\r\n").encode())
    assert read_realm_file(tmp_path) == FILED


def test_what_is_given_goes_before_the_file(tmp_path: Path) -> None:
    write(tmp_path, FILE)
    said = {"campaign": "jsrogue", "seed": 6, "listen": "::1", "port": 5_000, "players_max": None}
    resolved = resolve(tmp_path, said, private=True)
    assert (resolved.campaign, resolved.seed, resolved.listen, resolved.port) == ("jsrogue", 6, "::1", 5_000)
    assert (resolved.patience_ms, resolved.players_max, resolved.private) == (1_500, 7, True)


def test_zero_and_no_are_something_that_was_said(tmp_path: Path) -> None:
    write(tmp_path, FILE + "open = true\n")
    resolved = resolve(tmp_path, {"seed": 0, "port": 0, "open": False, "campaign": ""}, private=False)
    assert (resolved.seed, resolved.port, resolved.open, resolved.campaign) == (0, 0, False, "rltut")


@pytest.mark.rule("A71")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("port = 65536", "port must be a whole number from 0 to 65535"),
        ("port = -1", "port must be a whole number from 0 to 65535"),
        ("port = true", "port must be a whole number from 0 to 65535"),
        ('port = "7373"', "port must be a whole number from 0 to 65535"),
        ('seed = "7"', "seed must be a whole number from 0 to 9223372036854775807"),
        ("seed = 1.5", "seed must be a whole number"),
        ("patience_ms = 249", "patience_ms must be a whole number from 250 to 60000"),
        ("patience_ms = 60001", "patience_ms must be a whole number from 250 to 60000"),
        ("players_max = 0", "players_max must be a whole number from 1 to 1000"),
        ("connections_max = 15", "connections_max must be a whole number from 16 to 100000"),
        ("connections_max = 100001", "connections_max must be a whole number from 16 to 100000"),
        ("players_max = []", "players_max must be a whole number from 1 to 1000"),
        ("open = 1", "open must be true or false"),
        ("listen = 7", "listen must be a text in quotes"),
        ("campaign = false", "campaign must be a text in quotes"),
        (
            'trusted_networks = "10.0.0.0/8"',
            "trusted_networks must be a list in brackets, each a text in quotes",
        ),
        ("trusted_networks = [7]", "trusted_networks must be a list in brackets, each a text in quotes"),
        ("[listen]\nport = 7", "listen must be a text in quotes"),
    ],
)
def test_wrong_type_or_number_reported_file_line(tmp_path: Path, text: str, expected: str) -> None:
    """The message about a wrong type or number has the file, the line and the key."""
    path = write(tmp_path, f"# a comment\n{text}\n")
    assert refusal(tmp_path).startswith(f"{path}, line 2: {expected}")
    assert refusal(tmp_path).endswith("; correct it or remove it.")


@pytest.mark.rule("A71")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pateince_ms = 300", 'there is no setting "pateince_ms"; did you mean patience_ms? If not, '),
        ("Port = 300", 'there is no setting "Port"; did you mean port? If not, '),
        ('"player-max" = 3', 'there is no setting "player-max"; did you mean players_max? If not, '),
        ("[network]\nport = 3", 'there is no setting "network"; there are campaign, seed, listen, port, '),
    ],
)
def test_unknown_key_gets_a_suggestion(tmp_path: Path, text: str, expected: str) -> None:
    """The message about an unknown key suggests a known one."""
    path = write(tmp_path, f"seed = 1\n{text}\n")
    assert refusal(tmp_path).startswith(f"{path}, line 2: {expected}")


@pytest.mark.rule("A71")
def test_control_characters_of_a_key_reach_no_terminal(tmp_path: Path) -> None:
    write(tmp_path, '"\\u001b[2Jport" = 3\n')
    assert "\x1b" not in refusal(tmp_path)


@pytest.mark.rule("A71")
@pytest.mark.parametrize("text", ["port = 1\nseed 5\n", "seed = 1\nseed = 2\n", "port = \n"])
def test_what_is_no_toml_is_reported_with_its_line(tmp_path: Path, text: str) -> None:
    path = write(tmp_path, text)
    assert f"{path} cannot be read: " in refusal(tmp_path)
    assert "line " in refusal(tmp_path)


@pytest.mark.rule("A71")
def test_a_wrong_value_names_its_source(tmp_path: Path) -> None:
    """A wrong value names the option or the variable that gave it."""
    assert refusal(tmp_path, players_max=0).startswith("--players-max: players_max must be ")
    with pytest.raises(ConfigError, match=r"^GLOAM_PORT: port must be "):
        resolve(tmp_path, {"port": -1}, private=False, variables={"port": "GLOAM_PORT"})


@pytest.mark.rule("A71")
@pytest.mark.parametrize("key", Settings.__struct_fields__)
def test_words_setting_must(tmp_path: Path, key: str) -> None:
    """There are words for what every setting must be."""
    write(tmp_path, f"{key} = 1979-05-27\n")
    assert f"{key} must be " in refusal(tmp_path)


@pytest.mark.parametrize("text", ["port = 0", "port = 65535", "patience_ms = 250", "patience_ms = 60000", ""])
def test_the_bounds_themselves_are_allowed(tmp_path: Path, text: str) -> None:
    write(tmp_path, text)
    read_realm_file(tmp_path)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "realm.toml").write_bytes(b"\xff\xfe")
    assert "cannot be read" in refusal(tmp_path)


def test_flags_go_before_variables(tmp_path: Path, seam: FaultSeam) -> None:
    asked: list[tuple[object, ...]] = []

    def refuse(data: Path, said: dict[str, object], *, private: bool, variables: dict[str, str]) -> Config:
        asked.append(
            (data, {key: value for key, value in said.items() if value is not None}, private, variables)
        )
        raise ConfigError("Enough.")

    seam.plant(config.resolve, refuse)
    env = {"GLOAM_DATA": f"{tmp_path}", "GLOAM_SEED": "3", "GLOAM_PORT": "4000", "GLOAM_CAMPAIGN": "rltut"}
    result = CliRunner().invoke(main.cli, ["run", "--seed", "4"], env=env)

    named = {"data": "GLOAM_DATA", "port": "GLOAM_PORT", "campaign": "GLOAM_CAMPAIGN"}
    assert asked == [(tmp_path, {"campaign": "rltut", "seed": 4, "port": 4_000}, False, named)]
    assert (result.exit_code, result.stderr) == (2, "gloam-server: Enough.\n")


def test_the_door_is_closed_unless_the_host_opens_it(tmp_path: Path) -> None:
    assert not resolve(tmp_path, private=False).open
    assert resolve(tmp_path, {"open": True}, private=False).open
    write(tmp_path, 'open = true\ntrusted_networks = ["10.0.0.0/8"]\n')
    resolved = resolve(tmp_path, private=False)
    assert resolved.open
    assert resolved.trusted == (ip_network("10.0.0.0/8"),)


def test_networks_proxies_read(tmp_path: Path) -> None:
    """Networks of proxies are read and all addresses are refused."""
    path = write(tmp_path, 'proxy_networks = ["172.18.0.0/16", "fd00::/8"]\n')
    resolved = resolve(tmp_path, private=False)
    assert resolved.proxies == (ip_network("172.18.0.0/16"), ip_network("fd00::/8"))
    for everybody in ("0.0.0.0/0", "::/0"):
        write(tmp_path, f'proxy_networks = ["{everybody}"]\n')
        assert refusal(tmp_path).startswith(f"{path}, line 1: proxy_networks must not be all addresses")


@pytest.mark.parametrize("key", ["trusted_networks", "proxy_networks"])
@pytest.mark.parametrize(
    ("said", "networks"),
    [
        ("10.0.0.0/8", ("10.0.0.0/8",)),
        ("10.0.0.0/8, fd00::/8", ("10.0.0.0/8", "fd00::/8")),
        ("10.0.0.0/8 fd00::/8", ("10.0.0.0/8", "fd00::/8")),
        ("", ("192.0.2.0/24",)),
    ],
)
def test_networks_said_variable_goes_before_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str, said: str, networks: tuple[str, ...]
) -> None:
    """Networks may be said by a variable which goes before the file."""
    monkeypatch.setenv(f"GLOAM_{key.upper()}", said)
    write(tmp_path, f'{key} = ["192.0.2.0/24"]\n')
    given = main.run.make_context("run", ["--data", str(tmp_path)]).params
    resolved = resolve(tmp_path, {key: given[key]}, private=False)
    assert getattr(resolved, key) == networks


def test_network_none_reported_variable(tmp_path: Path) -> None:
    """The message about a wrong network names its variable."""
    env = {"GLOAM_PROXY_NETWORKS": "172.18.0.1/16"}
    result = CliRunner().invoke(main.cli, ["run", "--data", str(tmp_path)], env=env)
    assert result.exit_code == 2
    assert result.stderr.startswith("gloam-server: GLOAM_PROXY_NETWORKS: proxy_networks must be networks")


@pytest.mark.rule("A71")
def test_a_network_that_is_none_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, 'trusted_networks = ["10.0.0.0/33"]\n')
    assert refusal(tmp_path).startswith(f"{path}, line 1: trusted_networks must be networks")
    assert "10.0.0.0/33" in refusal(tmp_path)


@pytest.mark.rule("A71")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "port = 7000\nmetrics_port = 7000",
            "line 2: metrics_port 7000 is the port of the game itself; name another.",
        ),
        ("metrics_port = 7373", "line 1: metrics_port 7373 is the port of the game itself; name another."),
        (
            'metrics_listen = "::1"',
            "line 1: metrics_listen needs metrics_port; set that too, or remove this.",
        ),
    ],
)
def test_contradicting_settings_are_reported(tmp_path: Path, text: str, expected: str) -> None:
    path = write(tmp_path, text)
    assert refusal(tmp_path) == f"{path}, {expected}"


@pytest.mark.rule("A71")
def test_so_are_those_said_in_different_places(tmp_path: Path) -> None:
    write(tmp_path, "metrics_port = 9000\n")
    assert refusal(tmp_path, port=9_000).startswith(
        f"{tmp_path / 'realm.toml'}, line 1: metrics_port 9000 is "
    )
    assert refusal(tmp_path, port=8_000, metrics_port=8_000).startswith(
        "--metrics-port: metrics_port 8000 is "
    )
    assert resolve(tmp_path, {"port": 0, "metrics_port": 0}, private=False).metrics_port == 0


def test_a_private_server_has_no_view_processes(tmp_path: Path) -> None:
    assert resolve(tmp_path, {"views": 2}, private=False).views == 2
    with pytest.raises(
        ConfigError, match=r"^--views: a private server has no view processes; remove this\.$"
    ):
        resolve(tmp_path, {"views": 2}, private=True)


def test_a_standby_needs_view_processes(tmp_path: Path) -> None:
    assert resolve(tmp_path, {"views": 1, "standby": True}, private=False).standby
    with pytest.raises(
        ConfigError, match=r"^--standby: a standby needs view processes; set views, too, or remove this\.$"
    ):
        resolve(tmp_path, {"standby": True}, private=False)


def test_a_configuration_passes_as_settings(tmp_path: Path) -> None:
    """A view process gets the settings of its server, and has the same configuration."""
    config = resolve(tmp_path, {"trusted_networks": ("10.0.0.0/8",), "views": 2}, private=False)
    said = {name: getattr(config, name) for name in Settings.__struct_fields__}
    assert config_of(msgspec.json.decode(msgspec.json.encode(said), type=Settings), tmp_path) == config
