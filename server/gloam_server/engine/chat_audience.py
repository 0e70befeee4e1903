"""The chat that reaches a player: whose messages they hear, and the last lines that they were sent."""

from collections import deque
from dataclasses import dataclass, field

from gloam_server.storage.chat_store import ShunnedPlayer
from gloam_shared import limits
from gloam_shared.protocol.messages.chat import Spoken


@dataclass(slots=True)
class ChatAudience:
    """One player's side of what others say and ask."""

    known: bool = False
    """Whether the shunned players are read; until then the player hears only themselves."""
    shunned: dict[int, ShunnedPlayer] = field(default_factory=dict)
    """The players that this one ignores or blocks, by account, the newest last."""
    lines: deque[Spoken] = field(default_factory=lambda: deque(maxlen=limits.REPORT_LINES))
    """The last lines that were sent to the player, for a report."""
    heard: int = 0
    """The number of the newest words for which the player was there."""

    takes_gifts_of: set[int] = field(default_factory=set)
    """The accounts whose gifts the player agreed to, since the start."""

    def hears(self, account: int) -> bool:
        """Return whether words of another account reach the player."""
        return self.known and account not in self.shunned

    def blocks(self, account: int) -> bool:
        """Return whether nothing of another account reaches the player: no ping, invitation, duel, trade or watcher."""
        shunned = self.shunned.get(account)
        return shunned is not None and shunned.blocked
