"""From the bytes of a visitor's terminal to names of keys, pasted text and the mouse. It has no terminal of its own.

blessed decodes, but it holds nothing back: the beginning of a sequence waits here for its rest.
"""

import codecs
import re
from functools import cache
from io import StringIO
from typing import Any, Final, TypeAlias

from blessed import Terminal
from blessed.keyboard import Keystroke, resolve_sequence

from gloam_client.input.bracketed_paste import BracketedPaste, Pasted
from gloam_client.input.key_names import every_key_named, key_name, split_keys
from gloam_client.input.mouse import MODES, MouseEvent, mouse_event

Pressed: TypeAlias = str | Pasted | MouseEvent
REST_S: Final = 0.05
"""The time for which the beginning of a sequence waits for its rest; then it is Esc, and what follows."""
_BEGUN: Final = re.compile(r"\x1b(?:\[[0-9;<=>?]*|O|\x1b\[?[0-9;]*)?")
_HELD_MAX: Final = 64
"""No sequence of a key is longer."""
_KIND: Final = "xterm-256color"
_MODE_SET: Final = 1


class KeyDecoder:
    """Decodes the input of one visitor, in pieces of any size."""

    def __init__(self) -> None:
        self._bytes = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._held = ""
        self._pastes: BracketedPaste[Keystroke] = BracketedPaste()

    @property
    def waits(self) -> bool:
        """Whether the beginning of a sequence waits for its rest."""
        return bool(self._held)

    def feed(self, data: bytes, now_s: float, *, final: bool = False) -> list[Pressed]:
        """Return what is pressed and pasted in these bytes; with `final` nothing waits for a rest."""
        text = self._held + self._bytes.decode(data)
        self._held = ""
        pressed: list[Pressed] = []
        while text:
            if not final and len(text) < _HELD_MAX and _BEGUN.fullmatch(text):
                self._held = text
                break
            stroke = _resolve(text)
            text = text[max(len(stroke), 1) :]
            for part in self._pastes.take(stroke, now_s):
                pressed += [part] if isinstance(part, Pasted) else _pressed(part)
        return pressed


def _pressed(stroke: Keystroke) -> list[Pressed]:
    """Return the keys, or the action of the mouse, of one stroke."""
    if (mouse := mouse_event(stroke)) is not None:
        return [mouse]
    name = key_name(stroke)
    return list(split_keys(name, str(stroke))) if name else []


def _resolve(text: str) -> Keystroke:
    keymap, names, prefixes = _keymap()
    stroke: Keystroke = resolve_sequence(
        text, keymap, names, prefixes, final=True, dec_mode_cache=dict.fromkeys(MODES, _MODE_SET)
    )
    return stroke


@cache
def _keymap() -> tuple[Any, dict[int, str], Any]:
    """Return the sequences of keys that terminals send: nearly all send the same as xterm."""
    terminal = Terminal(kind=_KIND, stream=StringIO(), force_styling=True)
    keymap = terminal._keymap  # noqa: SLF001  # blessed offers it to no other caller
    return keymap, every_key_named(keymap, terminal._keycodes), terminal._keymap_prefixes  # noqa: SLF001  # as above
