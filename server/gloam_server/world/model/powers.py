"""The powers of a body: from its kind, its traits, its equipment and the trophies that it carries (rule F111)."""

from collections.abc import Iterable, Sequence

from gloam_server.content.campaign import Campaign
from gloam_server.content.powers import DAMAGE_TYPES, DamageType, Power, PowerWord
from gloam_server.world.model.creature import Creature


def powers_of(campaign: Campaign, creature: Creature, *, trophies: bool = True) -> Sequence[Power]:
    """Return all powers of a body; the powers of its trophies only if they are wanted."""
    own = campaign.creatures[creature.kind].powers
    learned = [power for key in creature.learned for power in campaign.traits[key].powers]
    kinds, brands = campaign.items_with_powers, campaign.brands_with_powers
    if not (kinds or brands):
        return (*own, *learned) if learned else own
    used = (creature.wielded, creature.worn, creature.ring)
    carried: list[Power] = []
    for item in creature.carried:
        kind = kinds.get(item.kind)
        if kind is not None and ((kind.trophy and trophies) or item.number in used):
            carried += kind.powers
        if item.brand in brands and item.number in used:
            carried += brands[item.brand].powers
    return (*own, *learned, *carried) if learned or carried else own


def power_percent(campaign: Campaign, creature: Creature, does: PowerWord, against: str = "") -> int:
    """Return the percentage of a power, summed over all of a body; `against` as in `Power`."""
    return sum([power.percent for power in _matching(campaign, creature, does, against)])


def power_amount(campaign: Campaign, creature: Creature, does: PowerWord, against: str = "") -> int:
    """Return the amount of a power, summed over all of a body; `against` as in `Power`."""
    return sum([power.amount for power in _matching(campaign, creature, does, against)])


def has_power(campaign: Campaign, creature: Creature, does: PowerWord, against: str = "") -> bool:
    """Return whether a body has a power; `against` as in `Power`."""
    return bool(_matching(campaign, creature, does, against))


def damage_type_of(campaign: Campaign, creature: Creature) -> DamageType:
    """Return the type of damage of a body's blows and shots: the weapon's before a trait's, a trait's before the kind's."""
    return dealt_type(powers_of(campaign, creature))


def dealt_type(powers: Iterable[Power]) -> DamageType:
    """Return the type of damage that powers make of an attack: the last one's that says so."""
    dealt: DamageType = "blow"
    for power in powers:
        if power.does == "deals":
            dealt = next(known for known in DAMAGE_TYPES if known == power.against)
    return dealt


def _matching(campaign: Campaign, creature: Creature, does: PowerWord, against: str) -> list[Power]:
    """Return the powers with a word that hold against something; one without `against` holds against everything."""
    sources = campaign.power_sources.get(does)
    if sources is None or not (
        creature.kind in sources.kinds
        or not sources.traits.isdisjoint(creature.learned)
        or sources.items
        or sources.brands
    ):
        return []  # most bodies have none, and blows and views ask for many
    return [
        power
        for power in powers_of(campaign, creature)
        if power.does == does and power.against in ("", against)
    ]
