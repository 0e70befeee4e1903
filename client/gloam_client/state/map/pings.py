"""Pings of players: their texts, and how long they are marked on the map. Pure."""

from typing import Final

from msgspec.structs import replace

from gloam_client.state.map.friend_locations import locations_after_ping
from gloam_client.state.map.landmarks import where
from gloam_client.state.model import ActivePing, Model, add_message
from gloam_shared import limits
from gloam_shared.narration.rendering import depth_text
from gloam_shared.protocol.messages.chat import MapPinged

PING_WORDS: Final = {
    "come": "come here!",
    "danger": "danger!",
    "mine": "that is mine!",
    "thanks": "thanks!",
    "heal": "heal me!",
}
"""The text of each word of a ping."""
_KEPT: Final = 16
_LEADS: Final = frozenset({"come", "danger", "heal"})
"""The pings that players may want to follow."""


def with_ping(model: Model, message: MapPinged) -> Model:
    """Return the model after a ping: it is added to the log and to the map's marks."""
    name, word = message.name, message.word
    until_ms = model.now_ms + limits.CALL_SHOWN_S * 1_000
    heard = ActivePing(name, word, message.depth, message.cell, until_ms)
    others = [call for call in model.pings if (call.name, call.word) != (name, word)]
    model = replace(model, pings=(*others, heard)[-_KEPT:])
    if name == model.name:
        return add_message(model, f"You ping: {PING_WORDS.get(word, word)}", "chat")
    if word in _LEADS:
        model = replace(
            model,
            memory=replace(
                model.memory,
                whereabouts=locations_after_ping(model.memory.whereabouts, name, message.depth, message.cell),
            ),
        )
    return add_message(
        model, f"{name} pings: {PING_WORDS.get(word, word)} {_place_of_ping(model, message)}", "chat"
    )


def describe_ping_cell(model: Model, word: str, depth: int, cell: int) -> bool:
    """Return whether the player's own same ping for that cell is still marked: the server drops another."""
    return any(
        (call.name, call.word, call.depth, call.cell) == (model.name, word, depth, cell)
        and model.now_ms < call.until_ms
        for call in model.pings
    )


def _place_of_ping(model: Model, message: MapPinged) -> str:
    """Return the place of a ping in words; thanks have none."""
    if message.word == "thanks":
        return ""
    if message.depth != model.view.place.depth:
        return f"On depth {depth_text(message.depth)}."
    return where(model.view, message.cell) if message.cell < len(model.view.terrain) else ""
