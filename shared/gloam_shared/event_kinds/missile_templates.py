"""Templates for thrown items, shots, and attacks out of the dark."""

from typing import Final, Literal, TypeAlias

from gloam_shared.event_kinds.template import MessageTemplate

MissileEvent: TypeAlias = Literal[
    "throws", "throws_at", "throws_to", "shoots", "spits", "breaks", "lands", "attacked_from",
]  # fmt: skip
"""The kinds of events in this module."""

TELLINGS: Final[dict[MissileEvent, MessageTemplate]] = {
    "throws": MessageTemplate("You throw {o}.", "", "{S} throws {a}."),
    "throws_at": MessageTemplate(
        "You throw {d} at {o} for {n} damage!",
        "{S} throws {b} at you for {n} damage!",
        "{S} throws {b} at {o} for {n} damage.",
        "fight",
    ),
    "throws_to": MessageTemplate("You throw {d} at {o}.", "{S} throws {b} at you.", "{S} throws {b} at {o}."),
    "shoots": MessageTemplate(
        "You shoot {o} with {d} for {n} damage!",
        "{S} shoots you with {b} for {n} damage!",
        "{S} shoots {o} with {b} for {n} damage.",
        "fight",
    ),
    "spits": MessageTemplate(
        "You shoot {o} for {n} damage!",
        "{S} shoots you for {n} damage!",
        "{S} shoots {o} for {n} damage.",
        "fight",
    ),
    "attacked_from": MessageTemplate("The attack comes from the {w}.", "", "", "fight"),
    "breaks": MessageTemplate("", "", "{O} breaks."),
    "lands": MessageTemplate("{A} lands between your feet.", "", ""),
}
