"""The days of beacons: the one place where the clock reaches them, as an input that the journal keeps (rule F189).

There is no timer: the input goes with the first batch after it begins, and only while a beacon burns.
"""

from typing import Final

from gloam_server.engine.game_clock import GameClock
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import Input, PassDay
from gloam_server.world.realm.beacons import needs_day
from gloam_server.world.realm.realm import beacons_of
from gloam_server.world.transition.dungeon import Dungeon
from gloam_shared import limits

_DAY_S: Final = 24 * 3_600


def day_due(dungeon: Dungeon, clock: GameClock) -> list[tuple[int, Input]]:
    """Return the input of a day that the realm needs now; none while the clock of the host is not set.

    None either while a fault keeps a level closed until the next start: a warden that returns there would be lost.
    """
    beacons = beacons_of(dungeon.realm)
    if not beacons.lit or dungeon.closed:
        return []
    wall_s = clock.wall_s()
    day = int(wall_s) // _DAY_S
    if wall_s < limits.CLOCK_UNSET_S or not needs_day(beacons, day):
        return []
    return [(REALM_PARTITION, PassDay(day))]
