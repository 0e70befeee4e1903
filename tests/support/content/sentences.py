"""The names that a campaign may put into a sentence, and the rules of English that find a sentence that reads wrong."""

import re
from typing import Final

from support.content.campaigns import shipped
from support.content.item_phrases import names

OWN_NAMES: Final = ("Ann", "Skadru")
OWNED: Final = ("Skadru's +6 pelt", "Ann corpse", "Ann's partly eaten corpse")
GAP: Final = "a gap"
FAULTS: Final = {
    "two articles": re.compile(r"\b(the|an?) (the|an?)\b", re.IGNORECASE),
    "an article before an own name": re.compile(
        rf"\b(the|an?) (\+\d+ )?({'|'.join(OWN_NAMES)})\b", re.IGNORECASE
    ),
    "a name without its own article": re.compile(r"(?<!\bthe )\bgloam\b(?! +\()", re.IGNORECASE),
    "a before a vowel": re.compile(r"\ba (?!uni)[aeiou]", re.IGNORECASE),
    "an before a consonant": re.compile(r"\ban (?!heir|hour)(uni|[^aeiou])", re.IGNORECASE),
    "one of several": re.compile(r"\ba ([a-z]+ )?(spikes|feet|eyes)\b|\bspikes [a-z]+s\b", re.IGNORECASE),
    "a mass counted": re.compile(r"\ban? ([a-z]+ )?(gas|venom|bread|meat)\b", re.IGNORECASE),
    "one with a verb of several": re.compile(r"\b1 of them (belong|are)\b"),
    "your and an owner": re.compile(r"\byour (the|[A-Z])"),
    GAP: re.compile(r"  |^ | [.,!]|\{|\}"),
}


def creature_names(campaign: str) -> list[str]:
    """Return the names that a creature of the campaign may have in a sentence."""
    return [*sorted({kind.name for kind in shipped(campaign).creatures.values()}), *OWN_NAMES]


def item_names(campaign: str) -> list[str]:
    """Return the names that an item of the campaign may have in a sentence."""
    rules = shipped(campaign)
    found = [name for kind in rules.items.values() for name in names(rules, kind)]
    branded = [
        f"{kind.name} {brand.name}" if brand.name.startswith("of ") else f"{brand.name} {kind.name}"
        for brand in rules.brands
        for kind in rules.items.values()
        if kind.branded_as == brand.fits
    ]
    return [*found, *branded, *OWNED]


def force_names(campaign: str) -> list[str]:
    """Return the names of the spells, traps and brands of the campaign."""
    rules = shipped(campaign)
    return [
        *[spell.name for spell in rules.spells.values()],
        *[brand.force or brand.name for brand in rules.brands],
    ]


def faults(text: str, *, columns: bool = False) -> list[str]:
    """Return the rules that a sentence breaks. A text in `columns` may have gaps."""
    return [
        f"{rule}: {text}"
        for rule, wrong in FAULTS.items()
        if wrong.search(text) and not (columns and rule == GAP)
    ]
