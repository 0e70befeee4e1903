"""Answers to commands: refusals with their next step, and the reasons why plans ended."""

from typing import Final

from gloam_client.screens.map.exploration import mark_explored, next_exit
from gloam_client.state.guidance.hints import alternative_for
from gloam_client.state.guidance.next_steps import next_step
from gloam_client.state.model import Model, add_message, show_flash
from gloam_shared.protocol.messages.play import Answer

_CODES_NOT_SHOWN: Final = frozenset({"replaced", "stopped"})
"""Answers that need no words, because the player caused them."""
_NOT_BEGUN: Final = frozenset({"no_foe", "no_way"})
"""Reasons of plans that ended before their first step: the player sees them as refusals."""


def take_answer(model: Model, answer: Answer) -> Model:
    """Return the model that shows a refusal and what to do instead; the ends of plans follow with `plan_ended`."""
    match answer:
        case Answer(code="ended", reason=reason, text=text) if reason in _NOT_BEGUN:
            return show_flash(model, text + next_step(model, reason), "refused")
        case Answer(code="ended" | "explored" | "foe"):
            return model
        case Answer(code=code, reason=reason, text=text) if text and code not in _CODES_NOT_SHOWN:
            advice = alternative_for(model, code) or next_step(model, reason)
            return show_flash(model, text + advice, "refused")
        case _:
            return model


def plan_ended(model: Model, answer: Answer) -> Model:
    """Return the model with the reason why a plan ended, and how to continue from an explored level."""
    match answer:
        case Answer(code="explored", text=text) if model.in_dungeon:
            model = mark_explored(model)
            return add_message(model, f"{text} {next_exit(model).advice}")
        case Answer(code="foe") if model.messages.announced_at == model.turn:
            return model
        case Answer(reason=reason) if reason in _NOT_BEGUN:
            return model
        case Answer(code="ended" | "explored" | "foe", text=text) if text:
            return add_message(model, text)
        case _:
            return model
