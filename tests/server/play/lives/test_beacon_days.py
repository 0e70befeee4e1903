"""Days of beacons with a whole server: the clock's side tells them, the journal keeps them, and a replay follows."""

import pytest

from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import RecordBeacon
from gloam_server.world.realm.realm import beacons_of
from gloam_shared.protocol.commands import Wait
from support.content.beacon_campaign import beacon_arena
from support.server.journal_checks import whole
from support.server.sim_server import SimServer

DAY_S = 86_400


@pytest.mark.rule("F189")
def test_a_beacon_goes_out_by_a_recorded_day() -> None:
    """A beacon goes out with the first batch after seven days, and the journal alone leads to the same world."""
    server = SimServer(campaign=beacon_arena())
    ann = server.join("Ann")
    server.engine.loop.submit(REALM_PARTITION, RecordBeacon(1, 40, 1, (1, 10_000, 0)))
    server.advance(100)
    ann.command(Wait())
    server.advance(1_000)
    assert list(beacons_of(server.dungeon.realm).lit) == [1]
    server.wall_s += 7 * DAY_S
    ann.command(Wait())
    server.advance(1_000)
    assert not beacons_of(server.dungeon.realm).lit
    whole(server)
