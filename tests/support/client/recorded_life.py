"""A life that was played on a whole server and recorded as the client records it: with stairs, levels, kills and a death."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from gloam_client.replays.life_recorder import LifeRecorder
from gloam_client.replays.replay_library import list_replays
from gloam_shared.protocol.commands import Explore
from gloam_shared.protocol.messages.lives import Died
from gloam_shared.protocol.registry import FromServer
from support.server.parties import company, turn, until


class RecordedClient:
    """Wraps the messages of a fake client so that a recorder gets them as they arrive."""

    def __init__(self, data: Path) -> None:
        self.recorder = LifeRecorder(data)
        self.now_ms = 0

    def take(self, messages: list[FromServer], view: object) -> None:
        self.now_ms += 100
        assert self.recorder.take(messages, view, self.now_ms) == ""  # type: ignore[arg-type]  # the link's view


@cache
def recorded_life() -> bytes:
    """Return the replay of a short life that an ogre ends."""
    with TemporaryDirectory() as folder:
        play_life(Path(folder))
        (kept,) = list_replays(Path(folder))
        return kept.path.read_bytes()


def play_life(data: Path) -> None:
    """Play a short life and record it under `data`."""
    ear = RecordedClient(data)
    server, (anna,) = company("Anna")
    taken = 0

    def listen() -> None:
        nonlocal taken
        fresh, taken = anna.got[taken:], len(anna.got)
        for message in fresh:
            ear.take([message], anna.view)

    for _ in range(30):
        turn(server, anna, Explore())
        listen()
    server.put("ogre", server.body(anna).cell)
    until(lambda: anna.of_kind(Died), lambda: turn(server, anna))
    listen()
    ear.recorder.close()
