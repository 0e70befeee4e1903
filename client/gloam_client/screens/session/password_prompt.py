"""The offer to keep a name: once, at the first level gained, never while the player is held. Pure.

A player who sets one while leaving leaves when the server has confirmed it.
"""

from typing import Final

from msgspec.structs import replace

from gloam_client.screens.session.keep_name import may_offer, offer_link, show_link, without_asked_link
from gloam_client.screens.session.secret_line import Asked, LeavingScreen, SecretScreen
from gloam_client.state.model import Model, add_message
from gloam_shared.protocol.messages.login import Error, PasswordStatus
from gloam_shared.text import clean
from gloam_shared.view.view import Stat

_REFUSED: Final = frozenset({"auth", "length", "wait", "busy"})
"""With these codes a server refuses a new password."""


def with_password_prompt(before: Model, model: Model) -> Model:
    """Return the model with a password, or the own link of a visitor, offered if it is time for it."""
    if model.login.guarded is not False or model.login.offer == "made" or not may_offer(model):
        return model
    if model.login.offer == "" and 0 < before.fact(Stat.LEVEL) < model.fact(Stat.LEVEL):
        model = replace(model, login=replace(model.login, offer="due"))
    at_ease = model.top.state == "play" and not model.pace.held and not model.view.choices
    if model.login.offer == "due" and at_ease and model.connection.state == "joined":
        model = replace(model, login=replace(model.login, offer="made"))
        if model.login.means == "link":
            return offer_link(model)
        return replace(model, screens=(*model.screens, SecretScreen(Asked.NEW)))
    return model


def wants_to_leave(model: Model) -> bool:
    """Return whether the player wants to leave and the new password, for which leaving waited, is set."""
    return bool(model.login.guarded) and isinstance(model.top, LeavingScreen)


def take_password_status(model: Model, status: PasswordStatus) -> Model:
    """Return the model that knows whether the name has a password; without one, leaving asks for it again."""
    model = replace(model, login=replace(model.login, guarded=status.password))
    if not status.password:
        return _ask_again(without_asked_link(model), "The connection was lost: please type it again.")
    if not status.fresh:
        return model
    if model.login.linked == "asked":
        return show_link(model)
    model = replace(model, login=replace(model.login, link="", linked="no"))
    return add_message(model, f"Your password is set: with it you can play as {model.name} from any device.")


def with_refused_password(model: Model, error: Error) -> Model:
    """Return the model that asks again where the server has refused the password for which leaving waits."""
    if error.code not in _REFUSED:
        return model
    return _ask_again(without_asked_link(model), clean(error.text))


def _ask_again(model: Model, why: str) -> Model:
    """Return the model that asks again for the password before leaving."""
    waiting = [at for at, screen in enumerate(model.screens) if isinstance(screen, LeavingScreen)]
    if not waiting:
        return model
    return replace(model, screens=(*model.screens[: waiting[0]], SecretScreen(Asked.LEAVING, why)))
