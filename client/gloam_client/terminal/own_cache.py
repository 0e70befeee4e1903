"""Caches of one client: several may run in one process, and each finds what it kept itself.

Panels and floods depend on one player's model, and a cache of the process would serve only the player who was drawn last.
`App` uses its own store while it handles an event or draws: it is also called by tasks of its host, such as one that learns of
another size of the window. Elsewhere the process has one store.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import Any, Final, NamedTuple, ParamSpec, TypeAlias, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

CacheStore: TypeAlias = dict[object, Any]
"""The caches of a client: what is kept, by the function or panel that keeps it."""
_STORE: Final[ContextVar[CacheStore]] = ContextVar("store of a client")
_OF_THE_PROCESS: Final[CacheStore] = {}


def store() -> CacheStore:
    """Return the store of the present client."""
    return _STORE.get(_OF_THE_PROCESS)


@contextmanager
def using_store(kept: CacheStore) -> Iterator[None]:
    """Use the store of a client within a `with`."""
    token = _STORE.set(kept)
    try:
        yield
    finally:
        _STORE.reset(token)


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
