"""A model in play for tests of screens: it takes keys and gives pictures."""

from msgspec.structs import replace

from gloam_client.render.frame import draw
from gloam_client.screens.play import Play
from gloam_client.state import client_events
from gloam_client.state.client_effects import ClientEffect
from gloam_client.state.model import Model
from gloam_client.state.options import CHOICES
from gloam_client.update import update
from gloam_shared.protocol.messages.login import Joined
from gloam_shared.protocol.messages.play import Pace
from gloam_shared.protocol.registry import FromServer
from gloam_shared.view.view import Creature, CreatureFlag, View
from support.client.fake_server import level_view

EASE = Pace(held=False, waiting=False, plan=False)
HELD = Pace(held=True, waiting=False, plan=False)


def in_danger(view: View) -> View:
    """Return a view with something in it that holds the player and is deadly, unless something holds the player already."""
    if not view.place.width or any(one.marks & CreatureFlag.HOLDS_YOU for one in view.creatures):
        return view
    ogre = Creature(
        99, view.cell + 1, 90, 90, 9, CreatureFlag.HOLDS_YOU | CreatureFlag.HOSTILE, "O", "red", "ogre", 60, 9
    )
    return replace(view, creatures=(*view.creatures, ogre))


def heard(
    *messages: FromServer, view: View | None = None, pace: Pace = EASE, since: int | None = None
) -> client_events.MessagesReceived:
    """Return the server's messages as an event; `since` is when a command began to wait for its answer."""
    view = view or level_view()
    return client_events.MessagesReceived(
        messages, in_danger(view) if pace is HELD else view, pace, "Ann", since, 0, 12
    )


def playing(view: View | None = None, pace: Pace = EASE) -> Model:
    """Return a client that has just joined."""
    model, _ = update(Model(screens=(Play(),), name="Ann"), client_events.JoinStarted("Ann", "here"), 0)
    return update(model, heard(Joined("Ann", 1, 1), view=view, pace=pace), 0)[0]


def press(model: Model, *keys: str, now_ms: int | None = None) -> tuple[Model, list[ClientEffect]]:
    """Press keys, and return the model after them with everything that they want done.

    Without a time, it is 0, or when a screen that opened unasked takes keys again.
    """
    wanted: list[ClientEffect] = []
    now_ms = model.keys.quiet_until_ms if now_ms is None else now_ms
    for key in keys:
        model, intents = update(model, client_events.KeyPressed(key), now_ms)
        wanted += intents
    return model, wanted


def to_option(name: str) -> tuple[str, ...]:
    """Return the keys that lead from play to an option."""
    return ("O", *["DOWN"] * [choice.name for choice in CHOICES].index(name))


def picture(model: Model) -> str:
    """Return the characters on the screen."""
    return "\n".join(draw(model).rows())
