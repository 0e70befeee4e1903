"""A recorded session as an asciicast, which ordinary players and web pages show (https://docs.asciinema.org/manual/asciicast/v2/)."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from gloam_client.game_session import messages_received
from gloam_client.net.protocol_client import ProtocolBroken, ProtocolClient
from gloam_client.render.frame import draw
from gloam_client.replays.replay_file import DAMAGED, TOO_LONG, ReplayStep, load_replay
from gloam_client.screens.play import Play
from gloam_client.state.client_events import ClientEvent, JoinStarted, KeyPressed
from gloam_client.state.model import Model
from gloam_client.state.records import SurfaceFacts
from gloam_client.terminal.painter import Painter
from gloam_client.update import update
from gloam_client.user_files.recording import NoRecording, uncompressed
from gloam_client.user_files.user_folders import create_file, remove_file
from gloam_shared.protocol.codec import encode
from gloam_shared.protocol.framing import FrameWriter

_STORY_MS: Final = 3_000
"""The time for which the introduction of a campaign stays on the screen."""
_DEPTH: Final = "256"
CAST_MAX: Final = 256 * 2**20
"""The largest cast, in bytes."""


class Cast(NamedTuple):
    """An export: its length, and why it ends before the recording does, or ""."""

    length_ms: int
    fault: str


def export_cast(recording: Path, target: Path, width: int, height: int, bytes_max: int = CAST_MAX) -> Cast:
    """Write a recording as an asciicast of a terminal of this size, into a new file.

    Pauses are cut as in a replay. After `bytes_max` bytes the cast ends. Raises NoRecording, and OSError if the target
    exists or cannot be written; then no part of a cast stays.
    """
    loaded = load_replay(recording)
    if loaded.fault == DAMAGED:
        raise NoRecording(f"{recording} is damaged.")
    header = {
        "version": 2,
        "width": width,
        "height": height,
        "title": "Gloam",
        "env": {"TERM": "xterm-256color"},
    }
    at_ms, size, whole = 0, 0, False
    with create_file(target) as file:
        try:
            size += file.write(_line(header))
            for at_ms, text in _frames(recording, loaded.steps, width, height):
                size += file.write(_line([at_ms / 1_000, "o", text]))
                if size > bytes_max:
                    break
            file.flush()
            whole = True
        finally:
            if not whole:
                remove_file(target)
    return Cast(at_ms, TOO_LONG if size > bytes_max else loaded.fault)


def _line(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"


def _frames(
    recording: Path, steps: Sequence[ReplayStep], width: int, height: int
) -> Iterator[tuple[int, str]]:
    """Yield the time of each changed frame in milliseconds, and what a terminal has to show."""
    link = ProtocolClient("Replay", bytes(32), "gloam")
    model = Model(
        screens=(Play(),),
        name="Replay",
        surface=SurfaceFacts(size=(width, height), unicode=True, lights=True),
    )
    painter = Painter(_DEPTH)
    at_ms, story_ms, frames = 0, None, FrameWriter()

    def happen(event: ClientEvent) -> str:
        nonlocal model
        model, _ = update(model, event, at_ms)
        return painter.paint(draw(model))

    for step in steps:
        at_ms = step.at_ms
        text = ""
        if step.fresh:
            link.connected(at_ms)
            frames = FrameWriter()
            text = happen(JoinStarted("Replay", ""))
        if step.messages:
            data = b"".join(frames.frame(encode(uncompressed(message))) for message in step.messages)
            try:
                text += happen(messages_received(link, link.receive(data, at_ms)))
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
