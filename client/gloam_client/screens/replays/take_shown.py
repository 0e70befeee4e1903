"""The results of the services beside the loop, taken into the model: the title's lists, a ladder, a replay."""

from dataclasses import replace

from gloam_client.screens.replays.replay_view import ReplayView
from gloam_client.state.client_events import HomeChanged, LadderCame, ReplayMoved
from gloam_client.state.model import Model


def take_shown(model: Model, changed: HomeChanged | LadderCame | ReplayMoved) -> Model:
    """Return the model with what has changed; a replay is shown by its own screen, if that is still open."""
    match changed:
        case HomeChanged(home):
            return replace(model, home=home)
        case LadderCame(place, answer):
            return replace(model, ladder=model.ladder.take(place, answer))
        case ReplayMoved(shown):
            screens = tuple(
                replace(screen, shown=shown) if isinstance(screen, ReplayView) else screen
                for screen in model.screens
            )
            return replace(model, screens=screens)
