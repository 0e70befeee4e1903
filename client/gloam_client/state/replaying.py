"""The state of a replay's screen: the replayed client's model, and where the replay is. Data only."""

from typing import NamedTuple

from gloam_client.state.model import Model


class ReplayShown(NamedTuple):
    """The state of a replay. `turns` counts up to where it has been read so far, and `whole` says that this is the end."""

    model: Model | None = None
    turn: int = 0
    turns: int = 0
    whole: bool = False
    paused: bool = False
    speed: str = "1"
    event: str = ""
    """The newest notable event up to here; "" before the first."""
    fault: str = ""
    """The reason why there is no more to play."""
    ended: bool = False
    """Whether the end is shown."""


NOTHING_SHOWN = ReplayShown()
