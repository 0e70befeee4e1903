"""The folders in which the private worlds are kept, one for each campaign."""

from pathlib import Path

import pytest

from gloam_client.user_files.user_folders import world_folder


def test_default_campaign_same_world(tmp_path: Path) -> None:
    """The default campaign is the same world with and without its name."""
    assert world_folder(tmp_path, "") == world_folder(tmp_path, "gloam") == tmp_path


def test_another_campaign_has_a_world_of_its_own_below(tmp_path: Path) -> None:
    assert world_folder(tmp_path, "jsrogue") == tmp_path / "campaigns" / "jsrogue"


def test_folder_world_however_written_and_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder has one world however it is written and none with its namesake."""
    monkeypatch.chdir(tmp_path)
    written = ("./jsrogue", "jsrogue/", f"{tmp_path}/jsrogue/", "./other/../jsrogue")
    worlds = {world_folder(tmp_path, each) for each in (*written, "other/jsrogue", "jsrogue")}

    assert len({world_folder(tmp_path, each) for each in written}) == 1
    assert len(worlds) == 3


@pytest.mark.parametrize("campaign", ["..", ".", "/", "../..", "a b", "\u00e9t\u00e9", "x" * 300, "\udcff"])
def test_no_name_leads_out_of_the_folder_of_worlds(tmp_path: Path, campaign: str) -> None:
    world = world_folder(tmp_path, campaign)

    assert world.resolve().parent == tmp_path / "campaigns"
    assert len(world.name) < 40
    assert world.name.isascii()
