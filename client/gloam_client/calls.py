"""What players call out to each other: how a call is told, and for how long it is marked on the map. Pure."""

from dataclasses import replace
from typing import Final

from gloam_client.model import CallHeard, Model, noted
from gloam_client.render.words import where
from gloam_shared.messages import Called
from gloam_shared.narration import depth_told

WORDS: Final = {"come": "come here!", "danger": "danger!", "mine": "that is mine!", "thanks": "thanks!"}
"""What is told of each word that may be called."""
_KEPT: Final = 16


def called(model: Model, message: Called) -> Model:
    """Return the model that has heard a call: told in the log, and kept for the map."""
    own = message.name == model.name
    who = "You call" if own else f"{message.name} calls"
    told = f"{who}: {WORDS.get(message.word, message.word)}"
    others = [call for call in model.calls if (call.name, call.word) != (message.name, message.word)]
    heard = CallHeard(message.name, message.word, message.depth, message.cell, model.now_ms)
    model = replace(model, calls=(*others, heard)[-_KEPT:])
    return noted(model, told if own else f"{told} {_whence(model, message)}", "chat")


def _whence(model: Model, message: Called) -> str:
    if message.depth != model.view.place.depth:
        return f"On depth {depth_told(message.depth)}."
    return where(model.view, message.cell) if message.cell < len(model.view.terrain) else ""
