"""The file of the player's own keys: by preset, the keys of each action that differs from it."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from gloam_client.input.keymap import PRESETS
from gloam_client.input.own_keys import BoundKeys, OwnKeys
from gloam_client.input.rebinding import faults
from gloam_client.state.settings.kept_aside import Broken, keep_aside, read_table

FILE: Final = "keys.toml"
_NOW: Final = "The keys are those of the preset."
_FAULTS_MAX: Final = 3
"""The number of faults of a file that are named."""


def load_keys(path: Path) -> tuple[tuple[BoundKeys, ...], str]:
    """Return the keys stored in `path`, and a sentence about what was wrong with the file, "" for nothing.

    A file with any fault is kept under another name, and the keys of the presets are used.
    """
    try:
        bound = tuple(sorted(_bound(read_table(path))))
    except Broken as error:
        return (), keep_aside(path, str(error), _NOW)
    wrong = [fault for preset in PRESETS for fault in faults(OwnKeys(preset, bound))]
    return ((), keep_aside(path, "; ".join(wrong[:_FAULTS_MAX]), _NOW)) if wrong else (bound, "")


def save_keys(bound: Iterable[BoundKeys], path: Path) -> None:
    """Write the keys into `path`; without any, the file is removed."""
    import tomlkit  # noqa: PLC0415  # heavy, and seldom needed

    document = tomlkit.document()
    document.add(
        tomlkit.comment("Keys of your own, by preset and action. The options of gloam write this file.")
    )
    for one in bound:
        document.setdefault(one.preset, tomlkit.table())[one.intent] = list(one.keys)
    if len(document) == 0:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".new-keys")
    draft.write_text(tomlkit.dumps(document), encoding="utf-8")
    draft.replace(path)


def _bound(table: dict[str, object]) -> Iterable[BoundKeys]:
    """Return the keys in a file. Raises Broken."""
    for preset, actions in table.items():
        if preset not in PRESETS or not isinstance(actions, dict):
            raise Broken(f'"{preset}" is no preset; presets are: {", ".join(PRESETS)}')
        for intent, keys in actions.items():
            if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
                raise Broken(f'"{intent}" is {keys!r}; it must be a list of keys, such as ["z"]')
            yield BoundKeys(preset, intent, tuple(keys))
