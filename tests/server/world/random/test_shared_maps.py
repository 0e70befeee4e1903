"""Maps that a party shares: each who shares remembers what another sees, and no one remembers more (rule F94)."""

from collections import defaultdict
from random import Random  # noqa: TID251  tests may seed their own

import pytest

from gloam_server.world.model import inputs
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.realm.realm import parties_of
from gloam_server.world.transition.dungeon import Dungeon, new_dungeon
from gloam_server.world.transition.serialization import deserialize_level, deserialize_realm
from gloam_shared.appearance import Terrain
from gloam_shared.geometry import DIRECTIONS
from gloam_shared.protocol.commands import Climb, Move
from support.content.campaigns import arena
from support.run.effort import effort

ACCOUNTS = (1, 2, 3, 4)
Seen = defaultdict[tuple[int, int], set[int]]


class Walkers:
    """Four players who walk, climb, enter and leave play, and join and leave parties at random.

    `own` are the cells that each life has seen of each level, `told` the cells that others saw while they shared them.
    """

    def __init__(self, seed: int) -> None:
        self.dice = Random(seed)
        self.dungeon = new_dungeon(arena(), seed)
        self.own: Seen = defaultdict(set)
        self.told: Seen = defaultdict(set)
        self.by_party: Seen = defaultdict(set)
        self.shared = 0
        for account in ACCOUNTS:
            self.do(REALM_PARTITION, inputs.EnterPlay(account, f"Player{account}"))

    def bodies(self) -> list[tuple[int, Creature]]:
        """Return the bodies in play, each with its level."""
        return [
            (partition, body)
            for partition, level in sorted(self.dungeon.levels.items())
            for body in level.players()
        ]

    def do(self, partition: int, input_: inputs.Input) -> None:
        self.dungeon.apply_input(partition, input_)
        self.note(self.dungeon.take_batch().changed_levels())

    def step(self) -> None:
        """Let one of the players do anything."""
        account = self.dice.choice(ACCOUNTS)
        match self.dice.randrange(12):
            case 0:
                host = self.dice.choice(ACCOUNTS)
                self.do(REALM_PARTITION, inputs.JoinParty(account, f"Player{account}", host, f"Player{host}"))
            case 1 if self.dice.random() < 0.4:
                self.do(REALM_PARTITION, inputs.LeaveParty(account))
            case 2:
                self.do(REALM_PARTITION, inputs.ChooseInParty(account, self.dice.random() < 0.7, 0))
            case 3 if self.dice.random() < 0.3:
                self.reload()
            case _:
                self.act(account)

    def act(self, account: int) -> None:
        life = self.dungeon.realm.lives[account]
        if life.kept is not None:
            self.do(REALM_PARTITION, inputs.EnterPlay(account, life.name))
        elif self.dice.random() < 0.03:
            self.do(life.partition, inputs.Leave(life.number))
        elif self.dice.random() < 0.05:
            self.climb(life.partition, life.number)
        else:
            for _ in range(4):
                self.do(
                    life.partition,
                    inputs.Turn((inputs.PlayerAction(life.number, 0, Move(*self.dice.choice(DIRECTIONS))),)),
                )

    def climb(self, partition: int, number: int) -> None:
        """Let a player go to the other of two levels, on stairs that were not there before."""
        down = partition == 1
        cell = self.dungeon.levels[partition].creatures[number].cell
        self.dungeon.levels[partition].dig(cell, Terrain.STAIRS_DOWN if down else Terrain.STAIRS_UP)
        other = self.dungeon.levels[3 - partition]
        if cell in other.occupied:
            return
        other.dig(cell, Terrain.STAIRS_UP if down else Terrain.STAIRS_DOWN)
        self.do(partition, inputs.Turn((inputs.PlayerAction(number, 0, Climb(down=down)),)))

    def reload(self) -> None:
        """Go on from the saved state, as a restarted server does."""
        dungeon = self.dungeon
        levels = {
            partition: deserialize_level(dungeon.serialize(partition), dungeon.campaign, dungeon.seed)
            for partition in dungeon.levels
        }
        realm = deserialize_realm(dungeon.serialize(REALM_PARTITION))
        self.dungeon = Dungeon(dungeon.campaign, dungeon.seed, realm, levels)

    def note(self, changed: set[int]) -> None:
        """Note what each sees now; they know what those see who share it with them, and no more than they may."""
        bodies = [(partition, body) for partition, body in self.bodies() if partition in changed]
        for partition, body in bodies:
            seen = self.dungeon.levels[partition].field_of_view(body)
            cells = {cell for cell, sees in enumerate(seen) if sees}
            self.own[partition, body.number] |= cells
            if isinstance(body.party, int):
                self.by_party[partition, body.party] |= cells
        for partition, body in bodies:
            if isinstance(body.party, int):
                self.told[partition, body.number] |= self.by_party[partition, body.party]
        for partition, body in bodies:
            self.check_memory(partition, body)
        self.check_sharing()

    def check_memory(self, partition: int, body: Creature) -> None:
        level = self.dungeon.levels[partition]
        memory = level.memory[body.number]
        known = {cell for cell, terrain in enumerate(memory) if terrain}
        own, told = self.own[partition, body.number], self.told[partition, body.number]
        assert own <= known, "a player forgot what they saw"
        assert known <= own | told, "a player knows what no one told them"
        assert told <= known, "a player was not told what their party has seen"
        self.shared = max(self.shared, len(known - own))
        for other in level.players():
            if other is body or (isinstance(body.party, int) and other.party == body.party):
                sees = level.field_of_view(other)
                assert all(memory[c] == level.terrain[c] for c, is_seen in enumerate(sees) if is_seen)

    def check_sharing(self) -> None:
        parties = parties_of(self.dungeon.realm)
        for _, body in self.bodies():
            shares = body.party if isinstance(body.party, int) else 0
            assert shares == parties.shared_by(body.account)
        for level in self.dungeon.levels.values():
            charts = level.state.charts if isinstance(level.state.charts, dict) else {}
            assert set(charts) <= set(parties.parties), "a level keeps the chart of a party that is over"


@pytest.mark.rule("F94")
@pytest.mark.parametrize("seed", range(effort(3, 10)))
def test_a_party_tells_its_members_and_no_others(seed: int) -> None:
    """The cells that a player remembers are those they saw, and those seen by players who shared them; never more."""
    walkers = Walkers(seed)
    for _ in range(effort(60, 400)):
        walkers.step()
    assert walkers.shared, "no one was ever told anything"


@pytest.mark.rule("F94")
def test_a_restart_changes_no_memory() -> None:
    """A server that begins from the saved state has the same memories and charts after the same inputs."""
    for seed in range(effort(2, 8)):
        straight, restarted = Walkers(seed), Walkers(seed)
        for number in range(effort(40, 200)):
            straight.step()
            restarted.step()
            if number % 3 == 0:
                restarted.reload()
            assert straight.dungeon.state_hash() == restarted.dungeon.state_hash()
