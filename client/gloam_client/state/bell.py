"""The rule for the terminal's bell: for three events, each chosen in the options, all off by default. Pure."""

from typing import Final

from gloam_client.state import client_events
from gloam_client.state.client_effects import ClientEffect, Ring
from gloam_client.state.model import Model
from gloam_shared.protocol.messages.chat import MapPinged, Spoken
from gloam_shared.protocol.registry import FromServer

_CALLS: Final = frozenset({"come", "danger", "heal"})
"""The pings that call the player."""


def rings(before: Model, model: Model, happened: client_events.ClientEvent) -> tuple[ClientEffect, ...]:
    """Return the ring for what an input has changed, or nothing."""
    if not isinstance(happened, client_events.MessagesReceived):
        return ()
    options = model.options
    wanted = (
        (options.bell_health == "on" and _is_newly_hurt(before, model))
        or (options.bell_friends == "on" and any(_calls(model, message) for message in happened.messages))
        or (options.bell_turn == "on" and awaited(model) and not awaited(before))
    )
    return (Ring(),) if wanted else ()


def awaited(model: Model) -> bool:
    """Return whether other players wait for the player's turn."""
    pace = model.pace
    return pace.held and not pace.waiting and pace.ms > 0 and model.name in pace.for_names


def _is_newly_hurt(before: Model, model: Model) -> bool:
    """Return whether health has fallen below a half in this life."""
    lives = (
        before.in_dungeon and model.in_dungeon and before.login.life == model.login.life and not model.dead
    )
    return lives and model.badly_hurt and not before.badly_hurt


def _calls(model: Model, message: FromServer) -> bool:
    """Return whether another player calls with a ping, or whispers now."""
    match message:
        case MapPinged(name, word):
            return name != model.name and word in _CALLS
        case Spoken(channel="whisper", name=name, ago_s=0):
            return name not in ("", model.name)
        case _:
            return False
