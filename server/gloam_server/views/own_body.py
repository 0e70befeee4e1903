"""What a player knows about their own body: their spells and status effects. Pure."""

from typing import Final

from gloam_server.views.magic_effects import first_effect
from gloam_server.world.actions.casting import known_spells
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.modifiers import spell_effect_of
from gloam_shared.view.view import Spell, StatusEffect

FADING_TURNS: Final = 5
"""A status effect with at most this many turns left is fading."""

ASLEEP: Final = "asleep"


def spell_list(level: Level, viewer: Creature) -> tuple[Spell, ...]:
    """Return the spells that the viewer knows, whatever their mana."""
    return tuple(
        Spell(
            key=spell.key,
            name=spell.name,
            cost=spell.cost,
            target=spell.target,
            range=spell.range,
            radius=spell.radius,
            words=spell.words,
            harms=spell.harms,
            effect=int(first_effect(spell)),
        )
        for spell in known_spells(level, viewer)
    )


def status_list(level: Level, viewer: Creature) -> tuple[StatusEffect, ...]:
    """Return the status effects of the viewer's body, each word once, with the turns of the longest."""
    left: dict[str, int] = {ASLEEP: viewer.asleep} if viewer.asleep else {}
    for state in viewer.lasting:
        word = spell_effect_of(level.campaign, state).word
        if word:
            left[word] = max(left.get(word, 0), state.turns)
    return tuple(StatusEffect(word, turns <= FADING_TURNS) for word, turns in left.items())
