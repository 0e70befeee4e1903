"""Whether every spell that a campaign names exists, and every spell names what exists."""

from collections.abc import Iterator

from gloam_server.content.campaigns import CREATURES_FILE, ITEMS_FILE, LEVELS_FILE, SPELLS_FILE
from gloam_server.content.definitions import Campaign
from gloam_server.content.faults import one_of, wrong


def check_spells(campaign: Campaign) -> None:
    """Raise CampaignError for the first name of a spell, or in a spell, that refers to nothing."""
    for file, path, spell in _named(campaign):
        if spell not in campaign.spells:
            raise wrong(file, path, spell, one_of(spell, campaign.spells))
    for spell_kind in campaign.spells.values():
        for at, effect in enumerate(spell_kind.effects):
            if effect.kind and effect.kind not in campaign.creatures:
                path = f"{spell_kind.key}.effects[{at}].kind"
                raise wrong(SPELLS_FILE, path, effect.kind, one_of(effect.kind, campaign.creatures))


def _named(campaign: Campaign) -> Iterator[tuple[str, str, str]]:
    """Yield every spell that something names: file, key path, spell."""
    for level in campaign.levels.values():
        for at, spell in enumerate(level.springs):
            yield LEVELS_FILE, f"{level.key}.springs[{at}]", spell
    for creature in campaign.creatures.values():
        for at, spell in enumerate(creature.casts):
            yield CREATURES_FILE, f"{creature.key}.casts[{at}]", spell
    for item in campaign.items.values():
        for field, spell in (("quaffs", item.quaffs), ("reads", item.reads)):
            if spell:
                yield ITEMS_FILE, f"{item.key}.{field}", spell
        for at, spell in enumerate(item.teaches):
            yield ITEMS_FILE, f"{item.key}.teaches[{at}]", spell
