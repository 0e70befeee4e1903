"""The client's loop: feeds keys and network input to the model, and draws only the model's newest state."""

import asyncio
import dataclasses
from collections.abc import Callable, Coroutine
from typing import Final

from msgspec.structs import replace

from gloam_client.event_sink import EventSink
from gloam_client.game_session import GameSession, now_ms
from gloam_client.input.bracketed_paste import Pasted
from gloam_client.input.lost_surface import LostSurface
from gloam_client.input.mouse import MouseEvent
from gloam_client.net.launch_options import ExitStatus, LaunchOptions
from gloam_client.player_store import PlayerStore
from gloam_client.render.frame import next_change_ms
from gloam_client.replay_player import ReplayPlayer
from gloam_client.screens.session.character_dump import character_dump, dump_text
from gloam_client.services.services import Refused, Services
from gloam_client.state import client_effects, client_events
from gloam_client.state.map.auto_pickup import as_chosen
from gloam_client.state.map.saved_memory import SavedLife, Seen
from gloam_client.state.model import Model
from gloam_client.state.options import Options
from gloam_client.surface.surface import Surface
from gloam_client.terminal.own_cache import CacheStore, using_store
from gloam_client.update import update
from gloam_client.user_files.dump_files import DumpedLife

_RING_GAP_MS: Final = 2_000
"""The least time between two rings of the bell."""


