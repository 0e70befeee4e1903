"""Caches of one client: several may run in one process, and each finds what it kept itself.

Panels and floods depend on one player's model, and a cache of the process would serve only the player who was drawn last.
`App.run` begins a store for its task, which callbacks and further tasks inherit; elsewhere the process has one.
"""

from collections.abc import Callable
from contextvars import ContextVar
from functools import lru_cache
from typing import Any, Final, NamedTuple, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_STORE: Final[ContextVar[dict[object, Any]]] = ContextVar("store of a client")
_OF_THE_PROCESS: Final[dict[object, Any]] = {}


def store() -> dict[object, Any]:
    """Return the store of the present client: what is kept, by the function or panel that keeps it."""
    return _STORE.get(_OF_THE_PROCESS)


def begin_store() -> None:
    """Begin an empty store in the present context: for another client, or to have everything computed again."""
    _STORE.set({})


class _Newest(NamedTuple):
    """A result, and everything that it follows from."""

    inputs: object
    result: Any


def newest(maker: object, inputs: object, compute: Callable[[], T]) -> T:
    """Return the newest result of a maker for this client; it is computed again where the inputs are others."""
    kept = store()
    known: _Newest | None = kept.get(maker)
    if known is None or inputs != known.inputs:
        known = kept[maker] = _Newest(inputs, compute())
    result: T = known.result
    return result


def of_same(maker: object, subject: object, compute: Callable[[], T]) -> T:
    """Return the newest result of a maker for this client; it is computed again for another subject, as an object."""
    kept = store()
    known: _Newest | None = kept.get(maker)
    if known is None or known.inputs is not subject:
        known = kept[maker] = _Newest(subject, compute())
    result: T = known.result
    return result


def own_cache(maxsize: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Return a decorator that keeps the newest results of a function for each client."""

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        def cached(*args: P.args, **kwargs: P.kwargs) -> T:
            kept = store()
            if (known := kept.get(function)) is None:
                known = kept[function] = lru_cache(maxsize)(function)
            result: T = known(*args, **kwargs)  # type: ignore[arg-type]  # as of each cache: they are hashed
            return result

        return cached

    return decorate
