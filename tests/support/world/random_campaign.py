"""Random play of whole shipped campaigns by several players, who are brought to all depths: the same for a seed."""

from collections import Counter
from random import Random  # noqa: TID251  tests may seed their own
from typing import Final

from gloam_lab.invariants import check_invariants
from gloam_server.world.actions import plan
from gloam_server.world.actions.casting import known_spells
from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.events import ExperienceGained, ItemCreated, ItemDestroyed
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import EnterPlay, Leave, PlayerAction, Turn, UnattendedTurn
from gloam_server.world.model.level import Level
from gloam_server.world.model.outcome import Impossible
from gloam_server.world.realm.realm import Life
from gloam_server.world.transition.dungeon import new_dungeon, populate
from gloam_server.world.transition.turn_groups import compute_turn_groups
from gloam_shared.appearance import Terrain
from gloam_shared.geometry import DIRECTIONS
from gloam_shared.protocol import commands
from support.content.campaigns import shipped
from support.scenarios.scenario import kinds

ACCOUNTS: Final = (1, 2, 3)


class Company:
    """Three players in a dungeon of a shipped campaign; `kinds_seen` are the kinds of all events so far.

    `known` are the numbers of all things that there should be, and `experience` is what each creature should have.
    """

    def __init__(self, key: str, seed: int) -> None:
        self.dice = Random(seed)
        self.campaign = shipped(key)
        self.dungeon = new_dungeon(self.campaign, seed)
        populate(self.dungeon)
        self.dungeon.take_batch()
        self.kinds_seen: Counter[str] = Counter()
        self.known = set(self.things())
        self.experience = self.experienced()

    def things(self) -> Counter[int]:
        """Return how often each item exists: on a level, carried, or with a stored body."""
        levels, lives = self.dungeon.levels.values(), self.dungeon.realm.lives.values()
        counted = Counter(item.number for level in levels for _, item in level.items_at())
        bodies = [body for level in levels for body in level.creatures.values()]
        bodies += [life.kept for life in lives if life.kept is not None]
        counted.update(item.number for body in bodies for item in body.carried)
        return counted

    def experienced(self) -> dict[int, int]:
        """Return what experience each creature on the levels has."""
        levels = self.dungeon.levels.values()
        return {body.number: body.experience for level in levels for body in level.creatures.values()}

    def live(self) -> None:
        """Let everybody who is not in play join, and one turn group of each level act; then check the result."""
        for account in ACCOUNTS:
            self._come(account)
        for partition, level in sorted(self.dungeon.levels.items()):
            players = level.players()
            if players:
                self._act(partition, level, self.dice.choice(players))

    def _come(self, account: int) -> None:
        realm = self.dungeon.realm
        life, fallen = realm.lives.get(account), realm.fallen.get(account)
        if life is not None and life.kept is None:
            return
        if life is not None:
            self._lead(life, life.kept)
        remains = [] if life or not fallen else [each.item for each in fallen.remains if each.offered]
        keepsake = self.dice.choice(remains) if remains else 0
        self.dungeon.apply_input(REALM_PARTITION, EnterPlay(account, f"Player{account}", keepsake))
        if life is None:
            body = next(each for each in self._bodies() if each.account == account)
            self.known.update(item.number for item in body.carried if item.bound)
            self.experience[body.number] = 0
        self._look()

    def _lead(self, life: Life, body: Creature | None) -> None:
        """Let a returning player go to any level."""
        assert body is not None
        partition = self.dice.choice(sorted(self.dungeon.levels))
        terrain = self.dungeon.levels[partition].terrain
        life.partition = partition
        body.cell = self.dice.choice([cell for cell, what in enumerate(terrain) if what == Terrain.FLOOR])
        if partition not in life.visited:
            life.visited.append(partition)

    def _bodies(self) -> list[Creature]:
        return [body for level in self.dungeon.levels.values() for body in level.players()]

    def _act(self, partition: int, level: Level, player: Creature) -> None:
        if self.dice.random() < 0.3:
            self._bless(level, player)
        if self.dice.random() < 0.04:
            self.dungeon.apply_input(partition, Leave(player.number))
        else:
            group = compute_turn_groups(level).of(player.number)
            acts = [
                PlayerAction(who, 0, choose_command(self.dice, level, level.creatures[who]))
                for who in group.players
            ]
            self.dungeon.apply_input(partition, Turn(tuple(acts)))
        if level.state.wild_due:
            self.dungeon.apply_input(partition, UnattendedTurn())
        self._look()

    def _bless(self, level: Level, player: Creature) -> None:
        """Give a player a random thing and all their mana, and let them be whole or on the brink of death."""
        kinds = [
            kind for _, kind in sorted(self.campaign.items.items()) if not kind.fixed and "{" not in kind.name
        ]
        kind, free = self.dice.choice(kinds), [at for at, item in enumerate(player.slots) if item is None]
        player.hp, player.mana = self.dice.choice((1, player.hp_max)), player.mana_max
        if free:
            power = 1 if kind.scales else 0
            name, colour, charges = kind.name, kind.colour or "white", kind.charges[1]
            item = Item(level.new_id(), kind.key, name, colour, kind.bites, power=power, charges=charges)
            player.slots[free[0]] = item
            self.known.add(item.number)

    def _look(self) -> None:
        """Note what the events tell of things and experience; what changed must be whole."""
        batch = self.dungeon.take_batch()
        self.kinds_seen.update(kinds(event for _, event in batch.events))
        for _, event in batch.events:
            match event:
                case ItemCreated(item):
                    self.known.add(item)
                case ItemDestroyed(item):
                    self.known.discard(item)
                case ExperienceGained(creature, amount) if creature in self.experience:
                    self.experience[creature] += amount
        for partition in sorted({applied.partition for applied in batch.applied} - {REALM_PARTITION}):
            level = self.dungeon.levels[partition]
            check_invariants(level)
            for body in level.creatures.values():
                self.experience.setdefault(body.number, body.experience)


