"""A server that is killed between a command at a device and its commit: at each statement of the transaction, and around it.

Each copy of the world's files is what such a kill leaves. The next server has the device in one of two states, and the client,
which sends again what was not answered, has worked it once.
"""

import shutil
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from msgspec.structs import replace

from gloam_lab.invariants import check_invariants
from gloam_server.app.config import WORLD_FILE
from gloam_server.content.campaign import Campaign
from gloam_server.content.loader import load
from gloam_server.engine.recovery.replay import verify
from gloam_server.storage.open_store import open_store
from gloam_server.storage.sqlite.sqlite_journal import SqliteJournal
from gloam_server.world.model.inputs import Turn
from gloam_server.world.model.level import Level
from gloam_shared.protocol.commands import AnyCommand, Drop, Move
from support.content.device_campaign import device_files
from support.server.journal_checks import things, whole
from support.server.parties import granted, turn
from support.server.sim_server import SimClient, SimServer

ROOM: Final = '''
[hall]
name = "the hall"
places = ["caves"]
drawing = """
##############
#......#######
#.p....##i..##
:......G...m##
#.a....##...##
#......#######
###l##k#######
##############
"""
[hall.legend]
p = { device = "plate", works = "G" }
a = { device = "altar", works = "G" }
l = { device = "lever", works = "G" }
k = { device = "keyhole", works = "G" }
m = { device = "lever", works = "G" }
G = { device = "gate" }
i = { item = "iron_key" }
'''
SLOWLY_S: Final = 0.02
"""The time of a commit, and of its answer: between the two the command is durable, but not answered."""
ENOUGH_MS: Final = 400
ABSENCE_MS: Final = 130_000


class Work(NamedTuple):
    """A device that is worked: its kind, the item that it takes, and whether it is worked from a cell beside it."""

    kind: str
    takes: str = ""
    beside: bool = True

    @property
    def is_gift(self) -> bool:
        """Whether the item is gone after that."""
        return bool(self.takes)


WORKS: Final = (
    Work("lever"),
    Work("plate"),
    Work("keyhole", takes="iron_key"),
    Work("altar", takes="red_book", beside=False),
)


@cache
def hall() -> Campaign:
    """Return a campaign whose first level has one room with all devices, and no monsters."""
    campaign = load(device_files(rooms=ROOM))
    levels = {key: replace(kind, drawn_rooms=(1, 1), monsters=0) for key, kind in campaign.levels.items()}
    return replace(campaign, levels=levels)


class Killer:
    """Copies the files of a world at each moment at which its server could be killed."""

    def __init__(self, world: Path) -> None:
        self._world = world
        self.left: dict[Path, str] = {}

    def note(self, moment: str) -> None:
        """Keep the files as they are now; the moment is a statement, or words."""
        folder = self._world.with_name(f"kill-{len(self.left)}")
        folder.mkdir()
        for file in self._world.glob(f"{WORLD_FILE}*"):
            shutil.copy(file, folder / file.name)
        self.left[folder] = moment


def device(level: Level, kind: str) -> int:
    """Return the cell of a kind of device, outside of what the gate shuts off."""
    assert level.state.devices
    near = {at for cell in level.state.devices.sealed for at in level.grid.neighbors(cell)}
    return next(at for at, each in level.state.devices.placed.items() if each.kind == kind and at not in near)


def is_on(level: Level, cell: int) -> bool:
    assert level.state.devices
    return level.state.devices.placed[cell].on


def is_open(level: Level) -> bool:
    """Return whether the gate is open."""
    assert level.state.devices
    [gate] = [at for at, each in level.state.devices.placed.items() if each.kind == "gate"]
    assert is_on(level, gate) == level.is_walkable(gate)
    return is_on(level, gate)


def stand_at(server: SimServer, ann: SimClient, cell: int, *, beside: bool) -> None:
    """Walk to a device, or to a cell beside it from which a step leads to it."""
    level = server.level_of(ann)
    near = [cell] if not beside else [at for at in server.ground(ann) if level.grid.distance(at, cell) == 1]
    server.walk(ann, near[0])


def command_at(server: SimServer, ann: SimClient, work: Work, cell: int) -> AnyCommand:
    if work.beside:
        return Move(*server.level_of(ann).grid.towards(server.body(ann).cell, cell))
    kinds = [None if item is None else item.kind for item in server.body(ann).slots]
    return Drop(kinds.index(work.takes))


