"""The list of campaigns that ship agrees with the folders that ship."""

from pathlib import Path

import pytest

import gloam_server.content
from gloam_server.content.shipped import DATA, FILES, OPTIONAL_FILES, SHIPPED
from support.content.shipped_files import campaign


def test_shipped_campaign_folder_exactly_files() -> None:
    """Every shipped campaign is a folder with exactly its files."""
    data = Path(gloam_server.content.__file__).parent / DATA
    assert sorted(SHIPPED) == sorted(folder.name for folder in data.iterdir())
    for key in SHIPPED:
        found = {file.name for file in (data / key).iterdir()}
        assert found - set(OPTIONAL_FILES) == set(FILES)
        assert (found == {*FILES, *OPTIONAL_FILES}) == (key == "gloam")


def test_shipped_campaign_loads_under_key() -> None:
    """Every shipped campaign loads under its own key."""
    assert list(SHIPPED) == [campaign(key).key for key in SHIPPED]


@pytest.mark.rule("F39")
def test_monsters_rise_six_levels_at_most() -> None:
    """In the classics monsters rise six levels at most above the one they were made with, in gloam five."""
    rises = {key: campaign(key).experience.monster_levels_max for key in SHIPPED}
    assert rises == {**dict.fromkeys(SHIPPED, 6), "gloam": 5}
