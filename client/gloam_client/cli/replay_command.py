"""`gloam replay`: lists the kept lives, plays one, a recorded session or one that a server shares, copies or exports it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from gloam_client.cli.usage_error import UsageError
from gloam_client.replays.replay_library import find_replay, list_replays
from gloam_client.user_files.recording import NoRecording, read_recording


def run(
    data: Path, named: str | None, size: str, *, export: Path | None = None, save: Path | None = None
) -> None:
    """Do what the command line asks for. Raises UsageError for what a user can correct."""
    if named is None:
        _list_replays(data)
        return
    from gloam_client.cli.shared_replay import fetched, is_shared  # noqa: PLC0415  # most replays need no network

    if is_shared(named):
        with fetched(data, named) as path:
            _use(data, recording(data, str(path)), size, export, save)
        return
    _use(data, recording(data, named), size, export, save)


def _use(data: Path, path: Path, size: str, export: Path | None, save: Path | None) -> None:
    """Copy or export a recording, or play it."""
    if save is not None:
        _save(path, save)
    if export is not None:
        _export(path, export, size)
    if save is not None or export is not None:
        return
    from gloam_client.cli.launch import launch  # noqa: PLC0415  # heavy; the list does not need it

    launch("Replay", data, replay=path)


def recording(data: Path, named: str) -> Path:
    """Return the file of a recording: a file of that name, or the kept life whose id begins so. Raises UsageError."""
    path = Path(named)
    if not path.exists():
        path = find_replay(data, named) or path
    try:
        if next(read_recording(path), None) is None:
            raise UsageError(f"{path} holds nothing.")
    except NoRecording as error:
        raise UsageError(str(error)) from error
    return path


def _list_replays(data: Path) -> None:
    from gloam_client.screens.replays.replay_list import describe_replay  # noqa: PLC0415  # heavy

    kept = list_replays(data)
    for each in kept:
        click.echo(f"{each.id}  {describe_replay(each)}")
    if not kept:
        click.echo("There is no replay yet: each life that you play is kept.")


def _save(path: Path, target: Path) -> None:
    """Copy a replay, and say how others play it. It holds what the player saw and read, and no secret."""
    from gloam_client.replays.replay_file import save_replay  # noqa: PLC0415  # heavy

    with _written(target):
        fault = save_replay(path, target)
    click.echo(f"{target}: others play it with: gloam replay {target.name}")
    if fault:
        click.echo(fault)


@contextmanager
def _written(target: Path) -> Iterator[None]:
    """Turn the faults of writing a new file into a sentence: what is there already is never replaced."""
    try:
        yield
    except NoRecording as error:
        raise UsageError(str(error)) from error
    except FileExistsError as error:
        raise UsageError(f"{target} exists, and is not replaced; name another file.") from error
    except OSError as error:
        raise UsageError(f"{target} cannot be written ({error.strerror}); name another file.") from error


def _export(file: Path, target: Path, size: str) -> None:
    """Write a recording as an asciicast, and say where and how long it is."""
    from gloam_client.cli.cast_export import export_cast  # noqa: PLC0415  # heavy
    from gloam_client.state.model import HEIGHT_MIN, WIDTH_MIN  # noqa: PLC0415  # heavy

    parts = size.split("x")
    if len(parts) != 2 or not all(part.isascii() and part.isdigit() and len(part) <= 3 for part in parts):
        raise UsageError(f"--size {size} is no size; give columns and rows, such as 100x30.")
    width, height = int(parts[0]), int(parts[1])
    if width < WIDTH_MIN or height < HEIGHT_MIN:
        raise UsageError(f"--size {size} is too small; the game needs {WIDTH_MIN}x{HEIGHT_MIN}.")
    with _written(target):
        cast = export_cast(file, target, width, height)
    click.echo(f"{target}: {cast.length_ms // 1_000} s. Play it with: asciinema play {target}")
    if cast.fault:
        click.echo(cast.fault)
