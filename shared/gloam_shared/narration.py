"""Log lines into words. Lines travel as data; `tellings` holds the sentences, this module puts them together.

Each kind has up to three sentences: when the subject is the viewer, when the object is, and when neither is. Names of
things and of hunger stand here too, for whoever lists them.
"""

from typing import Final

from gloam_shared.depths import depth_of, round_of
from gloam_shared.tellings import TELLINGS
from gloam_shared.view import Carried, Hunger, Line, Trait

__all__ = [
    "HUNGER_WORDS",
    "TELLINGS",
    "depth_told",
    "end_of_life",
    "inventory_name",
    "named",
    "tell",
    "tone",
    "with_article",
]


HUNGER_WORDS: Final[dict[Hunger, str]] = {
    Hunger.NOT_HUNGRY: "Not Hungry",
    Hunger.HUNGRY: "Hungry",
    Hunger.STARVING: "Starving",
    Hunger.FULL: "Full",
    Hunger.OVERSATIATED: "Oversatiated",
    Hunger.VERY_HUNGRY: "Very Hungry",
    Hunger.FAMISHED: "Famished",
    Hunger.STUFFED: "Stuffed",
}
"""The states of hunger as rules JG.15, TG.18 and RG.18 name them."""

_ENDS: Final = {
    "": "died",
    "starvation": "died of starvation",
    "choking": "choked to death",
    "overeating": "died of overeating",
    "poison": "died of poison",
    "cowardice": "died while cowardly fleeing the caves",
}
_DETERMINED: Final = ("a ", "an ", "the ", "his ", "her ", "their ")


def depth_told(depth: int) -> str:
    """Return the number of a depth as people are told it: "7", or "7 of round 2" beyond the first round (rule RG.32)."""
    round_ = round_of(max(depth, 1))
    return f"{depth_of(depth)} of round {round_}" if round_ > 1 else str(depth)


def tell(line: Line) -> str:
    """Return a line as an English sentence; a kind that this version does not know is told by its bare words."""
    telling = TELLINGS.get(line.kind)
    if telling is None:
        return " ".join(part for part in (line.subject, line.kind, line.object) if part)
    if line.subject == "you":
        sentence = telling.by_you
    elif line.object == "you" and telling.to_you:
        sentence = telling.to_you
    else:
        sentence = telling.seen
    subject, thing = named(line.subject), named(line.object)
    return sentence.format(
        s=subject,
        S=_capital(subject),
        o=thing,
        O=_capital(thing),
        a=with_article(line.object),
        A=_capital(with_article(line.object)),
        b=with_article(line.source),
        n=line.amount,
        w=line.source,
        W=_capital(named(line.source)),
    )


def tone(line: Line) -> str:
    """Return how a line should look: plain, fight, good or quiet."""
    telling = TELLINGS.get(line.kind)
    return telling.tone if telling else "plain"


def named(name: str) -> str:
    """Return a name as it stands in a sentence: kinds take the article, names of their own do not."""
    if not name or name == "you" or name[0].isupper():
        return name
    return f"the {name}"


def with_article(name: str) -> str:
    """Return a name with "a" or "an", by its first letter: not perfect, as rule J10.2 admits."""
    if not name or name[0].isupper():
        return name
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def inventory_name(thing: Carried) -> str:
    """Return what a list of one's belongings calls a thing: "sword (wielding)", "tunic (wearing)" (rule JG.19)."""
    if thing.traits & Trait.WIELDED:
        return f"{thing.name} (wielding)"
    return f"{thing.name} (wearing)" if thing.traits & Trait.WORN else thing.name


def end_of_life(by: str) -> str:
    """Return how a life ended, from `Died.by`: "was killed by a kobold", "died of starvation"."""
    told = by if by.startswith(_DETERMINED) else with_article(by)
    return _ENDS.get(by) or f"was killed by {told}"


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
