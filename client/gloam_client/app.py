"""The client's loop: keys and network into the model, the model onto the terminal. Draws only the newest state."""

import asyncio
import signal
import time
from collections.abc import Coroutine
from dataclasses import replace

from gloam_client import inputs, intents, private
from gloam_client.connection import Connection, NoLine
from gloam_client.link import Link, LinkBroken
from gloam_client.model import Model
from gloam_client.options import Options, save
from gloam_client.place import PORT, Place
from gloam_client.pulse import next_change_ms
from gloam_client.record import NoSession, Playback, Recorder
from gloam_client.render.ansi import Painter
from gloam_client.render.frame import draw
from gloam_client.repeats import Repeats
from gloam_client.start import Ending, Start
from gloam_client.terminal import Capabilities, LostTerminal, Terminal
from gloam_client.update import update
from gloam_shared.messages import FromServer


class App:
    """One run of the client on one terminal."""

    def __init__(self, start: Start, terminal: Terminal, model: Model, *, unicode: bool) -> None:
        self._start = start
        self._terminal = terminal
        self._model = model
        self._unicode = unicode
        self._able = Capabilities("none", synchronized=False)
        self._painter = Painter("none")
        self._link = Link(start.name, start.token, start.agent)
        self._repeats = Repeats(self._link)
        self._line: Connection | Playback | None = None
        self._running: private.Running | None = None
        self._recorder = Recorder(start.record) if start.record else None
        self._tasks: set[asyncio.Task[None]] = set()
        self._drawing: asyncio.Handle | None = None
        self._timer: asyncio.TimerHandle | None = None

    def first_paint(self) -> None:
        """Show the first picture, before anything that takes time."""
        self._model = replace(self._model, size=self._terminal.size)
        self._terminal.write(self._painter.paint(draw(self._model)))

    async def run(self) -> Ending:
        """Play until the player leaves, the terminal is lost, or there is no way in."""
        self._loop = asyncio.get_running_loop()
        self._end: asyncio.Future[Ending] = self._loop.create_future()
        self._handle_signals()
        try:
            self._able = self._terminal.probe()
            self._use(self._model.options)
            self._spawn(self._keys())
            if self._model.screens[0].state != "title":
                self._join(self._start.name)
            return await self._end
        except LostTerminal:
            return Ending(1)
        finally:
            await self._leave()

    # The line's listener.

    def on_bytes(self, data: bytes) -> None:
        """Record what came."""
        if self._recorder:
            self._recorder.write(_now_ms(), data)

    def on_messages(self, messages: list[FromServer]) -> None:
        """Take in what the link has heard."""
        link = self._link
        self._repeats.heard(link.view, _now_ms())
        self._happen(
            inputs.Heard(
                tuple(messages),
                link.view,
                link.pace,
                link.name,
                link.unanswered_since_ms,
                link.heard_ms,
                link.round_trip_ms,
            )
        )

    def on_cut(self, text: str, since_ms: int, retry_ms: int) -> None:
        """Show that the line is cut."""
        self._happen(inputs.Cut(text, since_ms, retry_ms))

    def on_back(self, away_ms: int) -> None:
        """Tell that the line stands again."""
        self._happen(inputs.Back(away_ms))

    # The loop.

    def _happen(self, happened: inputs.Input) -> None:
        self._model, wanted = update(self._model, happened, _now_ms())
        for intent in wanted:
            self._perform(intent)
        self._draw_soon()

    def _perform(self, intent: intents.Intent) -> None:
        match intent:
            case intents.Order(command):
                if isinstance(self._line, Playback):
                    self._happen(inputs.Report("A replay takes no commands; Q ends it.", "quiet"))
                    return
                self._repeats.want(command, _now_ms())
                self._happen(inputs.Sent(self._link.unanswered_since_ms))
                self._flush()
            case intents.Send(message):
                self._link.send(message)
                self._flush()
            case intents.SetOptions(options):
                self._keep(options)
            case intents.Begin(name):
                self._join(name)
            case intents.Leave(stop_server):
                if stop_server and self._running:
                    private.stop(self._running)
                self._finish(Ending())
            case intents.Redraw():
                self._painter.forget()
            case intents.Suspend():
                self._suspend()
            case intents.Note():
                pass  # the model has taken it

    def _draw_soon(self) -> None:
        if self._drawing is None:
            self._drawing = self._loop.call_soon(self._draw)

    def _draw(self) -> None:
        """Paint the newest state, and sleep until time alone changes it."""
        self._drawing = None
        try:
            if text := self._painter.paint(draw(self._model)):
                self._terminal.write(text)
        except LostTerminal:
            self._finish(Ending(1))
            return
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        due_ms = next_change_ms(self._model)
        if due_ms is not None:
            wait_s = max(due_ms - _now_ms(), 10) / 1_000
            self._timer = self._loop.call_later(wait_s, self._happen, inputs.Clock())

    async def _keys(self) -> None:
        async for key in self._terminal.keys():
            self._happen(inputs.Key(key))

    # Joining and leaving.

    def _join(self, name: str) -> None:
        self._link = Link(name, self._start.token, self._start.agent)
        self._repeats = Repeats(self._link)
        self._model = replace(self._model, name=name)
        address = str(self._start.place) if self._start.place else ""
        self._happen(inputs.Joining(address))
        self._spawn(self._converse())

    async def _converse(self) -> None:
        """Hold the line for as long as there is one; where it fails, back to the title or out."""
        try:
            if self._start.replay is not None:
                self._line = Playback(self._link, self._start.replay, self, _now_ms)
                await self._line.run()
                self._happen(inputs.Report("The recording ends here; Q leaves."))
                return
            place = self._start.place or await self._private()
            self._line = Connection(self._link, place, self, _now_ms)
            await self._line.run()
        except (NoLine, private.NoServer, NoSession, LinkBroken) as error:
            if self._start.place is None and self._start.replay is None and not self._model.in_dungeon:
                self._happen(inputs.Failed(str(error)))
            else:
                self._finish(Ending(1, str(error)))

    async def _private(self) -> Place:
        self._running = await private.ensure(self._start.data)
        place = self._running.place
        self._happen(inputs.Address(str(place), private=True))
        join = "gloam join" if place.port == PORT else f"gloam {place}"
        self._happen(inputs.Report(f"Others on this machine can join you: {join}", "quiet"))
        return place

    async def _leave(self) -> None:
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGWINCH, signal.SIGTSTP):
            self._loop.remove_signal_handler(number)
        if self._timer is not None:
            self._timer.cancel()
        if self._line is not None:
            await self._line.goodbye()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._recorder:
            self._recorder.close()

    def _finish(self, ending: Ending) -> None:
        if not self._end.done():
            self._end.set_result(ending)

    # Small things.

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        """A task that failed ends the program: a lost terminal quietly, anything else with its traceback."""
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, LostTerminal):
            self._finish(Ending(1))
        elif error is not None and not self._end.done():
            self._end.set_exception(error)

    def _flush(self) -> None:
        if self._line is not None:
            self._line.flush()

    def _keep(self, options: Options) -> None:
        self._use(options)
        try:
            save(options, self._start.options_path)
        except (OSError, ValueError) as error:
            self._happen(inputs.Report(f"The options cannot be kept: {error}", "refused"))

    def _use(self, options: Options) -> None:
        """Draw by these options from now on."""
        depth = options.colours
        if depth == "auto":
            depth = "none" if self._terminal.no_colour else self._able.depth
        self._painter.use(depth, synchronized=self._able.synchronized)
        unicode = self._unicode if options.glyphs == "auto" else options.glyphs == "unicode"
        self._model = replace(self._model, options=options, unicode=unicode)
        self._draw_soon()

    def _handle_signals(self) -> None:
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            self._loop.add_signal_handler(number, self._finish, Ending(128 + number))
        self._loop.add_signal_handler(signal.SIGWINCH, self._resize)
        self._loop.add_signal_handler(signal.SIGTSTP, self._suspend)

    def _resize(self) -> None:
        try:
            self._happen(inputs.Resized(*self._terminal.size))
        except LostTerminal:
            self._finish(Ending(1))

    def _suspend(self) -> None:
        try:
            self._terminal.suspend()
        except LostTerminal:
            self._finish(Ending(1))
            return
        self._painter.forget()
        self._resize()


def _now_ms() -> int:
    return int(time.monotonic() * 1_000)
