"""When a password is offered: once, at the first level gained, and never while something holds the player. Pure.

Who sets one on his way out leaves when the server has said that it is set.
"""

from dataclasses import replace

from gloam_client.model import Model, noted
from gloam_client.screens.secret import Asked, Secret
from gloam_shared.messages import Error, FromServer, Guarded
from gloam_shared.text import clean
from gloam_shared.view import Fact


def offered(before: Model, model: Model) -> Model:
    """Return the model with a password offered if the time has come."""
    if model.guarded is not False or model.offer == "made":
        return model
    if model.offer == "" and 0 < before.fact(Fact.LEVEL) < model.fact(Fact.LEVEL):
        model = replace(model, offer="due")
    at_ease = model.top.state == "play" and not model.pace.held and not model.view.choices
    if model.offer == "due" and at_ease and model.wire.state == "joined":
        return replace(model, offer="made", screens=(*model.screens, Secret(Asked.NEW)))
    return model


def leaves(model: Model) -> bool:
    """Tell whether the player waited for his new password to be set, to leave, and it is."""
    return bool(model.guarded) and _setting(model)


def guarded(model: Model, message: FromServer) -> Model:
    """Return the model that knows whether its player's name has a password."""
    if isinstance(message, Error) and _setting(model):
        return replace(model, screens=(*model.screens[:-1], Secret(Asked.LEAVING, clean(message.text))))
    if not isinstance(message, Guarded):
        return model
    model = replace(model, guarded=message.password)
    if not message.fresh:
        return model
    return noted(model, f"Your password is set: with it you can play as {model.name} from any device.")


def _setting(model: Model) -> bool:
    return isinstance(model.top, Secret) and model.top.asked is Asked.LEFT
