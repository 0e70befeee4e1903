"""The tables of numbers in the documents of rules, made from the campaigns, the formulas and the limits themselves.

A line `<!-- table: creatures jsrogue hp attack -->` names a table, which follows it. `make rules` makes all of them again; a
test compares them.
"""

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, structs

from gloam_server.rules.growth import least_experience_beyond, scaled, threshold
from gloam_shared import limits
from support.campaigns import shipped

DOCUMENTS: Final = Path(__file__).parents[2] / "server" / "docs"

_TABLE: Final = re.compile(r"(<!-- table: ([^>]+?) -->\n)(?:\n(?:\|.*\n)+)?")
_SETTINGS: Final = (
    "experience",
    "combat",
    "time",
    "hunger",
    "regeneration",
    "difficulty",
    "victory",
)
_UNSETTLED: Final = frozenset({"words", "story", "title", "terrain", "refusals"})
"""Texts of a campaign; they are in its file, and no numbers."""

_OBVIOUS: Final = frozenset({"does", "kind", "group", "base"})
"""What needs no name before it in an effect of a spell or a share of a level."""


def filled(text: str) -> str:
    """Return a document with each of its tables made again."""
    return _TABLE.sub(lambda found: f"{found[1]}\n{_table(*found[2].split())}", text)


def documents() -> list[Path]:
    """Return the documents that may hold such tables."""
    return sorted(DOCUMENTS.rglob("*.md"))


def _table(kind: str, *about: str) -> str:
    return "".join(f"| {' | '.join(row)} |\n" for row in _TABLES[kind](*about))


def _rows(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> list[list[str]]:
    first = list(heads)
    return [first, ["---"] * len(first), *(list(row) for row in rows)]


def _settings(key: str) -> list[list[str]]:
    """All settings of `campaign.toml` that are numbers or choices."""
    campaign = shipped(key)
    alone = ("movement", "digging", "digs_border", "piles", "recall", "message_radius", "kit", "appearances")
    rows = [(f"`{name}`", _told(value)) for name in alone if (value := getattr(campaign, name)) != ()]
    for part in _SETTINGS:
        rows += _leaves(part, getattr(campaign, part))
    return _rows(("setting", "value"), rows)


def _leaves(path: str, part: Struct) -> list[tuple[str, str]]:
    found = []
    for name, value in structs.asdict(part).items():
        if name in _UNSETTLED or value in ("", ()):
            continue
        here = f"{path}.{name}"
        found += _leaves(here, value) if isinstance(value, Struct) else [(f"`{here}`", _told(value))]
    return found


def _kinds(part: str) -> Callable[..., list[list[str]]]:
    """Each kind of creature, thing, spell or level, with some of its fields."""

    def table(key: str, *fields: str) -> list[list[str]]:
        kinds: Any = getattr(shipped(key), part)
        each = kinds.values() if isinstance(kinds, dict) else kinds
        return _rows(
            (part.removesuffix("s"), *fields),
            ((kind.key, *(_told(getattr(kind, name)) for name in fields)) for kind in each),
        )

    return table


def _thresholds(key: str, last: str) -> list[list[str]]:
    """The least experience, in all, that leaves each level."""
    rules = shipped(key).experience
    levels = range(1, int(last) + 1)
    return _rows(
        ("level", "threshold", "left at"),
        ((str(at), str(threshold(rules, at)), str(least_experience_beyond(rules, at))) for at in levels),
    )


def _growth(key: str, *levels: str) -> list[list[str]]:
    """A player, a monster and gear of some levels, as the factor makes them of level 1."""
    campaign = shipped(key)
    player = campaign.player_kind
    monster = next(kind for kind in campaign.spawnable if kind.level == 1)
    weapon = next(kind for kind in campaign.items_of("weapon") if kind.attack)
    armour = next(kind for kind in campaign.items_of("armour") if kind.defence)
    bases = (player.hp, player.attack, player.defence, monster.hp, monster.attack, monster.defence)
    rows = [
        (str(level), *(_told(scaled(base, campaign.experience.factor_percent, level)) for base in numbers))
        for level in map(int, levels)
        for numbers in [(*bases, weapon.attack, armour.defence)]
    ]
    heads = "level, player health, player attack, player defence, monster health, monster attack, monster defence, weapon, armour"
    return _rows(heads.split(", "), rows)


def _limits(*names: str) -> list[list[str]]:
    """Every bound of the conversation."""
    chosen = names or [name for name in vars(limits) if name.isupper()]
    return _rows(("limit", "value"), ((f"`{name}`", f"{getattr(limits, name):,}") for name in chosen))


def _told(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case Struct():
            named = {name: part for name, part in structs.asdict(value).items() if part}
            return " ".join(
                _told(part) if name in _OBVIOUS else f"{name} {_told(part)}" for name, part in named.items()
            )
        case tuple() if len(value) == 2 and all(isinstance(part, int) for part in value):
            return f"{value[0]} to {value[1]}"
        case tuple() | list():
            return ", ".join(map(_told, value))
        case None:
            return ""
        case _:
            return str(value).replace("|", r"\|")


_TABLES: Final[dict[str, Callable[..., list[list[str]]]]] = {
    "settings": _settings,
    "creatures": _kinds("creatures"),
    "items": _kinds("items"),
    "spells": _kinds("spells"),
    "levels": _kinds("levels"),
    "thresholds": _thresholds,
    "growth": _growth,
    "limits": _limits,
}


if __name__ == "__main__":
    for path in documents():
        path.write_text(filled(path.read_text(encoding="utf-8")), encoding="utf-8")
