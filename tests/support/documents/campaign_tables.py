"""The tables of CAMPAIGNS.md: every key of a campaign's files, its values, and its default."""

from typing import Any, Final

from msgspec import NODEFAULT, UNSET, Struct, inspect

from gloam_server.content import campaign_schema, creatures, items, levels, powers, spells, surfaces
from gloam_server.content.fights import hearing, tempers
from gloam_server.content.growth import bents, learning, trophies
from gloam_server.content.places import devices, drawn_rooms

PARTS: Final[tuple[tuple[str, type[Struct]], ...]] = (
    ("campaign.toml", campaign_schema.CampaignSchema),
    ("[experience]", campaign_schema.ExperienceRules),
    ("[experience.gains]", campaign_schema.Gains),
    ("[experience.words]", campaign_schema.OptionWords),
    ("[cards]", bents.CardRules),
    ("[learning]", learning.LearningRules),
    ("[named]", learning.NamedRules),
    ("[sounds]", learning.SoundRules),
    ("[combat]", campaign_schema.CombatRules),
    ("[time]", campaign_schema.TimeRules),
    ("[hunger]", campaign_schema.HungerRules),
    ("[regeneration]", campaign_schema.RegenerationRules),
    ("[hearing]", hearing.HearingRules),
    ("[difficulty]", campaign_schema.DifficultyRules),
    ("[victory]", campaign_schema.VictoryRules),
    ("[refusals]", campaign_schema.RefusalTexts),
    ("[terrain]", campaign_schema.TerrainWords),
    ("[labels]", campaign_schema.LabelWords),
    ("[[brands]]", items.Brand),
    ("[[tempers]]", tempers.Temper),
    ("levels.toml", levels.LevelKind),
    ("the look of a level", levels.LevelLook),
    ("a share of a level", levels.Quota),
    ("patches of a surface", levels.SurfacePatches),
    ("rooms.toml", drawn_rooms.DrawnRoom),
    ("a letter of a drawing", drawn_rooms.LegendEntry),
    ("creatures.toml", creatures.CreatureKind),
    ("a movement of a creature", creatures.Movement),
    ("peoples.toml", learning.People),
    ("traits.toml", learning.Trait),
    ("trophies.toml", trophies.Trophy),
    ("bents.toml", bents.Bent),
    ("surfaces.toml", surfaces.SurfaceKind),
    ("devices.toml", devices.DeviceKind),
    ("kits.toml", campaign_schema.Kit),
    ("items.toml", items.ItemKind),
    ("a power", powers.Power),
    ("spells.toml", spells.Spell),
    ("an effect of a spell", spells.Effect),
)
"""The heading of each table, and the struct that it describes."""


def rows(kind: type[Struct]) -> list[str]:
    """Return the rows of a struct's table."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    keyed = "key" in kind.__struct_fields__ and kind is not campaign_schema.CampaignSchema
    fields = [field for field in info.fields if not (keyed and field.name == "key")]
    return [f"| `{field.name}` | {_expected(field.type)} | {_default(field)} |" for field in fields]


def _expected(kind: inspect.Type) -> str:
    match kind:
        case inspect.Metadata():
            description = (kind.extra_json_schema or {}).get("description")
            return str(description) if description else _expected(kind.type)
        case inspect.IntType(ge=least, le=most):
            return f"{least} to {most}"
        case inspect.BoolType():
            return "true or false"
        case inspect.LiteralType(values=words):
            return ", ".join(f"`{word}`" for word in words)
        case inspect.VarTupleType(item_type=item):
            return f"list: {_expected(item)}"
        case inspect.TupleType(item_types=both):
            return f"[first, last], each {_expected(both[0])}"
        case inspect.UnionType(types=types):
            return _expected(next(one for one in types if not isinstance(one, inspect.NoneType)))
        case inspect.StructType() | inspect.DictType():
            return "a table"
        case _:
            return "text"


def _default(field: inspect.Field) -> str:
    value: Any = field.default
    if value is NODEFAULT or value is UNSET:
        return "required" if field.required else "nothing"
    if isinstance(value, Struct):
        return "see there"
    if value is None or value in ("", ()):
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return f"`{value}`" if isinstance(value, str) else str(value)


if __name__ == "__main__":
    for heading, struct in PARTS:
        print(f"\n### {heading}\n\n| key | what | default |\n|---|---|---|")  # noqa: T201  # to be pasted into the document
        print("\n".join(rows(struct)))  # noqa: T201
