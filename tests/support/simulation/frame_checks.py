"""Reads every frame at the moment when the server writes it, and compares it with the durable state.

It reports each fault and raises nothing, because it runs inside the server.
"""

from collections import Counter
from collections.abc import Callable
from typing import Final
from weakref import WeakKeyDictionary

from gloam_server.content.shipped import SHIPPED
from gloam_server.engine.player import Player
from gloam_server.engine.presence.presence import reported_marks
from gloam_server.views.party_view import friend_of, sorted_by_name
from gloam_server.views.projection import project
from gloam_server.views.trade_view import trade_state
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_shared import limits
from gloam_shared.appearance import TRANSPARENT
from gloam_shared.protocol.commands import Climb, Plan, Stop
from gloam_shared.protocol.messages.login import Bye, Joined
from gloam_shared.protocol.messages.play import Answer, Update
from gloam_shared.protocol.messages.records import MapMemory
from gloam_shared.protocol.messages.trade import NO_TRADE, TradeState
from gloam_shared.protocol.registry import FromServer
from gloam_shared.protocol.server_stream import ServerStream
from gloam_shared.protocol.updates import UpdateReader
from gloam_shared.view import run_length
from gloam_shared.view.view import CreatureFlag, Stat, View
from support.content.campaigns import shipped
from support.server.sim_server import SimServer
from support.simulation.clients import Person
from support.simulation.durable_state import Shadow
from support.simulation.field_of_view import seen_from
from support.simulation.network import Line

SENSING: Final = frozenset(
    effect.word
    for campaign in map(shipped, SHIPPED)
    for spell in campaign.spells.values()
    for effect in spell.effects
    if effect.does == "detect"
)
"""The states in which a player receives creatures out of their sight (rule TG.5)."""

DEAR_EVERY: Final = 7
"""Every this many updates one is compared with the projection of the durable state, and looked at with eyes of its own."""


