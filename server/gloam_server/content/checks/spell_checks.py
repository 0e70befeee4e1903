"""Checks that every spell that a campaign names exists, and that its effects are possible."""

from collections.abc import Iterator
from typing import Final

from gloam_server.content.campaign import Campaign
from gloam_server.content.campaign_schema import LOOK_COLORS
from gloam_server.content.content_errors import alternatives, invalid_value
from gloam_server.content.items import Brand, ItemKind
from gloam_server.content.shipped import CREATURES_FILE, ITEMS_FILE, LEVELS_FILE, OUTLINE_FILE, SPELLS_FILE
from gloam_server.content.spells import STATUS_KINDS, Effect, Spell
from gloam_shared.appearance import COLORS

_STATS: Final = ("attack", "defence", "sight", "speed", "regeneration", "mana_regeneration")
_NEED_AMOUNT: Final = frozenset({"heal", "mana", "harm", "drain", "learn", "feed", "blink", "push", "sleep"})
_NEED_TURNS: Final = frozenset({"strengthen", "detect", "fear", "silence", "dark_sight", "light_feet"})


def check_spells(campaign: Campaign) -> None:
    """Raise CampaignError for the first name that refers to nothing, or number that makes no sense."""
    for file, path, spell in _spells_named(campaign):
        if spell not in campaign.spells:
            raise invalid_value(file, path, spell, alternatives(spell, campaign.spells))
    for spell_kind in campaign.spells.values():
        _check_spell(spell_kind)
        for at, effect in enumerate(spell_kind.effects):
            _check_effect(campaign, spell_kind, effect, f"{spell_kind.key}.effects[{at}]")
    for item in campaign.items.values():
        _check_item(campaign, item)
    for brand in campaign.brands:
        _check_brand(campaign, brand)
    _check_appearances(campaign)


def _check_spell(spell: Spell) -> None:
    if not spell.effects:
        mend = f"add a table [[{spell.key}.effects]], for it does nothing"
        raise invalid_value(SPELLS_FILE, f"{spell.key}.effects", [], mend)
    if spell.target != "self" and not spell.range:
        mend = "write a whole number from 1 to 20, for it is aimed at something"
        raise invalid_value(SPELLS_FILE, f"{spell.key}.range", 0, mend)
    attacks = [effect for effect in spell.effects if effect.unwelcome]
    if attacks and not spell.harms and spell.target != "self":
        does = "this" if attacks[0].weakens else attacks[0].does
        mend = f"write true, for no creature does {does} to a friend"
        raise invalid_value(SPELLS_FILE, f"{spell.key}.harms", value=False, mend=mend)


def _check_effect(campaign: Campaign, spell: Spell, effect: Effect, path: str) -> None:
    """Raise CampaignError for an effect that does nothing, or that names missing content."""
    if effect.kind and effect.kind not in campaign.creatures:
        raise invalid_value(
            SPELLS_FILE, f"{path}.kind", effect.kind, alternatives(effect.kind, campaign.creatures)
        )
    if (effect.does == "summon") != bool(effect.kind):
        mend = "write the key of a creature to summon" if effect.does == "summon" else "remove it"
        raise invalid_value(SPELLS_FILE, f"{path}.kind", effect.kind, mend)
    if (effect.does == "lay") != (effect.surface in campaign.surfaces):
        mend = alternatives(effect.surface, campaign.surfaces) if effect.does == "lay" else "remove it"
        raise invalid_value(SPELLS_FILE, f"{path}.surface", effect.surface, mend)
    if effect.does in _NEED_AMOUNT and not effect.amount:
        mend = f"write a whole number from 1 on, for {effect.does} of 0 does nothing"
        raise invalid_value(SPELLS_FILE, f"{path}.amount", 0, mend)
    if effect.does in _NEED_TURNS and not effect.turns:
        mend = f"write a whole number from 1 to 10000, for {effect.does} must last"
        raise invalid_value(SPELLS_FILE, f"{path}.turns", 0, mend)
    if effect.turns and effect.does not in STATUS_KINDS and effect.does != "summon":
        raise invalid_value(
            SPELLS_FILE, f"{path}.turns", effect.turns, f"write 0, for {effect.does} does not last"
        )
    if effect.turns and effect.does in STATUS_KINDS and not effect.word:
        raise invalid_value(SPELLS_FILE, f"{path}.word", "", "write what one then is, as poisoned")
    if effect.percent and not effect.amount:
        mend = "write a whole number from 1 on, the health that the chance is for"
        raise invalid_value(SPELLS_FILE, f"{path}.amount", 0, mend)
    for stat in _STATS:
        if effect.does != "strengthen" and getattr(effect, stat):
            mend = f"write 0, or let it strengthen instead of {effect.does}"
            raise invalid_value(SPELLS_FILE, f"{path}.{stat}", getattr(effect, stat), mend)
    if (
        effect.does == "strengthen"
        and not effect.percent
        and not any(getattr(effect, stat) for stat in _STATS)
    ):
        raise invalid_value(
            SPELLS_FILE, f"{path}.attack", 0, "write what it adds, to this or to another number"
        )
    if effect.does in ("swap", "push") and spell.target == "self" and not spell.radius:
        mend = f"write creature, for no creature can {effect.does} itself"
        raise invalid_value(SPELLS_FILE, f"{spell.key}.target", spell.target, mend)


