"""The effects of status effects and rings on a body are the same as in the list of all effects, which defines them."""

from itertools import product
from typing import get_args

import pytest

from gloam_server.content.campaign import Campaign
from gloam_server.content.spells import EffectKind, Stat
from gloam_server.world.model.creature import Creature, Item, Lasting, new_creature
from gloam_server.world.model.modifiers import effects_on, has_sight_effect, has_status, stat_modifier
from support.content.campaigns import shipped

_STATS: tuple[Stat, ...] = get_args(Stat)
_KINDS: tuple[EffectKind, ...] = get_args(EffectKind)


def bearer(campaign: Campaign, ring: str, state: Lasting | None) -> Creature:
    """Return a body with a ring and a status effect, "" and None for none."""
    body = new_creature(campaign.player_kind, 1)
    if ring:
        body.slots[-1] = Item(7, ring, "ring", "yellow")
        body.ring = 7
    if state is not None:
        body.lasting = [state]
    return body


@pytest.mark.parametrize("name", ["gloam", "jsrogue", "rltut", "ruggrogue"])
def test_sums_of_effects_are_as_defined(name: str) -> None:
    campaign = shipped(name)
    rings = ["", *[key for key, kind in campaign.items.items() if kind.carries]]
    states = [
        Lasting(key, at, 9)
        for key, spell in campaign.spells.items()
        for at, effect in enumerate(spell.effects)
        if effect.turns
    ]
    for ring, state in product(rings, [None, *states]):
        body = bearer(campaign, ring, state)
        effects = effects_on(campaign, body)
        for stat in _STATS:
            added = sum(getattr(effect, stat) for effect in effects if effect.does == "strengthen")
            assert stat_modifier(campaign, body, stat) == added
        for kind in _KINDS:
            assert has_status(campaign, body, kind) == any(effect.does == kind for effect in effects)
        changes = any(effect.does == "dark_sight" or effect.sight for effect in effects)
        assert has_sight_effect(campaign, body) == changes
