"""The way from the parts of a client to the client itself. `App` makes it, and gives its `report` to session, services and replays.

The parts hold no reference to the client once its run is over, so that its memory is free without a search for garbage: a door
ends many clients an hour.
"""

from collections.abc import Callable

from gloam_client.state.client_events import ClientEvent


class EventSink:
    """Passes events on until it is closed; later ones are dropped."""

    def __init__(self, handle: Callable[[ClientEvent], None]) -> None:
        self._handle: Callable[[ClientEvent], None] | None = handle

    def report(self, happened: ClientEvent) -> None:
        """Pass an event on."""
        if self._handle is not None:
            self._handle(happened)

    def close(self) -> None:
        """Drop all further events."""
        self._handle = None
