"""The kinds of events with words, each beside its sentences: the closed list of log lines. Imports nothing of the package.

For the type checker a log line's kind is one of these words; on the wire it is text, since a newer server may send
more. A test holds this list and PROTOCOL's table together.
"""

from itertools import chain
from typing import Final, Literal, TypeAlias

from gloam_shared.event_kinds import (
    body_templates,
    ending_templates,
    magic_templates,
    missile_templates,
    monster_templates,
    place_templates,
)
from gloam_shared.event_kinds.body_templates import BodyEvent, StrikeKind
from gloam_shared.event_kinds.ending_templates import EndingEvent
from gloam_shared.event_kinds.magic_templates import MagicEvent
from gloam_shared.event_kinds.missile_templates import MissileEvent
from gloam_shared.event_kinds.monster_templates import MonsterEvent
from gloam_shared.event_kinds.place_templates import PlaceEvent
from gloam_shared.event_kinds.template import MessageTemplate

__all__ = ["TEMPLATES", "EventKind", "MessageTemplate", "StrikeKind"]

EventKind: TypeAlias = Literal[BodyEvent, MissileEvent, MagicEvent, MonsterEvent, PlaceEvent, EndingEvent]
"""Every kind of event that a log line can have."""

TEMPLATES: Final[dict[EventKind, MessageTemplate]] = dict(
    chain[tuple[EventKind, MessageTemplate]](
        body_templates.TELLINGS.items(),
        missile_templates.TELLINGS.items(),
        magic_templates.TELLINGS.items(),
        monster_templates.TELLINGS.items(),
        place_templates.TELLINGS.items(),
        ending_templates.TELLINGS.items(),
    )
)
"""The sentences of every kind."""
