"""The state machine that the game loop and its commit queue share: a table of states and events.

server/ARCHITECTURE.md has the drawing.
"""

from enum import Enum, auto
from typing import Final


class State(Enum):
    """A step of the work on a batch, or the end of all work."""

    WAITING = auto()
    """No batch is under way: everything applied is durable and published."""
    APPLYING = auto()
    """The inputs of a batch are applied in memory."""
    APPENDING = auto()
    """The batch is being written; no input is applied, and nothing of it is shown."""
    PUBLISHING = auto()
    """The batch is durable; its results are sent."""
    LAST_APPEND = auto()
    """As APPENDING, but no batch follows."""
    LAST_PUBLISH = auto()
    """As PUBLISHING, but no batch follows."""
    STOPPED = auto()
    """No batch may begin; everything applied is durable."""
    HALTED = auto()
    """No batch may begin, and memory is permanently ahead of the journal: nothing of it may be shown or written."""


class Event(Enum):
    """A change of the state."""

    BEGIN = auto()
    """A batch begins."""
    EMPTY = auto()
    """The batch has no input."""
    APPEND = auto()
    """The batch is handed to the writer."""
    DURABLE = auto()
    """The append has succeeded."""
    PUBLISHED = auto()
    """The results of the batch are sent."""
    STOP = auto()
    """The server is to stop after the present batch."""
    HALT = auto()
    """The batch can never become durable: a fault, another writer, or a disk that refuses the last batch."""


_NEXT: Final = {
    (State.WAITING, Event.BEGIN): State.APPLYING,
    (State.APPLYING, Event.EMPTY): State.WAITING,
    (State.APPLYING, Event.APPEND): State.APPENDING,
    (State.APPENDING, Event.DURABLE): State.PUBLISHING,
    (State.PUBLISHING, Event.PUBLISHED): State.WAITING,
    (State.WAITING, Event.STOP): State.STOPPED,
    (State.APPENDING, Event.STOP): State.LAST_APPEND,
    (State.LAST_APPEND, Event.DURABLE): State.LAST_PUBLISH,
    (State.PUBLISHING, Event.STOP): State.LAST_PUBLISH,
    (State.LAST_PUBLISH, Event.PUBLISHED): State.STOPPED,
    **{(ending, Event.STOP): ending for ending in (State.LAST_APPEND, State.LAST_PUBLISH)},
    **{(ended, Event.STOP): ended for ended in (State.STOPPED, State.HALTED)},
    **{(state, Event.HALT): State.HALTED for state in State},
}


class LoopState:
    """The present state; it changes by the table only."""

    def __init__(self) -> None:
        self.now = State.WAITING

    def change(self, event: Event) -> None:
        """Take the next state. Raises RuntimeError if the event is impossible in the present one."""
        after = _NEXT.get((self.now, event))
        if after is None:
            raise RuntimeError(f"the game loop cannot {event.name} while it is {self.now.name}")
        self.now = after

    @property
    def may_begin(self) -> bool:
        """Whether a batch may begin now."""
        return self.now is State.WAITING

    def may_show(self) -> bool:
        """Return whether players may be shown what has changed around them."""
        return self.now in (State.WAITING, State.PUBLISHING)

    @property
    def is_durable(self) -> bool:
        """Whether everything applied is in the journal, so that it may be shown."""
        return self.now not in (State.APPLYING, State.APPENDING, State.LAST_APPEND, State.HALTED)

    @property
    def is_ending(self) -> bool:
        """Whether no further batch may begin."""
        return self.now not in (State.WAITING, State.APPLYING, State.APPENDING, State.PUBLISHING)

    @property
    def has_ended(self) -> bool:
        """Whether the last batch is done, or never will be."""
        return self.now in (State.STOPPED, State.HALTED)
