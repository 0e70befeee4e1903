"""The messages about what players say to each other: words of a player, and words that a player hears.

All need the ability "channels". Without it a client sends `SendChat`, and hears `ChatLine`.
"""

from typing import TYPE_CHECKING, Literal, TypeAlias

from gloam_shared.protocol.message_base import Count, Message, PlayerName, ServerMessage, Text

SpokenChannel: TypeAlias = Literal["say", "party", "whisper", "emote"]
"""The channels of players: to all, to the party, to one player, and a deed told to all ("Anna waves")."""

Channel: TypeAlias = SpokenChannel | Literal["server"]
"""All channels. "server" is the server's own: what it answers to words and to requests about them."""

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


ChatFromClient: TypeAlias = Speak
ChatFromServer: TypeAlias = Spoken
