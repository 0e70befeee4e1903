"""The seam through which tests plant faults: a function of Gloam is replaced as an object, and never by its name.

A name in quotes goes on naming nothing when the function is renamed or when its caller moves, and the fault is planted no
longer. Here the checker of types sees the function, the seam fails where no caller has it, and at the end of a test it
fails for a fault that play never reached.
"""

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FunctionType, MethodType, ModuleType
from typing import Any, Final

import pytest

_PACKAGES: Final = ("gloam_shared", "gloam_server", "gloam_client", "gloam_door")


class FaultSeam:
    """Replaces functions and methods of Gloam until the test ends, or until `fault` is left."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch
        self._reached: dict[str, int] = {}

    def plant(
        self, work: Callable[..., Any], stand_in: Callable[..., Any], *, within: ModuleType | None = None
    ) -> None:
        """Let `stand_in` do the work of a function: in one module that calls it, or in all of them.

        A method is replaced in its class, a bound method on its object alone.
        """
        self._replace(self._monkeypatch, work, stand_in, within)

    @contextmanager
    def fault(
        self, work: Callable[..., Any], stand_in: Callable[..., Any], *, within: ModuleType | None = None
    ) -> Iterator[None]:
        """Plant a fault for the length of a block."""
        with self._monkeypatch.context() as patch:
            self._replace(patch, work, stand_in, within)
            yield

    def check_reached(self) -> None:
        """Fail for each fault that was planted and never reached."""
        missed = [name for name, count in self._reached.items() if not count]
        assert not missed, f"faults were planted that the test never reached: {', '.join(missed)}"

    def _replace(
        self,
        patch: pytest.MonkeyPatch,
        work: Callable[..., Any],
        stand_in: Callable[..., Any],
        within: ModuleType | None,
    ) -> None:
        name = f"{work.__module__}.{work.__qualname__}"
        self._reached.setdefault(name, 0)

        def counted(*args: Any, **named: Any) -> Any:
            self._reached[name] += 1
            return stand_in(*args, **named)

        for holder, attribute in holders(work, within):
            patch.setattr(holder, attribute, counted)


def holders(work: Callable[..., Any], within: ModuleType | None = None) -> list[tuple[object, str]]:
    """Return where a function is bound, as objects and the names of attributes. Raises `LookupError` if nowhere."""
    if isinstance(work, MethodType):
        return [(work.__self__, work.__name__)]
    if within is None and isinstance(work, FunctionType) and "." in work.__qualname__:
        return [(_class_of(work), work.__name__)]
    modules = [within] if within is not None else _modules()
    found: list[tuple[object, str]] = [
        (module, name) for module in modules for name, value in vars(module).items() if value is work
    ]
    if not found:
        where = within.__name__ if within is not None else "no module of Gloam"
        raise LookupError(f"{work.__qualname__} is planted in {where}, which does not call it")
    return found


def _modules() -> list[ModuleType]:
    return [module for name, module in sys.modules.items() if name.partition(".")[0] in _PACKAGES]


def _class_of(method: FunctionType) -> object:
    owner: object = sys.modules[method.__module__]
    for name in method.__qualname__.split(".")[:-1]:
        owner = inspect.getattr_static(owner, name)
    return owner
