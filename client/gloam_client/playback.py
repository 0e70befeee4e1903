"""A replay as values: the client's model after each step, forwards and backwards. Pure: no clock, no file, no terminal.

A keyframe is kept after each `_KEYFRAME_EVERY` steps. Models are immutable and share what did not change, so a keyframe
costs little; a jump applies at most that number of steps.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from gloam_client.net.view_check import is_valid_view
from gloam_client.replays.replay_file import DAMAGED, ReplayStep
from gloam_client.screens.play import Play
from gloam_client.state.client_events import JoinStarted, KeyPressed, MessagesReceived
from gloam_client.state.map.sightings import shows_turn
from gloam_client.state.model import Model
from gloam_client.state.options import Options
from gloam_client.state.records import SurfaceFacts
from gloam_client.update import update
from gloam_shared.narration.rendering import depth_text, end_of_life, is_own_name
from gloam_shared.protocol.messages.lives import Died
from gloam_shared.protocol.messages.login import Joined
from gloam_shared.protocol.messages.play import Pace, Update
from gloam_shared.protocol.updates import UpdateReader
from gloam_shared.text import clean
from gloam_shared.view.view import NOWHERE, Stat, View

_KEYFRAME_EVERY: Final = 128
_NAME: Final = "Replay"
_AT_EASE: Final = Pace()
EVENTS_MAX: Final = 5_000


class ReplayEvent(NamedTuple):
    """Something worth seeing again: after which step, in which turn, and what it was."""

    step: int
    turn: int
    words: str


class _Moment(NamedTuple):
    """All state after `step` steps. `reader` belongs to this moment: a copy continues."""

    step: int
    turn: int
    model: Model
    view: View
    pace: Pace
    name: str
    reader: UpdateReader


class Playback:
    """Plays the steps of a replay. What it shows is `model`; `turn` is counted from the beginning of the file."""

    def __init__(self, steps: Sequence[ReplayStep], options: Options, size: tuple[int, int]) -> None:
        self._steps = list(steps)
        self.fault = ""
        options = replace(options, hints="off")
        model = Model(screens=(Play(),), name=_NAME, options=options, surface=SurfaceFacts(size=size))
        start = _Moment(0, 0, model, NOWHERE, _AT_EASE, _NAME, UpdateReader())
        self._now = start
        self._ahead = start._replace(reader=UpdateReader())
        self._keyframes = [start]
        self._turn_steps: list[int] = []
        self.events: list[ReplayEvent] = []

    @property
    def model(self) -> Model:
        """The replayed client now."""
        return self._now.model

    @property
    def turn(self) -> int:
        """The turn that is shown, 0 before the first."""
        return self._now.turn

    @property
    def turns(self) -> int:
        """The number of turns read so far."""
        return len(self._turn_steps)

    @property
    def whole(self) -> bool:
        """Whether all steps have been read."""
        return self._ahead.step >= len(self._steps)

    @property
    def ended(self) -> bool:
        """Whether the last step is shown."""
        return self._now.step >= len(self._steps)

    @property
    def event(self) -> str:
        """The newest notable event up to here, "" for none."""
        at = bisect_right([each.step for each in self.events], self._now.step)
        return self.events[at - 1].words if at else ""

    def gap_ms(self) -> int:
        """Return the time between the step that is shown and the next; 0 at the beginning and at the end."""
        at = self._now.step
        return self._steps[at].at_ms - self._steps[at - 1].at_ms if 0 < at < len(self._steps) else 0

    def read_ahead(self, count: int) -> None:
        """Read this number of further steps: for the number of turns, the events and the keyframes."""
        for _ in range(count):
            if self.whole:
                return
            self._read_step()

    def forward(self) -> None:
        """Show the next step."""
        self._show_step(self._now.step + 1)

    def show_turn(self, turn: int) -> None:
        """Show a turn that has been read, the nearest one if there is no such turn."""
        if not self._turn_steps:
            return
        turn = max(1, min(turn, self.turns))
        last = turn == self.turns and self.whole
        self._show_step(len(self._steps) if last else self._turn_steps[turn - 1])

    def show_event(self, *, following: bool) -> bool:
        """Show the next or the previous notable event; return whether there is one."""
        steps = [each.step for each in self.events]
        here = self._now.step
        at = bisect_right(steps, here) if following else bisect_left(steps, here) - 1
        if not 0 <= at < len(steps):
            return False
        self._show_step(steps[at])
        return True

    def _show_step(self, step: int) -> None:
        """Show the moment after this number of steps."""
        while self._ahead.step < step and not self.whole:
            self._read_step()
        step = min(step, len(self._steps))
        nearest = self._keyframes[min(step // _KEYFRAME_EVERY, len(self._keyframes) - 1)]
        moment = self._now if nearest.step <= self._now.step <= step else nearest
        if moment.step < step:
            moment = moment._replace(reader=moment.reader.copy())
        while moment.step < step:
            moment = _after(moment, self._steps[moment.step])
        self._now = moment

    def _read_step(self) -> None:
        """Read one step ahead. Steps that break the protocol end the replay before them."""
        before, step = self._ahead, self._steps[self._ahead.step]
        try:
            after = _after(before, step)
        except (ValueError, IndexError):
            del self._steps[before.step :]
            self.fault = DAMAGED
            return
        if after.turn > before.turn:
            self._turn_steps.append(after.step)
        if len(self.events) < EVENTS_MAX:
            self.events += (
                ReplayEvent(after.step, after.turn, words) for words in _notable(before, after, step)
            )
        self._ahead = after
        if after.step % _KEYFRAME_EVERY == 0:
            self._keyframes.append(after._replace(reader=after.reader.copy()))


def _after(before: _Moment, step: ReplayStep) -> _Moment:
    """Return the moment after a step; the reader of `before` is used up. Raises ValueError or IndexError."""
    _, turn, model, view, pace, name, reader = before
    if step.fresh:
        reader = UpdateReader()
        model, _ = update(model, JoinStarted(name, ""), step.at_ms)
    former = view
    for message in step.messages:
        match message:
            case Update():
                view = reader.read(message)
                if not is_valid_view(view):
                    raise ValueError("a view that cannot be drawn")
            case Joined():
                name = message.name
            case Pace():
                pace = message
    if step.messages:
        heard = MessagesReceived(step.messages, view, pace, name, None, step.at_ms, None)
        turn += any(isinstance(each, Update) for each in step.messages) and shows_turn(
            former, view, step.messages
        )
        model, _ = update(model, heard, step.at_ms)
        if model.top.state == "story":
            model, _ = update(model, KeyPressed("ESC"), step.at_ms)
    return _Moment(before.step + 1, turn, model, view, pace, name, reader)


def _notable(before: _Moment, after: _Moment, step: ReplayStep) -> list[str]:
    """Return the notable events of a step in words: a death, a level gained, a greater depth, a kill of what has a name."""
    words = [
        f"victory by {clean(each.by)}" if each.won else end_of_life(clean(each.by))
        for each in step.messages
        if isinstance(each, Died)
    ]
    level, depth = after.view.fact(Stat.LEVEL), after.view.place.depth
    if (
        before.view.place.width
        and after.view.place.width
        and before.model.login.life == after.model.login.life
    ):
        if level > before.view.fact(Stat.LEVEL):
            words.append(f"level {level}")
        if depth > before.view.place.depth:
            words.append(f"depth {depth_text(depth)}")
    if after.view is not before.view:
        known = max(before.model.messages.next - after.view.log.first, 0)
        words += [
            f"killed {clean(line.object)}"
            for line in after.view.log.lines[known:]
            if line.kind == "kills" and line.subject == "you" and is_own_name(line.object)
        ]
    return words