class Watch:
    """One for a run. `report` takes what is wrong, in a sentence."""

    def __init__(self, people: list[Person], report: Callable[[str], None]) -> None:
        self.shadow: Shadow | None = None
        self.server: SimServer | None = None
        self.byes: Counter[str] = Counter()
        self.updates = 0
        self._people = {person.name: person for person in people}
        self._report = report
        self._streams: WeakKeyDictionary[Line, ServerStream] = WeakKeyDictionary()
        self._shown: WeakKeyDictionary[Line, UpdateReader] = WeakKeyDictionary()
        self._answered: Counter[str] = Counter()
        self._lives: Counter[str] = Counter()

    def new_process(self, server: SimServer) -> None:
        """Another process serves from now on."""
        self.server = server
        self._streams.clear()
        self._shown.clear()

    def lost_tail(self) -> None:
        """The journal has lost its tail: what was answered counts for nothing, and lives that began have not."""
        self._answered.clear()
        for person in self._people.values():
            person.meant_for.clear()

    def written(self, line: Line, data: bytes) -> None:
        """Check what the server writes on a line."""
        stream = self._streams.setdefault(line, ServerStream(limits.FRAME_FROM_SERVER_MAX))
        for message in stream.feed(data):
            self._judge(line, message)

    def carried_out(self, name: str, life: int, number: int, command: object, times: int) -> None:
        """Take a command that is in the journal: one that they gave, and, unless it is a plan's step, done once."""
        person = self._people.get(name)
        if person is None:
            return
        sent = person.sent.get(number, set())
        honest = person.forger is None  # a modified client may ask for a life and command it in one breath
        if honest and life not in person.meant_for.get(number, {life}):
            self._report(
                f"{name}: {command} with number {number} was given in another life than it was done in"
            )
        if any(isinstance(each, Plan | Climb) for each in sent):
            return
        if command not in sent:
            self._report(f"{name}: {command} with number {number} was done, and {sent} was sent")
        if times > 1:
            self._report(f"{name}: {command} with number {number} was done {times} times")

    def _judge(self, line: Line, message: FromServer) -> None:
        account = line.connection.player
        match message:
            case Update():
                self._judge_update(line, account, message)
            case Answer(number, code):
                self._judge_answer(account, number, code)
            case Joined(_, number, life):
                self._judge_joined(account, number, life)
            case MapMemory():
                self._judge_recalled(account, message)
            case Bye(code):
                self.byes[code] += 1
            case TradeState():
                self._judge_trade(account, message)
            case _:
                pass

    def _judge_trade(self, account: int, message: TradeState) -> None:
        """A trade is shown as it is in the durable state."""
        life = self._shadow.dungeon.realm.lives.get(account)
        level = self._shadow.dungeon.levels.get(life.partition) if life is not None else None
        body = level.creatures.get(life.number) if level is not None and life is not None else None
        durable = trade_state(level, body) if level is not None and body is not None else NO_TRADE
        if message != durable:
            self._report(f"player {account} sees the trade {message}, and {durable} is durable")

    @property
    def _server(self) -> SimServer:
        assert self.server is not None
        return self.server

    @property
    def _shadow(self) -> Shadow:
        assert self.shadow is not None
        return self.shadow

    def _player(self, account: int) -> Player:
        player = self._server.engine.players.by_account(account)
        assert player is not None, f"nobody plays account {account}"
        return player

    def _judge_answer(self, account: int, number: int, code: str) -> None:
        """A "done" answers a command that needs no turn, or one that was answered before."""
        player = self._player(account)
        sent = self._people[player.name].sent.get(number, set())
        if code == "done" and not any(isinstance(each, Stop) for each in sent):
            self._check_done(
                account, number, "an answer", max(self._answered[player.name], player.turns.answered)
            )
        self._answered[player.name] = max(self._answered[player.name], number)

    def _judge_joined(self, account: int, number: int, life: int) -> None:
        """Check the number in `Joined`. It reports an answer that was lost with the line before."""
        player = self._player(account)
        if life > self._lives[player.name]:
            self._answered[player.name] = self._shadow.done[player.name] = 0
        self._lives[player.name] = life  # a lesser one where the journal has lost its tail
        answered = self._answered[player.name] = max(self._answered[player.name], player.turns.answered)
        self._check_done(account, number, "the joining", answered)

    def _check_done(self, account: int, number: int, how: str, answered: int) -> None:
        """Check that a command reported as done is durable, or was refused or replaced."""
        name = self._player(account).name
        if number > max(answered, self._shadow.done[name]):
            self._report(f"{name} reads in {how} that command {number} is done, but the journal lacks it")

    def _judge_update(self, line: Line, account: int, message: Update) -> None:
        self.updates += 1
        view = self._shown.setdefault(line, UpdateReader()).read(message)
        player = self._player(account)
        answered = self._answered[player.name]
        if not view.fact(Stat.HP):  # the last of a life comes before the refusals of the beat that ended it
            answered = max(answered, player.turns.answered)
        self._check_done(account, message.done, "an update", answered)
        in_play = self._in_play(account)
        if in_play is None:
            if view.fact(Stat.HP):
                self._report(f"{player.name} receives a level, but has no body in the journal")
            return
        level, body = in_play
        self._check_cells(level, body, view)
        if self.updates % DEAR_EVERY == 0:
            self._check_sight(level, body, view)
            self._check_projection(account, level, body, view)

    def _in_play(self, account: int) -> tuple[Level, Creature] | None:
        """Return the place of an account's body by the journal."""
        life = self._shadow.dungeon.realm.lives.get(account)
        if life is None or life.kept is not None:
            return None
        level = self._shadow.dungeon.levels[life.partition]
        body = level.creatures.get(life.number)
        return None if body is None else (level, body)

    def _check_cells(self, level: Level, body: Creature, view: View) -> None:
        """Check that the view has no cell outside memory, and no creature or item out of sight."""
        if view.place.depth != level.partition:
            self._report(
                f"{body.name} receives level {view.place.depth} but stands on level {level.partition}"
            )
            return
        senses_all = any(state.word in SENSING for state in view.states)
        creatures = [] if senses_all else [(each.cell, each.name) for each in view.creatures]
        for cell, name in creatures + [(each.cell, each.name) for each in view.items]:
            if not view.sight[cell]:
                self._report(f"{body.name} receives {name} on cell {cell}, which they do not see")
        if view.terrain != bytes(level.memory[body.number]):
            cell = next(
                at for at, terrain in enumerate(view.terrain) if terrain != level.memory[body.number][at]
            )
            self._report(f"{body.name} receives terrain of cell {cell} that their life does not know")

    def _check_sight(self, level: Level, body: Creature, view: View) -> None:
        """Check that light reaches each cell that counts as seen, with other code than the server's."""
        width, height, reach = level.grid.width, level.grid.height, view.fact(Stat.SIGHT)
        y, x = divmod(body.cell, width)

        def opaque(cx: int, cy: int) -> bool:
            outside = not (0 <= cx < width and 0 <= cy < height)
            return outside or level.terrain[cy * width + cx] not in TRANSPARENT

        may = {
            cy * width + cx for cx, cy in seen_from(x, y, opaque, 40) if 0 <= cx < width and 0 <= cy < height
        }
        for cell, seen in enumerate(view.sight):
            if not seen or cell == body.cell:
                continue
            far = (cell % width - x) ** 2 + (cell // width - y) ** 2 > reach * (reach + 1)
            if cell not in may or (far and not level.dark[cell]):
                self._report(f"{body.name} on cell {body.cell} receives cell {cell}, which they cannot see")

    def _check_projection(self, account: int, level: Level, body: Creature, view: View) -> None:
        """Check that the view of the client is the projection of the durable state."""
        roster = self._server.engine.players
        marks = {number: reported_marks(other) for number, other in roster.on_level(level).items()}
        player, presence = self._player(account), self._server.engine.loop.presence.presence
        own = CreatureFlag.AWAY if player.attendance.away.now else CreatureFlag(0)
        party = sorted_by_name(
            (presence.friends | {account: friend_of(player.name, level, body, own)}).values()
        )
        client = self._server.view_side.clients.by_account(account)
        assert client is not None
        expected = project(level, body, marks={**marks, body.number: own}, party=party, log=client.log)
        for field in View.__struct_fields__:
            if getattr(view, field) != getattr(expected, field):
                self._report(f"{body.name}: the {field} that they receive is not durable")

    def _judge_recalled(self, account: int, message: MapMemory) -> None:
        life = self._shadow.dungeon.realm.lives.get(account)
        level = self._shadow.dungeon.levels.get(message.depth)
        if level is None or life is None:
            return
        terrain = run_length.apply_values(
            bytes(message.width * message.height), message.packed, message.width
        )
        known = level.memory.get(life.number, bytes(len(terrain)))
        if any(result and result != known[cell] for cell, result in enumerate(terrain)):
            self._report(f"{life.name} recalls more of level {message.depth} than their life knows")
