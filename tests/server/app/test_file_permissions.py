"""Secrets in files: a host's own are refused when others can read them; the server's own are its user's alone."""

import logging
import os
from pathlib import Path

import pytest

from gloam_server.app.config import ConfigError
from gloam_server.app.file_permissions import require_private, restrict_to_owner


@pytest.mark.rule("A71")
@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o660, 0o602, 0o610, 0o777])
def test_secret_others_read_refused_mend(tmp_path: Path, mode: int) -> None:
    """A secret that others can read is refused with the mend."""
    key = tmp_path / "key.pem"
    key.write_text("xyzzy")
    key.chmod(mode)
    with pytest.raises(ConfigError) as refused:
        require_private(key, "realm.toml, line 3: key")
    sentence = str(refused.value)
    assert sentence.startswith(
        f"realm.toml, line 3: key: other users can read or change {key} (mode {mode:o})"
    )
    assert sentence.endswith(f"run: chmod 600 {key}")
    assert "xyzzy" not in sentence
    os.system(sentence.partition("run: ")[2])  # the mend is what a host would type
    require_private(key, "realm.toml, line 3: key")


@pytest.mark.parametrize("mode", [0o600, 0o400])
def test_a_secret_of_its_owner_alone_is_taken(tmp_path: Path, mode: int) -> None:
    key = tmp_path / "key.pem"
    key.write_text("xyzzy")
    key.chmod(mode)
    require_private(key, "key")


@pytest.mark.rule("A71")
def test_a_secret_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"^--key: the file .*key.pem cannot be read \(No such file"):
        require_private(tmp_path / "key.pem", "--key")


def test_server_made_read_taken_back_and_reported(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The server makes files private that other users could read, and reports it once."""
    world, lock = tmp_path / "world.sqlite3", tmp_path / "world.sqlite3-lock"
    world.write_bytes(b"")
    world.chmod(0o644)
    lock.write_bytes(b"")
    lock.chmod(0o600)
    with caplog.at_level(logging.WARNING):
        restrict_to_owner([world, lock, tmp_path / "absent"])
        restrict_to_owner([world, lock])
    assert (world.stat().st_mode & 0o777, lock.stat().st_mode & 0o777) == (0o600, 0o600)
    assert [record.message for record in caplog.records] == [
        f"other users could read {world}; now they cannot"
    ]
