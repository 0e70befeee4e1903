"""The files of one player: options, hints, what lives have seen, dumps, replays. A client that is hosted has one a visitor."""

from concurrent.futures import Executor
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from gloam_client.input.own_keys import bound_of, choice_of, preset_of
from gloam_client.replays import replay_library
from gloam_client.replays.life_recorder import LifeRecorder
from gloam_client.replays.replay_library import KeptReplay
from gloam_client.state import options as options_file
from gloam_client.state.guidance import given_hints
from gloam_client.state.guidance.tips import next_session
from gloam_client.state.map.saved_memory import SavedMemory
from gloam_client.state.options import Options
from gloam_client.state.settings.key_file import FILE, load_keys, save_keys
from gloam_client.user_files.dump_files import DumpedLife, write_dump


class PlayerStore:
    """The files in one folder, and the options in a file that several folders may share. All calls may raise OSError."""

    def __init__(self, folder: Path, options_path: Path, writer: Executor | None = None) -> None:
        """`writer` writes memory beside the loop, for a client that is hosted with others."""
        self._folder = folder
        self._options_path = options_path
        self.memory = SavedMemory(folder, writer)

    def load_options(self) -> tuple[Options, tuple[str, ...]]:
        """Return the options with the player's own keys, and a sentence for each broken file."""
        options, fault = options_file.load(self._options_path)
        bound, keys_fault = load_keys(self._options_path.with_name(FILE))
        options = replace(options, keys=choice_of(preset_of(options.keys), bound))
        return options, tuple(filter(None, (fault, keys_fault)))

    def save_options(self, options: Options, before: Options) -> None:
        """Write the options; the keys only if they differ from before. Raises ValueError for keys that cannot be written."""
        options_file.save(options, self._options_path)
        if bound_of(options.keys) != bound_of(before.keys):
            save_keys(bound_of(options.keys), self._options_path.with_name(FILE))

    def load_hints(self) -> dict[str, frozenset[str]]:
        """Return the first-life hints that each name has had."""
        return given_hints.read(self._folder)

    def save_hints(self, name: str, hints: frozenset[str]) -> None:
        """Write the hints that a name has had."""
        given_hints.write(self._folder, name, hints)

    def next_session(self) -> int:
        """Count this run of the client, and return its number."""
        return next_session(self._folder)

    def write_dump(self, life: DumpedLife, text: str, values: dict[str, Any]) -> Path:
        """Write a life as text and as JSON; return the path of the text."""
        return write_dump(self._folder, life, text, values)

    def record_lives(self) -> LifeRecorder:
        """Return a recorder of the lives from now on."""
        return LifeRecorder(self._folder)

    def list_replays(self) -> tuple[KeptReplay, ...]:
        """Return the kept replays, the newest first."""
        return replay_library.list_replays(self._folder)

    def find_replay(self, wanted: str) -> Path | None:
        """Return the file of a kept replay, by its id."""
        return replay_library.find_replay(self._folder, wanted)

    def delete_replay(self, wanted: str) -> None:
        """Delete a kept replay, by its id."""
        replay_library.delete_replay(self._folder, wanted)
