"""Counts how often Gloam's own functions are called.

With Python 3.12 and newer `sys.monitoring` counts, before that `sys.setprofile`. Both give the same numbers: generators and
comprehensions do not count, because Python versions call them differently, and other libraries do not count either.
"""

import sys
from collections.abc import Callable
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR
from types import CodeType, FrameType
from typing import Any, Final

_PACKAGES: Final = ("gloam_server", "gloam_client", "gloam_shared")
_RESUMED: Final = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR
_TOOL: Final = 4


def count_calls(work: Callable[[], object]) -> int:
    """Return how many calls of Gloam's functions some work makes in this thread."""
    return _monitored(work) if sys.version_info >= (3, 12) else _profiled(work)


def is_counted(code: CodeType) -> bool:
    """Return whether the calls of a function count."""
    if code.co_flags & _RESUMED or code.co_name in ("<listcomp>", "<setcomp>", "<dictcomp>"):
        return False
    return any(f"/{package}/" in code.co_filename for package in _PACKAGES)


def _profiled(work: Callable[[], object]) -> int:
    counted: dict[CodeType, bool] = {}
    calls = 0

    def note(frame: FrameType, event: str, _: object) -> None:
        nonlocal calls
        if event == "call":
            code = frame.f_code
            known = counted.get(code)
            if known is None:
                known = counted[code] = is_counted(code)
            calls += known

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls


def _monitored(work: Callable[[], object]) -> int:
    monitoring: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]  # mypy checks for 3.11
    calls = 0

    def note(code: CodeType, _: int) -> Any:
        nonlocal calls
        if not is_counted(code):
            return monitoring.DISABLE
        calls += 1
        return None

    started = monitoring.events.PY_START
    monitoring.use_tool_id(_TOOL, "gloam counts")
    try:
        monitoring.register_callback(_TOOL, started, note)
        monitoring.set_events(_TOOL, started)
        monitoring.restart_events()
        work()
    finally:
        monitoring.set_events(_TOOL, 0)
        monitoring.register_callback(_TOOL, started, None)
        monitoring.free_tool_id(_TOOL)
    return calls
