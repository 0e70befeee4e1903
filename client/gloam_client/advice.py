"""The few first-life hints, each once and at the moment it helps, in the log; and what works where something does not."""

from dataclasses import replace
from typing import Final

from gloam_client import keymap
from gloam_client.model import Model, noted
from gloam_shared.appearance import Terrain
from gloam_shared.commands import Explore, Rest, Run, Travel
from gloam_shared.view import Mark

_PAUSE_MS: Final = 10_000
"""Between two hints, so that they never crowd out what happens."""

_HINTS: Final = {
    "foe": "A foe has seen you and waits for your move: walk into it, or {fight} fights.",
    "level": "You gained a level: {choose} chooses what it brings, now or later.",
    "move": "Move with the arrows or hjklyubn; {explore} explores. Nothing hurries you here.",
    "friend": "A friend is here. Press {say} to speak; walk into each other to change places.",
    "stairs": "You know stairs down: {descend} leads you there, and again takes them.",
}
"""What is told, by the moment, the most urgent first; the keys are those of the player's own table."""


def advised(model: Model) -> Model:
    """Return the model with the hints of this moment in its log, each of them once in a run of the client."""
    given = model.advice
    if given is None or model.options.hints == "off" or not model.in_dungeon or model.top.state != "play":
        return model
    fresh = [moment for moment in _moments(model) if moment not in given]
    if not fresh or model.now_ms - model.advised_ms < _PAUSE_MS:
        return model
    model = replace(model, advice=given | {fresh[0]}, advised_ms=model.now_ms)
    return noted(model, _worded(model, _HINTS[fresh[0]]))


def way_out(model: Model) -> str:
    """Return what works where the newest command was refused, as a sentence to follow the reason, or ""."""
    if model.pace.held and isinstance(model.asked, Explore | Travel | Run | Rest):
        return _worded(model, " {fight} fights.")
    return ""


def _moments(model: Model) -> list[str]:
    view = model.view
    holds = {
        "foe": model.pace.held,
        "level": bool(view.choices),
        "move": True,
        "friend": any(one.marks & Mark.PLAYER and not one.marks & Mark.SELF for one in view.creatures),
        "stairs": Terrain.STAIRS_DOWN in view.terrain,
    }
    return [moment for moment in _HINTS if holds[moment]]


def _worded(model: Model, text: str) -> str:
    wishes = ("explore", "fight", "choose", "descend", "say")
    return text.format(**{wish: keymap.key_for(model.options.keys, "play", wish) for wish in wishes})
