"""Log lines into words. Lines travel as data; this table is the one place that says them in English.

Each kind has up to three sentences: when the subject is the viewer, when the object is, and when neither is. Names of
things and of hunger stand here too, for whoever lists them.
"""

from typing import Final, NamedTuple

from gloam_shared.view import Carried, Hunger, Line, Trait


class Telling(NamedTuple):
    """The sentences of one kind of line; `{s}` the subject, `{o}` the object, `{n}` the amount, `{w}` the source.

    `{a}` is the object with "a" or "an".
    """

    by_you: str
    to_you: str
    seen: str
    tone: str = "plain"


TELLINGS: Final[dict[str, Telling]] = {
    "strikes": Telling(
        "You strike {o} for {n} damage!",
        "{S} strikes you for {n} damage!",
        "{S} strikes {o} for {n} damage.",
        "fight",
    ),
    "kills": Telling("You kill {o}!", "{S} kills you!", "{S} kills {o}!", "fight"),
    "advances": Telling("You advance to level {n}.", "", "{S} advances to level {n}.", "good"),
    "stronger": Telling("You look stronger!", "", "{S} looks stronger.", "good"),
    "tougher": Telling("You look tougher!", "", "{S} looks tougher.", "good"),
    "healthier": Telling("You look healthier!", "", "{S} looks healthier.", "good"),
    "aware": Telling("You are more aware of your surroundings!", "", "{S} looks more aware.", "good"),
    "spreads": Telling("You are spreading!", "", "{S} is spreading!"),
    "descends": Telling("You descend to level {n}!", "", "{S} goes down the stairs."),
    "ascends": Telling("You ascend to level {n}!", "", "{S} goes up the stairs."),
    "follows": Telling("You follow!", "{S} follows you!", "{S} follows.", "fight"),
    "arrives": Telling("You arrive.", "", "{S} arrives."),
    "leaves": Telling("You leave.", "", "{S} leaves."),
    "digs": Telling("You dig through the rock.", "", "{S} digs through the rock."),
    "swaps": Telling("You change places with {o}.", "{S} changes places with you.", ""),
    "guards": Telling("You are on guard: {w}", "", "", "quiet"),
    "removed": Telling("", "", "{S} vanishes.", "quiet"),
    "finds": Telling("You see {a}.", "", ""),
    "finds_several": Telling("There are several objects here.", "", ""),
    "picks_up": Telling("You pick up {a}.", "", "{S} picks up {a}."),
    "overburdened": Telling("Your inventory is full! Not all items were picked up.", "", ""),
    "drops": Telling("You drop {o}.", "", "{S} drops {a}."),
    "eats": Telling("You eat {o}.", "", "{S} eats {a}."),
    "wields": Telling("You are wielding {a}.", "", "{S} is wielding {a}."),
    "empties_hands": Telling("You are empty handed.", "", "{S} is empty handed."),
    "wears": Telling("You are wearing {a}.", "", "{S} is wearing {a}."),
    "takes_off": Telling("You take off {o}.", "", "{S} takes off {a}."),
    "crumbles": Telling("", "", "{O} crumbles to dust.", "quiet"),
    "hunger": Telling("You are {w}.", "", "", "quiet"),
    "starves": Telling("You have died of starvation!", "", "{S} dies of starvation!", "fight"),
    "chokes": Telling("You choke and die!", "", "{S} chokes and dies!", "fight"),
}

HUNGER_WORDS: Final[dict[Hunger, str]] = {
    Hunger.NOT_HUNGRY: "Not Hungry",
    Hunger.HUNGRY: "Hungry",
    Hunger.STARVING: "Starving",
    Hunger.FULL: "Full",
    Hunger.OVERSATIATED: "Oversatiated",
}
"""The states of hunger as rule JG.15 names them."""

_ENDS: Final = {"": "died", "starvation": "died of starvation", "choking": "choked to death"}


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
        n=line.amount,
        w=line.source,
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
    return _ENDS.get(by) or f"was killed by {with_article(by)}"


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
