"""The state of the connection to the server, as the client knows it. Data only."""

from typing import Final, NamedTuple, Self


class ConnectionStatus(NamedTuple):
    """The state of the connection to the server."""

    state: str = "title"
    """"title", "joining", "joined" or "down"."""
    text: str = ""
    """The reason why the connection is down."""
    since_ms: int = 0
    """The time at which this state began."""
    retry_ms: int = 0
    """The time at which the next attempt starts."""
    unanswered_since_ms: int | None = None
    """The time at which the oldest unanswered command was sent; None for none."""
    heard_ms: int = 0
    """The time at which the newest bytes arrived."""
    round_trip_ms: int | None = None
    """The newest round trip; None before the first."""

    def heard(
        self, state: str, heard_ms: int, unanswered_since_ms: int | None, round_trip_ms: int | None
    ) -> Self:
        """Return the status after bytes arrived; why and since when a former connection was down stays known."""
        return self._replace(
            state=state,
            heard_ms=heard_ms,
            unanswered_since_ms=unanswered_since_ms,
            round_trip_ms=round_trip_ms,
        )


NOT_CONNECTED: Final = ConnectionStatus()
