"""A `SimServer` whose turn process can die: the next one opens the same world, and the view processes connect with it."""

from dataclasses import replace
from functools import partial
from typing import Any, cast

import msgspec

from gloam_server.app.server_parts import Outside, ServerOptions, TurnParts, build_turn_process
from gloam_server.engine.engine import Engine
from gloam_server.storage.writer import Writer
from support.link.sim_views import SimView, view_setup
from support.server.manual_threads import ManualWriter
from support.server.sim_server import SimServer
from support.storage.founding import open_realm
from support.storage.memory_store import MemoryStore


class StandbyServer(SimServer):
    """A server with view processes that wait when their link is lost. `past` are the engines that have lost the world."""

    store: MemoryStore

    def __init__(self, views: int = 2, **options: Any) -> None:
        self.past: list[Engine] = []
        super().__init__(views=views, **options)

    def take_over(self, *, cuts: bool = True) -> None:
        """Cut the links and let the next turn process open the world. Without `cuts` only the view processes leave the former one."""
        for view in self.views:
            if cuts:
                view.up.cut()
            else:
                view.up.is_open = view.down.is_open = False
                view.end_of_link.lost()
        self.past.append(self.engine)
        self.writer.unplugged = cuts  # a dead process writes nothing more
        if not cuts:
            self.store = self.store.open_again(take_over=True)
        self.dungeon = open_realm(self.store, self.campaign, 0)
        self.writer = ManualWriter(self.store, self.clock, self.writer.delay_s)
        outside = replace(self._outside, writer=cast(Writer, self.writer))
        self.process = build_turn_process(self.dungeon, outside, self._options, len(self.past))
        self.engine, self.host = self.process.engine, self.process.gateway
        self._make_views_of(self.process)
        self.engine.loop.wait_for_returns(self.now_ms + 5_000)
        for view in self.views:
            view.come_to(self.process)
        self.settle()

    def _begin_views(self, process: TurnParts, outside: Outside, options: ServerOptions, count: int) -> None:
        self.process, self._outside, self._options = process, outside, options
        self._make_views_of(process)
        for _ in range(count):
            self.begin_view()

    def _make_views_of(self, process: TurnParts) -> None:
        outside, options = self._outside, self._options
        setup = msgspec.structs.replace(view_setup(self.store, self.dungeon, options), has_standby=True)
        self.new_view = partial(
            SimView, outside.clock, process, setup, self.campaign, options.room, outside.replays
        )
