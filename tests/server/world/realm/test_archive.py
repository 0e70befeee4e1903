"""Lives out of memory: the realm and the levels give a life away, and take it back as it was."""

import zlib

import pytest

from gloam_server.engine.recovery.replay import batch_records
from gloam_server.world.model import inputs
from gloam_server.world.model.events import Archived
from gloam_server.world.realm.archived_life import decode_life
from gloam_server.world.realm.realm import archived_of, was_played
from gloam_server.world.transition.dungeon import Dungeon, new_dungeon, populate
from gloam_server.world.transition.serialization import deserialize_level, deserialize_realm
from gloam_shared.protocol.commands import Wait
from support.content.campaigns import shipped

SEED = 5


def founded() -> Dungeon:
    dungeon = new_dungeon(shipped("gloam"), SEED)
    populate(dungeon)
    dungeon.take_batch()
    return dungeon


def played(dungeon: Dungeon, account: int, actions: int = 3) -> None:
    """Let a player join, act and leave."""
    dungeon.apply_input(0, inputs.EnterPlay(account, f"Player{account}"))
    number = dungeon.realm.lives[account].number
    for at in range(actions):
        dungeon.apply_input(1, inputs.Turn((inputs.PlayerAction(number, at + 1, Wait()),)))
    dungeon.apply_input(1, inputs.Leave(number))


def archived(dungeon: Dungeon, account: int) -> list[Archived]:
    """Archive a life; return its parts."""
    dungeon.take_batch()
    dungeon.apply_input(0, inputs.ArchiveLife(account))
    return [each for each in dungeon.batch.archive if isinstance(each, Archived)]


def restoring(parts: list[Archived]) -> inputs.RestoreLife:
    """Return the input that restores a life from its parts."""
    [life] = [decode_life(part.body) for part in parts if not part.partition]
    memory = tuple((part.partition, part.body) for part in parts if part.partition)
    return inputs.RestoreLife(parts[0].account, parts[0].sequence, life, memory)


def held(dungeon: Dungeon) -> list[bytes]:
    """Return the bytes of all partitions without the numbers of their inputs."""
    sequences = [dungeon.sequence(partition) for partition in dungeon.partitions()]
    heard = [dict(level.state.heard) for level in dungeon.levels.values()]
    for level in dungeon.levels.values():
        level.state.sequence = 0
        level.state.heard.clear()
    dungeon.realm.sequence = 0
    frozen = [dungeon.serialize(partition) for partition in dungeon.partitions()]
    dungeon.realm.sequence = sequences[0]
    for level, sequence, was in zip(dungeon.levels.values(), sequences[1:], heard, strict=True):
        level.state.sequence = sequence
        level.state.heard.update(was)
    return frozen


def test_a_life_comes_back_as_it_was() -> None:
    dungeon = founded()
    played(dungeon, 7)
    before = held(dungeon)
    parts = archived(dungeon, 7)
    assert [part.partition for part in parts] == [0, 1]
    assert 7 not in dungeon.realm.lives
    assert 7 not in dungeon.realm.left
    assert not dungeon.levels[1].memory
    assert dungeon.realm.born[7] == 1, "the lineage stays"
    assert was_played(dungeon.realm, 7)
    dungeon.apply_input(0, restoring(parts))
    assert held(dungeon) == before
    dungeon.apply_input(0, inputs.EnterPlay(7, "Player7"))
    assert dungeon.levels[1].players()[0].actions == 3


@pytest.mark.thorough
def test_an_archive_leaves_few_bytes() -> None:
    """At most 16 bytes for a life. No body, no map memory and no name stays in the state."""
    few, many = founded(), founded()
    for account in range(1, 41):
        played(many, account, actions=1)
        assert archived(many, account)
    sizes = [len(dungeon.serialize(0)) + len(dungeon.serialize(1)) for dungeon in (few, many)]
    level = many.levels[1].state
    kept = len(level.company) + len(level.guests) + len(level.away)
    assert sizes[1] - sizes[0] <= 40 * 16 + kept * 16 + 200
    assert not many.realm.lives
    assert not level.memory


@pytest.mark.parametrize("case", ["in play", "never acted", "in a party", "unknown", "archived"])
def test_a_life_that_is_needed_stays(case: str) -> None:
    """By inputs alone: the realm refuses to archive."""
    dungeon = founded()
    played(dungeon, 7, actions=0 if case == "never acted" else 2)
    if case == "in play":
        dungeon.apply_input(0, inputs.EnterPlay(7, "Player7"))
    if case == "in a party":
        dungeon.apply_input(0, inputs.JoinParty(8, "Player8", 7, "Player7"))
    if case == "archived":
        assert archived(dungeon, 7)
    before = dict(dungeon.realm.lives)
    assert archived(dungeon, 9 if case == "unknown" else 7) == []
    assert dungeon.realm.lives == before


