"""The tables of numbers in the documents of rules, made from the campaigns, the formulas and the limits.

A line `<!-- table: creatures jsrogue hp attack -->` names a table, which follows it. `make rules` makes all of them again; a
test compares them.
"""

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, structs

from gloam_server.autopilot import plans
from gloam_server.content.field_types import SIGHT_MAX
from gloam_server.engine.timing import turn_timing
from gloam_server.rules import absence, energy
from gloam_server.rules.growth import LEVEL_MAX, least_experience_beyond, scale_stat, threshold
from gloam_server.views.texts import news
from gloam_server.world.ai import ambush, hunting, idle, looting, retreat, steering, swimming
from gloam_server.world.combat import bosses, hostility, sleep
from gloam_server.world.effects import traps
from gloam_server.world.effects.spells import area_effects
from gloam_server.world.growth import renown, revenge
from gloam_server.world.items import floor_items
from gloam_server.world.model import modifiers
from gloam_server.world.model.sight import light_field
from gloam_server.world.population import respawning
from gloam_server.world.realm import chronicle, realm
from gloam_server.world.transition import apply, nearest_players
from gloam_shared import limits
from gloam_shared.protocol.registry import CLIENT_MESSAGES
from support.content.campaigns import shipped
from support.documents.message_budgets import budget_of

DOCUMENTS: Final = Path(__file__).parents[3] / "server" / "docs"

