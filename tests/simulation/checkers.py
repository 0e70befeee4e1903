"""What must hold after every step of the swarm, whatever happened in it."""

from collections import Counter

from gloam_server.app.roster import marks_of
from gloam_server.content.campaigns import SHIPPED
from gloam_server.views.projection import project
from gloam_server.world.inputs import Arrive, Enter, Free, Turn, decode
from gloam_server.world.invariants import check
from gloam_shared.commands import Choose, Move, Stop, Wait
from gloam_shared.messages import Answer, FromServer, Joined, Update
from gloam_shared.text import fold
from gloam_shared.view import Fact, View
from simulation.players import SwarmPlayer
from support.campaigns import shipped
from support.realm import SimServer

SENSING = frozenset(
    effect.word
    for campaign in map(shipped, SHIPPED)
    for spell in campaign.spells.values()
    for effect in spell.effects
    if effect.does == "detect"
)
"""The states in which a player is shown the creatures that he does not see (rule TG.5)."""


def check_levels(server: SimServer) -> None:
    """Every level is whole, and nothing has stopped the server."""
    assert not server.fatal, server.fatal
    for level in server.dungeon.levels.values():
        check(level)


def check_bodies(server: SimServer) -> None:
    """Every life has exactly one body, in play or kept, and nobody else has one."""
    standing = Counter(
        body.account
        for level in server.dungeon.levels.values()
        for body in level.creatures.values()
        if body.account
    )
    kept = Counter(account for account, life in server.dungeon.realm.lives.items() if life.kept is not None)
    assert standing + kept == Counter(list(server.dungeon.realm.lives)), (standing, kept)


def check_sight(server: SimServer, player: SwarmPlayer) -> None:
    """A view holds no cell outside memory, and nobody and nothing outside sight."""
    view = player.link.view
    if not view.place.depth:
        return
    senses_all = any(state.word in SENSING for state in view.states)
    creatures = [] if senses_all else [(each.cell, each.name) for each in view.creatures]
    for cell, name in creatures + [(each.cell, each.name) for each in view.items]:
        assert view.sight[cell], f"{player.name} is told of {name} on cell {cell}, which he does not see"
    for cell, seen in enumerate(view.sight):
        assert not seen or view.terrain[cell], f"{player.name} sees cell {cell} and does not know it"
    known = memory_of(server, player)
    if known is not None:
        for cell, terrain in enumerate(view.terrain):
            assert not terrain or known[cell], f"{player.name} knows cell {cell}, which his life never saw"


def memory_of(server: SimServer, player: SwarmPlayer) -> bytearray | None:
    """Return what a player's life remembers of the level that his view shows; None when the view is of another."""
    account = server.journal.account_by_name(fold(player.name))
    life = None if account is None else server.dungeon.realm.lives.get(account.number)
    level = server.dungeon.levels[player.link.view.place.depth]
    if life is None or level.handles.get(life.number) != player.link.view.fact(Fact.HANDLE):
        return None
    return level.memory[life.number]


class Durable:
    """Follows the journal, and knows which commands of whom are in it."""

    def __init__(self) -> None:
        self._read: Counter[int] = Counter()
        self._owner: dict[int, str] = {}
        self._done: Counter[str] = Counter()
        self._refused: Counter[str] = Counter()
        self._times: Counter[tuple[str, int]] = Counter()

    def follow(self, server: SimServer) -> None:
        """Read what has become durable since the last time."""
        for place in server.journal.places():
            for record in server.journal.read(place, self._read[place]):
                self._read[place] = record.sequence
                self._note(record.body)

    def check(self, server: SimServer, player: SwarmPlayer, messages: list[FromServer]) -> None:
        """What is told as done is durable, or was refused or replaced."""
        self._refused[player.name] = max(self._refused[player.name], refused_up_to(server, player))
        for message in messages:
            if isinstance(message, Answer):
                is_stop = isinstance(player.sent.get(message.number), Stop)
                if message.code == "done" and not is_stop:
                    self._assert_durable(player, message.number)
            elif isinstance(message, Joined) and not message.new_life:
                self._assert_durable(player, message.number)
            elif isinstance(message, Update):
                self._assert_durable(player, message.done)

    def check_once(self, player: SwarmPlayer) -> None:
        """No command of one turn was carried out twice, however often it was sent."""
        for number, command in player.sent.items():
            times = self._times[player.name, number]
            assert times <= 1 or not isinstance(command, Move | Wait | Choose), (
                f"{player.name}: {command} with number {number} was done {times} times"
            )

    def _assert_durable(self, player: SwarmPlayer, number: int) -> None:
        assert number <= max(self._done[player.name], self._refused[player.name]), (
            f"{player.name} was told that command {number} is done, and it is not in the journal"
        )

    def _note(self, body: bytes) -> None:
        match decode(body):
            case Arrive(creature) if creature.account:
                self._owner[creature.number] = creature.name
            case Turn(acts):
                for act in acts:
                    self._is_done(act.player, act.number)
            case Free(number, command_number):
                self._is_done(number, command_number)
            case Enter():
                pass

    def _is_done(self, body: int, number: int) -> None:
        if number:
            owner = self._owner[body]
            self._times[owner, number] += 1
            self._done[owner] = max(self._done[owner], number)


def refused_up_to(server: SimServer, player: SwarmPlayer) -> int:
    """Return up to which number the server has refused or replaced commands, told or lost on a line that broke."""
    account = server.journal.account_by_name(fold(player.name))
    known = None if account is None else server.beats.roster.of(account.number)
    return 0 if known is None else known.answered


def check_quiet(server: SimServer, player: SwarmPlayer) -> None:
    """When all is quiet, a client shows exactly what its body knows, and nothing of its is left unanswered."""
    assert player.line is not None
    assert player.link.joined, f"{player.name} did not get in: {player.byes}"
    assert player.link.unanswered is None, f"{player.name}: {player.link.unanswered} was never answered"
    expected = projection(server, player.line.connection.player)
    shown = player.link.view
    for field in View.__struct_fields__:
        assert getattr(shown, field) == getattr(expected, field), f"{player.name}: {field} differs"


def projection(server: SimServer, account: int) -> View:
    """Return what a player's body knows now."""
    standing = server.beats.roster.standing(account)
    assert standing is not None
    who, level, body = standing
    marks = {number: marks_of(other) for number, other in server.beats.roster.at(level).items()}
    return project(level, body, marks=marks, party=server.beats.roster.party(), log=who.log)
