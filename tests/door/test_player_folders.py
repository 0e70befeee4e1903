"""Folders of visitors: kept, trimmed, pruned; a guest's ends with the visit."""

import os
import time
from pathlib import Path

from gloam_door.identity import DoorKey, guest
from gloam_door.player_folders import BYTES_MAX, PlayerFolders, read_name, write_name

DAY_S = 86_400


def test_a_known_visitor_finds_the_folder_again(tmp_path: Path) -> None:
    folders, anna = PlayerFolders(tmp_path), DoorKey(b"k").identify("web", b"anna")
    write_name(folders.open(anna), "Anna")
    folders.close(anna)
    assert read_name(PlayerFolders(tmp_path).open(anna)) == "Anna"
    (folders.open(anna) / "name").write_text("no name!")
    assert read_name(folders.open(anna)) == ""


def test_a_guest_s_folder_ends_with_the_visit(tmp_path: Path) -> None:
    folders, visitor = PlayerFolders(tmp_path), guest()
    path = folders.open(visitor)
    (path / "options.toml").write_text("")
    folders.close(visitor)
    assert not path.exists()
    assert tmp_path.exists()


def test_a_full_folder_loses_its_oldest_files(tmp_path: Path) -> None:
    folders, anna = PlayerFolders(tmp_path), DoorKey(b"k").identify("web", b"anna")
    path = folders.open(anna)
    for age, name in enumerate(("new", "middle", "old")):
        (path / name).write_bytes(bytes(BYTES_MAX // 2))
        os.utime(path / name, (1_000 - age, 1_000 - age))
    folders.close(anna)
    assert sorted(each.name for each in path.iterdir()) == ["middle", "new"]


def test_unused_folders_and_lost_guests_go(tmp_path: Path) -> None:
    key, folders = DoorKey(b"k"), PlayerFolders(tmp_path)
    kept, old = folders.open(key.identify("web", b"kept")), folders.open(key.identify("web", b"old"))
    here, lost = guest(), PlayerFolders(tmp_path).open(guest())
    present = folders.open(here)
    os.utime(old, (time.time() - 91 * DAY_S,) * 2)
    folders.prune()
    assert [path.exists() for path in (kept, old, present, lost)] == [True, False, True, False]
