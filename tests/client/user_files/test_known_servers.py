"""The file of servers that were met."""

from pathlib import Path

import pytest

from gloam_client.user_files.address import Address
from gloam_client.user_files.known_servers import BadKnownServers, KnownServers

HERE, THERE = Address("play.example.org"), Address("::1", 99)
PIN, OTHER = "p" * 43, "q" * 43


def test_no_server_is_known_at_first(tmp_path: Path) -> None:
    assert KnownServers(tmp_path).pin(HERE) == ""
    assert list(tmp_path.iterdir()) == []


def test_server_remembered_host_and_port(tmp_path: Path) -> None:
    """A server is remembered by host and port for its owner alone."""
    known = KnownServers(tmp_path / "new")
    known.remember(HERE, PIN)
    known.remember(THERE, OTHER)

    again = KnownServers(tmp_path / "new")
    assert (again.pin(HERE), again.pin(THERE), again.pin(Address("play.example.org", 1))) == (PIN, OTHER, "")
    assert again.pin(Address("Play.Example.ORG")) == PIN
    assert known.path.read_text() == f"play.example.org:7373 {PIN}\n[::1]:99 {OTHER}\n"
    assert known.path.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in known.path.parent.iterdir()] == ["known-servers"]


def test_a_list_edited_on_windows_is_read(tmp_path: Path) -> None:
    known = KnownServers(tmp_path)
    known.path.write_bytes(b"\xef\xbb\xbf" + f"play.example.org:7373 {PIN}\r\n".encode())
    assert known.pin(Address("play.example.org")) == PIN


def test_a_server_has_one_key(tmp_path: Path) -> None:
    known = KnownServers(tmp_path)
    known.remember(HERE, PIN)
    known.remember(HERE, OTHER)

    assert known.pin(HERE) == OTHER


def test_one_is_forgotten_and_the_others_are_not(tmp_path: Path) -> None:
    known = KnownServers(tmp_path)
    known.remember(HERE, PIN)
    known.remember(THERE, OTHER)

    assert known.forget(HERE)
    assert not known.forget(HERE)
    assert (known.pin(HERE), known.pin(THERE)) == ("", OTHER)


@pytest.mark.parametrize("line", ["", "here", "here short", f"here {PIN} more", f"here {PIN[1:]}é"])
def test_damaged_line_named(tmp_path: Path, line: str) -> None:
    """A damaged line is named and no one is trusted meanwhile."""
    known = KnownServers(tmp_path)
    known.path.write_text(f"play.example.org:7373 {PIN}\n{line}\n", encoding="utf-8")

    for use in (known.pin, known.forget):
        with pytest.raises(BadKnownServers, match=r"Line 2 of .*known-servers.*remove that line"):
            use(HERE)


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    known = KnownServers(tmp_path)
    known.path.write_bytes(b"\xff\xfe")

    with pytest.raises(BadKnownServers, match="cannot be read"):
        known.pin(HERE)


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(BadKnownServers, match="cannot be"):
        KnownServers(tmp_path / "file").remember(HERE, PIN)
