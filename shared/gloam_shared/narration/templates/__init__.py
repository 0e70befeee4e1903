"""The templates of all kinds of log lines, collected from one module for each family of rules."""

from typing import Final

from gloam_shared.event_kinds import EventKind
from gloam_shared.narration.templates import (
    body_templates,
    ending_templates,
    magic_templates,
    missile_templates,
    monster_templates,
    place_templates,
)
from gloam_shared.narration.templates.template import MessageTemplate

__all__ = ["TEMPLATES", "MessageTemplate"]

TEMPLATES: Final[dict[EventKind, MessageTemplate]] = {
    **body_templates.TELLINGS,
    **missile_templates.TELLINGS,
    **magic_templates.TELLINGS,
    **monster_templates.TELLINGS,
    **place_templates.TELLINGS,
    **ending_templates.TELLINGS,
}
