"""The words of the end of a life, page by page: how it came, the life and its line, and the place."""

from typing import Final

from gloam_shared.narration.rendering import depth_text, end_of_life, list_names, possessive
from gloam_shared.protocol.messages import Died
from gloam_shared.protocol.recap_messages import DamageTaken, Forebear, Recap
from gloam_shared.text import clean

NO_RECAP: Final = Recap()
"""What is known of an end without a message about it, as from an older server."""


def recap_lines(recap: Recap) -> list[str]:
    """Return what can be learned from an end, the most important first; nothing without a recap."""
    lesson = [f"Next time: {clean(recap.lesson)}"] if recap.lesson else []
    return [*_damage(recap), *_unused(recap), *lesson]


def whereabouts(life: Died) -> list[str]:
    """Return where a life ended, and what became of its killer: the last line of its description."""
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


def _unused(recap: Recap) -> list[str]:
    return [f"Not used: {list_names([*map(clean, recap.unused)])}."] if recap.unused else []
