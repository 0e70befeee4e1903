"""Plays a replay on the loop's clock: reads its file, reads ahead between frames, and moves as the player asks."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Final

from gloam_client.playback import Playback
from gloam_client.replays.replay_file import load_replay
from gloam_client.state.client_effects import ControlReplay
from gloam_client.state.client_events import ClientEvent, ReplayMoved
from gloam_client.state.model import Model
from gloam_client.state.replaying import ReplayShown
from gloam_client.user_files.recording import NoRecording

_SPEEDS: Final = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
_USUAL: Final = 2
_AHEAD: Final = 50
"""The steps that are read ahead between two looks at keys: about 20 ms."""
_SHOW_EVERY: Final = 20
"""The interval at which the number of turns is shown again while the rest is read, in rounds of `_AHEAD` steps."""
_SHORTEST_S: Final = 0.01
_GONE: Final = "That replay is no longer kept."


class ReplayPlayer:
    """At most one open replay. `happen` takes what it shows."""

    def __init__(self, happen: Callable[[ClientEvent], None]) -> None:
        self._happen = happen
        self._playback: Playback | None = None
        self._fault = ""
        self._missed = ""
        self._paused = False
        self._speed = _USUAL
        self._timer: asyncio.TimerHandle | None = None

    async def open(self, path: Path | None, model: Model) -> None:
        """Read a recording and play it by the options of a client; what cannot be played is refused with a sentence.

        None is a recording that is gone.
        """
        self.close()
        if path is None:
            self._happen(ReplayMoved(ReplayShown(whole=True, fault=_GONE)))
            return
        try:
            loaded = await asyncio.to_thread(load_replay, path)
        except NoRecording as error:
            self._happen(ReplayMoved(ReplayShown(whole=True, fault=str(error).replace(str(path), path.name))))
            return
        self._fault, self._paused, self._speed = loaded.fault, False, _USUAL
        playback = self._playback = Playback(loaded.steps, model.options, model.surface.size)
        self._show()
        self._play_on()
        await self._read_ahead(playback)

    def control(self, request: ControlReplay) -> None:
        """Do what a key of the replay's screen asks for."""
        playback = self._playback
        if request.word == "close":
            self.close()
        if playback is None:
            return
        self._missed = ""
        match request.word:
            case "pause" if playback.ended:
                playback.show_turn(1)
                self._paused = False
            case "pause":
                self._paused = not self._paused
            case "faster" | "slower" as word:
                by = 1 if word == "faster" else -1
                self._speed = max(0, min(self._speed + by, len(_SPEEDS) - 1))
            case "next" | "previous" as word:
                if not playback.show_event(following=word == "next"):
                    self._missed = f"no {word} event"
            case "by":
                playback.show_turn(playback.turn + request.turns)
            case "to":
                playback.show_turn(request.turns)
        self._show()
        self._play_on()

    def close(self) -> None:
        """Stop the replay."""
        self._playback = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def _read_ahead(self, playback: Playback) -> None:
        """Read the rest between frames, as long as this replay is open."""
        rounds = 0
        while self._playback is playback and not playback.whole:
            playback.read_ahead(_AHEAD)
            rounds += 1
            if rounds % _SHOW_EVERY == 0:
                self._show()
            await asyncio.sleep(0)
        if self._playback is playback:
            self._show()

    def _play_on(self) -> None:
        """Set the timer for the next step."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._playback is None or self._paused or self._playback.ended:
            return
        wait_s = self._playback.gap_ms() / 1_000 / _SPEEDS[self._speed]
        self._timer = asyncio.get_running_loop().call_later(max(wait_s, _SHORTEST_S), self._step)

    def _step(self) -> None:
        if self._playback is not None:
            self._playback.forward()
            self._show()
            self._play_on()

    def _show(self) -> None:
        playback = self._playback
        if playback is None:
            return
        self._happen(
            ReplayMoved(
                ReplayShown(
                    playback.model,
                    playback.turn,
                    playback.turns,
                    playback.whole,
                    self._paused,
                    f"{_SPEEDS[self._speed]:g}",
                    self._missed or playback.event,
                    playback.fault or self._fault,
                    playback.ended,
                )
            )
        )
