"""Log lines into words. Lines travel as data; this table is the one place that says them in English.

Each kind has up to three sentences: when the subject is the viewer, when the object is, and when neither is.
"""

from typing import Final, NamedTuple

from gloam_shared.view import Line


class Telling(NamedTuple):
    """The sentences of one kind of line; `{s}` the subject, `{o}` the object, `{n}` the amount, `{w}` the source."""

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
}


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
    subject = named(line.subject)
    return sentence.format(
        s=subject, S=subject[:1].upper() + subject[1:], o=named(line.object), n=line.amount, w=line.source
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