def test_a_life_is_not_lost_by_coming_in() -> None:
    """Without its rows no new life begins, and an archived life cannot be forgotten."""
    dungeon = founded()
    played(dungeon, 7)
    parts = archived(dungeon, 7)
    dungeon.apply_input(0, inputs.EnterPlay(7, "Player7"))
    dungeon.apply_input(0, inputs.ForgetLife(7))
    assert not dungeon.levels[1].players()
    assert archived_of(dungeon.realm) == {7: parts[0].sequence}


def test_a_lost_life_is_followed_by_the_next() -> None:
    """Rows that cannot be read: the realm gives the life up, and the heir is the second of the name."""
    dungeon = founded()
    played(dungeon, 7)
    [first, _] = archived(dungeon, 7)
    dungeon.apply_input(0, inputs.RestoreLife(7, first.sequence, None))
    assert archived_of(dungeon.realm) == {}
    dungeon.apply_input(0, inputs.EnterPlay(7, "Player7"))
    [body] = dungeon.levels[1].players()
    assert (body.family, body.actions) == ("Player7 II", 0)


def test_a_life_is_restored_once() -> None:
    """Neither a second time, nor from the rows of an earlier archive, nor after its death."""
    dungeon = founded()
    played(dungeon, 7)
    first = restoring(archived(dungeon, 7))
    dungeon.apply_input(0, first)
    for _ in range(2):
        dungeon.apply_input(0, first)
    played(dungeon, 7)
    later = archived(dungeon, 7)
    dungeon.apply_input(0, first)
    assert 7 not in dungeon.realm.lives
    dungeon.apply_input(0, restoring(later))
    kept = dungeon.realm.lives[7].kept
    assert kept is not None
    assert kept.actions == 6
    dungeon.realm.lives.pop(7)
    dungeon.apply_input(0, restoring(later))
    assert 7 not in dungeon.realm.lives


@pytest.mark.thorough
def test_a_replay_needs_no_rows() -> None:
    dungeon, again = founded(), founded()
    for account in (7, 8):
        played(dungeon, account)
    parts = archived(dungeon, 7)
    archived(dungeon, 8)
    dungeon.apply_input(0, restoring(parts))
    dungeon.apply_input(0, inputs.EnterPlay(7, "Player7"))
    again = founded()
    for account in (7, 8):
        played(again, account)
    again.take_batch()
    middle = {partition: again.serialize(partition) for partition in again.partitions()}
    again.apply_input(0, inputs.ArchiveLife(7))
    again.apply_input(0, inputs.ArchiveLife(8))
    again.apply_input(0, restoring(parts))
    again.apply_input(0, inputs.EnterPlay(7, "Player7"))
    records = batch_records(again, again.take_batch().applied)
    levels = {
        partition: deserialize_level(frozen, again.campaign, SEED)
        for partition, frozen in middle.items()
        if partition
    }
    replayed = Dungeon(again.campaign, SEED, deserialize_realm(middle[0]), levels)
    for record in records:
        replayed.replay_input(record.partition, inputs.decode(record.body))
    assert replayed.state_hash() == again.state_hash() == dungeon.state_hash()


def test_a_failed_input_archives_nothing() -> None:
    """A rollback undoes the rows, too."""
    dungeon = founded()
    played(dungeon, 7)
    dungeon.take_batch()
    mark = dungeon.savepoint()
    dungeon.apply_input(0, inputs.ArchiveLife(7))
    assert dungeon.rollback(mark) == [0, 1]
    assert dungeon.batch.archive == []


def test_a_closed_level_keeps_its_memory() -> None:
    """A fault closes a level until the next start: its part stays there, and is there for the life that returns."""
    dungeon = founded()
    played(dungeon, 7)
    number = dungeon.realm.lives[7].number
    dungeon.close(1)
    parts = archived(dungeon, 7)
    assert [part.partition for part in parts] == [0]
    assert number in dungeon.levels[1].memory
    dungeon.closed.clear()
    dungeon.apply_input(0, restoring(parts))
    dungeon.apply_input(0, inputs.EnterPlay(7, "Player7"))
    assert dungeon.levels[1].players()[0].number == number


def test_memory_of_another_size_is_not_taken() -> None:
    dungeon = founded()
    size = dungeon.levels[1].grid.size
    for at, memory in enumerate((b"few", b"", zlib.compress(b"few"), zlib.compress(bytes(size + 1)))):
        dungeon.apply_input(1, inputs.GiveMemory(5, memory, (0, 99, at)))
    assert 5 not in dungeon.levels[1].memory
    dungeon.apply_input(1, inputs.GiveMemory(5, zlib.compress(bytes(size)), (0, 99, 9)))
    assert dungeon.levels[1].memory[5] == bytes(size)
