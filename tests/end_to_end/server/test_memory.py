"""The memory of one life is kept over runs of the real client."""

import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest

from support.client.headless_client import HeadlessClient
from support.content.campaigns import arena_files
from support.processes.screen import entered

pytestmark = pytest.mark.end_to_end
_PRESSES: Final = 4
_PATIENCE_S: Final = 10


@pytest.fixture
def campaign(tmp_path: Path) -> str:
    """A campaign in whose caves things lie about."""
    folder = tmp_path / "strewn"
    folder.mkdir()
    for name, data in arena_files().items():
        strewn = b'goods = "uniform"\nitems = 20\n' if name == "levels.toml" else b""
        (folder / name).write_bytes(data + strewn)
    return f"{folder}/"


def played(home: Path, campaign: str, name: str = "Ann") -> HeadlessClient:
    """Start the client, and wait until its player stands in the dungeon."""
    return entered(HeadlessClient(home, None, name, campaign=campaign))


def listed(pty: HeadlessClient) -> Counter[str]:
    """Return the names of what `/` lists; how far away it is stands before them."""
    for _ in range(_PRESSES):  # a key may only stop exploring
        pty.type("/")
        with suppress(AssertionError):
            pty.wait_for(_finds, _PATIENCE_S)
            break
    rows = pty.wait_for(_finds)
    shown = [row.split("|")[1][21:].strip() for row in rows if row.count("|") == 2]
    pty.type("\x1b")
    pty.wait_for(lambda rows: not _finds(rows))
    return Counter(shown)


def _finds(rows: list[str]) -> bool:
    return any("Find" in row for row in rows)


@pytest.mark.thorough
def test_quit_and_start_and_seen_listed(home: Path, campaign: str) -> None:
    """Quit and start again and what was seen is listed."""
    with played(home, campaign) as pty:
        for _ in range(4):
            pty.type("o")
            listed(
                pty
            )  # The key has been processed: without this, the line below may still be the one before it.
            pty.wait_for(lambda rows: "Esc stop" not in rows[-1])
        before = listed(pty)
        pty.type("Qy")
        assert pty.wait_exit() == 0
    assert len(list((home / "memory").iterdir())) == 1

    with played(home, campaign) as pty:
        end = time.monotonic() + 60
        while (forgotten := before - listed(pty)) and time.monotonic() < end:
            pass
        assert not forgotten
        pty.type("Qy")
        pty.wait_exit()


@pytest.mark.thorough
def test_where_a_friend_was_seen_is_remembered_too(home: Path, campaign: str) -> None:
    with played(home, campaign) as ann:
        with played(home, campaign, "Bert"):
            ann.wait_for(lambda rows: "with 1 other" in rows[0])
        ann.type("Qy")
        assert ann.wait_exit() == 0
    kept = [path.read_bytes() for path in (home / "memory").iterdir()]
    assert any(b"Bert" in seen for seen in kept if b"Ann" in seen)