def _check_item(campaign: Campaign, item: ItemKind) -> None:
    if item.quaffs and (aimed := campaign.spells[item.quaffs].target) != "self":
        mend = f"name a spell whose target is self; that of {item.quaffs} is {aimed}"
        raise invalid_value(ITEMS_FILE, f"{item.key}.quaffs", item.quaffs, mend)
    if item.looks and not (item.spell or item.is_ring):
        mend = "write false: only what is drunk, read, zapped or put on can hide its name"
        raise invalid_value(ITEMS_FILE, f"{item.key}.looks", value=True, mend=mend)
    least, most = item.charges
    if bool(item.zaps) != bool(least) or most < least:
        mend = "write two numbers from 1 on, the smaller one first" if item.zaps else "write [0, 0]"
        raise invalid_value(ITEMS_FILE, f"{item.key}.charges", list(item.charges), mend)
    if item.carries:
        _check_ring(campaign, item)


def _check_ring(campaign: Campaign, item: ItemKind) -> None:
    """Raise CampaignError for a ring with a spell that cannot last, or with another use."""
    if not all(
        effect.turns and effect.does in STATUS_KINDS for effect in campaign.spells[item.carries].effects
    ):
        mend = "name a spell whose effects all last"
        raise invalid_value(ITEMS_FILE, f"{item.key}.carries", item.carries, mend)
    if item.wieldable or item.wearable or item.spell:
        mend = "remove it, for a ring has no other use"
        raise invalid_value(ITEMS_FILE, f"{item.key}.carries", item.carries, mend)


def _check_brand(campaign: Campaign, brand: Brand) -> None:
    """Raise CampaignError for a brand that does nothing, or that names missing content."""
    path = f"brands.{brand.key}"
    if not brand.works:
        mend = "write what it does: powers, harm_percent, drinks_percent, or casts with casts_percent"
        raise invalid_value(OUTLINE_FILE, f"{path}.harm_percent", 0, mend)
    if brand.casts and campaign.spells[brand.casts].target != "creature":
        mend = "name a spell whose target is creature"
        raise invalid_value(OUTLINE_FILE, f"{path}.casts", brand.casts, mend)
    for at, people in enumerate(brand.slays):
        if people not in campaign.peoples:
            raise invalid_value(
                OUTLINE_FILE, f"{path}.slays[{at}]", people, alternatives(people, campaign.peoples)
            )


def _check_appearances(campaign: Campaign) -> None:
    """Raise CampaignError if a group has more unidentified kinds than appearances."""
    hiding: dict[str, int] = {}
    for item in campaign.items.values():
        if item.looks:
            hiding[item.group] = hiding.get(item.group, 0) + 1
    for group, count in hiding.items():
        labels = campaign.labels.of(group)
        if labels and len(set(labels)) < max(count, len(labels)):
            mend = f"write {count} different labels or more, because this number of kinds hide their names"
            raise invalid_value(OUTLINE_FILE, f"labels.{group}", list(labels), mend)
    hiding = {group: count for group, count in hiding.items() if not campaign.labels.of(group)}
    most, looks = max(hiding.values(), default=0), campaign.appearances
    if len(set(looks)) < max(most, len(looks)):
        mend = f"write {most} different looks or more, because this number of kinds in one group hide their names"
        raise invalid_value(OUTLINE_FILE, "appearances", list(looks), mend)
    for at, look in enumerate(looks):
        if LOOK_COLORS.get(look, look) not in COLORS:
            raise invalid_value(
                OUTLINE_FILE, f"appearances[{at}]", look, alternatives(look, [*COLORS, *LOOK_COLORS])
            )


def _spells_named(campaign: Campaign) -> Iterator[tuple[str, str, str]]:
    """Yield every spell that something names: file, key path, spell."""
    for level in campaign.levels.values():
        for at, spell in enumerate(level.springs):
            yield LEVELS_FILE, f"{level.key}.springs[{at}]", spell
    for creature in campaign.creatures.values():
        for at, spell in enumerate(creature.casts):
            yield CREATURES_FILE, f"{creature.key}.casts[{at}]", spell
    for brand in campaign.brands:
        if brand.casts:
            yield OUTLINE_FILE, f"brands.{brand.key}.casts", brand.casts
    for item in campaign.items.values():
        for field in ("quaffs", "reads", "zaps", "carries"):
            if spell := getattr(item, field):
                yield ITEMS_FILE, f"{item.key}.{field}", spell
        for at, spell in enumerate(item.teaches):
            yield ITEMS_FILE, f"{item.key}.teaches[{at}]", spell
