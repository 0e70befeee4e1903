"""Screens that open unasked: they take no key at first, and keep the line that is being typed. Pure.

What a player types when such a screen opens was meant for the screen before.
"""

from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

from gloam_client.input import keymap
from gloam_client.render.layout import layout
from gloam_client.screens.common.keyed_screen import KeyedScreen
from gloam_client.screens.common.window import draw_window
from gloam_client.screens.play import Play
from gloam_client.screens.session.chat_line import ChatScreen
from gloam_client.screens.session.dead import DeathScreen
from gloam_client.screens.session.secret_line import Asked, SecretScreen
from gloam_client.screens.title.title import Title
from gloam_client.screens.watching.watch_view import end_watching
from gloam_client.state import client_events
from gloam_client.state.client_effects import LeaveGame, StartJoining
from gloam_client.state.map.sightings import NOTHING_SEEN
from gloam_client.state.model import Model, Screen, Update, add_message, show_flash
from gloam_client.state.records import ConnectionStatus
from gloam_client.terminal.canvas import Canvas, wrap_text
from gloam_shared.protocol.messages.lives import Died
from gloam_shared.text import clean

QUIET_MS: Final = 500
"""The time for which a screen that opens unasked takes no key; a key that belongs to a word begins the time again."""
_AFTER_DEATH_MS: Final = 1_000
"""The same time for the end of a life, which opens in the middle of a fight."""
_UNASKED: Final = frozenset({"beacons", "dead", "keep name", "kits", "secret", "stopped", "trade"})
_PAUSE: Final = "This appeared while you were typing: no key counted. Pause for a moment."


def take_death(model: Model, death: Died) -> Model:
    """Return the model with the end of a life below the line that is being typed."""
    typed = (screen for screen in model.screens if isinstance(screen, ChatScreen | SecretScreen))
    return replace(model, screens=(Play(), DeathScreen(death), *typed))


def ask_player(
    model: Model,
    happened: client_events.JoinFailed | client_events.CredentialsAsked | client_events.ServerStopped,
) -> Model:
    """Return the model with the question before the connection, or with the title."""
    question: Screen
    match happened:
        case client_events.JoinFailed(text):
            return back_to_title(model, text)
        case client_events.CredentialsAsked(code, text):
            question = SecretScreen(Asked.INVITE if code == "invite" else Asked.PASSWORD, clean(text))
        case client_events.ServerStopped(text):
            question = ServerStoppedScreen(clean(text))
    return replace(
        model, screens=(*model.screens[:1], *_chat(model), question), connection=ConnectionStatus()
    )


def take_start(model: Model, start: client_events.JoinStarted) -> Model:
    """Return the model that joins a server, without the title, or without the question before the connection."""
    model = _enter_play(model)
    return replace(
        model,
        name=start.name,
        connection=ConnectionStatus("joining", since_ms=model.now_ms),
        server=replace(model.server, address=start.address),
        world=replace(model.world, one_life=start.one_life),
    )


def _enter_play(model: Model) -> Model:
    asks = model.screens[0].state == "title" or any(
        screen.state in ("stopped", "secret", "watch list", "dungeons") for screen in model.screens
    )
    return replace(model, screens=(Play(), *_chat(model))) if asks else model


def note_unasked(before: Model, model: Model, happened: client_events.ClientEvent) -> Model:
    """Return the model that takes no key for a while if a screen has opened unasked, or shows again below a line."""
    unread = _opened_unasked(before, model, happened) or model.keys.unread
    if unread and unread == model.top.state:
        quiet_ms = _AFTER_DEATH_MS if unread == "dead" else QUIET_MS
        return replace(model, keys=replace(model.keys, unread="", quiet_until_ms=model.now_ms + quiet_ms))
    quiet_until_ms = model.keys.quiet_until_ms if before.top.state == model.top.state else 0
    if unread == model.keys.unread and quiet_until_ms == model.keys.quiet_until_ms:
        return model
    return replace(model, keys=replace(model.keys, unread=unread, quiet_until_ms=quiet_until_ms))


def refuse_key(model: Model, key: str = "") -> Model | None:
    """Return the model after a key or pasted text ("") that was meant for the screen before; None if it was not."""
    if model.now_ms >= model.keys.quiet_until_ms:
        return None
    if len(key) <= 1 or model.keys.repeated:
        quiet_until_ms = max(model.keys.quiet_until_ms, model.now_ms + QUIET_MS)
        model = replace(model, keys=replace(model.keys, quiet_until_ms=quiet_until_ms))
    return show_flash(model, _PAUSE, "quiet")


def _opened_unasked(before: Model, model: Model, happened: client_events.ClientEvent) -> str:
    """Return the state of the highest screen that an event has brought unasked; "" for none."""
    match happened:
        case client_events.KeyPressed() | client_events.TextPasted() | client_events.MouseUsed():
            if (
                before.login.offer == model.login.offer
            ):  # the offer of a password appears when the player is at ease
                return ""
        case client_events.CredentialsAsked() if not before.in_dungeon:
            return ""
        case client_events.OwnLinkReceived():
            return ""  # the player has asked for it
    if before.top.state == "trade" and model.top.state == "play":
        return "play"
    known = {screen.state for screen in before.screens}
    opened = (screen.state for screen in reversed(model.screens) if screen.state not in known)
    return next((state for state in opened if state in _UNASKED), "")


def _chat(model: Model) -> tuple[Screen, ...]:
    return tuple(screen for screen in model.screens if isinstance(screen, ChatScreen))


def with_life_in_log(model: Model, death: Died) -> Model:
    """Return the model with the summary of an ended life in its log."""
    for line in death.life:
        model = add_message(model, line)
    return model


def back_to_title(model: Model, text: str) -> Model:
    """Return the model at the title, with the reason why joining failed."""
    return replace(
        base := end_watching(model),
        screens=(Title(model.name, typed=True, fault=clean(text)),),
        connection=ConnectionStatus(),
        messages=replace(base.messages, entries=(), next=0, announced_at=-1),
        memory=replace(base.memory, recall={}, explored={}, barred={}, sightings=NOTHING_SEEN, stains={}),
        server=replace(base.server, address=""),
    )


@dataclass(frozen=True, slots=True)
class ServerStoppedScreen(KeyedScreen):
    """The question, with the server's last message."""

    why: str
    state: str = "stopped"

    def on_key(self, model: Model, key: str) -> Update:
        """Start it again, or leave."""
        match keymap.intent(model.options.keys, self.state, key):
            case "again":
                return Update(intents=(StartJoining(model.name),))
            case "quit":
                return Update(intents=(LeaveGame(),))
            case other:
                return self.answer(model, other, key)

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the reason and the question."""
        why = wrap_text(self.why, layout(*model.surface.size).overlay.width - 6)
        lines = [*why, "", "Enter starts your private server again, where you left it.", "Q leaves the game."]
        draw_window(canvas, model, "The dungeon has stopped", lines)
