"""The abuses and limits that have a test; as a program it lists those that have none.

An abuse has a number and a row in `server/docs/limits.md`. A test names it by its marker
(`@pytest.mark.rule("A26")`), or in its docstring or a comment (`A26`). A limit is a constant of
`gloam_shared.limits`; a test of what happens one below it, at it and one above it says so in its docstring or a
comment: `bound: NAME_MAX`.
"""

import re
import sys
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from support.documents.rulebook import every_test

DOCUMENT: Final = Path(__file__).parents[3] / "server" / "docs" / "limits.md"

_ROW: Final = re.compile(r"^\| A(\d{1,2}) \| (.+?) \|", re.MULTILINE)


@cache
def abuses() -> dict[int, str]:
    """Return what is done to a server or a client, by its number: the rows of the document."""
    return {int(number): title for number, title in _ROW.findall(DOCUMENT.read_text(encoding="utf-8"))}


BOUNDS: Final = (
    "FRAME_BEFORE_LOGIN_MAX FRAME_FROM_CLIENT_MAX FRAME_FROM_SERVER_MAX DEPTH_MAX ELEMENTS_MAX STRING_MAX HANDSHAKE_S "
    "LOGIN_S FRAME_S HEARTBEAT_S DEAD_S COMMANDS_PER_S COMMANDS_BURST CHAT_PER_S CHAT_BURST CHAT_SAID_MAX "
    "CHAT_TRIED_MAX CHAT_SAME_S CHAT_SHUT_S CHAT_CELLS_MAX CHAT_BYTES_MAX UNACKNOWLEDGED_MAX QUEUED_BYTES_MAX REFRESH_S "
    "CONNECTIONS_MAX CONNECTIONS_PER_ADDRESS_MAX CONNECTIONS_RESERVED FLAPS_MAX FLAPS_WITHIN_S FLAPS_SHUT_S NAME_MIN "
    "NAME_MAX PASSWORD_MIN PASSWORD_MAX PASSWORD_JOBS_MAX FAILURES_MAX FAILURES_S CREATIONS_MAX CREATIONS_S "
    "RESUME_S"
).split()
"""The limits that a test shows one below, at, and one above."""

_NOTED: Final = re.compile(r"\bA(\d+)\b")
_BOUND: Final = re.compile(r"\bbounds?: ((?:[A-Z_]+(?:, )?)+)")


class Named(NamedTuple):
    """The names in the tests: numbers of abuses, and constants of limits."""

    abuses: set[int]
    bounds: set[str]


def named(source: str) -> Named:
    """Return what the source of one test names, its marker included."""
    bounds = {bound for listed in _BOUND.findall(source) for bound in listed.split(", ")}
    return Named(set(map(int, _NOTED.findall(source))), bounds)


def numbers() -> set[int]:
    """Return the numbers of abuses that tests name."""
    return set().union(*(named(test.source).abuses for test in every_test()))


def untested() -> list[str]:
    """Return the abuses and limits that no test names, in order."""
    bounds = set().union(*(named(test.source).bounds for test in every_test()))
    known = numbers()
    lacking = [f"A{number} {title}" for number, title in abuses().items() if number not in known]
    return lacking + [f"{bound}, a limit" for bound in BOUNDS if bound not in bounds]


if __name__ == "__main__":
    missing = untested()
    sys.stdout.writelines(f"{row}\n" for row in missing)
    sys.exit(1 if missing else 0)
