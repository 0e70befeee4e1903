"""Days of beacons with a whole server: the clock's side tells them, the journal keeps them, and a replay follows."""

import pytest

from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import RecordBeacon
from gloam_server.world.realm.chronicle import BeaconLit
from gloam_server.world.realm.realm import beacons_of
from gloam_shared.protocol.commands import Fight, Wait
from support.content.beacon_campaign import beacon_arena
from support.server.journal_checks import whole
from support.server.parties import clear, until
from support.server.sim_server import SimClient, SimServer

DAY_S = 86_400


@pytest.mark.rule("F189")
def test_a_beacon_goes_out_by_a_recorded_day() -> None:
    """A beacon goes out with the first batch after seven days, and the journal alone leads to the same world."""
    server = SimServer(campaign=beacon_arena())
    ann = server.join("Ann")
    server.engine.loop.submit(REALM_PARTITION, RecordBeacon(1, 40, 1, (99, 1, 0)))
    server.advance(100)
    ann.command(Wait())
    server.advance(1_000)
    assert list(beacons_of(server.dungeon.realm).lit) == [1]
    server.wall_s += 7 * DAY_S
    ann.command(Wait())
    server.advance(1_000)
    assert not beacons_of(server.dungeon.realm).lit
    whole(server)


@pytest.mark.rule("F189")
def test_a_clock_that_jumps_years_puts_out_one() -> None:
    """The date of the host's machine is five years on: one beacon goes out, and the other one on the day after, after a restart, too."""
    server = SimServer(campaign=beacon_arena())
    ann = server.join("Ann")
    for at, depth in enumerate((1, 2), start=1):
        server.engine.loop.submit(REALM_PARTITION, RecordBeacon(depth, 40, 1, (99, at, 0)))
    server.advance(100)
    jumped_s = server.wall_s + 5 * 365 * DAY_S
    for wall_s, burning in ((server.wall_s, 2), (jumped_s, 1), (jumped_s + 100, 1), (jumped_s + DAY_S, 0)):
        server.crash()
        server = server.again()
        server.wall_s = wall_s
        ann = server.join("Ann")
        server.advance(1_000)
        for _ in range(3):
            ann.command(Wait())
            server.advance(1_000)
        assert len(beacons_of(server.dungeon.realm).lit) == burning
    whole(server)


@pytest.mark.rule("F186")
@pytest.mark.parametrize("ms", [0, 20, 60, 120, 400])
def test_a_crash_loses_and_doubles_no_beacon(ms: int) -> None:
    """A crash at any time between the blow and the commit: the warden lives, or its beacon is lit once, for all levels."""
    server = SimServer(campaign=beacon_arena(), write_s=0.05)
    ann = server.join("Ann")
    server.advance(600)
    clear(server, ann)
    body = server.body(ann)
    warden = server.put("kobold", body.cell)
    server.advance(200)
    warden.hp = 1
    until(lambda: warden.number not in server.dungeon.levels[1].creatures, lambda: hit(server, ann))
    server.advance(ms)
    server.crash()
    server = server.again()
    ann = server.join("Ann")
    server.advance(600)
    lit = list(beacons_of(server.dungeon.realm).lit)
    told = [each for each in server.dungeon.realm.events.entries if isinstance(each, BeaconLit)]
    assert len(told) == len(lit)
    for level in server.dungeon.levels.values():
        assert (level.state.beacons == 1) == bool(lit)
    whole(server)


def hit(server: SimServer, ann: SimClient) -> None:
    ann.command(Fight())
    server.advance(10)
