"""Checks of peoples, feuds and traits: references to other tables, and entries without effect."""

from gloam_server.content.campaign import Campaign
from gloam_server.content.content_errors import alternatives, invalid_value
from gloam_server.content.growth.learning import People, Trait
from gloam_server.content.shipped import (
    CREATURES_FILE,
    OUTLINE_FILE,
    PEOPLES_FILE,
    TRAITS_FILE,
    TROPHIES_FILE,
)

_TEXTS = ("key", "name", "told", "words", "card", "suits")
_CHANGES = tuple(field for field in Trait.__struct_fields__ if field not in _TEXTS)


def check_peoples(campaign: Campaign) -> None:
    """Raise CampaignError for the first people, trait or kind that refers to nothing or changes nothing."""
    for people in campaign.peoples.values():
        _check_hates(people, campaign.peoples)
        _check_syllables(people, named=campaign.named.max > 0)
    for trait in campaign.traits.values():
        if not any(getattr(trait, field) for field in _CHANGES):
            mend = f"write one of {', '.join(_CHANGES)}, because a trait must change something"
            raise invalid_value(TRAITS_FILE, trait.key, {}, mend)
        for field in ("told", "words") if trait.key in campaign.learners else ():
            if not getattr(trait, field):
                mend = "write a text, because creatures learn this trait"
                raise invalid_value(TRAITS_FILE, f"{trait.key}.{field}", "", mend)
    for kind in campaign.creatures.values():
        if kind.speech and (
            kind.spawns or sum(kind.key in each.creatures for each in campaign.guaranteed) != 1
        ):
            mend = "write spawns = false, and name it in one entry of guaranteed: a unique creature is in a realm once at most"
            raise invalid_value(CREATURES_FILE, f"{kind.key}.speech", kind.speech, mend)
        if kind.people and kind.people not in campaign.peoples:
            mend = alternatives(kind.people, campaign.peoples)
            raise invalid_value(CREATURES_FILE, f"{kind.key}.people", kind.people, mend)
        for at, key in enumerate(kind.learns):
            if key not in campaign.traits:
                mend = alternatives(key, campaign.traits)
                raise invalid_value(CREATURES_FILE, f"{kind.key}.learns[{at}]", key, mend)
    for at, key in enumerate(campaign.named.trophies):
        if key not in campaign.items:
            raise invalid_value(OUTLINE_FILE, f"named.trophies[{at}]", key, alternatives(key, campaign.items))
    _check_trophies(campaign)
    rules = campaign.learning
    if rules.feud_percent and not campaign.feuds:
        mend = "write 0, or let two peoples hate each other"
        raise invalid_value(OUTLINE_FILE, "learning.feud_percent", rules.feud_percent, mend)


def _check_trophies(campaign: Campaign) -> None:
    for trophy in campaign.trophies.values():
        for field, known in (("people", campaign.peoples), ("trait", campaign.traits)):
            given = getattr(trophy, field)
            if given and given not in known:
                raise invalid_value(TROPHIES_FILE, f"{trophy.key}.{field}", given, alternatives(given, known))


def one_sided_hates(campaign: Campaign) -> list[tuple[str, str]]:
    """Return each people with another that it hates and that does not hate it, by key."""
    peoples = campaign.peoples
    return [
        (one, other)
        for one in sorted(peoples)
        for other in sorted(peoples[one].hates)
        if one not in peoples[other].hates
    ]


def _check_hates(people: People, peoples: dict[str, People]) -> None:
    for at, other in enumerate(people.hates):
        path = f"{people.key}.hates[{at}]"
        if other not in peoples:
            raise invalid_value(PEOPLES_FILE, path, other, alternatives(other, peoples))
        if other == people.key:
            raise invalid_value(PEOPLES_FILE, path, other, "remove it, because no people hates itself")


def _check_syllables(people: People, *, named: bool) -> None:
    for field in ("syllables_first", "syllables_last"):
        if named and not getattr(people, field):
            mend = "write at least one syllable, because creatures of this people may earn a name"
            raise invalid_value(PEOPLES_FILE, f"{people.key}.{field}", [], mend)
