"""The facts that a page gets beside its cells: the title of its tab says when others wait for the player."""

import asyncio
import json

from msgspec.structs import replace

from gloam_client.screens.play import Play
from gloam_client.state.model import Model
from gloam_door.surfaces.cell_surface import CellSurface
from gloam_shared.protocol.messages.play import Pace

MODEL = Model(screens=(Play(),), name="Ann")


def test_the_title_says_whose_move_it_is() -> None:
    """It changes with the wait of others, and is sent only then."""

    async def show() -> list[str]:
        got: list[str] = []
        surface = CellSurface((80, 24), got.append, say=False)
        for held in (False, True, True, False):
            surface.show(replace(MODEL, pace=Pace(held=held, ms=2_000, for_names=("Ann",))))
        return [part[1] for text in got for part in json.loads(text) if part[0] == "title"]

    assert asyncio.run(show()) == ["Gloam", "Your move - Gloam", "Gloam"]
