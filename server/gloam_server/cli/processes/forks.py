"""Processes that are forked from one that has imported the server: they start in milliseconds, and share the memory of its code.

An interpreter imports a server for a second and more. A process that forks must have one thread, so it imports and forks before
it handles signals, and before anything else starts a thread.
"""

import gc
import os
import sys
import traceback
from collections.abc import Callable, Collection
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Final

CAN_FORK: Final = sys.platform == "linux"
"""Elsewhere a system's libraries may have threads, and no descriptor watches a process."""
SERVER_MODULES: Final = (
    "gloam_server.app.garbage_collection",
    "gloam_server.app.server",
    "gloam_server.app.views.standby",
    "gloam_server.app.views.view_process",
    "gloam_server.net.watched_selector",
)
"""The modules that the processes of a server would import as they start."""
TURNS: Final = "gloam-turns"
STANDBY: Final = "gloam-standby"
FORKS: Final = "gloam-forks"
VIEW: Final = "gloam-view-"
"""The names of processes in the system's lists. A number follows the last one."""
_FAILED: Final = 1
_STANDARD: Final = 3
"""The descriptors of input, output and errors are those below."""
_NAME: Final = Path("/proc/self/comm")
_NAME_MAX: Final = 15


def keep_one_thread() -> None:
    """Let numpy start no threads, here and in all processes that this one starts. Call it before anything imports numpy."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def import_server() -> None:
    """Import what a server's processes need. Call it while this process has one thread."""
    for each in SERVER_MODULES:
        import_module(each)
    gc.freeze()  # a search for garbage would write to pages that the processes share


def fork(run: Callable[[], int], kept: Collection[int]) -> int:
    """Start a process that does `run` and ends with the exit code it returns; return its number. It has the descriptors `kept` and the standard ones."""
    _flush()
    number = os.fork()
    if number:
        return number
    code = _FAILED
    try:
        _close_all_but(kept)
        code = run()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else _FAILED
    except BaseException:  # noqa: BLE001  # the process ends here
        traceback.print_exc()
    finally:
        _flush()
        os._exit(code)


def name_process(name: str) -> None:
    """Show this process by a name in the system's lists, where forked ones all have the same command line. Its first 15 characters count."""
    with suppress(OSError):
        _NAME.write_text(name[:_NAME_MAX])


def _flush() -> None:
    """Write what is held back, unless a stream was closed: it is None if that was before the start."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()


def _close_all_but(kept: Collection[int]) -> None:
    """Close all descriptors of the process that forked, as `subprocess` does."""
    begin = _STANDARD
    for each in sorted(each for each in kept if each >= _STANDARD):
        os.closerange(begin, each)
        begin = each + 1
    os.closerange(begin, os.sysconf("SC_OPEN_MAX"))
