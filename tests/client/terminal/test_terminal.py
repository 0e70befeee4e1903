"""Names of keys, and what is no key at all."""

import io

import blessed
import pytest
from blessed.keyboard import resolve_sequence

from gloam_client.input.key_names import key_name, split_keys
from gloam_client.terminal.terminal import LateAnswer, NoTerminal, Terminal, is_light, speaks_utf8


@pytest.mark.parametrize(
    ("data", "name"),
    [
        ("a", "a"),
        (" ", " "),
        ("é", "é"),
        ("\x1b[A", "UP"),
        ("\x1bOC", "RIGHT"),
        ("\x1b[1;2B", "SHIFT_DOWN"),
        ("\x1b[Z", "SHIFT_TAB"),
        ("\x1bOw", "KP_7"),
        ("\x1b[E", "KP_5"),
        ("\x1b[5~", "PGUP"),
        ("\x1b[H", "HOME"),
        ("\x1b", "ESC"),
        ("\r", "ENTER"),
        ("\t", "TAB"),
        ("\x7f", "BACKSPACE"),
        ("\x03", "CTRL_C"),
        ("\x1a", "CTRL_Z"),
        ("\x1bP>|xterm(390)\x1b\\", ""),
    ],
)
def test_keyboard_sends_name_key_table(data: str, name: str) -> None:
    """A key that the keyboard sends has its name in the key table."""
    term = blessed.Terminal(kind="xterm-256color", stream=io.StringIO(), force_styling=True)
    stroke = resolve_sequence(data, term._keymap, term._keycodes, term._keymap_prefixes, final=True)

    assert name == key_name(stroke)


def test_late_answer_swallowed_end_and_no_further() -> None:
    """A late answer is swallowed to its end and no further."""
    late = LateAnswer()
    answer = [late.swallows(name, 5.0) for name in ("CSI", "?", "2", "0", "2", "6", ";", "2", "$", "y")]

    assert all(answer)
    assert not late.swallows("l", 5.0)


def test_late_answer_come_pieces_half_second() -> None:
    """A late answer may arrive in pieces half a second apart."""
    late = LateAnswer()
    assert all(late.swallows(name, 5.0 + 0.4 * at) for at, name in enumerate(("CSI", "?", "2", "$", "y")))


def test_key_pressed_after_stray_beginning_key() -> None:
    """A key pressed after a stray beginning is a key."""
    late = LateAnswer()
    late.swallows("CSI", 5.0)

    assert not late.swallows("l", 5.5)


def test_esc_and_p_in_one_piece_begin_no_answer() -> None:
    late = LateAnswer()
    assert not late.swallows("ALT_P", 5.0)
    assert split_keys("ALT_P", "\x1bp") == ("ESC", "p")
    assert not late.swallows("l", 5.01)


def test_without_a_terminal_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.isatty", lambda _descriptor: False)
    with pytest.raises(NoTerminal, match="plays on a terminal"):
        Terminal()


@pytest.mark.parametrize(
    ("data", "keys"),
    [
        ("\x1b?", ("ESC", "?")),
        ("\x1bx", ("ESC", "x")),
        ("\x1bX", ("ESC", "X")),
        ("\x1b\r", ("ESC", "ENTER")),
        ("\x1b[A", ("UP",)),
        ("l", ("l",)),
    ],
)
def test_escape_and_a_key_that_came_together_are_both(data: str, keys: tuple[str, ...]) -> None:
    term = blessed.Terminal(kind="xterm-256color", stream=io.StringIO(), force_styling=True)
    stroke = resolve_sequence(data, term._keymap, term._keycodes, term._keymap_prefixes, final=True)

    assert keys == split_keys(key_name(stroke), str(stroke))


@pytest.mark.parametrize(
    ("expected", "utf8"),
    [
        ({"LANG": "C"}, False),
        ({"LANG": "POSIX"}, False),
        ({}, False),
        ({"LANG": "C.UTF-8"}, True),
        ({"LANG": "de_DE.utf8"}, True),
        ({"LANG": "de_DE"}, False),
        ({"LANG": "C.UTF-8", "LC_CTYPE": "C"}, False),
        ({"LANG": "C", "LC_ALL": "en_US.UTF-8"}, True),
        ({"LANG": "en_US.UTF-8", "LC_ALL": ""}, True),
    ],
)
def test_locale_says_whether_terminal_reads_utf8(
    expected: dict[str, str], utf8: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The locale says whether the terminal reads utf8."""
    for name in ("LC_ALL", "LC_CTYPE", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in expected.items():
        monkeypatch.setenv(name, value)
    assert speaks_utf8() is utf8


def test_a_dumb_terminal_gets_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.isatty", lambda _descriptor: True)
    monkeypatch.setenv("TERM", "dumb")
    with pytest.raises(NoTerminal, match=r"calls itself dumb.*--screen-reader"):
        Terminal()
    assert Terminal(linear=True).linear


def test_a_ground_is_light_dark_or_unknown() -> None:
    assert [is_light(ground) for ground in ((255, 255, 255), (253, 246, 227), (0, 43, 54), (0, 0, 0), (-1, -1, -1))] == [
        True, True, False, False, False,
    ]  # fmt: skip
