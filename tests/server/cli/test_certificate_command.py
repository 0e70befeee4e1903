"""The certificate that a server uses, and what its host reads about it."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from gloam_server.app.certificates import encryption_of, pin_of_realm
from gloam_server.app.config import ConfigError, resolve
from gloam_server.cli import main
from gloam_server.net.certificate import own_files, pin_in
from support.run.fault_seam import FaultSeam
from support.server.tls_client import NOW_S, certified


def listening(data: Path, listen: str) -> str:
    """Return the pin of a server that listens somewhere, "" for none."""
    encryption = encryption_of(resolve(data, {"listen": listen}, private=False), NOW_S)
    return encryption.certificate.pin if encryption is not None else ""


@pytest.mark.parametrize("listen", ["127.0.0.1", "127.0.0.2", "::1", "localhost"])
def test_server_machine_alone_writes(tmp_path: Path, listen: str) -> None:
    """A server of this machine alone writes no certificate."""
    assert listening(tmp_path, listen) == ""
    assert list(tmp_path.iterdir()) == []
    assert pin_of_realm(tmp_path) == ""


@pytest.mark.parametrize("listen", ["0.0.0.0", "::", "192.0.2.7", "play.example.org"])
def test_others_reach_writes_and_keeps(tmp_path: Path, listen: str) -> None:
    """One that others can reach writes one and keeps it."""
    pin = listening(tmp_path, listen)
    assert pin == pin_in(own_files(tmp_path).certificate) == pin_of_realm(tmp_path)
    assert listening(tmp_path, listen) == pin
    assert listening(tmp_path, "127.0.0.1") == pin


def test_one_behind_a_proxy_writes_one_too(tmp_path: Path) -> None:
    behind = resolve(tmp_path, {"proxy_networks": ("127.0.0.2/32",)}, private=False)
    assert encryption_of(behind, NOW_S) is not None


def test_a_hosts_own_is_named_from_the_data_folder(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    theirs = certified(tmp_path / "there")
    (tmp_path / "realm.toml").write_text(
        'certificate = "there/tls-certificate.pem"\nkey = "there/tls-key.pem"\nplain = true\n'
    )
    assert listening(tmp_path, "0.0.0.0") == pin_of_realm(tmp_path) == pin_in(theirs.certificate)
    assert not own_files(tmp_path).key.exists()


@pytest.mark.rule("A71")
@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ('certificate = "c.pem"\n', "line 1: there is a certificate but no key"),
        ('key = "k.pem"\n', "line 1: there is a key but no certificate"),
        ('certificate = "c.pem"\nkey = "k.pem"\n', "key: the file .*k.pem cannot be read"),
        ('plain = "yes"\n', "plain"),
        ("certificate = true\n", "certificate"),
    ],
)
def test_contradicting_settings_are_named(tmp_path: Path, settings: str, named: str) -> None:
    """Settings that contradict each other or lead nowhere are named."""
    (tmp_path / "realm.toml").write_text(settings)
    with pytest.raises(ConfigError, match=named):
        listening(tmp_path, "0.0.0.0")


@pytest.mark.rule("A71")
def test_key_others_read_named_setting(tmp_path: Path) -> None:
    """A key that others may read is named with its setting."""
    theirs = certified(tmp_path)
    theirs.key.chmod(0o644)
    (tmp_path / "realm.toml").write_text(
        f'certificate = "{theirs.certificate.name}"\nkey = "{theirs.key.name}"\n'
    )
    with pytest.raises(ConfigError, match=r"realm\.toml: key: other users can read .*chmod 600"):
        listening(tmp_path, "0.0.0.0")


def test_plain_text_taken_host_says_three_ways(tmp_path: Path, seam: FaultSeam) -> None:
    """Plain text is taken where the host says so in one of three ways."""

    def plain(plain: bool | None = None) -> bool:
        return resolve(tmp_path, {"plain": plain}, private=False).plain

    assert (plain(), plain(plain=True)) == (False, True)
    (tmp_path / "realm.toml").write_text("plain = true\n")
    assert plain()

    asked: list[object] = []

    def refuse(_: Path, said: dict[str, object], **__: object) -> None:
        asked.append(said["plain"])
        raise ConfigError("Enough.")

    seam.plant(resolve, refuse)
    CliRunner().invoke(main.cli, ["run"], env={"GLOAM_PLAIN": "1"})
    CliRunner().invoke(main.cli, ["run", "--plain"])
    assert asked == [True, True]


def ran(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main.cli, arguments)
    return result.exit_code, result.output


def test_command_writes_certificate_tells(tmp_path: Path) -> None:
    """The command writes a certificate tells it and renews it."""
    status, output = ran("certificate", "--data", str(tmp_path / "new"))
    pin = pin_of_realm(tmp_path / "new")
    assert (status, output) == (
        0,
        f"gloam-server: pin {pin}, good without an end: {tmp_path}/new/tls-certificate.pem\n",
    )
    assert ran("certificate", "--data", str(tmp_path / "new")) == (status, output)
    assert ran("certificate", "--renew", "--data", str(tmp_path / "new"))[0] == 0
    assert pin_of_realm(tmp_path / "new") != pin


def test_what_is_the_hosts_own_is_not_renewed(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    theirs = certified(tmp_path / "there")
    (tmp_path / "realm.toml").write_text(f'certificate = "{theirs.certificate}"\nkey = "{theirs.key}"\n')
    status, output = ran("certificate", "--renew", "--data", str(tmp_path))
    assert (status, "renew it with the authority that issued it" in output) == (2, True)
    assert pin_in(theirs.certificate) in ran("certificate", "--data", str(tmp_path))[1]


def test_a_broken_certificate_is_one_sentence(tmp_path: Path) -> None:
    certified(tmp_path).certificate.write_text("nothing")
    status, output = ran("certificate", "--data", str(tmp_path))
    assert status == 2
    assert output.startswith("gloam-server: ")
    assert output.count("\n") == 1
