"""Spells, potions, scrolls, and the states that they bring."""

from typing import Final

from gloam_shared.event_kinds import EventKind
from gloam_shared.narration.templates.template import Telling

TELLINGS: Final[dict[EventKind, Telling]] = {
    "quaffs": Telling("You quaff {o}.", "", "{S} quaffs {a}."),
    "reads": Telling("You read {o}.", "", "{S} reads {a}."),
    "casts": Telling("You cast {w}.", "", "{S} casts {w}."),
    "turns_out": Telling("{O} is {w}!", "", "", "good"),
    "blasted": Telling("{W} hits you for {n} damage!", "", "{W} hits {s} for {n} damage!", "fight"),
    "dies": Telling("You have died of {w}!", "", "{S} dies of {w}!", "fight"),
    "heals": Telling("You feel better.", "", "{S} looks better.", "good"),
    "restores": Telling("Your mind is clear again.", "", "{S} looks restored.", "good"),
    "enlightened": Telling("You look more experienced!", "", "{S} looks more experienced.", "good"),
    "fills": Telling("That fills your stomach.", "", "{S} looks well fed."),
    "bleeds_mana": Telling("Your blood turns into power.", "", "{S} turns pale."),
    "begins": Telling("You are {w}.", "", "{S} is {w}."),
    "ends": Telling("You are no longer {w}.", "", "{S} is no longer {w}.", "quiet"),
    "falls_asleep": Telling("You fall asleep.", "", "{S} falls asleep."),
    "wakes": Telling("You wake up.", "", "{S} wakes up."),
    "maps": Telling("You see these halls before your mind's eye.", "", "{S} gazes into the distance."),
    "fades_out": Telling("You fade out.", "", "{S} fades out."),
    "fades_in": Telling("You fade in.", "", "{S} fades in."),
    "swaps_by_magic": Telling(
        "You and {o} trade places.", "{S} trades places with you.", "{S} and {o} trade places."
    ),
    "pushed": Telling("You are thrown back!", "", "{S} is thrown back!"),
    "appears": Telling("You appear.", "", "{S} appears out of nowhere!"),
    "vanishes": Telling("You vanish.", "", "{S} vanishes."),
    "bores": Telling("The rock before you crumbles.", "", "The rock crumbles."),
    "brightens": Telling("Light fills this place.", "", "Light fills this place."),
    "reveals": Telling("What lay in wait is in plain sight.", "", "What lay in wait is in plain sight."),
}