_TABLE: Final = re.compile(r"(<!-- table: ([^>]+?) -->\n)(?:\n(?:\|.*\n)+)?")
_SETTINGS: Final = (
    "experience",
    "learning",
    "named",
    "sounds",
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
"""The keys that need no name before them in an effect of a spell or a share of a level."""


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
    """Return all settings of `campaign.toml` that are numbers or choices."""
    campaign = shipped(key)
    alone = (
        "movement",
        "digging",
        "commands",
        "digs_border",
        "piles",
        "recall",
        "message_radius",
        "kit",
        "appearances",
    )
    rows = [(f"`{name}`", _format_value(value)) for name in alone if (value := getattr(campaign, name)) != ()]
    for part in _SETTINGS:
        rows += _leaves(part, getattr(campaign, part))
    return _rows(("setting", "value"), rows)


def _leaves(path: str, part: Struct) -> list[tuple[str, str]]:
    found = []
    for name, value in structs.asdict(part).items():
        if name in _UNSETTLED or value in ("", ()):
            continue
        here = f"{path}.{name}"
        found += _leaves(here, value) if isinstance(value, Struct) else [(f"`{here}`", _format_value(value))]
    return found


def _kinds(part: str) -> Callable[..., list[list[str]]]:
    """Return each kind of creature, thing, spell or level, with some of its fields."""

    def table(key: str, *fields: str) -> list[list[str]]:
        kinds: Any = getattr(shipped(key), part)
        each = kinds.values() if isinstance(kinds, dict) else kinds
        return _rows(
            (part.removesuffix("s"), *fields),
            ((kind.key, *(_format_value(getattr(kind, name)) for name in fields)) for kind in each),
        )

    return table


def _thresholds(key: str, last: str) -> list[list[str]]:
    """Return the least experience, in all, that leaves each level."""
    rules = shipped(key).experience
    levels = range(1, int(last) + 1)
    return _rows(
        ("level", "threshold", "left at"),
        ((str(at), str(threshold(rules, at)), str(least_experience_beyond(rules, at))) for at in levels),
    )


def _growth(key: str, *levels: str) -> list[list[str]]:
    """Return a player, a monster and gear of some levels, as the factor makes them of level 1."""
    campaign = shipped(key)
    player = campaign.player_kind
    monster = next(kind for kind in campaign.spawnable if kind.level == 1)
    weapon = next(kind for kind in campaign.items_of("weapon") if kind.attack)
    armour = next(kind for kind in campaign.items_of("armour") if kind.defence)
    bases = (player.hp, player.attack, player.defence, monster.hp, monster.attack, monster.defence)
    rows = [
        (
            str(level),
            *(_format_value(scale_stat(base, campaign.experience.factor_percent, level)) for base in numbers),
        )
        for level in map(int, levels)
        for numbers in [(*bases, weapon.attack, armour.defence)]
    ]
    heads = "level, player health, player attack, player defence, monster health, monster attack, monster defence, weapon, armour"
    return _rows(heads.split(", "), rows)


def _constants() -> list[list[str]]:
    """Numbers that no campaign changes."""
    constants = ((name, f"{value:,}") for name, value in _CONSTANTS.items())
    return _rows(("constant", "value"), constants)


def _limits(*names: str) -> list[list[str]]:
    """Every bound of the conversation."""
    chosen = names or [name for name in vars(limits) if name.isupper()]
    return _rows(("limit", "value"), ((f"`{name}`", f"{getattr(limits, name):,}") for name in chosen))


def _format_value(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case Struct():
            named = {name: part for name, part in structs.asdict(value).items() if part}
            return " ".join(
                _format_value(part) if name in _OBVIOUS else f"{name} {_format_value(part)}"
                for name, part in named.items()
            )
        case tuple() if len(value) == 2 and all(isinstance(part, int) for part in value):
            return f"{value[0]} to {value[1]}"
        case tuple() | list():
            return ", ".join(map(_format_value, value))
        case None:
            return ""
        case _:
            return str(value).replace("|", r"\|")


_CONSTANTS: Final[dict[str, int]] = {
    "highest level of any creature": LEVEL_MAX,
    "furthest sight, cells": SIGHT_MAX,
    "radius of a brazier's light": light_field.BRAZIER_RADIUS,
    "cost of an action, energy": energy.ACTION_COST,
    "least speed": modifiers.SPEED_LEAST,
    "greatest speed": modifiers.SPEED_MOST,
    "cells within which a creature acts with a player": nearest_players.NEAR_CELLS,
    "actions for which a blow or help holds a player": hostility.CONTACT_ACTIONS,
    "turns of grace after an arrival": apply.ARRIVAL_GRACE,
    "ms between two turns of a player": turn_timing.SPACING_MS,
    "ms that a turn waits for a player": turn_timing.PATIENCE_MS,
    "players from which it waits shorter": turn_timing.CROWD,
    "ms that it waits then": turn_timing.PATIENCE_CROWD_MS,
    "ms that it waits at least": turn_timing.PATIENCE_LEAST_MS,
    "times as long for who chooses": turn_timing.CHOOSING_FACTOR,
    "times as long for who chooses and is hurt": turn_timing.CHOOSING_HURT_FACTOR,
    "turns in a row that wait for a choice": turn_timing.CHOICES_MAX,
    "turns that a body without a connection stays": absence.UNATTENDED_TURNS_MAX,
    "ms of safety after which a choice is made": absence.DEFAULT_CHOICE_MS,
    "ms of silence after which a player is away": absence.AWAY_MS,
    "steps of a plan": plans.STEPS_MAX,
    "steps of a run": plans.RUN_MAX,
    "cells from each player where creatures come": respawning.SPAWN_DISTANCE_MIN,
    "turns after which a boss returns": bosses.RETURNS_AFTER,
    "creatures of one caller": area_effects.SUMMONED_MAX,
    "turns that a wound takes off sleep": sleep.HURT_SHORTENS,
    "percent of traps found beside one, each action": traps.NOTICE_PERCENT,
    "cells within which waiting finds traps": traps.SEARCH_CELLS,
    "cells that a search for a way looks around from": steering.PATH_CELLS,
    "steps of a prowl": hunting.TRAIL_STEPS,
    "cells that a stalker keeps at least": hunting.STALK_NEAR,
    "cells that a stalker keeps at most": hunting.STALK_FAR,
    "actions that a stalker waits": hunting.STALK_PATIENCE,
    "cells within which a pack gathers": retreat.PACK_CELLS,
    "cells that a waiting pack keeps off": retreat.PACK_HOLD_CELLS,
    "actions that a pack waits": retreat.PACK_PATIENCE,
    "cells at which an ambush springs": ambush.AMBUSH_CELLS,
    "cells that a lurker goes for the dark": ambush.LURK_CELLS,
    "cells at which a lurker strikes": ambush.LURK_STRIKES,
    "cells that a creature goes for an item": looting.LOOT_CELLS,
    "cells that a swimmer goes for water": swimming.WATER_CELLS,
    "cells that a follower keeps": idle.FOLLOW_CELLS,
    "items of one player that lie on a level": floor_items.PLAYER_ITEMS_MAX,
    "items that lie on a level": floor_items.FLOOR_ITEMS_MAX,
    "finished lives that the realm keeps": realm.CHRONICLE_MAX,
    "victims of a monster that are remembered": renown.VICTIMS_MAX,
    "turns of a level after which it tells the realm of them": apply.TURNS_TOLD,
    "named creatures that the story of a life lists": revenge.NAMED_SLAIN_MAX,
    "events that the chronicle keeps": chronicle.EVENTS_MAX,
    "events that a player reads of when they come back": news.MISSED_MAX,
}


def _messages() -> list[list[str]]:
    """Return what each message of a client may cost."""
    heads = ("message", "limit", "journal bytes at most", "calls at most", "memory at most")
    budgets = ((kind.__name__, budget_of(kind)) for kind in CLIENT_MESSAGES)
    return _rows(
        heads, ((f"`{name}`", each.limit, *(f"{most:,}" for most in each[1:])) for name, each in budgets)
    )


_TABLES: Final[dict[str, Callable[..., list[list[str]]]]] = {
    "settings": _settings,
    "creatures": _kinds("creatures"),
    "items": _kinds("items"),
    "spells": _kinds("spells"),
    "levels": _kinds("levels"),
    "thresholds": _thresholds,
    "growth": _growth,
    "constants": _constants,
    "limits": _limits,
    "messages": _messages,
}


if __name__ == "__main__":
    for path in documents():
        path.write_text(filled(path.read_text(encoding="utf-8")), encoding="utf-8")
