"""Messages about what players say to each other: lines of chat, pings of the map, lists of ignored players.

All but `SendChat`, `ChatLine` and the pings need the ability "channels". Without it a client sends `SendChat`, and gets `ChatLine`.
"""

from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias

from msgspec import Meta

from gloam_shared.protocol.commands import Cell
from gloam_shared.protocol.messages import base

SpokenChannel: TypeAlias = Literal["say", "party", "whisper", "emote"]
"""The channels of players: to all, to the party, to one player, and a deed told to all ("Anna waves")."""

Channel: TypeAlias = SpokenChannel | Literal["server"]
"""All channels. "server" is the server's own: what it answers to words and to requests about them."""

IgnoreKind: TypeAlias = Literal["hear", "ignore", "block"]
"""The treatment of another player's words."""

HEAL_PING: Final = "heal-ping"
"""The ability with which a client may send the ping "heal"."""

if TYPE_CHECKING:
    HeardChannel: TypeAlias = Channel
else:
    HeardChannel = base.Text  # a newer server may send a channel that this client does not know


# From the client.


class SendChat(base.Message, frozen=True, tag=6):
    """Send a chat message to all players in the realm."""

    text: base.Text


class Speak(base.Message, frozen=True, tag=40):
    """Say something in a channel; `target` is the name of the player who hears a whisper."""

    channel: SpokenChannel
    text: base.Text
    target: base.PlayerName = ""


class Ignore(base.Message, frozen=True, tag=41):
    """Hide a player's words ("ignore") or everything from them ("block"), or nothing from now on ("hear").

    The server keeps this for the account. Answered by `Ignored`; with an empty name that is all.
    """

    name: base.PlayerName
    how: IgnoreKind


class Report(base.Message, frozen=True, tag=42):
    """Report a player to the host, with the last lines said to this player. Answered by `Spoken` of the channel "server"."""

    name: base.PlayerName
    why: base.Text = ""


class MapPing(base.Message, frozen=True, tag=16):
    """Ping a cell of the level at `depth` for all players: the player's own cell, or the cell of the cursor."""

    word: base.Word
    depth: Annotated[int, Meta(ge=1, le=1_000)]
    cell: Cell


# From the server.


class ChatLine(base.ServerMessage, frozen=True, tag=70):
    """A chat message; `name` is "" for the server itself."""

    name: base.Text
    text: base.Text


class Spoken(base.ServerMessage, frozen=True, tag=98):
    """A player said that in a channel; `name` is "" for the server itself.

    `target` is the player who hears a whisper: the speaker gets it, too. `ago_s` is 0 for words of now; for what was
    said while the player was away it says how many seconds ago, at least 1.
    """

    channel: HeardChannel
    name: base.Text
    text: base.Text
    target: base.Text = ""
    ago_s: base.Count = 0


class Ignored(base.ServerMessage, frozen=True, tag=99):
    """The names of the players that this player ignores, and of those that they block, the newest last.

    It is sent after a login of a player who has any, and as the answer to `Ignore`; `text` says what that did.
    """

    ignored: tuple[base.Text, ...] = ()
    blocked: tuple[base.Text, ...] = ()
    text: base.Text = ""


class MapPinged(base.ServerMessage, frozen=True, tag=79):
    """A player pinged a cell of the level at `depth`. A client shows an unknown word as it is."""

    name: base.Text
    word: base.Text
    depth: base.Count
    cell: Cell


ChatFromClient: TypeAlias = SendChat | Speak | Ignore | Report | MapPing
ChatFromServer: TypeAlias = ChatLine | Spoken | Ignored | MapPinged
