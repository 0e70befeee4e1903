"""The form of words in a channel for each client: `Spoken`, or a `ChatLine` where a client knows no channels."""

from collections.abc import Iterable
from typing import Final

from gloam_server.engine.messages import Say, Views
from gloam_server.engine.player import Player
from gloam_shared.protocol.codec import encode
from gloam_shared.protocol.framing import frame
from gloam_shared.protocol.messages.chat import ChatLine, Spoken

_PLAIN: Final = {"party": "(to the party) {}", "whisper": "(whispers) {}", "emote": "*{}*"}
"""Words of a channel in a plain line. The name of the speaker stands before it in any client."""


class Delivery:
    """Sends words to players, in the form that each client knows."""

    def __init__(self, views: Views) -> None:
        self._views = views

    def deliver(self, said: Spoken, hearers: Iterable[Player]) -> None:
        """Send words to connected players, who remember them; each of the two forms is encoded once."""
        spoken, plain = frame(encode(said)), frame(encode(plain_line(said)))
        for player in hearers:
            if said.name:
                player.audience.lines.append(said)
            form = spoken if "channels" in player.abilities else plain
            self._views.take(Say(player.connection, form))

    def tell(self, player: Player, text: str) -> None:
        """Send a player a sentence of the server's own about words."""
        self.deliver(Spoken("server", "", text), [player])


def plain_line(said: Spoken) -> ChatLine:
    """Return words as a plain line; the channel stands in the text, behind the speaker's name (A52)."""
    before, _, after = _PLAIN.get(said.channel, "{}").partition("{}")
    return ChatLine(said.name, f"{before}{said.text}{after}")
