"""The way back to the title when joining fails: nothing of the dungeon stays."""

from dataclasses import replace

from gloam_client.screens.title.title import Title
from gloam_client.screens.watching.watch_view import end_watching
from gloam_client.state.connection_status import ConnectionStatus
from gloam_client.state.map.sightings import NOTHING_SEEN
from gloam_client.state.model import Model
from gloam_shared.text import clean


def back_to_title(model: Model, text: str) -> Model:
    """Return the model at the title, with the reason why joining failed."""
    return replace(
        base := end_watching(model),
        screens=(Title(model.name, typed=True, fault=clean(text)),),
        connection=ConnectionStatus(),
        messages=replace(base.messages, entries=(), next=0, announced_at=-1),
        memory=replace(base.memory, recall={}, explored={}, sightings=NOTHING_SEEN),
        server=replace(base.server, address=""),
    )
