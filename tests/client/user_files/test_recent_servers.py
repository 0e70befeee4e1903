"""The servers that this user played on: the newest first, bounded, and safe from a broken file."""

import json
from pathlib import Path

import pytest

from gloam_client.user_files.recent_servers import FILE, SERVERS_MAX, RecentServer, note, read


def test_the_newest_is_first_and_the_oldest_goes(tmp_path: Path) -> None:
    """At most SERVERS_MAX servers are kept, each once."""
    for number in range(SERVERS_MAX + 3):
        note(tmp_path, RecentServer(f"host{number}:7373", "Ann", "level 1, depth 1"))
    note(tmp_path, RecentServer("host5:7373", "Bert"))
    servers = read(tmp_path)
    assert len(servers) == SERVERS_MAX
    assert servers[0] == RecentServer("host5:7373", "Bert", "level 1, depth 1")
    assert len({server.address for server in servers}) == SERVERS_MAX


@pytest.mark.parametrize(
    "raw", ["", "{}", "[1]", '[{"place": 1}]', '[{"place": "a"}]', "\x00", "[" * 70_000, '{"a": {}}']
)
def test_a_broken_file_is_kept_aside(tmp_path: Path, raw: str) -> None:
    """A file that is no list of servers is renamed, and the list begins again."""
    (tmp_path / FILE).write_text(raw, encoding="utf-8")
    assert read(tmp_path) == ()
    if raw != "{}":
        assert (tmp_path / f"{FILE}.broken").exists()
    note(tmp_path, RecentServer("host:7373", "Ann"))
    assert read(tmp_path) == (RecentServer("host:7373", "Ann"),)


def test_hostile_words_in_the_file_are_cleaned(tmp_path: Path) -> None:
    entry = {"place": "h\x1b[2J" + "x" * 500, "name": "A\u202e", "life": "漢" * 500}
    (tmp_path / FILE).write_text(json.dumps([entry]), encoding="utf-8")
    [server] = read(tmp_path)
    assert all(text.isprintable() and len(text) <= 80 for text in server)


def test_a_file_of_an_older_version(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(
        '[{"place": "host:7373", "name": "Ann", "life": "level 2"}]', encoding="utf-8"
    )
    assert read(tmp_path) == (RecentServer("host:7373", "Ann", "level 2"),)
    note(tmp_path, RecentServer("host:7373", "Bert"))
    assert json.loads((tmp_path / FILE).read_text(encoding="utf-8"))[0].keys() == {"place", "name", "life"}
