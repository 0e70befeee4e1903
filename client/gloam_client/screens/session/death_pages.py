"""The words of the end of a life, page by page: its cause, the life and its line, and the place."""

from typing import Final

from gloam_shared.narration.rendering import depth_text, end_of_life, list_names, possessive
from gloam_shared.protocol.messages.lives import DamageTaken, Died, Forebear, Recap
from gloam_shared.text import clean
from gloam_shared.view.view import MagicEffect, Stat, View

_SPELLS_MAX: Final = 3
_HELPS: Final = frozenset(
    {
        MagicEffect.HEAL,
        MagicEffect.BLINK,
        MagicEffect.TELEPORT,
        MagicEffect.SWAP,
        MagicEffect.PUSH,
        MagicEffect.SLEEP,
    }
)
NO_RECAP: Final = Recap()
"""The recap of an end without a message about it, as from an older server."""


def recap_lines(recap: Recap, last: View) -> list[str]:
    """Return what can be learned from an end, the most important first; nothing without a recap.

    `last` is the last view of the life, or one of no place if it is not known.
    """
    lesson = [f"Next time: {clean(recap.lesson)}"] if recap.lesson else []
    return [*_damage(recap), *_unused(recap, last), *lesson]


def whereabouts(life: Died) -> list[str]:
    """Return where a life ended, and the fate of its killer: the last line of its description."""
    return [clean(life.life[-1])] if life.life and not life.won else []


def life_lines(life: Died, recap: Recap) -> list[str]:
    """Return the life in words and numbers, and its line of heirs, the newest first."""
    lines = [clean(words) for words in life.life]
    if not lines:
        numbers = f"Depth {depth_text(life.depth)}  Level {life.level}  Experience {life.experience}"
        lines = ["", f"{numbers}  Turns {life.turns}  Kills {life.kills}"]
    if len(recap.line) > 1:
        lines += ["", "Your line, the newest first:", *map(forebear_words, reversed(recap.line))]
    return lines


def forebear_words(life: Forebear) -> str:
    """Return one life of a line in a sentence."""
    end = f"won by {clean(life.by)}" if life.won else end_of_life(clean(life.by))
    return f"{clean(life.name)} {end}: depth {life.depth}, level {life.level}, {life.turns} turns."


def _damage(recap: Recap) -> list[str]:
    if not recap.damage:
        return []
    taken = [_taken(each) for each in recap.damage]
    return [f"Damage in the last {recap.turns} turns: {list_names(taken)}."]


def _taken(each: DamageTaken) -> str:
    blows = f" in {each.blows} blows" if each.blows > 1 else ""
    return f"{possessive(clean(each.source)) or 'unknown'} {each.amount}{blows}"


def _unused(recap: Recap, last: View) -> list[str]:
    """Return the magic that the life did not use: items, and mana for spells that hurt or help."""
    if recap == NO_RECAP:
        return []
    unused, mana = [*map(clean, recap.unused)], last.fact(Stat.MANA)
    spells = [
        spell for spell in last.spells if spell.cost <= mana and (spell.damage or spell.effect in _HELPS)
    ]
    if spells:
        best = sorted(spells, key=lambda spell: (-spell.damage, spell.key))[:_SPELLS_MAX]
        unused.append(f"{mana} mana (for {list_names([clean(spell.name) for spell in best])})")
    return [f"Not used: {list_names(unused)}."] if unused else []
