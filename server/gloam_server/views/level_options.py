"""Bents, cards and steps as a player chooses them: their words, and what each changes in numbers (rules F106, F107). Pure.

Words and numbers follow from the data of the campaign: no sentence about a power is written by hand in a campaign.
"""

from typing import Final

from msgspec import UNSET

from gloam_server.content.campaign import Campaign
from gloam_server.content.creatures import Gain
from gloam_server.content.growth.bents import Bent
from gloam_server.content.growth.learning import Trait
from gloam_server.content.powers import PowerWord
from gloam_server.views.magic_effects import level_gain
from gloam_server.views.menace import prowess_of
from gloam_server.views.texts.power_words import power_words
from gloam_server.world.growth.bents import STEP
from gloam_server.world.model.creature import Creature
from gloam_shared.narration.rendering import capital
from gloam_shared.view.choices import GainKind, LevelGain

_WORTH_IN_ATTACK: Final[frozenset[PowerWord]] = frozenset({"quick", "keen"})
"""The powers that count as their percentage of attack in a fight of two."""
_RESISTANCES: Final = tuple(GainKind)[GainKind.RESIST_BLOW : GainKind.RESIST_LIGHT + 1]


def option_words(campaign: Campaign, body: Creature, key: str) -> str:
    """Return an option of a choice in words: "thick skin: 12 % more health."."""
    if body.bent is not UNSET and key == STEP:
        return f"no card: one more step of the {campaign.bents[body.bent].name}"
    if key in campaign.bents:
        return f"{campaign.bents[key].name}: {campaign.bents[key].words}"
    trait = campaign.traits[key]
    return f"{trait.name}: {trait_words(trait)}"


def trait_words(trait: Trait) -> str:
    """Return what a trait changes for a player, in words made from its numbers and powers."""
    told = [
        words.format(n=amount)
        for words, amount in (
            ("{n} % more health", trait.hp_percent),
            ("{n} % more attack", trait.attack_percent),
            ("{n} % more defense", trait.defence_percent),
            ("you are {n} % faster", trait.speed // 10),
            ("you see {n} cells further", trait.sight),
            ("your wounds close by themselves", trait.regeneration),
            ("you swim", trait.swims),
        )
        if amount
    ]
    numbers = f"{capital(', '.join(told))}." if told else ""
    return " ".join(
        [each for each in (numbers, *[power_words(power, "you") for power in trait.powers]) if each]
    )


def option_gain(campaign: Campaign, body: Creature, key: str) -> LevelGain:
    """Return what an option of a choice brings, as numbers of the sheet; a power as what changes as much in a fight."""
    if key in campaign.bents and body.bent is UNSET:
        return _sum_of(campaign, _step(campaign.bents[key]))
    if key == STEP:
        bent = campaign.bents.get("" if body.bent is UNSET else body.bent)
        return _sum_of(campaign, {} if bent is None else _step(bent))
    trait = campaign.traits[key]
    parried = min(50, sum([power.percent for power in trait.powers if power.does == "parry"]))
    attack = sum([power.percent for power in trait.powers if power.does in _WORTH_IN_ATTACK])
    return _sum_of(
        campaign,
        {
            "attack": body.attack * (trait.attack_percent + attack) // 100,
            "defence": body.defence * trait.defence_percent // 100,
            "health": body.hp_max * trait.hp_percent // 100 + body.hp_max * parried // (100 - parried),
            "sight": trait.sight,
        },
        _resistances(trait),
    )


def _resistances(trait: Trait) -> tuple[int, ...]:
    """Return the resistances of a trait as further gains: kinds and amounts in turns."""
    gained = prowess_of(trait.powers).resists
    return tuple(
        [
            number
            for kind, percent in zip(_RESISTANCES, gained, strict=False)
            if percent
            for number in (int(kind), percent * 100)
        ]
    )


def _step(bent: Bent) -> dict[Gain, int]:
    return {
        "attack": bent.attack,
        "defence": bent.defence,
        "health": bent.health,
        "mana": bent.mana,
        "sight": bent.sight,
    }


def _sum_of(campaign: Campaign, amounts: dict[Gain, int], further: tuple[int, ...] = ()) -> LevelGain:
    """Return several gains as one: the first, and the others beside it, then `further` pairs."""
    first, *others = [level_gain(campaign, gain, amount) for gain, amount in amounts.items() if amount] or [
        LevelGain(0, 0)
    ]
    return LevelGain(
        first.kind,
        first.amount,
        (*[n for gain in others for n in (gain.kind, gain.amount)], *further),
    )