def times_done(server: SimServer, number: int) -> int:
    """Return how often the journal has the player's command with a number."""
    turns = [input_ for input_ in server.inputs(1) if isinstance(input_, Turn)]
    return sum(act.number == number for each in turns for act in each.acts)


@pytest.mark.rule("F175", "F176", "F177")
@pytest.mark.parametrize("work", WORKS, ids=[work.kind for work in WORKS])
def test_a_kill_leaves_a_device_in_one_state(work: Work, tmp_path: Path) -> None:
    world = tmp_path / "world"
    world.mkdir()
    store = open_store(world / WORLD_FILE)
    server = SimServer(hall(), store=store)
    ann = server.join("Ann")
    server.advance(200)
    for at, kind in enumerate(("iron_key", "red_book", "red_book"), start=1):
        granted(server, ann, kind, at)
    cell = device(server.level_of(ann), work.kind)
    stand_at(server, ann, cell, beside=work.beside)
    turn(server, ann)
    before = things(server.dungeon)
    command = command_at(server, ann, work, cell)

    killer = killed(server, ann, command, world)
    statements = list(killer.left.values())
    assert statements.index("applied, not written") < statements.index("COMMIT") < len(statements) - 1
    link = ann.link
    assert link.unanswered is not None
    number = link.unanswered.number
    states = []
    for folder, moment in killer.left.items():
        store = open_store(folder / WORLD_FILE)
        after = SimServer(hall(), store=store)
        level = after.dungeon.levels[1]
        states.append(is_on(level, cell))
        assert is_open(level) == states[-1]
        assert len(before) - len(things(after.dungeon)) == (states[-1] and work.is_gift), moment
        ann.link = deepcopy(link)
        back(after, ann)
        assert ann.link.unanswered is None
        assert (is_on(level, cell), is_open(level)) == (True, True), moment
        assert len(before) - len(things(after.dungeon)) == work.is_gift, moment
        assert times_done(after, number) == 1, moment
        check_invariants(level)
        assert verify(after.store, after.campaign)[1] == after.dungeon.state_hash()
        after.crash()
        store.close()
    assert states == sorted(states)
    assert set(states) == {False, True}


@pytest.mark.rule("F175", "F177")
def test_a_plate_follows_who_does_not_return() -> None:
    """Ann holds a plate when the server is killed. Her body leaves while she is away, and is on the plate when she is back."""
    server = SimServer(hall())
    ann, bert = server.join("Ann"), server.join("Bert")
    server.advance(200)
    level = server.level_of(ann)
    cell = device(level, "plate")
    stand_at(server, ann, cell, beside=False)
    turn(server, bert)
    assert (is_on(level, cell), is_open(level)) == (True, True)
    server.crash()
    after = server.again()
    level = after.dungeon.levels[1]
    assert (is_on(level, cell), is_open(level)) == (True, True)
    back(after, bert)
    after.advance(ABSENCE_MS)
    turn(after, bert)
    assert [body.name for body in level.players()] == ["Bert"]
    assert (is_on(level, cell), is_open(level)) == (False, False)
    back(after, ann)
    assert after.body(ann).cell == cell
    assert (is_on(level, cell), is_open(level)) == (True, True)
    whole(after)


def killed(server: SimServer, ann: SimClient, command: AnyCommand, world: Path) -> Killer:
    """Let a command be applied and written, and pull the plug before its answer; return what each earlier kill leaves."""
    server.writer.delay_s = server.writer.answer_s = SLOWLY_S
    journal = server.store.journal
    assert isinstance(journal, SqliteJournal)
    connection = journal._transactions.connections.connection()
    killer = Killer(world)
    connection.set_trace_callback(killer.note)
    ann.command(command)
    killer.note("applied, not written")
    server.pass_time(int(SLOWLY_S * 1_000) + 5)
    killer.note("written, not known")
    connection.set_trace_callback(None)
    assert ann.link.unanswered is not None
    server.crash()
    server.store.close()
    return killer


def back(server: SimServer, ann: SimClient) -> None:
    """Let a client go on with the next server."""
    ann.server = server
    server.clients.append(ann)
    ann.dial()
    server.advance(ENOUGH_MS)
