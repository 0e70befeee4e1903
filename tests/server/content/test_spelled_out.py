"""The classics hide no number: every default of code that matters to their play stands in their files."""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import pytest
from msgspec import Struct, inspect

from gloam_server.app.campaign_files import read_files
from gloam_server.content.campaign_schema import BeaconRules, CampaignSchema, FriendRules
from gloam_server.content.creatures import CreatureKind
from gloam_server.content.fights.hearing import HearingRules
from gloam_server.content.growth.learning import LearningRules, NamedRules, SoundRules
from gloam_server.content.items import ItemKind
from gloam_server.content.levels import LevelKind
from gloam_server.content.shipped import CREATURES_FILE, ITEMS_FILE, LEVELS_FILE, OUTLINE_FILE

Table = Mapping[str, Any]

PLAIN: Final = inspect.IntType | inspect.BoolType | inspect.LiteralType

CLASSICS: Final = ("jsrogue", "rltut", "ruggrogue")

IDLE: Final[dict[str, Callable[[Table], bool]]] = {
    "experience.gap_max": lambda table: table["experience"].get("credit") != "full",
    "regeneration.full_turns": lambda table: table["regeneration"].get("rule") != "fed",
    "regeneration.starving_turns": lambda table: table["regeneration"].get("rule") != "fed",
    "difficulty.pays_percent": lambda table: not table["difficulty"].get("tracked"),
    "difficulty.last": lambda table: not table["difficulty"].get("tracked"),
    "difficulty.equal_percent": lambda table: not table["difficulty"].get("tracked"),
    "brand_percent": lambda table: "brands" not in table,
    "dig_turns": lambda _: True,
    "repeats_percent": lambda _: True,  # the classics choose each place by its weight alone
    "corpse_turns": lambda _: True,
    "cards.every": lambda _: True,  # no classic has bents
    "cards.offered": lambda _: True,
    "catch_up.levels_below": lambda _: True,
    "regeneration.creature_turns": lambda _: True,
    "regeneration.boss_turns": lambda _: True,
    "regeneration.follows_once": lambda _: True,
    "victory.again": lambda table: table["victory"].get("rule") != "use",
    **{
        f"{part}.{field}": lambda _: True
        for part, rules in (
            ("learning", LearningRules),
            ("named", NamedRules),
            ("hearing", HearingRules),
            ("sounds", SoundRules),
            ("friends", FriendRules),
            ("beacons", BeaconRules),
        )
        for field in rules.__struct_fields__
        if field != "duel_percent"
    },
}
"""Keys of `campaign.toml` that nothing reads while another key turns their rule off; no classic has what monsters learn."""

KINDS: Final[dict[str, tuple[type[Struct], dict[str, Callable[[Table], bool]]]]] = {
    LEVELS_FILE: (
        LevelKind,
        {
            "weight": lambda _: False,  # no depth of a classic has two kinds of level
            "fill_percent": lambda table: table["generator"] in ("caves", "old_caves"),
            "passes": lambda table: table["generator"] in ("caves", "old_caves"),
            "region_min": lambda table: table["generator"] in ("caves", "old_caves"),
            "monsters_per_food": lambda table: table.get("goods") == "levelled",
            "creatures_max": lambda _: True,
            "lit_percent": lambda _: True,
        },
    ),
    CREATURES_FILE: (
        CreatureKind,
        {
            "sight": lambda _: True,
            "speed": lambda _: False,  # an action a turn
            "level": lambda _: False,  # the first
            "keeps_off": lambda table: "keep_distance" in table.get("tasks", ()),
            "guards_within": lambda table: "guard" in table.get("tasks", ()),
            "slots": lambda table: "levels" not in table,  # what lives in ruggrogue takes nothing
            "weight": lambda _: False,  # a level of ruggrogue has one kind, the others draw all kinds alike
            "attacker_percent": lambda table: table.get("boss", False),
            "calls_max": lambda table: "call" in table.get("tasks", ()),
            "spread_reach": lambda table: "spread" in table.get("tasks", ()),
        },
    ),
    ITEMS_FILE: (
        ItemKind,
        {
            "weight": lambda table: table.get("group", "food") != "food" and "levels" not in table,
            "bites": lambda _: False,  # a thing is eaten in one go
        },
    ),
}
"""The numbers of kinds whose default is not 0, and whether one matters to a kind; 0 says that a kind has none of it."""


def read_table(campaign: str, file: str) -> Table:
    return tomllib.loads(read_files(campaign)[file].decode())


def unsaid(struct: type[Struct], table: Table, path: str = "") -> Iterator[str]:
    """Yield the keys of a struct that are numbers, choices or yes and no, and that a table leaves to their default."""
    info = inspect.type_info(struct)
    assert isinstance(info, inspect.StructType)
    for field in info.fields:
        kind = field.type.type if isinstance(field.type, inspect.Metadata) else field.type
        if isinstance(kind, inspect.StructType):
            yield from unsaid(kind.cls, table.get(field.name, {}), f"{path}{field.name}.")
        elif field.name not in table and isinstance(kind, PLAIN):
            yield f"{path}{field.name}"


@pytest.mark.parametrize("campaign", CLASSICS)
def test_rule_classic_stands_campaign_file(campaign: str) -> None:
    """Every rule of a classic stands in its campaign file."""
    table = {"regeneration": {}, "difficulty": {}, "victory": {}, **read_table(campaign, OUTLINE_FILE)}
    assert [key for key in unsaid(CampaignSchema, table) if key not in IDLE or not IDLE[key](table)] == []


@pytest.mark.parametrize("file", KINDS)
@pytest.mark.parametrize("campaign", CLASSICS)
def test_number_kind_not_nothing_stands_classics(campaign: str, file: str) -> None:
    """Every number of a kind that is not nothing stands in a classics files."""
    _, matters = KINDS[file]
    kinds = read_table(campaign, file).items()
    assert [
        f"{key}.{number}"
        for key, table in kinds
        for number, needed in matters.items()
        if number not in table and needed(table)
    ] == []


@pytest.mark.parametrize("file", KINDS)
def test_no_number_with_a_default_is_overlooked(file: str) -> None:
    struct, matters = KINDS[file]
    info = inspect.type_info(struct)
    assert isinstance(info, inspect.StructType)
    assert {
        field.name
        for field in info.fields
        if isinstance(field.default, int) and not isinstance(field.default, bool) and field.default
    } == set(matters)
