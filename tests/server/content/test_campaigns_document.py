"""CAMPAIGNS.md says what the code does: its worked example is a campaign that loads and can be played."""

import re
from pathlib import Path
from typing import Final

import pytest
from msgspec import Struct

from gloam_lab.invariants import check_invariants
from gloam_server.content.campaign import Campaign
from gloam_server.content.loader import load
from gloam_server.content.shipped import FILES
from gloam_server.world.ai.behaviors import TASKS
from gloam_server.world.transition.dungeon import new_dungeon, populate
from support.documents.campaign_tables import PARTS, rows

TEXT: Final = (Path(__file__).parents[3] / "server" / "CAMPAIGNS.md").read_text(encoding="utf-8")
BLOCK: Final = re.compile(r"`(?:my-dungeon/)?(\w+\.toml)`[^`]*?:\n\n```toml\n(.*?)```", re.DOTALL)


def example(*, grown: bool) -> dict[str, bytes]:
    """Return the files of the worked example: as it begins, or with everything that the document adds to it."""
    files: dict[str, str] = {}
    for name, body in BLOCK.findall(TEXT):
        if grown or (name in FILES and name not in files):
            files[name] = files.get(name, "") + "\n" + body
    return {name: body.encode() for name, body in files.items()}


def campaign(*, grown: bool) -> Campaign:
    return load(example(grown=grown))


def test_the_dungeon_in_five_files_loads() -> None:
    cellar = campaign(grown=False)
    assert (cellar.key, cellar.depths) == ("cellar", 2)
    assert set(cellar.creatures) == {"grandchild", "rat"}


def test_new_creature_new_thing_and_new_level_fit() -> None:
    """The new creature the new thing and the new level fit in."""
    cellar = campaign(grown=True)
    assert set(cellar.creatures) == {"grandchild", "rat", "witch"}
    assert cellar.items["cordial"].quaffs in cellar.spells
    assert cellar.depths == 3


def test_drawn_room_stands_on_the_new_level() -> None:
    maps = new_dungeon(campaign(grown=True), 1).maps
    assert [len(level.stamped) for level in maps.values()] == [0, 0, 1]
    assert {room.key for level in maps.values() for room in level.stamped} <= {"pantry", "back_room"}


def test_its_levels_are_made_and_lived_in() -> None:
    dungeon = new_dungeon(campaign(grown=True), 1)
    populate(dungeon)
    for level in dungeon.levels.values():
        check_invariants(level)
    assert {one.kind for level in dungeon.levels.values() for one in level.creatures.values()} == {
        "rat",
        "witch",
    }
    everywhere = [item.kind for level in dungeon.levels.values() for _, item in level.items_at()]
    assert everywhere.count("spoon") == 1


@pytest.mark.parametrize(("heading", "struct"), PARTS, ids=[heading for heading, _ in PARTS])
def test_key_stands_and_default(heading: str, struct: type[Struct]) -> None:
    """Every key stands with what it may be and its default."""
    section = TEXT[TEXT.index("## Every key") :]
    part = section[section.index(f"{heading.strip('[]')}") :] if heading in section else ""
    lines = part.splitlines()
    assert [row for row in rows(struct) if row not in lines] == []


def test_every_task_is_reported() -> None:
    names = set(re.findall(r"`(\w+)`", TEXT[TEXT.index("Tasks are tried in the order") :]))
    assert set(TASKS) <= names
