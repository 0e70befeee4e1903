"""The auditor: reads what a killed server left on disk, replays it, and compares it with what clients were sent.

It has a dungeon of its own from the founding on, and follows the journal record by record. So it knows every state that
was ever durable, not only the one that the next server wakes to.
"""

import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from gloam_lab.invariants import check_invariants
from gloam_server.content.campaign import Campaign
from gloam_server.engine.recovery.replay import load_realm
from gloam_server.storage.open_store import open_store
from gloam_server.storage.sql.snapshot_bodies import unpack
from gloam_server.views.inventory import InventoryCache
from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.events import ItemCreated, ItemDestroyed
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import RecordDeath, Turn, decode
from gloam_server.world.transition.dungeon import Dungeon
from gloam_server.world.transition.serialization import deserialize_level, deserialize_realm
from gloam_shared.view.view import InventoryItem
from support.crash.bots import Bot

WORLD = "world.sqlite3"


class AuditReport(NamedTuple):
    """The findings of one look at a world: losses and doublings are to be none."""

    lost: int
    doubled: int
    vanished: int
    inputs: int
    words: tuple[str, ...] = ()


@dataclass(slots=True)
class _Moment:
    """The state of a player's body at some durable state."""

    command: int
    holds: tuple[InventoryItem, ...]


