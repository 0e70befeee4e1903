"""`gloam dump`: writes a kept life as text and JSON, as far as its replay goes."""

from pathlib import Path
from typing import Final

import click

from gloam_client.app_start import agent
from gloam_client.cli.replay_command import recording
from gloam_client.cli.usage_error import UsageError
from gloam_client.playback import Playback
from gloam_client.replays.replay_file import STEPS_MAX, load_replay
from gloam_client.replays.replay_library import list_replays
from gloam_client.screens.session.character_dump import character_dump, dump_text
from gloam_client.state.options import DEFAULTS
from gloam_client.user_files.dump_files import DumpedLife, write_dump
from gloam_client.user_files.recording import NoRecording

_SIZE: Final = (80, 24)


def run(data: Path, named: str | None) -> None:
    """Write the dump of a replay, of the newest one without a name. Raises UsageError."""
    kept = list_replays(data)
    if named is None and not kept:
        raise UsageError(
            "There is no life to write yet: each life that you play is kept, and gloam replay lists them."
        )
    path = recording(data, named) if named is not None else kept[0].path
    try:
        playback = Playback(load_replay(path).steps, DEFAULTS, _SIZE)
        playback.read_ahead(STEPS_MAX)
        playback.show_turn(STEPS_MAX)
        model = playback.model
        values = character_dump(model, agent())
        life = DumpedLife(model.name, model.login.life, model.world.campaign, model.world.realm)
        written = write_dump(data, life, dump_text(values), values)
    except NoRecording as error:
        raise UsageError(str(error)) from error
    except OSError as error:
        raise UsageError(f"The dump cannot be written ({error.strerror}).") from error
    click.echo(f"{written} and the same as .json.")
