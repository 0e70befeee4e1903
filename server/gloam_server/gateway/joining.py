"""Seating: whoever was let in is given his body in the dungeon, or is told how his last life ended."""

from gloam_server.engine.fault_isolation import SHUT_IN
from gloam_server.engine.game_loop import Beats
from gloam_server.engine.players import Player
from gloam_server.net.connection import Connection
from gloam_server.sessions.client_view import Seat
from gloam_server.views.life_summaries import keepsakes, obituary
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import EnterPlay
from gloam_shared.protocol.updates import UpdateWriter


class Seating:
    """Brings players into play, each on the connection that speaks for him when it is durable."""

    def __init__(self, beats: Beats) -> None:
        self._beats = beats
        self._roster = beats.roster

    def begin_life(self, player: Player, connection: Connection, life: int, keepsake: int | None) -> None:
        """Begin the life after a player's life number `life`, with that one of the keepsakes that were offered."""
        if self._roster.standing(player.account) is None:
            if life == self._newest_life(player):
                self._enter(player, keepsake)
        else:  # it has begun already, perhaps on a line that broke
            self._beats.when_durable(lambda: self.bring_in(player, connection))

    def bring_in(self, player: Player, connection: Connection) -> None:
        """Seat a player who stands in the dungeon, tell one who fell how, and let anybody else enter."""
        if player.connection is not connection:
            return
        fallen = self._beats.dungeon.realm.fallen.get(player.account)
        standing = self._roster.standing(player.account)
        if standing is not None and standing[1].place in self._beats.dungeon.closed:
            self._beats.cast_out(player, SHUT_IN)
        elif standing is not None:
            if player.seat is None or player.seat.body != standing[2].number:
                self._seat(player, connection)
        elif fallen is not None:
            life = self._newest_life(player)
            connection.do(connection.session.joined(player.name, fallen.command, life))
            connection.send(obituary(self._beats.dungeon.campaign, fallen))
            self._beats.wake()  # the others are to be told of it in a while
        else:
            self._enter(player)

    def _enter(self, player: Player, keepsake: int | None = None) -> None:
        """Bring a player's body into play; when that is durable he is given his seat.

        `keepsake` is the place of a thing among those offered to an heir; a place that was not offered is none.
        """
        connection = player.connection
        fallen = self._beats.dungeon.realm.fallen.get(player.account)
        offered = (
            [left.item for left in keepsakes(self._beats.dungeon.campaign, fallen)]
            if fallen is not None
            else []
        )
        asked = offered[keepsake] if keepsake is not None and keepsake < len(offered) else 0
        self._beats.submit(
            REALM_PARTITION,
            EnterPlay(player.account, player.name, asked),
            lambda: self._seat(player, connection),
        )

    def _seat(self, player: Player, connection: Connection | None) -> None:
        """Give a player his seat, unless another connection has come in the meantime."""
        standing = self._roster.standing(player.account)
        if standing is None or connection is None or player.connection is not connection:
            return
        _, _, body = standing
        former = player.seat  # of his last life on this line; the client's acknowledgements count on
        writer = UpdateWriter(references="references" in connection.session.abilities)
        player.seat = Seat(body.number, writer)
        if former is not None:
            player.seat.writer.patch, player.seat.acknowledged = former.patch, former.acknowledged
        player.choosing.clear()
        player.dueling.clear()
        life = self._newest_life(player)
        if player.life != life:
            player.life, player.answered = life, 0
        player.answered = max(player.answered, body.command)
        player.stale = True
        player.told_pace = None
        connection.do(connection.session.joined(player.name, player.answered, life))
        self._beats.wake()

    def _newest_life(self, player: Player) -> int:
        """Return how many lives a player has begun: the number of his newest."""
        return self._beats.dungeon.realm.born.get(player.account, 0)
