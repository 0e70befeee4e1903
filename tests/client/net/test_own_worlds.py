"""This user's own worlds: the campaigns that ship, and deleting a world without the rest of its folder."""

import fcntl
from pathlib import Path

import pytest

from gloam_client.net.own_worlds import CAMPAIGNS, CannotDelete, OwnWorld, delete_world, list_worlds
from gloam_client.user_files.user_folders import world_folder
from gloam_server.content.shipped import SHIPPED


def test_the_title_lists_the_campaigns_that_ship() -> None:
    assert sorted(CAMPAIGNS) == sorted(SHIPPED)


def test_deleting_takes_the_world_alone(tmp_path: Path) -> None:
    """The default world lies beside the device's token, which stays."""
    for name in ("world.sqlite3", "world.sqlite3-wal", "device-token", "known-servers"):
        (tmp_path / name).write_text("x")
    assert list_worlds(tmp_path)[0] == OwnWorld("gloam", exists=True, running=False)
    delete_world(tmp_path, "gloam")
    assert list_worlds(tmp_path)[0] == OwnWorld("gloam", exists=False, running=False)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["device-token", "known-servers"]


def test_a_world_that_is_open_stays(tmp_path: Path) -> None:
    folder = world_folder(tmp_path, "rltut")
    folder.mkdir(parents=True)
    (folder / "world.sqlite3").write_text("x")
    with (folder / "world.sqlite3-lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert OwnWorld("rltut", exists=True, running=True) in list_worlds(tmp_path)
        with pytest.raises(CannotDelete, match="open in a server"):
            delete_world(tmp_path, "rltut")
    delete_world(tmp_path, "rltut")
    assert not folder.exists()


def test_a_campaign_in_a_folder_is_listed_first(tmp_path: Path) -> None:
    assert [world.campaign for world in list_worlds(tmp_path, "./mine")][:2] == ["./mine", "gloam"]
