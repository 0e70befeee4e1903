"""The requests of a session to its host: the only output of a session.

A valid message in the right phase is passed on unchanged; the host carries it out.
"""

from typing import TypeAlias

from msgspec import Struct

from gloam_shared.protocol.beside_messages import SetBeside
from gloam_shared.protocol.chat_messages import Report, Shun, Speak
from gloam_shared.protocol.kit_messages import ChooseKit
from gloam_shared.protocol.ladder_messages import AskLadder
from gloam_shared.protocol.messages import (
    Acknowledge,
    AskChronicle,
    AskHistory,
    AskMapMemory,
    AskStatus,
    Away,
    FromServer,
    Goodbye,
    JoinFriend,
    Login,
    MapPing,
    NewLife,
    Refresh,
    Resume,
    SendChat,
    SetPassword,
    SubmitCommand,
    Thinking,
)
from gloam_shared.protocol.party_messages import PartyRequest
from gloam_shared.protocol.replay_messages import AskReplay
from gloam_shared.protocol.watch_messages import (
    AskWatchable,
    EndWatching,
    SetWatchable,
    Watch,
    WatchLogin,
)


class Send(Struct, frozen=True):
    """Send a message to the client."""

    message: FromServer


class BanForFlood(Struct, frozen=True):
    """The player has flooded the chat: they cannot join again for a while."""


class Close(Struct, frozen=True):
    """End the connection after the sent bytes are out, or after a second; `at_once` does not wait."""

    at_once: bool = False


PlayerMessage: TypeAlias = (
    SubmitCommand | Acknowledge | SendChat | Speak | Shun | Report | MapPing | Thinking | AskMapMemory | Refresh | NewLife | Away | SetPassword
    | AskChronicle | AskHistory | JoinFriend | SetBeside | SetWatchable | EndWatching | PartyRequest | ChooseKit
)  # fmt: skip
"""Messages of a player. `Login`, `Resume` and `WatchLogin` are answered by `Session.login_checked`."""

WatchRequest: TypeAlias = Acknowledge | AskWatchable | Watch | Refresh
"""Messages of a watcher."""

Effect: TypeAlias = (
    Send | Close | BanForFlood | AskStatus | AskLadder | AskReplay | Login | Resume | WatchLogin | Goodbye | PlayerMessage | WatchRequest
)  # fmt: skip
