"""Templates for doors, traps, light, noise, and special places."""

from typing import Final, Literal, TypeAlias

from gloam_shared.event_kinds.template import MessageTemplate

PlaceEvent: TypeAlias = Literal[
    "opens", "closes", "jumps", "shrine_heals", "shrine_is_silent", "finds_trap", "springs", "shouts",
    "hears_shout", "tends", "breaks_door", "hears", "takes_hold", "breaks_under", "tears_free",
    "pulls", "treads", "offers", "unlocks", "gate_opens", "gate_shuts",
]  # fmt: skip
"""The kinds of events in this module."""

TELLINGS: Final[dict[PlaceEvent, MessageTemplate]] = {
    "opens": MessageTemplate("You open the door.", "", "{S} opens a door."),
    "breaks_door": MessageTemplate("You break the door down!", "", "{S} breaks the door down!", "fight"),
    "hears": MessageTemplate("You hear {w}.", "", "", "quiet"),
    "closes": MessageTemplate("You close the door.", "", "{S} closes a door."),
    "jumps": MessageTemplate("You jump into the hole, down to level {n}!", "", "{S} jumps into the hole."),
    "shrine_heals": MessageTemplate(
        "You rest at the shrine, and are made whole.",
        "",
        "{S} rests at the shrine, and is made whole.",
        "good",
    ),
    "shrine_is_silent": MessageTemplate("The shrine is silent: it has helped you before.", "", "", "quiet"),
    "finds_trap": MessageTemplate("You find a trap: {w}.", "", "{S} points out a trap: {w}."),
    "springs": MessageTemplate("You step into a trap: {w}!", "", "{S} steps into a trap: {w}!", "fight"),
    "shouts": MessageTemplate("You shout.", "", "{S} shouts."),
    "hears_shout": MessageTemplate("You hear a shout: {w}.", "", ""),
    "takes_hold": MessageTemplate("", "", "{w}", "fight"),
    "breaks_under": MessageTemplate(
        "You fall through {d}, and climb out of cold water!", "", "{S} falls through {d}!", "fight"
    ),
    "tears_free": MessageTemplate("You tear free of {d}.", "", "{S} tears free of {d}."),
    "pulls": MessageTemplate("You pull {d}.", "", "{S} pulls {d}."),
    "treads": MessageTemplate("You step onto {d}.", "", "{S} steps onto {d}."),
    "offers": MessageTemplate("You give {o} to {d}.", "", "{S} gives {o} to {d}."),
    "unlocks": MessageTemplate("You open {d} with {o}, which breaks.", "", "{S} opens {d} with {o}."),
    "gate_opens": MessageTemplate("", "", "You hear {d} open.", "good"),
    "gate_shuts": MessageTemplate("", "", "You hear {d} shut."),
    "tends": MessageTemplate("You tend to your wounds.", "", "", "quiet"),
}
