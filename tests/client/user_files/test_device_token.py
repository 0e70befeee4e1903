"""The device token."""

import stat
from pathlib import Path

from gloam_client.user_files.device_token import load_device_token


def test_the_token_is_made_once_and_kept(tmp_path: Path) -> None:
    first = load_device_token(tmp_path / "home")

    assert len(first) == 32
    assert first == load_device_token(tmp_path / "home")


def test_only_the_owner_may_read_it(tmp_path: Path) -> None:
    load_device_token(tmp_path)
    (path,) = tmp_path.iterdir()

    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_two_homes_have_two_tokens(tmp_path: Path) -> None:
    assert load_device_token(tmp_path / "a") != load_device_token(tmp_path / "b")


def test_a_damaged_token_is_replaced(tmp_path: Path) -> None:
    load_device_token(tmp_path)
    (path,) = tmp_path.iterdir()
    path.write_bytes(b"short")

    assert len(load_device_token(tmp_path)) == 32
    assert load_device_token(tmp_path) == path.read_bytes()
