"""The messages about what players say to each other: words of a player, and words that a player hears.

All need the ability "channels". Without it a client sends `SendChat`, and hears `ChatLine`.
"""

from typing import TYPE_CHECKING, Literal, TypeAlias

from gloam_shared.protocol.message_base import Count, Message, PlayerName, ServerMessage, Text

SpokenChannel: TypeAlias = Literal["say", "party", "whisper", "emote"]
"""The channels of players: to all, to the party, to one player, and a deed told to all ("Anna waves")."""

Channel: TypeAlias = SpokenChannel | Literal["server"]
"""All channels. "server" is the server's own: what it answers to words and to requests about them."""

ShunKind: TypeAlias = Literal["hear", "ignore", "block"]
"""The treatment of another player's words."""

if TYPE_CHECKING:
    HeardChannel: TypeAlias = Channel
else:
    HeardChannel = Text  # a newer server may send a channel that this client does not know

# From the client.


class Speak(Message, frozen=True, tag=40):
    """Say something in a channel; `target` is the name of the player who hears a whisper."""

    channel: SpokenChannel
    text: Text
    target: PlayerName = ""


class Shun(Message, frozen=True, tag=41):
    """Hide a player's words ("ignore") or everything from them ("block"), or nothing from now on ("hear").

    The server keeps this for the account. Answered by `Shunned`; with an empty name that is all.
    """

    name: PlayerName
    how: ShunKind


class Report(Message, frozen=True, tag=42):
    """Report a player to the host, with the last lines said to this player. Answered by `Spoken` of the channel "server"."""

    name: PlayerName
    why: Text = ""


# From the server.


class Spoken(ServerMessage, frozen=True, tag=98):
    """A player said that in a channel; `name` is "" for the server itself.

    `target` is the player who hears a whisper: the speaker gets it, too. `ago_s` is 0 for words of now; for what was
    said while the player was away it says how many seconds ago, at least 1.
    """

    channel: HeardChannel
    name: Text
    text: Text
    target: Text = ""
    ago_s: Count = 0


class Shunned(ServerMessage, frozen=True, tag=99):
    """The names of the players that this player ignores, and of those that they block, the newest last.

    It comes after a login of a player who has any, and as the answer to `Shun`; `text` says what that did.
    """

    ignored: tuple[Text, ...] = ()
    blocked: tuple[Text, ...] = ()
    text: Text = ""


ChatFromClient: TypeAlias = Speak | Shun | Report
ChatFromServer: TypeAlias = Spoken | Shunned
