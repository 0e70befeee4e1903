"""Log lines to sentences. Lines travel as data; `event_kinds` has the sentences, this module fills them in.

Each kind has up to three sentences: one if the subject is the viewer, one if the object is, and one if neither is.
Names of items and of hunger are here too, for lists of them.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from gloam_shared.event_kinds import TEMPLATES, MessageTemplate
from gloam_shared.level_numbers import depth_of_level, round_of_level
from gloam_shared.view.view import Hunger, InventoryItem, ItemFlag, LogLine

__all__ = [
    "HUNGER_WORDS",
    "TEMPLATES",
    "capital",
    "depth_text",
    "end_of_life",
    "grown_words",
    "inventory_name",
    "is_own_name",
    "list_names",
    "possessive",
    "render_line",
    "tone",
    "with_article",
    "with_count",
    "with_definite_article",
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
_FIRE: Final = "fire"
"""The cause of a death in a fire, alone or before the words that say who lit it."""
_CORPSE: Final = " corpse"
_EATEN: Final = "partly eaten "
_MEASURES: Final = {"bread": "loaf", "dried meat": "piece"}
_SUITS: Final = ("studded leather", "runed plate", " mail")
"""Uncountable items, and their measures."""
_WITHOUT_ARTICLE: Final = frozenset({
    "fear", "fire", "frost", "gas", "light", "lightning", "poison", "sleep", "venom",
    "eyes", "feet", "spikes",
})  # fmt: skip
"""The nouns that take no "a": what is not counted, and what is several."""
_PLURALS: Final = {
    "human": "humans", "shaman": "shamans", "man": "men", "wolf": "wolves", "thief": "thieves", "fungus": "fungi",
    "loaf": "loaves", "knife": "knives", "staff": "staves", "fish": "fish",
    "ay": "ays", "ey": "eys", "oy": "oys", "uy": "uys", "y": "ies",
    "s": "ses", "x": "xes", "z": "zes", "ch": "ches", "sh": "shes",
}  # fmt: skip
"""Irregular plural endings, the longest first."""
_SPOKEN_WITH_Y: Final = ("uni", "eu")
_SPAT: Final = frozenset({"venom"})
_SPITS: Final = MessageTemplate("You spit {w}.", "", "{S} spits {w}.")
"""The sentences for spells that are spat, not cast."""
_DETERMINED: Final = ("a ", "an ", "the ", "his ", "her ", "their ")


def depth_text(depth: int) -> str:
    """Return the number of a depth as players read it: "7", or "7 of round 2" beyond the first round (rule RG.32)."""
    round_ = round_of_level(max(depth, 1))
    return f"{depth_of_level(depth)} of round {round_}" if round_ > 1 else str(depth)


def render_line(line: LogLine) -> str:
    """Return a line as an English sentence; a kind that this version does not know becomes its bare words."""
    spat = line.kind == "casts" and line.source in _SPAT
    template = _SPITS if spat else TEMPLATES.get(line.kind)
    if template is None:
        return " ".join(part for part in (line.subject, line.kind, line.object) if part)
    if line.subject == "you":
        sentence = template.by_you
    elif line.object == "you" and template.to_you:
        sentence = template.to_you
    else:
        sentence = template.seen
    subject, item = with_definite_article(line.subject), with_definite_article(line.object)
    return sentence.format(
        s=subject,
        S=capital(subject),
        o=item,
        O=capital(item),
        a=with_article(line.object),
        A=capital(with_article(line.object)),
        b=with_article(line.source),
        n=line.amount,
        w=line.source,
        d=with_definite_article(line.source),
    )


def tone(line: LogLine) -> str:
    """Return the tone of a line: plain, fight, good or quiet."""
    template = TEMPLATES.get(line.kind)
    return template.tone if template else "plain"


def with_definite_article(name: str) -> str:
    """Return a name as a sentence needs it: names of kinds take an article, proper names do not."""
    if not name or name == "you" or is_own_name(name):
        return possessive(name)
    return f"the {_bare(name)}"


def is_own_name(name: str) -> bool:
    """Return whether a name belongs to one alone: it is capitalized, or has its article, as "Skarn" and "the Gloam"."""
    return name[:1].isupper() or name.startswith("the ")


@lru_cache(maxsize=1_024)  # a server asks for the names of all items in sight, in each update
def with_article(name: str) -> str:
    """Return a name with "a" or "an", by its first sound (rule J10.2).

    Uncountable items take their measure: "a loaf of bread", "a suit of studded leather".
    """
    name = _bare(name)
    if not name or is_own_name(name) or _noun(name) in _WITHOUT_ARTICLE:
        return possessive(name)
    eaten = _EATEN if name.startswith(_EATEN) else ""
    phrase = f"{eaten}{_with_measure(name.removeprefix(eaten))}"
    vowel = phrase[0] in "aeiou" and not phrase.startswith(_SPOKEN_WITH_Y)
    return f"{'an' if vowel else 'a'} {phrase}"


def _bare(name: str) -> str:
    """Return a name without its own "a" or "an": spells and traps may have one, as "a jet of fire"."""
    return name.removeprefix("a ").removeprefix("an ")


def _noun(name: str) -> str:
    """Return the noun that a name is about: "jet" of "jet of fire", "gas" of "sleeping gas"."""
    return name.partition(" of ")[0].rpartition(" ")[2]


def possessive(name: str) -> str:
    """Return a name with a correct possessive: "Ann corpse" is "Ann's corpse"."""
    owner = name.removesuffix(_CORPSE)
    return f"{owner}'s{_CORPSE}" if owner != name and is_own_name(owner) else name


def capital(words: str) -> str:
    """Return words with a capital first letter."""
    return words[:1].upper() + words[1:]


def _plural(name: str) -> str:
    for end, many in _PLURALS.items():
        if name.lower().endswith(end):
            return f"{name[: len(name) - len(end)]}{many}"
    return f"{name}s"


def _with_measure(name: str) -> str:
    if name in _MEASURES:
        return f"{_MEASURES[name]} of {name}"
    return f"suit of {name}" if name.partition(" of ")[0].lower().endswith(_SUITS) else name


_WIELDED: Final = int(ItemFlag.WIELDED)
_WORN: Final = int(ItemFlag.WORN | ItemFlag.PUT_ON)
"""Plain numbers: flags are slow to compare, and a client names its inventory often."""


def inventory_name(item: InventoryItem) -> str:
    """Return the name of an item in the inventory: "sword (wielding)", "3 rations (2 bound)" (rule JG.19)."""
    name = with_count(item.name, item.count)
    if item.bound:
        name = f"{name} ({item.bound} bound)"
    if item.traits & _WIELDED:
        return f"{name} (wielding)"
    if item.charges:
        return f"{name} ({item.charges} charge{'' if item.charges == 1 else 's'})"
    return f"{name} (wearing)" if item.traits & _WORN else name


def with_count(name: str, count: int) -> str:
    """Return a name with its number: "ration", "3 rations", "2 scrolls of sleep", "2 loaves of bread"."""
    if count == 1:
        return possessive(name)
    head, of, rest = _with_measure(possessive(name)).partition(" of ")
    return f"{count} {_plural(head)}{of}{rest}"


def list_names(names: Sequence[str]) -> str:
    """Return names as a sentence lists them: "Bert", "Bert and Cleo", "dart, fireball and lance"."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def grown_words(levels: int) -> str:
    """Return by how much a monster is above the level that it was created with: "grown by 2 levels"."""
    return f"grown by {levels} level{'' if levels == 1 else 's'}"


def end_of_life(by: str) -> str:
    """Return the end of a life, from `Died.by`: "was killed by a kobold", "died of starvation"."""
    if by == _FIRE or by.startswith(f"{_FIRE} that "):
        return f"burned in a {by}"
    killer = by if by.startswith(_DETERMINED) else with_article(by)
    return _ENDS.get(by) or f"was killed by {killer}"


def cause_of_damage(name: str) -> str:
    """Return the name of what did damage, after "by": "the kobold", "Skarn", "poison", "an overinflated ego"."""
    if name in _ENDS or name.startswith(_DETERMINED) or with_article(name) == name:
        return name
    return with_definite_article(name)
