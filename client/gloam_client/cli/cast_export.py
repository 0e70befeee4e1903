"""A recorded session as an asciicast, which ordinary players and web pages show (https://docs.asciinema.org/manual/asciicast/v2/)."""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from gloam_client.game_session import messages_received
from gloam_client.net.protocol_client import ProtocolBroken, ProtocolClient
from gloam_client.net.recording import PAUSE_MS_MAX, NoRecording, read_recording
from gloam_client.render.frame import draw
from gloam_client.screens.play import Play
from gloam_client.state.client_events import ClientEvent, JoinStarted, KeyPressed
from gloam_client.state.model import Model
from gloam_client.terminal.painter import Painter
from gloam_client.update import update

_STORY_MS: Final = 3_000
"""How long the introduction of a campaign stays on the screen."""
_DEPTH: Final = "256"


def export_cast(recording: Path, target: Path, width: int, height: int) -> int:
    """Write a recording as an asciicast of a terminal of this size; return its length in milliseconds.

    Pauses are cut as in a replay. Raises NoRecording, and OSError if the target cannot be written. A target that
    exists is replaced only by a whole cast.
    """
    part = target.with_name(f".{target.name}.part")
    at_ms = 0
    try:
        with part.open("w", encoding="utf-8") as file:
            header = {
                "version": 2,
                "width": width,
                "height": height,
                "title": "Gloam",
                "env": {"TERM": "xterm-256color"},
            }
            file.write(json.dumps(header) + "\n")
            for at_ms, text in _frames(recording, width, height):
                file.write(json.dumps([at_ms / 1_000, "o", text], ensure_ascii=False) + "\n")
        part.replace(target)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
    return at_ms


def _frames(recording: Path, width: int, height: int) -> Iterator[tuple[int, str]]:
    """Yield the time of each changed frame in milliseconds, and what a terminal has to show."""
    link = ProtocolClient("Replay", bytes(32), "gloam")
    model = Model(screens=(Play(),), name="Replay", size=(width, height), unicode=True)
    painter = Painter(_DEPTH)
    at_ms, before, story_ms = 0, None, None

    def happen(event: ClientEvent) -> str:
        nonlocal model
        model, _ = update(model, event, at_ms)
        return painter.paint(draw(model))

    for recorded_ms, data in read_recording(recording):
        at_ms += 0 if before is None else min(max(recorded_ms - before, 0), PAUSE_MS_MAX)
        before = recorded_ms
        if not data:
            link.connected(at_ms)
            text = happen(JoinStarted("Replay", ""))
        else:
            try:
                text = happen(messages_received(link, link.receive(data, at_ms)))
            except ProtocolBroken as error:
                raise NoRecording(f"{recording} is damaged.") from error
        link.outgoing()  # nothing is sent
        if text:
            yield at_ms, text
        if model.top.state != "story":
            story_ms = None
        elif story_ms is None:
            story_ms = at_ms
        elif at_ms - story_ms >= _STORY_MS and (text := happen(KeyPressed("ESC"))):
            yield at_ms, text
