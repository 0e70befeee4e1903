"""When a password is offered: once, at the first level gained, and never while something holds the player. Pure."""

from dataclasses import replace

from gloam_client.model import Model, noted
from gloam_client.screens.secret import Asked, Secret
from gloam_shared.messages import FromServer, Guarded
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


def guarded(model: Model, message: FromServer) -> Model:
    """Return the model that knows whether its player's name has a password."""
    if not isinstance(message, Guarded):
        return model
    model = replace(model, guarded=message.password)
    if not message.fresh:
        return model
    return noted(model, f"Your password is set: with it you can play as {model.name} from any device.")
