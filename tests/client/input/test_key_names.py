"""Every key that blessed can name has a name of ours, and its bytes bring that name through a real terminal."""

import ast
import sys
from collections.abc import Iterator

import pytest
from blessed.keyboard import get_keyboard_codes

from gloam_client.input import keymap
from gloam_client.input.key_names import key_table_name
from support.processes.pty import PATIENCE_S, PtyTerminal

_READER = """
import asyncio
from gloam_client.terminal.terminal import Terminal
terminal = Terminal()
terminal.open()
terminal.probe()
print(f"<{sorted(terminal._blessed._keymap)!r}>", flush=True)
async def echo():
    async for key in terminal.keys():
        print(f"<{key}>", flush=True)
asyncio.run(echo())
"""
"""Tells which sequences the terminal has, then the name of each key that is pressed."""

_DIRECTIONS = {"A": "UP", "B": "DOWN", "C": "RIGHT", "D": "LEFT", "F": "END", "H": "HOME", "E": "KP_5"}
_NUMBERED = {"2": "INSERT", "3": "DELETE", "5": "PGUP", "6": "PGDN"}
SENT = {
    **{f"\x1b[{end}": name for end, name in _DIRECTIONS.items()},
    **{f"\x1b[1;2{end}": f"SHIFT_{name}" for end, name in _DIRECTIONS.items()},
    **{f"\x1b[1;5{end}": f"CTRL_{name}" for end, name in _DIRECTIONS.items()},
    **{f"\x1b[{number}~": name for number, name in _NUMBERED.items()},
    **{f"\x1b[{number};2~": f"SHIFT_{name}" for number, name in _NUMBERED.items()},
    **{f"\x1b[{number};6~": f"CTRL_SHIFT_{name}" for number, name in _NUMBERED.items()},
    **{f"\x1bO{chr(ord('p') + digit)}": f"KP_{digit}" for digit in range(1, 10)},
    "\x1b[1~": "HOME",
    "\x1b[4~": "END",
    "\x1bOM": "ENTER",
    "\x1bOk": "+",
    "\x1bOm": "-",
    "\x1bOn": ".",
    "\x1bOp": "0",
    "\r": "ENTER",
    "\t": "TAB",
    "\x7f": "BACKSPACE",
    "\x03": "CTRL_C",
    "\x0c": "CTRL_L",
    "\x15": "CTRL_U",
    "\x1a": "CTRL_Z",
    "a": "a",
    " ": " ",
    "é": "é",
}
"""The sequences that keyboards send, and the name in the key table, on any terminal."""

_ELSEWHERE = {
    "\x1b[Z": "SHIFT_TAB",
    "\x1bOE": "KP_5",
}
"""The same, where the terminal has such a key."""

_NAMES = {key for preset in keymap.PRESETS for row in keymap.table(preset) for key in row.keys}
_STRAY = ("PGDOWN", "NPAGE", "PPAGE", "PAGE_", "SNEXT", "SPREV", "SDC", "SIC", "KP_PAGE", "CENTER", "B2")
"""Parts of names that are blessed's alone."""


def test_name_blessed_ours_or_key_without_meaning() -> None:
    """Every name of blessed is one of ours or of a key without meaning."""
    ours = {name: key_table_name(name) for name in sorted(set(get_keyboard_codes().values()))}

    assert not {name: key for name, key in ours.items() if any(part in key for part in _STRAY)}
    assert {
        ours[f"KEY_{name}"]
        for name in (
            "PGUP PGDOWN HOME END UP DOWN LEFT RIGHT ENTER ESCAPE BACKSPACE DELETE TAB BTAB CENTER BEGIN UP_LEFT UP_RIGHT "
            "DOWN_LEFT DOWN_RIGHT SUP SDOWN SLEFT SRIGHT SHOME SEND SNEXT SPREVIOUS KP_BEGIN KP_ENTER KP_UP KP_DOWN KP_LEFT "
            "KP_RIGHT KP_HOME KP_END KP_PAGE_UP KP_PAGE_DOWN KP_DELETE KP_1 KP_2 KP_3 KP_4 KP_5 KP_6 KP_7 KP_8 KP_9"
        ).split()
    } <= _NAMES


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        ("KEY_SHIFT_PGDOWN", "SHIFT_PGDN"),
        ("KEY_SHIFT_KP_PAGE_DOWN", "SHIFT_PGDN"),
        ("KEY_CTRL_SHIFT_PGDOWN", "CTRL_SHIFT_PGDN"),
        ("KEY_SHIFT_ENTER", "ENTER"),
        ("KEY_DOWN_REPEATED", "DOWN"),
        ("KEY_DOWN_RELEASED", ""),
        ("KEY_ALT_SHIFT_P", "ALT_SHIFT_P"),
        ("KEY_LEFT_SHIFT", "LEFT_SHIFT"),
    ],
)
def test_modifiers_stay_with_their_key(name: str, ours: str) -> None:
    assert ours == key_table_name(name)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["xterm-256color", "linux", "screen", "tmux", "vt100"])
def test_the_bytes_of_each_key_bring_its_name(kind: str) -> None:
    with PtyTerminal([sys.executable, "-c", _READER], {"TERM": kind}) as pty:
        colors = _printed_lines(pty)
        known: list[str] = ast.literal_eval(next(colors))
        wanted = {**SENT, **{sent: name for sent, name in _ELSEWHERE.items() if sent in known}}
        got = {sent: _pressed(pty, colors, sent) for sent in wanted}
        assert wanted == got
        others = {
            sent: _pressed(pty, colors, sent) for sent in known if sent not in wanted and sent != "\x1b"
        }
        assert not {sent: name for sent, name in others.items() if any(part in name for part in _STRAY)}
        assert all(others.values())
        pty.type("\x1b")
        assert next(colors) == "ESC"
        assert pty.process.poll() is None


def _pressed(pty: PtyTerminal, lines: Iterator[str], sent: str) -> str:
    """Press a key and a mark after it; return the key's name, "" where it has none."""
    pty.type(f"{sent}|")
    name = next(lines)
    if name == "|":
        return ""
    assert next(lines) == "|", f"{sent!r} is more than one key"
    return name


def _printed_lines(pty: PtyTerminal) -> Iterator[str]:
    """Yield what the reader prints between < and >, as it arrives."""
    read = 0
    while True:
        begin, end = pty.raw.find(b"\n<" if read else b"<", read), pty.raw.find(b">\n", read)
        if min(begin, end) < 0:
            assert pty.pump(PATIENCE_S), "the reader says no more"
            continue
        yield pty.raw[begin:end].lstrip(b"\n<").decode()
        read = end + 1
