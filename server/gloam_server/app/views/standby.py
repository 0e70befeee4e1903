"""A standby: it follows the dungeon of a turn process, and takes over when that one dies or hangs."""

import logging
import os
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import msgspec
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from gloam_server.app.campaign_files import unpack
from gloam_server.app.config import Config, ConfigError
from gloam_server.app.open_world import open_world
from gloam_server.app.views.own_code import own_code
from gloam_server.app.views.watched_process import WatchedProcess
from gloam_server.content.loader import CampaignError
from gloam_server.engine.game_clock import GameClock
from gloam_server.engine.recovery.replay import RealmMismatch
from gloam_server.link.link_messages import TO_VIEWS_MAX, Hello, LinkError, Setup
from gloam_server.link.link_socket import LinkConnection, Peer, dial_turns
from gloam_server.link.replica import Replica, replica_of
from gloam_server.link.standby_end import StandbyEnd
from gloam_server.link.turn_end import epoch_of
from gloam_server.net.reactor import Reactor
from gloam_server.storage.errors import StorageError, StorageFault, WorldOpen
from gloam_server.storage.store import Store
from gloam_server.world.transition.dungeon import Dungeon

_AGAIN_S: Final = 0.05
_OPEN_S: Final = 30
"""The longest time until the world of a dead turn process is free."""
_LOOK_S: Final = 0.25
_SILENT_LOOKS: Final = 9
"""The looks in a row without a message after which a turn process counts as hung: a little over two seconds of this process's
own time, in which a healthy one says nine times that it goes on. A machine that sleeps or is busy stops both."""
_log: Final = logging.getLogger(__name__)

TakeOver = Callable[[Store, Dungeon, int], None]


class Standby:
    """Waits for its turn. `take_over` gets the open world, its dungeon and the number of takeovers; `ready` is called when it could."""

    def __init__(
        self,
        config: Config,
        reactor: Reactor,
        take_over: TakeOver,
        ready: Callable[[], None],
        stop: Callable[[str], None],
    ) -> None:
        self._config = config
        self._reactor = reactor
        self._take_over = take_over
        self._ready = ready
        self._stop = stop
        self._clock = GameClock(reactor)
        self._end: StandbyEnd | None = None
        self._owner: WatchedProcess | None = None
        self._epoch = 0
        self._silent = 0

    def start(self) -> None:
        """Connect with the turn process, again and again until it listens."""
        dialed: Deferred[LinkConnection] = dial_turns(
            self._reactor, self._config.data, self._accept, TO_VIEWS_MAX
        )
        dialed.addErrback(self._cannot_dial)

    def begin(self, setup: Setup, states: dict[int, bytes], closed: tuple[int, ...]) -> Replica:
        """Build the replica: from now on this process can take over."""
        campaign = unpack(setup.campaign)
        if campaign is None:
            raise LinkError("The campaign of the turn process cannot be read.")
        self._owner, self._epoch = WatchedProcess(setup.process), epoch_of(setup.first) + 1
        replica = Replica(replica_of(campaign, int(setup.seed), states, closed))
        self._silent = 0
        self._reactor.callLater(_LOOK_S, self._look)
        self._ready()
        return replica

    def lost(self) -> None:
        """Take over; before that, end the turn process if only its link was lost."""
        if self._owner is None:
            self.start()
            return
        _log.error("the turn process is gone; the standby takes over")
        self._owner.kill()
        terms = replace(self._config.terms, follows=self._owner.pid)
        self._config = msgspec.structs.replace(self._config, terms=terms)
        self._owner = None
        self._open(self._reactor.seconds() + _OPEN_S)

    def end(self, why: str) -> None:
        """Stop."""
        self._owner = None
        self._stop(why)

    def _accept(self, peer: Peer) -> StandbyEnd:
        self._end = StandbyEnd(peer, Hello(own_code(), 0, process=os.getpid()), self)
        return self._end

    def _cannot_dial(self, _: Failure) -> None:
        self._reactor.callLater(_AGAIN_S, self.start)

    def _look(self) -> None:
        """End a turn process that is silent for long: its link is lost then. It can write nothing after that."""
        if self._owner is None or self._end is None:
            return
        self._silent = 0 if self._end.was_heard() else self._silent + 1
        if self._silent == _SILENT_LOOKS:
            _log.error("the turn process hangs; it is ended")
            self._owner.kill()
        self._reactor.callLater(_LOOK_S, self._look)

    def _open(self, until_s: float) -> None:
        """Open the world as soon as the system, or the lease, has given it free, and its store answers."""
        replica = self._end.replica if self._end is not None else None
        known = replica.dungeon if replica is not None else None
        try:
            store, dungeon = open_world(self._config, self._clock.wall_s(), known)
        except (WorldOpen, StorageFault) as error:
            if self._reactor.seconds() >= until_s:
                self._stop(str(error))
            else:
                self._reactor.callLater(_AGAIN_S, self._open, until_s)
        except (ConfigError, CampaignError, RealmMismatch, StorageError) as error:
            self._stop(str(error))
        else:
            self._take_over(store, dungeon, self._epoch)
