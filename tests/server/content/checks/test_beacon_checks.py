"""Beacons that cannot be lit are refused, with the place and what to do."""

import pytest

from gloam_server.content.content_errors import CampaignError
from gloam_server.content.loader import load
from support.content.beacon_campaign import PLACES, beacon_arena, beacon_files


@pytest.mark.rule("F185")
def test_the_campaign_with_beacons_loads() -> None:
    assert [each.depth for each in beacon_arena().beacons.places] == [1, 2]


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ('"kobold"', '"kobolt"', "warden"),
        ("depth = 2", "depth = 1", "depth"),
        ("depth = 2", "depth = 9", "depth"),
        ('"kobold"', '"ogre"', "warden"),
    ],
)
def test_beacons_nobody_can_light_are_refused(old: str, new: str, place: str) -> None:
    """An unknown warden, two beacons on a depth, a depth that is not there, a warden that no realm has there."""
    with pytest.raises(CampaignError, match=rf"beacons\.places\[[01]\]\.{place}"):
        load(beacon_files(PLACES.replace(old, new, 1)))


@pytest.mark.parametrize("name", ["fire", "unlit"])
def test_a_beacon_lies_as_a_surface_that_stays(name: str) -> None:
    """A surface that is not there, and one that ends by itself, are refused."""
    key = {"fire": "beacon", "unlit": "dark_beacon"}[name]
    with pytest.raises(CampaignError, match=rf"beacons\.{name}.*embers"):
        load(beacon_files(PLACES.replace(f'{name} = "{key}"', f'{name} = "embers"', 1)))
    files = beacon_files()
    surfaces = files["surfaces.toml"].decode().replace(f"[{key}]\n", f"[{key}]\nlasts = 9\n", 1)
    with pytest.raises(CampaignError, match=rf"beacons\.{name}.*stays as it is"):
        load({**files, "surfaces.toml": surfaces.encode()})
