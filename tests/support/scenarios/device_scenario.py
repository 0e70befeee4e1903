"""Scenarios with devices: a level drawn in ASCII, and a second drawing of its devices."""

from collections.abc import Mapping
from typing import Final

from gloam_server.content.campaign import Campaign
from gloam_server.content.places.devices import IN_WALLS, WORKED_BY_OTHERS
from gloam_server.world.model.devices.device_state import Device, Devices
from gloam_shared.appearance import Terrain
from support.content.device_campaign import machines
from support.scenarios.scenario import Scenario

KINDS: Final = {
    "p": "plate",
    "h": "hot_plate",
    "l": "lever",
    "b": "bell",
    "a": "altar",
    "k": "keyhole",
    "g": "gate",
    "s": "seal",
    "c": "cage",
}
"""The kind of device for each letter. Everything that is worked works all gates and cages of the drawing; `v` is a sealed cell."""


def machine(
    drawing: str,
    devices: str,
    *,
    campaign: Campaign | None = None,
    kinds: Mapping[str, str] = KINDS,
) -> Scenario:
    """Return a scenario with devices, by the letters of a second drawing of the same shape."""
    campaign = campaign or machines()
    scenario = Scenario(drawing, campaign=campaign, k="kobold")
    level, drawn = scenario.level, "".join(row.strip() for row in devices.split())
    mechanisms = {sign: campaign.devices[key].mechanism for sign, key in kinds.items()}
    worked = [cell for cell, sign in enumerate(drawn) if mechanisms.get(sign) in WORKED_BY_OTHERS]
    placed = {}
    for cell, sign in enumerate(drawn):
        if sign in kinds:
            placed[cell] = Device(kinds[sign], [] if cell in worked else worked)
            in_wall = mechanisms[sign] == "gate" or mechanisms[sign] in IN_WALLS
            assert not in_wall or level.terrain[cell] == Terrain.WALL, "draw # below it"
    level.state.devices = Devices(placed, [cell for cell, sign in enumerate(drawn) if sign == "v"])
    return scenario


def is_open(scenario: Scenario, x: int, y: int = 0) -> bool:
    """Return whether a cell can be walked on."""
    return scenario.level.is_walkable(y * scenario.width + x)