class App:
    """One run of the client on one surface, which its host has begun and ends."""

    def __init__(
        self, start: LaunchOptions, surface: Surface, services: Services, store: PlayerStore, model: Model
    ) -> None:
        self._start = self._origin = start
        self._caches: CacheStore = {}
        self._surface = surface
        self._services = services
        self._events = EventSink(self._handle)
        self._services.report_to(self._events.report)
        self._store = store
        self._model = model
        self._saved = model.options
        self._rang_ms = -_RING_GAP_MS
        self.session = GameSession(start, services, store, self._events.report)
        self._replays = ReplayPlayer(self._events.report)
        self._watched_from_play = False
        self._conversation: asyncio.Task[None] | None = None
        self._following: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._drawing: asyncio.Handle | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._early: ExitStatus | None = None

    def first_paint(self) -> None:
        """Draw the first frame, before anything that takes time."""
        self._model = replace(self._model, surface=replace(self._model.surface, size=self._surface.size))
        with using_store(self._caches):
            self._surface.show(self._model)

    async def run(self) -> ExitStatus:
        """Play until the player leaves, the surface is lost, or joining fails."""
        self._loop = asyncio.get_running_loop()
        self._end: asyncio.Future[ExitStatus] = self._loop.create_future()
        try:
            if self._early is not None:
                return self._early
            self._apply_options(self._model.options)
            self._spawn(self._keys())
            if self._at_title():
                self._follow_worlds()
            elif self._start.replay is not None:
                self._spawn(self._replays.open(self._start.replay, self._model))
            else:
                self._begin_conversation(self._start.name, self._start.password, watches=self._start.watch)
            return await self._end
        except LostSurface:
            return ExitStatus(1)
        finally:
            await self._leave()

    def finish(self, ending: ExitStatus) -> None:
        """End the run in order, if only once it begins: the present life is saved, and the connection says goodbye."""
        self._early = ending
        if hasattr(self, "_end") and not self._end.done():
            self._end.set_result(ending)

    def resize(self) -> None:
        """Draw for the surface's present size."""
        try:
            self._handle(client_events.Resized(*self._surface.size))
        except LostSurface:
            self.finish(ExitStatus(1))

    def suspend(self) -> None:
        """Stop the program until its shell continues it, where the surface has one."""
        try:
            stopped = self._surface.suspend()
        except LostSurface:
            self.finish(ExitStatus(1))
            return
        if stopped:
            self.resize()
        else:
            self._handle(
                client_events.Notice("This client cannot be suspended; close it, or go on.", "refused")
            )

    def _handle(self, happened: client_events.ClientEvent) -> None:
        """Apply one input to the model, and carry out the resulting effects."""
        before, was_at_title = self._model.guidance.advice, self._at_title()
        with using_store(self._caches):
            self._model, wanted = update(self._model, happened, now_ms())
        advice = self._model.guidance.advice
        if advice and advice != before and self._start.replay is None:
            self._store.save_hints(self._model.name, advice)
        for intent in wanted:
            self._perform(intent)
        if self._at_title() and not was_at_title:
            self._return_to_title()
        self._remember()
        if (work := self._services.note(self._start, self._model)) is not None:
            self._spawn(work)
        self._draw_soon()

    def _remember(self, *, at_once: bool = False) -> None:
        """Save what this life has seen; when a life is opened here, load what was saved of it."""
        model = self._model
        if (
            not (model.world.realm and model.login.life and model.in_dungeon)
            or self._start.replay is not None
        ):
            return
        life = SavedLife(model.world.realm, model.name, model.login.life)
        kept = self._store.memory.open(life) if model.connection.state == "joined" else None
        if kept is not None:
            self._model, _ = update(model, client_events.MemoryLoaded(*kept), now_ms())
        depth = self._model.view.place.depth
        seen = Seen(self._model.memory.recall, self._model.memory.whereabouts)
        self._store.memory.keep(life, seen, depth, now_ms(), at_once=at_once)

    def _perform(self, intent: client_effects.ClientEffect) -> None:
        match intent:
            case client_effects.SendCommand(command):
                self.session.send_command(as_chosen(self._model, command))
            case client_effects.SendMessage(message):
                self.session.send(message)
            case client_effects.SetOptions(options):
                self._save_options(options)
            case client_effects.StartJoining():
                self._begin_conversation(*intent, watches=self._model.company.watch.here)
            case client_effects.LeaveGame(stop_server):
                if stop_server:
                    self._services.stop_server()
                self.finish(ExitStatus(text=self._services.farewell(self._start, self._model)))
            case client_effects.Redraw():
                self._surface.forget()
            case client_effects.WriteDump():
                self._write_dump()
            case client_effects.Ring():
                self._ring()
            case (
                client_effects.ListReplays()
                | client_effects.DeleteReplay()
                | client_effects.OpenReplay()
                | client_effects.ControlReplay()
            ):
                self._use_replays(intent)
            case client_effects.Suspend():
                self.suspend()
            case (
                client_effects.ShowMessage()
                | client_effects.RememberChoice()
                | client_effects.RememberLine()
                | client_effects.SpareLetter()
            ):
                pass  # the model has taken it
            case _:
                self._go(intent)

    def _go(self, intent: client_effects.Journey) -> None:
        """Carry out what the title and the screens of watching ask for."""
        match intent:
            case client_effects.GoTo():
                self._travel(intent)
            case client_effects.ProbeServer(place):
                self._spawn(self._services.probe(place))
            case client_effects.AskBoard(place, question):
                self._spawn(self._services.ask_board(place, question))
            case client_effects.InviteFriends():
                self._origin = dataclasses.replace(self._origin, friends=True)
                self._set_out(self._origin)
                self._spawn(self._services.invite())
            case client_effects.DeleteWorld(campaign):
                self._spawn(self._services.delete(campaign))
            case client_effects.AskOwnLink(fresh, former):
                link = self._services.own_link(self._model.name, fresh=fresh)
                self._handle(client_events.OwnLinkReceived(link, fresh, former))
            case client_effects.StartWatching(name):
                self._watched_from_play = True
                self._begin_conversation(name, watches=True)
            case client_effects.WatchPlayer(name):
                self.session.watch(name)
            case client_effects.StopWatching():
                self._stop_watching()

    def _travel(self, there: client_effects.GoTo) -> None:
        """Play or watch at a place that was chosen on the title, if this client may go there."""
        try:
            self._set_out(self._services.destination(self._origin, there))
        except Refused as error:
            self._handle(client_events.JoinFailed(str(error)))
            return
        self._watched_from_play = False
        self._begin_conversation(there.name, watches=there.watches)

    def _draw_soon(self) -> None:
        if self._drawing is None:
            self._drawing = self._loop.call_soon(self._guard, self._draw)

    def _guard(self, step: Callable[[], None]) -> None:
        """Carry out a callback of the loop: a fault in it ends the run, where asyncio would only log it."""
        try:
            step()
        except Exception as error:  # noqa: BLE001  # passed on to `run`
            if not self._end.done():
                self._end.set_exception(error)

    def _draw(self) -> None:
        """Paint the newest state, and set the timer for the next change that depends on time alone.

        A surface that has not taken the last frame gets the newest one when it has: the ones between are skipped.
        """
        self._drawing = None
        try:
            if not self._surface.accepts_frame(self._model, self._draw_soon):
                return
            with using_store(self._caches):
                self._surface.show(self._model)
        except LostSurface:
            self.finish(ExitStatus(1))
            return
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        due_ms = next_change_ms(self._model)
        if due_ms is not None:
            wait_s = max(due_ms - now_ms(), 10) / 1_000
            self._timer = self._loop.call_later(
                wait_s, self._guard, lambda: self._handle(client_events.TimerFired())
            )

    async def _keys(self) -> None:
        async for key in self._surface.inputs():
            match key:
                case Pasted():
                    self._handle(client_events.TextPasted(key))
                case MouseEvent():
                    self._handle(client_events.MouseUsed(key))
                case _:
                    self._handle(client_events.KeyPressed(key))

    def _begin_conversation(self, name: str, password: str = "", invite: str = "", *, watches: bool) -> None:
        """Begin a conversation to play or to watch, after the present one."""
        self._conversation = self._spawn(
            self._converse(self._conversation, name, password, invite, watches=watches)
        )

    async def _converse(
        self, former: asyncio.Task[None] | None, name: str, password: str, invite: str, *, watches: bool
    ) -> None:
        if former is not None and not former.done():
            await self.session.hang_up()
            former.cancel()
        ending = await self.session.play(name, password, invite, watches=watches)
        if ending is not None:
            self.finish(ending)

    async def _leave(self) -> None:
        self._remember(at_once=True)
        await self._store.memory.written()
        await self.session.leave()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._replays.close()
        self._events.close()
        for handle in filter(None, (self._drawing, self._timer)):
            handle.cancel()
        self._conversation = self._following = None  # a canceled task keeps frames that refer to this client

    def _stop_watching(self) -> None:
        """Go back to where the watching began: to the life that is over, to the title, or to the shell."""
        if self._watched_from_play:
            self._begin_conversation(self._model.name, watches=False)
        elif self._start.titled:
            self._spawn(self._hang_up())
        else:
            self.finish(ExitStatus())

    async def _hang_up(self) -> None:
        """End the conversation, and show the title."""
        former, self._conversation = self._conversation, None
        await self.session.hang_up()
        if former is not None:
            former.cancel()
        self._handle(client_events.JoinFailed(""))

    def _set_out(self, start: LaunchOptions) -> None:
        """Use another destination from now on."""
        self._start = start
        self.session.go_to(start)

    def _return_to_title(self) -> None:
        """Use the own world again, and read the lists again: the title is back."""
        self._set_out(self._origin)
        self._services.read_again()
        self._follow_worlds()

    def _at_title(self) -> bool:
        return self._model.screens[0].state == "title"

    def _follow_worlds(self) -> None:
        """Keep the title's list of worlds up to date; a look that still runs is replaced."""
        if self._following is not None:
            self._following.cancel()
        self._following = self._spawn(self._services.follow_worlds(self._at_title))

    def _spawn(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._task_ended)
        return task

    def _task_ended(self, task: asyncio.Task[None]) -> None:
        """End the program after a failed task: silently for a lost surface, else with the traceback."""
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, LostSurface):
            self.finish(ExitStatus(1))
        elif error is not None and not self._end.done():
            self._end.set_exception(error)

    def _save_options(self, options: Options) -> None:
        before, self._saved = self._saved, options
        self._apply_options(options)
        try:
            self._store.save_options(options, before)
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) and self._surface.kind != "terminal" else error
            self._handle(client_events.Notice(f"The options cannot be saved: {why}", "refused"))

    def _use_replays(self, request: client_effects.ReplayEffect) -> None:
        """Do what the screens of replays ask for."""
        match request:
            case client_effects.ControlReplay():
                self._replays.control(request)
            case client_effects.OpenReplay(wanted):
                self._spawn(self._replays.open(self._store.find_replay(wanted), self._model))
            case client_effects.DeleteReplay() | client_effects.ListReplays():
                if isinstance(request, client_effects.DeleteReplay):
                    self._store.delete_replay(request.id)
                self._handle(client_events.ReplaysListed(self._store.list_replays()))

    def _write_dump(self) -> None:
        """Write this life into the user's folder, and say where."""
        model = self._model
        values = character_dump(model, self._start.agent)
        try:
            life = DumpedLife(model.name, model.login.life, model.world.campaign, model.world.realm)
            path = self._store.write_dump(life, dump_text(values), values)
        except OSError as error:
            self._handle(client_events.Notice(f"The dump cannot be written: {error.strerror}.", "refused"))
        else:
            where = f": {path} and the same as .json" if self._surface.kind == "terminal" else ""
            self._handle(client_events.Notice(f"This life is written{where}."))

    def _apply_options(self, options: Options) -> None:
        """Use these options from now on."""
        self._surface.use(options)
        self.session.allow_watching(options.who_watches)
        self.session.allow_beside(options.who_beside)
        self.session.keep_replays(kept=options.replays == "on")
        on = self._surface
        facts = replace(self._model.surface, unicode=on.unicode, lights=on.lights, size=on.size)
        self._model = replace(self._model, options=options, surface=facts)
        self._draw_soon()

    def _ring(self) -> None:
        """Ring the bell, but not more often than once in a while: a server must not make it a siren."""
        if now_ms() - self._rang_ms >= _RING_GAP_MS:
            self._rang_ms = now_ms()
            self._surface.ring()
