"""Templates for monsters only: stealing, summoning, growing."""

from typing import Final, Literal, TypeAlias

from gloam_shared.event_kinds.template import MessageTemplate

MonsterEvent: TypeAlias = Literal[
    "spawns", "steals", "emerges", "goes_home", "hears_coming", "temper", "begins_movement", "splits_hall",
]  # fmt: skip
"""The kinds of events in this module."""

TELLINGS: Final[dict[MonsterEvent, MessageTemplate]] = {
    "spawns": MessageTemplate("You spawn a child.", "", "{S} spawns a child."),
    "steals": MessageTemplate(
        "You steal {b} from {o}!", "{S} steals {b} from you!", "{S} steals {b} from {o}.", "fight"
    ),
    "emerges": MessageTemplate("You show yourself.", "", "{S} was lying in wait!", "fight"),
    "temper": MessageTemplate("{w}", "", ""),
    "begins_movement": MessageTemplate("", "", "{S} {w}!", "fight"),
    "splits_hall": MessageTemplate("", "", "{S} splits the hall: rock rises from the ground!", "fight"),
    "goes_home": MessageTemplate("", "", "{S} goes back to where it belongs."),
    "hears_coming": MessageTemplate("You hear something coming: {w}.", "", "", "fight"),
}
