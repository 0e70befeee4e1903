"""Which abuses and which limits have a test: `python tests/abuse.py` lists those that no test names.

An abuse has a number. A test names it in its own name (`test_a26_a54_...`, or a whole run of them:
`test_a47_to_a50_...`), or in its docstring or a comment (`A26`). A limit is a constant of `gloam_shared.limits`; a test
of what happens one below it, at it and one above it says so in its docstring or a comment: `bound: NAME_MAX`.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

HERE: Final = Path(__file__).parent

ABUSES: Final = {
    1: "silence after connecting",
    2: "one byte a second",
    3: "another protocol",
    4: "a frame longer than any may be",
    5: "an empty frame",
    6: "the longest frame, and one byte more",
    7: "a frame that stops in its middle",
    8: "ten thousand frames at once",
    9: "garbage from many lines",
    10: "nesting without end",
    11: "headers that announce four giga",
    12: "a frame of empty maps",
    13: "bytes that are no value",
    14: "text that is not UTF-8",
    15: "extension types, and bytes for text",
    16: "keys that are no text, or there twice",
    17: "numbers that are none, or beyond all bounds",
    18: "unknown kinds of messages",
    19: "play before the login",
    20: "two logins on one line",
    21: "another version of the protocol",
    23: "a wrong password",
    24: "one wrong password after the other",
    25: "a password without end",
    26: "names that pass for others",
    27: "one new name after the other",
    28: "a stolen or used token of a session",
    29: "coming back too late, or after leaving",
    30: "one connection too many from an address",
    31: "sending away who does not read",
    32: "twenty logins of one account at once",
    33: "coming back to a body in danger",
    34: "connecting and leaving again and again",
    35: "never reading",
    36: "acknowledging what never came",
    37: "asking for the whole view all the time",
    38: "telling a terminal's size",
    39: "a step too far",
    40: "a thousand moves a second",
    41: "acting where one cannot, or on what is another's",
    42: "aiming at what one does not see",
    43: "two who pick up the same thing",
    44: "dropping what there is not",
    45: "spending a thing twice",
    46: "choosing twice, or what is not offered",
    47: "terminal sequences in chat",
    48: "characters in chat that are not seen",
    49: "marks heaped upon a letter",
    50: "characters in chat of unsure width",
    51: "too long, too fast, twice, far too fast",
    52: "speaking like the server",
    53: "format strings",
    54: "names that are paths",
    55: "program text in any field",
    56: "playing or prying as a spectator",
    57: "scouting by a spectator",
    58: "barring stairs and doors",
    59: "opening and closing a door for ever",
    60: "leading a crowd onto a newcomer",
    61: "learning from what a far stronger friend kills",
    62: "hitting who has not agreed",
    63: "pulling the plug when about to die",
    64: "lives begun for their kit",
    66: "filling the world with things",
    67: "floods of invitations and letters",
    68: "commands of administration from a player",
    69: "guessing a host's password",
    70: "a world changed by hand, or from a newer version",
    71: "a wrong configuration",
    72: "flooding the log",
    73: "a hostile server's bytes, paths and links",
    74: "a hostile server that asks for files or variables",
    75: "pasting ten thousand characters",
}
"""What is done to a server or a client, by its number."""

LATER: Final = {
    "A56": "there are no spectators yet",
    "A57": "there are no spectators yet",
    "A67": "there are no invitations to a party and no letters yet",
    "A45, trade": "there is no trade yet; using, eating and giving twice are tested",
    "limits of spectators": "there are no spectators yet",
}
"""What no test can name before it is there, each with the reason."""

BOUNDS: Final = (
    "FRAME_BEFORE_LOGIN_MAX FRAME_FROM_CLIENT_MAX FRAME_FROM_SERVER_MAX DEPTH_MAX ELEMENTS_MAX STRING_MAX HANDSHAKE_S "
    "LOGIN_S FRAME_S HEARTBEAT_S DEAD_S COMMANDS_PER_S COMMANDS_BURST CHAT_PER_S CHAT_BURST CHAT_SAID_MAX "
    "CHAT_TRIED_MAX CHAT_SAME_S CHAT_SHUT_S CHAT_CELLS_MAX UNACKNOWLEDGED_MAX QUEUED_BYTES_MAX REFRESH_S "
    "CONNECTIONS_MAX CONNECTIONS_PER_ADDRESS_MAX CONNECTIONS_RESERVED FLAPS_MAX FLAPS_WITHIN_S FLAPS_SHUT_S NAME_MIN "
    "NAME_MAX PASSWORD_MIN PASSWORD_MAX PASSWORD_JOBS_MAX FAILURES_MAX FAILURES_S CREATIONS_MAX CREATIONS_S "
    "RESUME_S"
).split()
"""The limits that a test shows one below, at, and one above."""

_TOKEN: Final = re.compile(r"(?<![a-z0-9])a(\d+)(?![0-9a-z])")
_RUN: Final = re.compile(r"(?<![a-z0-9])a(\d+)_to_a(\d+)(?![0-9a-z])")
_NOTED: Final = re.compile(r"\bA(\d+)\b")
_BOUND: Final = re.compile(r"\bbounds?: ((?:[A-Z_]+(?:, )?)+)")


class Named(NamedTuple):
    """What the tests name: numbers of abuses, and constants of limits."""

    abuses: set[int]
    bounds: set[str]


def named(name: str, source: str) -> Named:
    """Return what one test names in its own name, and in what is written inside it."""
    abuses = {int(number) for number in (*_TOKEN.findall(name), *_NOTED.findall(source))}
    for first, last in _RUN.findall(name):
        abuses |= set(range(int(first), int(last) + 1))
    bounds = {bound for listed in _BOUND.findall(source) for bound in listed.split(", ")}
    return Named(abuses, bounds)


def tests() -> Iterator[tuple[str, str]]:
    """Yield the name and the source of every test in this folder."""
    for path in sorted(HERE.rglob("test_*.py")):
        lines = path.read_text(encoding="utf-8").splitlines()
        for node in ast.walk(ast.parse("\n".join(lines))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                begin = min([node.lineno, *(each.lineno for each in node.decorator_list)])
                yield node.name, "\n".join(lines[begin - 1 : node.end_lineno])


def untested() -> list[str]:
    """Return the abuses and limits that no test names, in order, without those that come later."""
    found = [named(*test) for test in tests()]
    abuses = set().union(*(each.abuses for each in found))
    bounds = set().union(*(each.bounds for each in found))
    lacking = [f"A{number} {title}" for number, title in ABUSES.items() if number not in abuses]
    lacking = [row for row in lacking if row.split()[0] not in LATER]
    return lacking + [f"{bound}, a limit" for bound in BOUNDS if bound not in bounds]


if __name__ == "__main__":
    missing = untested()
    sys.stdout.writelines(f"{row}\n" for row in missing)
    sys.stdout.writelines(f"later: {row} ({reason})\n" for row, reason in LATER.items())
    sys.exit(1 if missing else 0)
