"""The server's messages about lives and creatures of the past, taken into the model."""

from dataclasses import replace

from gloam_client.screens.session.dead import DeathScreen
from gloam_client.state.model import Model
from gloam_client.state.players.ladder import HERE
from gloam_shared.protocol.messages.lives import Recap
from gloam_shared.protocol.messages.records import Chronicle, History, Ladder


def take_record(model: Model, record: History | Chronicle | Recap | Ladder) -> Model:
    """Return the model with a record; a recap belongs to the end of the life that is shown."""
    match record:
        case History():
            return replace(model, history=record)
        case Chronicle():
            return replace(model, chronicle=record)
        case Ladder():
            return replace(model, ladder=model.ladder.take(HERE, record))
        case Recap():
            screens = tuple(
                replace(screen, recap=record) if isinstance(screen, DeathScreen) else screen
                for screen in model.screens
            )
            return replace(model, screens=screens)
