"""Templates for spells, potions, scrolls, and their status effects."""

from typing import Final, Literal, TypeAlias

from gloam_shared.event_kinds.template import MessageTemplate

MagicEvent: TypeAlias = Literal[
    "quaffs", "reads", "casts", "turns_out", "blasted", "dies", "heals", "restores", "enlightened", "fills",
    "bleeds_mana", "begins", "ends", "falls_asleep", "wakes", "maps", "fades_out", "fades_in",
    "swaps_by_magic", "pushed", "appears", "vanishes", "bores", "brightens", "reveals", "zaps", "fizzles",
]  # fmt: skip
"""The kinds of events in this module."""

TELLINGS: Final[dict[MagicEvent, MessageTemplate]] = {
    "quaffs": MessageTemplate("You quaff {o}.", "", "{S} quaffs {a}."),
    "reads": MessageTemplate("You read {o}.", "", "{S} reads {a}."),
    "zaps": MessageTemplate("You zap {o}.", "", "{S} zaps {a}."),
    "fizzles": MessageTemplate("It comes to nothing.", "", "", "quiet"),
    "casts": MessageTemplate("You cast {w}.", "", "{S} casts {w}."),
    "turns_out": MessageTemplate("{O} is {w}!", "", "", "good"),
    "blasted": MessageTemplate(
        "You take {n} damage from {d}!", "", "{S} takes {n} damage from {d}!", "fight"
    ),
    "dies": MessageTemplate("You have died of {w}!", "", "{S} dies of {w}!", "fight"),
    "heals": MessageTemplate("You feel better.", "", "{S} looks better.", "good"),
    "restores": MessageTemplate("Your mind is clear again.", "", "{S} looks restored.", "good"),
    "enlightened": MessageTemplate("You feel more experienced!", "", "{S} looks more experienced.", "good"),
    "fills": MessageTemplate("That fills your stomach.", "", "{S} looks well fed."),
    "bleeds_mana": MessageTemplate("Your blood turns into power.", "", "{S} turns pale."),
    "begins": MessageTemplate("You are {w}.", "", "{S} is {w}."),
    "ends": MessageTemplate("You are no longer {w}.", "", "{S} is no longer {w}.", "quiet"),
    "falls_asleep": MessageTemplate("You fall asleep.", "", "{S} falls asleep."),
    "wakes": MessageTemplate("You wake up.", "", "{S} wakes up."),
    "maps": MessageTemplate(
        "You see these halls before your mind's eye.", "", "{S} gazes into the distance."
    ),
    "fades_out": MessageTemplate("You fade out.", "", "{S} fades out."),
    "fades_in": MessageTemplate("You fade in.", "", "{S} fades in."),
    "swaps_by_magic": MessageTemplate(
        "You and {o} trade places.", "{S} trades places with you.", "{S} and {o} trade places."
    ),
    "pushed": MessageTemplate("You are thrown back!", "", "{S} is thrown back!"),
    "appears": MessageTemplate("You appear.", "", "{S} appears out of nowhere!"),
    "vanishes": MessageTemplate("You vanish.", "", "{S} vanishes."),
    "bores": MessageTemplate("The rock before you crumbles.", "", "The rock crumbles."),
    "brightens": MessageTemplate("Light fills this place.", "", "Light fills this place."),
    "reveals": MessageTemplate(
        "What lay in wait is in plain sight.", "", "What lay in wait is in plain sight."
    ),
}
