"""Templates for monsters only: stealing, summoning, growing."""

from typing import Final

from gloam_shared.event_kinds import EventKind
from gloam_shared.narration.templates.template import MessageTemplate

TELLINGS: Final[dict[EventKind, MessageTemplate]] = {
    "spawns": MessageTemplate("You spawn a child.", "", "{S} spawns a child."),
    "steals": MessageTemplate(
        "You steal {b} from {o}!", "{S} steals your {w}!", "{S} steals {b} from {o}.", "fight"
    ),
    "emerges": MessageTemplate("You show yourself.", "", "{S} was lying in wait!", "fight"),
}
