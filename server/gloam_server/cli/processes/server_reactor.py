"""The reactor of a server's process, on an event loop that is measured. Installed before anything else needs one."""

import sys
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final, cast

from gloam_server.engine.server_statistics import Histogram

if TYPE_CHECKING:
    from gloam_server.net.reactor import ListeningPort, Reactor

_SWITCH_INTERVAL_S: Final = (
    0.0005  # the writer's thread waits for the interpreter: the default of 5 ms would delay every commit
)


def install_reactor(busy: Histogram) -> "tuple[Reactor, Callable[[ListeningPort], None]]":
    """Install the reactor, and return it with the function that prepares a listening port for it. `busy` gets its busy times."""
    import asyncio

    from gloam_server.app.garbage_collection import search_young
    from gloam_server.net.watched_selector import WatchedSelector

    sys.setswitchinterval(_SWITCH_INTERVAL_S)
    selector = WatchedSelector(busy.observe, rest=search_young)
    loop = asyncio.SelectorEventLoop(selector)
    cast(Any, loop)._transports = {}  # noqa: SLF001  # never has any: a search there takes a tenth of each new connection
    asyncio.set_event_loop(loop)
    from twisted.internet import asyncioreactor

    asyncioreactor.install(loop)
    from twisted.internet import reactor

    cast(Any, reactor).seconds = time.monotonic  # turns and deadlines must not follow the wall clock
    cast(Any, reactor).start_timer = loop.call_later
    # Twisted would put a thread's answer off to the next turn of the reactor.
    cast(Any, reactor).callFromThread = loop.call_soon_threadsafe
    return cast("Reactor", reactor), partial(_begin_listening, selector.serve_last)


def _begin_listening(serve_last: Callable[[int], None], port: "ListeningPort") -> None:
    from gloam_server.net.reactor import prepare_port

    prepare_port(port)
    serve_last(port.fileno())
