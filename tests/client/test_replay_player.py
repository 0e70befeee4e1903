"""The service that plays a replay on the loop's clock."""

import asyncio
from pathlib import Path

from gloam_client.replay_player import ReplayPlayer
from gloam_client.screens.replays.replay_view import ReplayView
from gloam_client.state.client_effects import ControlReplay
from gloam_client.state.client_events import ClientEvent, ReplayMoved
from gloam_client.state.model import Model
from gloam_client.state.replaying import ReplayShown
from support.client.recorded_life import recorded_life


class Watcher:
    """Collects what the player shows."""

    def __init__(self) -> None:
        self.shown = ReplayShown()
        self.player = ReplayPlayer(self.happen)

    async def open(self, path: Path) -> None:
        await self.player.open(path, Model(screens=(ReplayView("x"),)))

    def happen(self, event: ClientEvent) -> None:
        assert isinstance(event, ReplayMoved)
        self.shown = event.shown

    def control(self, word: str, turns: int = 0) -> ReplayShown:
        self.player.control(ControlReplay(word, turns))
        return self.shown


def life(tmp_path: Path) -> Path:
    path = tmp_path / "life.session"
    path.write_bytes(recorded_life())
    return path


def test_replay_pauses_seeks_and_plays_to_its_end(tmp_path: Path) -> None:
    watcher = Watcher()

    async def play() -> None:
        await watcher.open(life(tmp_path))
        assert watcher.shown.whole
        assert watcher.control("pause").paused
        assert watcher.control("to", 9).turn == 9
        assert watcher.control("by", -4).turn == 5
        assert watcher.control("next").event
        assert watcher.control("previous").turn <= watcher.shown.turns
        for _ in range(9):
            watcher.control("faster")
        assert watcher.shown.speed == "32"
        assert not watcher.control("pause").paused
        while not watcher.shown.ended:
            await asyncio.sleep(0.01)
        assert watcher.control("pause").turn == 1  # from the beginning again
        assert watcher.control("slower").speed == "16"
        watcher.control("close")
        before = watcher.shown
        await asyncio.sleep(0.05)
        assert watcher.shown is before

    asyncio.run(play())


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    watcher = Watcher()
    asyncio.run(watcher.open(tmp_path / "none"))
    assert "cannot be read" in watcher.shown.fault
    assert watcher.shown.model is None
    watcher.control("pause")
