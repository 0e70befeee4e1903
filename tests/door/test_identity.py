"""Identities of visitors: one secret leads to one token, and no other secret or door leads to it."""

import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gloam_door.identity import KEY_FILE, DoorKey, cookie_secret, cookie_text, guest, load_door_key
from gloam_shared import limits

SECRETS = st.binary(min_size=32, max_size=32)
KEY = DoorKey(b"k" * 32)


@given(SECRETS, SECRETS)
def test_a_secret_leads_to_one_token(one: bytes, other: bytes) -> None:
    first = KEY.identify("web", one)
    assert len(first.token) == limits.TOKEN_SIZE
    assert first == KEY.identify("web", one)
    assert (first.token == KEY.identify("web", other).token) == (one == other)
    assert first.token != KEY.identify("ssh", one).token
    assert first.token != DoorKey(b"l" * 32).identify("web", one).token
    assert one.hex() not in (first.folder or "")


def test_guests_are_strangers_to_each_other() -> None:
    assert guest() != guest()
    assert guest().folder is None


@given(SECRETS)
def test_a_cookie_brings_its_secret_back(secret: bytes) -> None:
    assert cookie_secret(cookie_text(secret)) == secret


@pytest.mark.parametrize("cut", range(43))
def test_a_cookie_with_a_letter_missing_is_none(cut: int) -> None:
    text = cookie_text(b"s" * 32)
    assert cookie_secret(text[:cut] + text[cut + 1 :]) is None


@given(st.text(max_size=60))
def test_other_texts_are_no_cookies(text: str) -> None:
    secret = cookie_secret(text)
    assert secret is None or cookie_text(secret) == text


def test_the_door_s_key_is_kept_and_private(tmp_path: Path) -> None:
    first = load_door_key(tmp_path / "door").identify("web", b"")
    assert load_door_key(tmp_path / "door").identify("web", b"") == first
    path = tmp_path / "door" / KEY_FILE
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.write_bytes(b"short")
    with pytest.raises(OSError, match="another length"):
        load_door_key(tmp_path / "door")
