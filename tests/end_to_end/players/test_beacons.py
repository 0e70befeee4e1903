"""Over TCP: a player lights a beacon, and another one's first life begins there (rules F186, F188)."""

from pathlib import Path

import pytest

from gloam_shared.protocol.commands import Explore, Fight
from gloam_shared.protocol.messages.lives import BeaconOffer, BeginAtBeacon
from gloam_shared.protocol.messages.login import Error, Joined
from gloam_shared.view.view import CreatureFlag, Stat
from support.client.fake_client import FakeClient
from support.content.beacon_campaign import beacon_files
from support.processes.server_process import ServerProcess

STEPS = 400


@pytest.mark.thorough
@pytest.mark.end_to_end
@pytest.mark.rule("F186", "F188")
def test_a_friend_begins_at_a_lit_beacon(tmp_path: Path) -> None:
    folder = tmp_path / "beacons"
    folder.mkdir()
    for name, raw in beacon_files().items():
        (folder / name).write_bytes(raw)
    with (
        ServerProcess(tmp_path / "realm", campaign=f"{folder}/") as server,
        FakeClient(server.port, "Ann") as ann,
    ):
        assert ann.of_kind(Joined)[0].beacons == ()
        for _ in range(STEPS):
            if ann.view.place.name.endswith(", beacons 1/2"):
                break
            foes = any(one.marks & CreatureFlag.HOSTILE for one in ann.view.creatures)
            ann.do(Fight() if foes else Explore())
        assert ann.view.place.name.endswith(", beacons 1/2")
        with FakeClient(server.port, "Bert") as bert:
            assert bert.of_kind(Joined)[0].beacons == (BeaconOffer("the fire of the gate", 1, 2),)
            bert.send(BeginAtBeacon(1, 2))
            bert.wait_for(lambda: bert.of_kind(Error))
            assert bert.of_kind(Error)[0].code == "beacon"
            bert.send(BeginAtBeacon(1, 1))
            bert.wait_for(lambda: bert.view.fact(Stat.LEVEL) == 2)
            bert.wait_for(lambda: any("beacon" in look.name for look in bert.view.surface_looks))
