"""The answers to commands that end without a turn, for the view side. Used by the command queue, the loop and chat."""

from collections.abc import Iterable

from gloam_server.engine.messages import Answered, Say, Views
from gloam_server.engine.player import Player
from gloam_shared.protocol.messages.play import Answer


class Answers:
    """Sends answers, and tells the view side up to which number the commands of a player are answered."""

    def __init__(self, views: Views) -> None:
        self._views = views
        self.overtaken: dict[int, Player] = {}
        """The players with a waiting command that a newer one has overtaken, by account."""

    def send(self, refusals: Iterable[tuple[Player, Answer]]) -> None:
        """Send the answers to commands that ended without a turn."""
        for player, answer in refusals:
            self.note(player)
            self._views.take(Say(player.connection, answer))

    def note(self, player: Player) -> None:
        """Tell the view side which commands of a player are answered; an overtaken one waits."""
        turns = player.turns
        waiting = turns.sent_overtaken = turns.overtaken
        self._views.take(Answered(player.account, turns.answered, waiting))
        if waiting:
            self.overtaken[player.account] = player
        else:
            self.overtaken.pop(player.account, None)

    def settle(self) -> None:
        """Note the overtaken commands that no longer wait, before the views that show their turns."""
        for player in list(self.overtaken.values()):
            if player.turns.overtaken != player.turns.sent_overtaken:
                self.note(player)