class Auditor:
    """Follows one world over any number of kills."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._dungeon: Dungeon | None = None
        self._newest: dict[int, tuple[int, int]] = {}
        self._accounts: dict[str, int] = {}
        self._times: Counter[tuple[int, int]] = Counter()
        self._deaths: Counter[int] = Counter()
        self._ended: list[int] = []
        self._ever: set[int] = set()
        self._unmade: set[int] = set()
        self._history: dict[int, list[_Moment]] = {}
        self._looks: dict[int, object] = {}

    @property
    def is_unfounded(self) -> bool:
        """Whether no world was founded yet, as far as it has looked."""
        return self._dungeon is None

    def state_hash(self) -> bytes:
        """Return the hash of the whole state that it has followed."""
        assert self._dungeon is not None
        return self._dungeon.state_hash()

    def look(self, copy: Path, bots: list[Bot]) -> AuditReport:
        """Compare a world, copied from a dead server, with the answers to all players. Raises AssertionError."""
        self._history = {account: moments[-1:] for account, moments in self._history.items()}
        self._words: list[str] = []
        inputs = self._follow(copy / WORLD)
        if self._dungeon is None:  # killed before the world was founded
            assert all(bot.carried_out == 0 for bot in bots)
            return AuditReport(0, 0, 0, 0)
        lost = sum(self._lost(bot) for bot in bots)
        doubled = self._doubled_things() + sum(self._done_twice(bot) for bot in bots)
        vanished = self._vanished_things() + sum(self._holds_no_more(bot) for bot in bots)
        self._check_states(copy)
        return AuditReport(lost, doubled, vanished, inputs, tuple(self._words))

    def _follow(self, path: Path) -> int:
        """Read and replay what is new in the journal; what was read before must stand there still."""
        with sqlite3.connect(path) as database:
            if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'snapshots'").fetchone():
                return 0
            if self._dungeon is None:
                self._dungeon = self._founded(database)
                if self._dungeon is None:
                    return 0
            self._accounts = dict(database.execute("SELECT name, id FROM accounts"))
            inputs = sum(self._replay(*row) for row in self._new_records(database))
            ranked = [life for (life,) in database.execute("SELECT life FROM deaths ORDER BY life")]
            assert ranked == sorted(self._ended), "the ladder has other lives than the journal"
        database.close()
        return inputs

    def _founded(self, database: sqlite3.Connection) -> Dungeon | None:
        """Return the dungeon as its first snapshots tell it, before any input."""
        stored = database.execute("SELECT place, body FROM snapshots WHERE sequence = 0")
        firsts = {partition: unpack(body) for partition, body in stored}
        if not firsts:
            return None
        (seed,) = database.execute("SELECT seed FROM realm").fetchone()
        levels = {
            partition: deserialize_level(body, self._campaign, int(seed))
            for partition, body in firsts.items()
            if partition != REALM_PARTITION
        }
        return Dungeon(self._campaign, int(seed), deserialize_realm(firsts[REALM_PARTITION]), levels)

    def _new_records(self, database: sqlite3.Connection) -> Iterator[tuple[int, int, bytes]]:
        assert self._dungeon is not None
        rows = database.execute("SELECT place, max(sequence) FROM journal GROUP BY place ORDER BY place")
        for partition, newest in rows.fetchall():
            read, crc = self._newest.get(partition, (0, 0))
            assert newest >= read, f"partition {partition} had {read} inputs on disk, and has {newest} now"
            for sequence, body in database.execute(
                "SELECT sequence, body FROM journal WHERE place = ? AND sequence >= ? ORDER BY sequence",
                (partition, max(read, 1)),
            ):
                if sequence == read:
                    assert crc32(body) == crc, f"input {read} of partition {partition} is another one now"
                    continue
                if partition not in self._dungeon.levels and partition != REALM_PARTITION:
                    self._open_level(database, partition)
                yield partition, sequence, body
                self._newest[partition] = (sequence, crc32(body))

    def _open_level(self, database: sqlite3.Connection, partition: int) -> None:
        """Take in a level of a further round as it stood before its first input."""
        assert self._dungeon is not None
        (body,) = database.execute(
            "SELECT body FROM snapshots WHERE place = ? AND sequence = 0", (partition,)
        ).fetchone()
        self._dungeon.levels[partition] = deserialize_level(unpack(body), self._campaign, self._dungeon.seed)

    def _replay(self, partition: int, sequence: int, body: bytes) -> int:
        dungeon = self._dungeon
        assert dungeon is not None
        input_ = decode(body)
        if isinstance(input_, Turn):
            for act in input_.acts:
                bearer = dungeon.levels[partition].creatures.get(act.player)
                if act.number and bearer is not None:
                    self._times[bearer.account, act.number] += 1
        elif isinstance(input_, RecordDeath):
            self._deaths[input_.fallen.account] += 1
            self._ended.append(input_.fallen.number)
        dungeon._apply(partition, input_)
        for _, event in dungeon.take_batch().events:
            if isinstance(event, ItemCreated):
                self._ever.add(event.item)
            elif isinstance(event, ItemDestroyed):
                self._unmade.add(event.item)
        assert dungeon.sequence(partition) == sequence, (
            f"partition {partition} lacks an input before {sequence}"
        )
        if partition != REALM_PARTITION:
            self._remember(partition)
        return 1

    def _remember(self, partition: int) -> None:
        """Note what the players on a level hold now, where that has changed."""
        assert self._dungeon is not None
        level = self._dungeon.levels[partition]
        for body in level.players():
            look = (body.command, body.wielded, body.worn, len(body.known), _things(body))
            if self._looks.get(body.account) != look:
                self._looks[body.account] = look
                self._history.setdefault(body.account, []).append(
                    _Moment(body.command, InventoryCache().inventory_and_spells(level, body)[0])
                )

    def _body(self, account: int) -> Creature | None:
        assert self._dungeon is not None
        life = self._dungeon.realm.lives.get(account)
        if life is None:
            return None
        return life.kept or self._dungeon.levels[life.partition].creatures[life.number]

    def _lost(self, bot: Bot) -> int:
        """Return how many commands were answered as done but are unknown to the body, and the number of unreported deaths."""
        if not bot.carried_out and not bot.deaths:
            return 0
        account = self._accounts[bot.name]
        missing = max(0, bot.deaths - self._deaths[account])
        if missing:
            self._words.append(f"{bot.name} saw {bot.deaths} deaths, {self._deaths[account]} are durable")
        if bot.dead_since_s is not None:
            return missing
        body = self._body(account)
        assert self._dungeon is not None
        fallen = self._dungeon.realm.fallen.get(account)
        done = body.command if body is not None else fallen.command if fallen is not None else 0
        if bot.carried_out > done:
            self._words.append(
                f"{bot.name} got the answer that command {bot.carried_out} is done; its body has done {done}: {bot.story()}"
            )
        return missing + (bot.carried_out > done)

    def _done_twice(self, bot: Bot) -> int:
        account = self._accounts.get(bot.name, 0)
        return sum(self._times[account, number] > 1 for number in bot.once)

    def _holds_no_more(self, bot: Bot) -> int:
        """The inventory in a bot's view was in its body at a durable state, at or after its last answered command."""
        if bot.holds is None or bot.dead_since_s is not None:
            return 0
        moments = self._history.get(self._accounts[bot.name], [])
        if any(each.holds == bot.holds and each.command >= bot.carried_out for each in moments):
            return 0
        self._words.append(f"{bot.name} saw that it holds {bot.holds}; it held {moments}")
        return 1

    def _everywhere(self) -> list[int]:
        """Return the numbers of all existing items."""
        dungeon = self._dungeon
        assert dungeon is not None
        kept = [life.kept for life in dungeon.realm.lives.values() if life.kept is not None]
        numbers = [item.number for body in kept for item in body.carried]
        for level in dungeon.levels.values():
            numbers += [item.number for _, item in level.items_at()]
            numbers += [item.number for body in level.creatures.values() for item in body.carried]
        return numbers

    def _doubled_things(self) -> int:
        numbers = self._everywhere()
        return len(numbers) - len(set(numbers))

    def _vanished_things(self) -> int:
        """Return the number of items that vanished without an event, or still exist after one."""
        present = set(self._everywhere())
        gone = self._ever - present - self._unmade
        risen = present & self._unmade
        self._ever |= present
        return len(gone) + len(risen)

    def _check_states(self, copy: Path) -> None:
        """Check that the next server's state, by snapshots and their tails, is the state by the whole journal."""
        assert self._dungeon is not None
        for level in self._dungeon.levels.values():
            check_invariants(level)
        store = open_store(copy / WORLD)
        try:
            identity = store.directory.identity()
            assert identity is not None
            woken = load_realm(store, self._campaign, identity)
        finally:
            store.close()
        assert woken.state_hash() == self._dungeon.state_hash(), "the snapshots lead to another state"


def copied(data: Path, scratch: Path) -> Path:
    """Copy a world and every file beside it, as a killed server left it."""
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    for file in data.glob(f"{WORLD}*"):
        shutil.copyfile(file, scratch / file.name)
    return scratch


def _things(body: Creature) -> tuple[tuple[int, int, int] | None, ...]:
    return tuple(None if item is None else _thing(item) for item in body.slots)


def _thing(item: Item) -> tuple[int, int, int]:
    return item.number, item.bites, item.power
