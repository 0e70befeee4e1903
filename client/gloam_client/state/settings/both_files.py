"""Options and keys of the player's own together: read at the start, and written after a change."""

from dataclasses import replace
from pathlib import Path

from gloam_client.input.own_keys import bound_of, choice_of, preset_of
from gloam_client.state import options as options_file
from gloam_client.state.options import Options
from gloam_client.state.settings.key_file import FILE, load_keys, save_keys


def load(path: Path) -> tuple[Options, tuple[str, ...]]:
    """Return the options stored in `path` with the keys stored beside it, and a sentence for each broken file."""
    options, fault = options_file.load(path)
    bound, keys_fault = load_keys(path.with_name(FILE))
    options = replace(options, keys=choice_of(preset_of(options.keys), bound))
    return options, tuple(filter(None, (fault, keys_fault)))


def save(options: Options, path: Path, before: Options) -> None:
    """Write the options into `path`, and the keys beside it if they differ from before."""
    options_file.save(options, path)
    if bound_of(options.keys) != bound_of(before.keys):
        save_keys(bound_of(options.keys), path.with_name(FILE))
