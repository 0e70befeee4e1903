"""The fate of wands, rings and brands under another version of their campaign."""

from msgspec.structs import replace

from gloam_lab.invariants import check_invariants
from gloam_server.rules.dice import Dice
from gloam_server.world.model.creature import Item
from gloam_server.world.transition.content_migration import migrate_content
from gloam_server.world.transition.dungeon import Dungeon, new_dungeon, populate
from support.content.shipped_files import campaign

GLOAM = campaign("gloam")


def lived_in() -> Dungeon:
    dungeon = new_dungeon(GLOAM, 1)
    populate(dungeon)
    return dungeon


def laid(dungeon: Dungeon, kind: str, **state: object) -> Item:
    """Lay a thing on the first level, where a creature stands."""
    level = dungeon.levels[1]
    item = Item(level.new_id(), kind, GLOAM.items[kind].name, "white", **state)  # type: ignore[arg-type]
    level.put_item(item, min(level.occupied), Dice(1, 1, item.number))
    return item


def test_charges_and_brands_brought_within_campaign() -> None:
    """Charges and brands are brought within the campaign."""
    dungeon = lived_in()
    full, empty = laid(dungeon, "wand_fire", charges=99), laid(dungeon, "wand_fire")
    known, lost = (
        laid(dungeon, "mace", brand="flaming", noticed=True),
        laid(dungeon, "mace", brand="icy", noticed=True),
    )
    plain = laid(dungeon, "ration", charges=3)
    migrate_content(dungeon)
    assert (full.charges, empty.charges, plain.charges) == (8, 1, 0)
    assert (known.brand, known.noticed, lost.brand, lost.noticed) == ("flaming", True, "", False)
    check_invariants(dungeon.levels[1])


def test_what_is_no_ring_any_more_is_off() -> None:
    dungeon = lived_in()
    body = next(body for body in dungeon.levels[1].creatures.values() if body.slots)
    ring = Item(dungeon.levels[1].new_id(), "ring_bat", "ring of the bat", "white")
    body.slots[0], body.ring = ring, ring.number
    migrate_content(dungeon)
    assert body.ring == ring.number
    items = {**GLOAM.items, "ring_bat": replace(GLOAM.items["ring_bat"], carries="", group="")}
    dungeon.campaign = replace(GLOAM, items=items)
    migrate_content(dungeon)
    assert body.ring == 0
