"""The choice of a lit beacon at the start of a life, by one key from the choice of a kit (rule F188)."""

import pytest
from msgspec.structs import replace as changed

from gloam_client.screens.play import Play
from gloam_client.state import client_events
from gloam_client.state.client_effects import ClientEffect, SendMessage
from gloam_client.state.model import Model
from gloam_client.update import update
from gloam_shared.protocol.commands import Wait
from gloam_shared.protocol.messages.lives import BeaconOffer, BeginAtBeacon, ChooseKit, KitOffer
from gloam_shared.protocol.messages.login import Joined
from gloam_shared.protocol.registry import FromClient
from support.client.model_in_play import heard, picture, press

KITS = (KitOffer("a fighter's kit", "A sword."), KitOffer("a mage's kit", "Two books."))
BEACONS = (BeaconOffer("the herders' beacon", 5, 4), BeaconOffer("the miners' beacon", 10, 8))


def offered(kits: tuple[KitOffer, ...] = KITS, beacons: tuple[BeaconOffer, ...] = BEACONS) -> Model:
    """Return a client whose new life is offered kits and beacons."""
    model, _ = update(Model(screens=(Play(),), name="Ann"), client_events.JoinStarted("Ann", "here"), 0)
    return update(model, heard(Joined("Ann", 0, 3, kits, beacons)), 0)[0]


def sent(wanted: list[ClientEffect]) -> list[FromClient]:
    return [each.message for each in wanted if isinstance(each, SendMessage)]


@pytest.mark.parametrize("size", [(44, 20), (60, 20), (80, 24)])
def test_one_key_shows_the_beacons(size: tuple[int, int]) -> None:
    """The choice of a kit names the key where beacons burn, and there alone; each beacon is one line."""
    model = changed(base := offered(), surface=changed(base.surface, size=size))
    assert ("Tab at a beacon" in picture(model).split("\n")[-1]) == (size[0] >= 60)
    screen = picture(press(model, "TAB")[0])
    for words in ("Where to begin", "a - the entrance", "c - miners' beacon: depth 10"):
        assert words in screen
    bare = changed(base := offered(beacons=()), surface=changed(base.surface, size=size))
    assert "beacon" not in picture(bare)
    assert press(bare, "TAB")[0].top.state == "kits"


def test_a_beacon_and_a_kit_are_chosen_once_each() -> None:
    """The choice of a beacon leads back to the choice of a kit, and is not offered again."""
    model, wanted = press(offered(), "TAB", "b")
    assert sent(wanted) == [BeginAtBeacon(3, 5)]
    assert model.top.state == "kits"
    assert press(model, "TAB")[0].top.state == "kits"
    assert sent(press(model, "a")[1]) == [ChooseKit(3, 0)]


@pytest.mark.parametrize("keys", [("TAB", "ESC"), ("TAB", "a"), ("TAB", "ENTER")])
def test_the_entrance_sends_nothing(keys: tuple[str, ...]) -> None:
    model, wanted = press(offered(), *keys)
    assert sent(wanted) == []
    assert model.top.state == "kits"


def test_beacons_are_offered_without_kits() -> None:
    """They are offered where there are no kits, and by the key of choices until the first command."""
    assert offered(kits=()).top.state == "beacons"
    model = press(offered(), "a")[0]
    assert press(model, "+")[0].top.state == "beacons"
    acted = update(model, client_events.CommandSent(Wait(), 0), 0)[0]
    assert press(acted, "+")[0].top.state == "play"
