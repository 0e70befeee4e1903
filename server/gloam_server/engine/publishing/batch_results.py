"""The results of a durable batch for each client: log lines, wounds, ended lives, stale views. Used by `ViewSide`."""

from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet

from gloam_server.engine.messages import Durable, Lines
from gloam_server.engine.publishing.client_state import ClientState
from gloam_server.engine.publishing.client_view import ClientView
from gloam_server.engine.publishing.clients import Clients
from gloam_server.net.conversation import Conversation
from gloam_server.views.texts.life_recap import life_recap, recent_wounds
from gloam_server.views.texts.life_summaries import death_summary
from gloam_server.views.texts.narration import append_lines, lines_of
from gloam_server.views.texts.wanted import told_depths
from gloam_server.world.model.events import DamageDealt, Narration, PlayerDied
from gloam_server.world.transition.dungeon import Batch, Dungeon
from gloam_shared.protocol.messages.play import Update
from gloam_shared.view.view import Log, LogLine

Failed = Callable[[ClientState | None, Exception], None]
"""Reports a fault in showing; a client whose view failed is named."""


class BatchResults:
    """Brings each batch to the clients. An internal error costs only one player their view."""

    def __init__(self, dungeon: Dungeon, clients: Clients, failed: Failed) -> None:
        self._dungeon = dungeon
        self._clients = clients
        self._failed = failed

    def add_lines(self, told: Iterable[Lines]) -> None:
        """Add log lines that no event has to their players' logs."""
        for each in told:
            client = self._clients.by_account(each.account)
            if client is not None:
                client.log = append_lines(client.log, list(each.lines))

    def collect(self, durable: Durable, now_ms: int) -> None:
        """Collect the results of a durable batch."""
        batch, acted = durable.batch, durable.acted
        if durable.lines:  # in few batches: a call is saved
            self.add_lines(durable.lines)
        lines = self._lines(batch, durable.hidden)
        self._note_wounds(batch)
        changed = batch.changed_levels()
        for death in batch.deaths:
            try:
                self._publish_death(death, lines.get(death.number, []), now_ms)
            except Exception as error:  # noqa: BLE001  # the other players still get their updates
                self._failed(self._clients.by_account(death.account), error)
        if lines:  # in few batches; a player may go on at another view process, so all have their log here
            for client, _, body in self._clients.in_play():
                if body.number in lines:
                    client.log = append_lines(client.log, lines[body.number])
        for client, level, body in self._clients.shown_here():
            if level.partition in changed:
                client.needs_update = True
            if body.number in acted:
                client.has_own_news = True

    def end_life(self, client: ClientState, fallen: PlayerDied) -> None:
        """Send a connected player the summary of the life that is over, and what they can learn from it."""
        if client.connection is None:
            return
        dungeon = self._dungeon
        killer = dungeon.realm.fame.named.get(fallen.killer)
        told = told_depths(dungeon.realm.events.entries).get(fallen.killer, 0)
        client.connection.send(death_summary(dungeon.campaign, fallen, killer, told))
        if "recap" in client.connection.abilities:
            level = dungeon.levels.get(fallen.partition)
            client.connection.send(life_recap(dungeon.campaign, dungeon.realm, level, fallen, client.wounds))

    def _lines(self, batch: Batch, hidden: AbstractSet[tuple[int, int]]) -> dict[int, list[LogLine]]:
        """Return the log lines of the events for each witness."""
        lines: dict[int, list[LogLine]] = {}
        for _, event in batch.events:
            if not isinstance(event, Narration):
                continue
            try:
                for witness, line in lines_of(event):
                    if event.kind != "challenges" or (event.actor, witness) not in hidden:
                        lines.setdefault(witness, []).append(line)
            except Exception as error:  # noqa: BLE001  # one event is missing in the logs
                self._failed(None, error)
        return lines

    def _note_wounds(self, batch: Batch) -> None:
        """Remember the newest damage to each player's body, for the recap of a life that ends."""
        wounds: dict[int, list[DamageDealt]] = {}
        for _, event in batch.events:
            if isinstance(event, DamageDealt):
                wounds.setdefault(event.victim, []).append(event)
        if not wounds:
            return
        accounts = {body.number: body.account for _, _, body in self._clients.in_play()}
        accounts.update((death.number, death.account) for death in batch.deaths)
        for number, new in wounds.items():
            client = self._clients.by_account(accounts.get(number, 0))
            if client is not None:
                client.wounds = recent_wounds(client.wounds, new)

    def _publish_death(self, death: PlayerDied, lines: list[LogLine], now_ms: int) -> None:
        """Send a player the turn that ended their life, and its summary."""
        client = self._clients.by_account(death.account)
        if client is None:
            return
        log, client.log = append_lines(client.log, lines), Log()
        if client.connection is None:
            if client.view is not None:
                client.view.follow_to_the_end(log)
            return
        if client.view is not None:
            update = client.view.final_update(log, max(death.command, client.answered))
            send_patch(client.connection, client.view, update, now_ms)
        else:  # the body died before its new player got a view
            life = self._dungeon.realm.born.get(death.account, 0)
            client.connection.joined(client.name, death.command, life)
        self.end_life(client, death)


def send_patch(connection: Conversation, seat: ClientView, update: Update, now_ms: int) -> None:
    """Send an update, which the client must acknowledge in time."""
    connection.send(update)
    connection.patch_sent(seat.writer.patch, now_ms)