def choose_command(dice: Random, level: Level, body: Creature) -> commands.ActionCommand | None:
    """Return what a player does: they go to a creature or an item in sight, or try anything until it is allowed."""
    seen = level.field_of_view(body)
    others = [other.cell for other in level.creatures.values() if other is not body and seen[other.cell]]
    lying = [cell for cell in level.piles if seen[cell] and cell != body.cell]
    goals = lying if dice.random() < 0.3 else others
    if goals and dice.random() < 0.5:
        nearest = min(goals, key=lambda cell: (level.grid.distance(cell, body.cell), cell))
        return commands.Move(*level.grid.towards(body.cell, nearest))
    for _ in range(8):
        command = _anything(dice, level, body, others or [body.cell])
        if not isinstance(plan(level, body, command), Impossible):
            return command
    return None


def _anything(dice: Random, level: Level, body: Creature, cells: list[int]) -> commands.ActionCommand:
    aim = dice.choice(cells)
    slot = dice.choice([slot for slot, item in enumerate(body.slots) if item is not None] or [0])
    spells = [spell.key for spell in known_spells(level, body)] or [""]
    handles = [level.handles[other.number] for other in level.creatures.values()]
    return dice.choice(
        (
            commands.Move(*dice.choice(DIRECTIONS)),
            commands.PickUp(),
            commands.Climb(down=True),
            commands.Climb(down=False),
            commands.Drop(slot),
            commands.Eat(slot),
            commands.Wield(slot),
            commands.Wear(slot),
            commands.Quaff(slot),
            commands.Read(slot, aim),
            commands.Zap(slot, aim),
            commands.PutOn(slot),
            commands.Throw(slot, aim),
            commands.Fire(aim),
            commands.Cast(dice.choice(spells), aim),
            commands.Give(slot, dice.choice(handles)),
            commands.Close(*dice.choice(DIRECTIONS)),
            commands.Use(slot, dice.random() < 0.6),
            commands.Wait(),
        )
    )
