"""Checks of bents, cards and what kits add to a life: references, and numbers without effect (rules F105 to F107)."""

from gloam_server.content.campaign import Campaign
from gloam_server.content.content_errors import alternatives, invalid_value
from gloam_server.content.growth.bents import Bent
from gloam_server.content.shipped import BENTS_FILE, CARDS_FILE, KITS_FILE, OUTLINE_FILE

_GAINS = ("health", "attack", "defence", "mana", "sight")


def check_bents(campaign: Campaign) -> None:
    """Raise CampaignError for the first bent, card or kit that refers to nothing or changes nothing."""
    for bent in campaign.bents.values():
        _check_bent(bent)
    _check_cards(campaign)
    depth = 0
    for kit in campaign.kits:
        path = kit.key or kit.name
        for at, key in enumerate(kit.traits):
            _check_key(KITS_FILE, f"{path}.traits[{at}]", key, tuple(campaign.traits))
        for field, known in (("bent", campaign.bents), ("companion", campaign.creatures)):
            if key := getattr(kit, field):
                _check_key(KITS_FILE, f"{path}.{field}", key, tuple(known))
        if kit.opens_at < depth:
            mend = f"write {depth} or more, because kits stand in the order in which they open"
            raise invalid_value(KITS_FILE, f"{path}.opens_at", kit.opens_at, mend)
        depth = kit.opens_at


def _check_bent(bent: Bent) -> None:
    if not any(getattr(bent, gain) for gain in _GAINS):
        mend = f"write one of {', '.join(_GAINS)}, because a step must change something"
        raise invalid_value(BENTS_FILE, bent.key, {}, mend)


def _check_cards(campaign: Campaign) -> None:
    if campaign.cards.every and not campaign.bents:
        mend = f"write 0, or bents into {BENTS_FILE}, because a step of a bent may be taken instead of a card"
        raise invalid_value(OUTLINE_FILE, "cards.every", campaign.cards.every, mend)
    suits = (*campaign.bents, *(kit.key for kit in campaign.kits))
    for trait in campaign.traits.values():
        for at, key in enumerate(trait.suits):
            _check_key(CARDS_FILE, f"{trait.key}.suits[{at}]", key, suits)


def _check_key(file: str, path: str, key: str, known: tuple[str, ...]) -> None:
    if key not in known:
        raise invalid_value(file, path, key, alternatives(key, known))
