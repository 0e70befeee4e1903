"""The most that each message of a client may cost: the table of `server/docs/limits.md`, which tests measure against."""

from typing import Final, NamedTuple

from gloam_shared.protocol.messages import chat, lives, login, parties, play, records, watching
from gloam_shared.protocol.messages.dungeons import AskDungeons
from gloam_shared.protocol.messages.replays import AskReplay
from gloam_shared.protocol.registry import CLIENT_MESSAGES, FromClient


class Budget(NamedTuple):
    """The limit of a message, and the most bytes of the journal, calls of functions and bytes of memory that one costs.

    A question about the dungeon stays within the defaults, which need no row.
    """

    limit: str = ""
    """"" means: the bucket in the row of the registry, or none besides the limit on all messages."""
    journal: int = 0
    calls: int = 1_000
    memory: int = 65_536


_BUDGETS: Final[dict[type[FromClient], Budget]] = {
    login.Hello: Budget(calls=300, memory=16_384),
    login.AskStatus: Budget(calls=200, memory=16_384),
    login.Login: Budget(limit="logins", journal=20_000, calls=16_000, memory=262_144),
    play.SubmitCommand: Budget(limit="budget", journal=20_000, calls=8_000, memory=131_072),
    play.Acknowledge: Budget(calls=100, memory=16_384),
    chat.SendChat: Budget(limit="chat", calls=2_000),
    play.Thinking: Budget(calls=500, memory=16_384),
    play.Refresh: Budget(limit="views", calls=4_000, memory=131_072),
    lives.NewLife: Budget(journal=20_000, calls=8_000, memory=131_072),
    play.HeartbeatReply: Budget(calls=100, memory=16_384),
    login.Goodbye: Budget(limit="first", journal=20_000, calls=2_000, memory=131_072),
    play.Away: Budget(calls=500, memory=16_384),
    login.SetPassword: Budget(limit="passwords", memory=131_072),
    login.Resume: Budget(limit="logins", journal=20_000, calls=4_000),
    chat.MapPing: Budget(limit="chat", calls=1_500),
    records.AskChronicle: Budget(calls=500),
    lives.JoinFriend: Budget(journal=40_000, calls=16_000, memory=262_144),
    lives.SetBeside: Budget(calls=200, memory=16_384),
    watching.WatchLogin: Budget(limit="logins", memory=32_768),
    watching.AskWatchable: Budget(calls=200, memory=16_384),
    watching.SetWatchable: Budget(calls=200, memory=65_536),
    watching.EndWatching: Budget(calls=100, memory=16_384),
    watching.CountGuests: Budget(memory=131_072),
    chat.Speak: Budget(limit="chat", calls=2_000),
    chat.Report: Budget(memory=131_072),
    parties.InviteToParty: Budget(journal=256, calls=4_000, memory=131_072),
    parties.AnswerInvite: Budget(journal=256, calls=4_000, memory=131_072),
    parties.LeaveParty: Budget(journal=256, calls=2_000, memory=131_072),
    parties.SetPartyChoices: Budget(journal=256, calls=2_000, memory=131_072),
    parties.LeadParty: Budget(journal=256, calls=2_000, memory=131_072),
    AskReplay: Budget(limit="replays", calls=500, memory=1_048_576),
    AskDungeons: Budget(limit="first"),
    lives.ChooseKit: Budget(journal=64, calls=4_000, memory=131_072),
    lives.BeginAtBeacon: Budget(journal=40_000, calls=16_000, memory=262_144),
}
"""The messages that have another limit than the bucket in their row of the registry, or that cost less or more."""


def budget_of(kind: type[FromClient]) -> Budget:
    """Return the budget of a message, with the name of its limit."""
    row, budget = CLIENT_MESSAGES[kind], _BUDGETS.get(kind, Budget())
    otherwise = "first" if "greeting" in row.phases else "messages"
    return budget._replace(limit=budget.limit or row.limit or otherwise)
