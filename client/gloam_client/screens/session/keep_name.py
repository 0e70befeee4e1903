"""The own link of a visitor by browser: who opens it plays under the visitor's name, on any device. Pure.

The part of the link after the ~ is a password that is not typed: the server keeps its hash, and another password or link
takes it back.
"""

from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

from gloam_client.input import keymap
from gloam_client.render.layout import layout
from gloam_client.screens.common.command_effects import message, offline_notice
from gloam_client.screens.common.keyed_screen import KeyedScreen
from gloam_client.screens.common.window import draw_window
from gloam_client.screens.session.secret_line import Asked, SecretScreen
from gloam_client.state.client_effects import AskOwnLink, SendMessage
from gloam_client.state.client_events import OwnLinkReceived
from gloam_client.state.model import Model, Pop, Push, Replace, Update, add_message
from gloam_client.terminal.canvas import Canvas, wrap_text
from gloam_shared import limits
from gloam_shared.protocol.messages.login import SetPassword

_OFFERED: Final = "name"
"""The word of this offer among the hints that a name has had: it is made once."""
_ONLY_BROWSER: Final = "Only in a browser there is a link of your own; /password keeps your name."
_FREE_DAYS: Final = limits.NAME_FREE_S // 86_400


@dataclass(frozen=True, slots=True)
class KeepNameScreen(KeyedScreen):
    """The choice between a password and an own link; with a link it stands beside the page's field that shows it."""

    state: str = "keep name"

    def on_key(self, model: Model, key: str) -> Update:
        """Choose, or go on without."""
        match keymap.intent(model.options.keys, self.state, key):
            case "password":
                return Update(Replace(SecretScreen(Asked.NEW, old=key_of(model.login.link))))
            case "link":
                asks = Update(intents=(AskOwnLink(fresh=True, former=key_of(model.login.link)),))
                return offline_notice(model) or asks
            case other:
                return self.answer(model, other, key)

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the choice."""
        width = layout(*model.surface.size).overlay.width - 6
        lines = [line for text in _words(model) for line in wrap_text(text, width) or [""]]
        draw_window(canvas, model, f"Keep the name {model.name}", lines)


def _words(model: Model) -> tuple[str, ...]:
    if model.login.linked == "asked":
        return ("Your link is being made.",)
    if model.login.link:
        return (
            "The page shows your own link: who opens it plays under your name. Keep it as you keep a password.",
            "",
            "l  another link; this one and every other device stop working",
            "p  a password in its place",
        )
    return (
        f"Without a password or a link the name becomes free after {_FREE_DAYS} days without play.",
        "",
        "l  a link of your own, to open on any device",
        "p  a password, to type on any device",
        "Esc  not now; /link in the line of chat asks again",
    )


def key_of(link: str) -> str:
    """Return the key in an own link; "" without a link."""
    return link.rpartition("~")[2]


def may_offer(model: Model) -> bool:
    """Return whether this player is asked to keep the name: not with a key of their own, in a browser once for ever."""
    match model.login.means:
        case "key":
            return False
        case "link":
            return _OFFERED not in (model.guidance.advice or ())
        case "password":
            return True


def offer_link(model: Model) -> Model:
    """Return the model that asks, and knows that it has asked."""
    given = model.guidance.advice
    advice = None if given is None else given | {_OFFERED}
    guidance = replace(model.guidance, advice=advice)
    return replace(model, screens=(*model.screens, KeepNameScreen()), guidance=guidance)


def ask_link(model: Model) -> Update:
    """Return the reaction to `/link`."""
    if model.login.means != "link":
        return message(_ONLY_BROWSER)._replace(change=Pop())
    return offline_notice(model) or Update(Pop(), (AskOwnLink(),))


def take_own_link(model: Model, received: OwnLinkReceived) -> tuple[Model, Update]:
    """Return the model and the reaction: a new link goes to the server, another is shown."""
    if received.fresh:
        model = replace(model, login=replace(model.login, link=received.link, linked="asked"))
        shown = None if isinstance(model.top, KeepNameScreen) else Push(KeepNameScreen())
        return model, Update(shown, (SendMessage(SetPassword(key_of(received.link), received.former)),))
    model = replace(model, login=replace(model.login, link=received.link))
    if received.link or not model.login.guarded:
        return model, Update(Push(KeepNameScreen()))
    return model, Update(Push(SecretScreen(Asked.FORMER)))


def show_link(model: Model) -> Model:
    """Return the model with a link that the server has confirmed."""
    model = replace(model, login=replace(model.login, linked="yes"))
    return add_message(model, f"Your link is made: it opens the game as {model.name} on any device.")


def without_asked_link(model: Model) -> Model:
    """Return the model without a link that the server has not confirmed."""
    if model.login.linked != "asked":
        return model
    screens = tuple(screen for screen in model.screens if not isinstance(screen, KeepNameScreen))
    return replace(model, screens=screens, login=replace(model.login, link="", linked=""))
