"""Rules as played: draw a level in ASCII, name its creatures, give inputs, and look at what happened.

In a map `#` is wall, `.` floor, `>` and `<` stairs; digits are players, letters creatures by `letters`. A digit or
letter stands on floor. Example: `Scenario("#1.k#", k="kobold")`.

Further `+` is a closed door, `'` an open one, `~` deep water, `,` shallows, `"` grass, `&` a brazier, `_` a shrine,
`=` the way out, `O` a hole unless `O` is given as a creature. `^` is a known trap and `!` a hidden one; all of them
spring the spell `trap`. `dark=True` makes all cells unlit; a second drawing of the same shape makes those unlit where
it has an `x`: `Scenario("1...", dark="..xx")`. A further drawing lays surfaces, each by the first letter of its key:
`Scenario("1...", surfaces="..ff")` has fire.
"""

from collections.abc import Iterable
from string import ascii_lowercase
from typing import TypeVar

from gloam_lab.invariants import check_invariants
from gloam_server.content.campaign import Campaign
from gloam_server.rules.dice import Dice
from gloam_server.views.inventory import InventoryCache
from gloam_server.views.projection import project
from gloam_server.views.texts.narration import log_lines_for
from gloam_server.world.effects.map_memory import update_map_memory
from gloam_server.world.model.creature import Creature, Item, new_creature
from gloam_server.world.model.creature_state import LevelCell
from gloam_server.world.model.events import Event, ExperienceGained, Fact, Narration
from gloam_server.world.model.inputs import LevelInput, Output, PlayerAction, Turn, UnattendedTurn
from gloam_server.world.model.level import Level
from gloam_server.world.model.level_state import LevelState
from gloam_server.world.model.surfaces.surface_changes import lay_surface, surface_at
from gloam_server.world.transition.apply import Result, apply
from gloam_shared.appearance import Terrain
from gloam_shared.geometry import Direction, Grid
from gloam_shared.narration.rendering import render_line
from gloam_shared.protocol.commands import ActionCommand, Move
from gloam_shared.view.view import CreatureFlag, InventoryItem, Log, View
from support.content.campaigns import arena

_TERRAIN = {
    "#": Terrain.WALL,
    ">": Terrain.STAIRS_DOWN,
    "<": Terrain.STAIRS_UP,
    "~": Terrain.WATER,
    "+": Terrain.DOOR_CLOSED,
    "'": Terrain.DOOR_OPEN,
    "^": Terrain.TRAP,
    "_": Terrain.SHRINE,
    "=": Terrain.EXIT,
    ",": Terrain.SHALLOWS,
    '"': Terrain.GRASS,
    "&": Terrain.BRAZIER,
    "O": Terrain.HOLE,
}
_TRAPS = "^!"

AnyFact = TypeVar("AnyFact", bound=Fact)

N: Direction = (0, -1)
E: Direction = (1, 0)
S: Direction = (0, 1)
W: Direction = (-1, 0)


class Scenario:
    """One level, drawn; players have the account and the number of their digit times 1,024."""

    def __init__(
        self,
        drawing: str,
        *,
        campaign: Campaign | None = None,
        seed: int = 1,
        partition: int = 1,
        dark: str | bool = False,
        trap: str = "dart",
        surfaces: str = "",
        **letters: str,
    ) -> None:
        rows = [row.strip() for row in drawing.strip().splitlines()]
        width = max(len(row) for row in rows)
        rows = [row.ljust(width, "#") for row in rows]
        drawn = "".join(rows)
        self.width = width
        self.grid = Grid(width, len(rows))
        terrain = bytearray(
            Terrain.FLOOR if sign in letters else _TERRAIN.get(sign, Terrain.FLOOR) for sign in drawn
        )
        state = LevelState(
            partition=partition,
            kind=next(iter((campaign or arena()).levels)),
            width=width,
            height=len(rows),
            terrain=terrain,
            dark=_unlit(dark, width, len(rows)),
            share=0,
            traps={cell: trap for cell, sign in enumerate(drawn) if sign in _TRAPS},
        )
        self.level = Level(state, campaign or arena(), seed)
        self.named: dict[str, Creature] = {}
        self.events: tuple[Event, ...] = ()
        """Everything that the last input led to, facts for programs too."""
        self.outputs: tuple[Output, ...] = ()
        """The outputs of the last input to other places."""
        dice = Dice(seed, partition, 0)
        for cell, sign in enumerate(drawn):
            if sign.isdigit():
                self._stand(sign, self._player(int(sign)), cell, dice)
            elif sign in letters:
                kind = self.level.campaign.creatures[letters[sign]]
                self._stand(sign, new_creature(kind, self.level.new_id()), cell, dice)
        kinds = {kind.key[0]: kind for kind in reversed(self.level.campaign.surfaces.values())}
        for cell, sign in enumerate("".join(row.strip().ljust(width, ".") for row in surfaces.split())):
            if sign in kinds:
                lay_surface(self.level, kinds[sign], cell, dice)
        update_map_memory(self.level)

    def surface(self, x: int, y: int = 0) -> str:
        """Return the key of the surface on a cell, "" without one."""
        found = surface_at(self.level, y * self.width + x)
        return found.key if found is not None else ""

    def __getitem__(self, name: str) -> Creature:
        """Return the creature that a digit or letter of the map stands for."""
        return self.named[name]

    def alive(self, name: str) -> bool:
        """Return whether a creature is still on the level."""
        return self.named[name].number in self.level.creatures

    def where(self, name: str) -> tuple[int, int]:
        """Return a creature's cell as (x, y)."""
        y, x = divmod(self.named[name].cell, self.width)
        return x, y

    def apply(self, input_: LevelInput) -> Result:
        """Apply any input and check the invariants."""
        result = apply(self.level, input_)
        check_invariants(self.level)
        self.events, self.outputs = result.events, result.outputs
        return result

    def turn(self, *acts: tuple[str, ActionCommand | None]) -> list[Narration]:
        """Run a turn in which these players act in this order; None is to be on guard."""
        turn = Turn(tuple(PlayerAction(self.named[name].number, 0, command) for name, command in acts))
        return narrations(self.apply(turn).events)

    def go(self, name: str, direction: Direction) -> list[Narration]:
        """Run a turn in which one player moves."""
        return self.turn((name, Move(*direction)))

    def wild(self) -> list[Narration]:
        """Run a turn of the wild."""
        return narrations(self.apply(UnattendedTurn()).events)

    def view(self, name: str = "1", marks: dict[int, CreatureFlag] | None = None) -> View:
        """Return what a player sees, with only these marks for other players."""
        return project(self.level, self[name], marks=marks or {}, party=(), log=Log())

    def inventory(self, name: str = "1") -> tuple[InventoryItem, ...]:
        """Return a player's inventory as they know it."""
        return InventoryCache().inventory_and_spells(self.level, self[name])[0]

    def lay(self, kind: str, x: int, y: int = 0) -> Item:
        """Put a new item on a cell, on top of its pile."""
        item = self._made(kind)
        self.level.put_item(item, y * self.width + x, Dice(1, self.level.partition, item.number))
        return item

    def give(self, name: str, *kinds: str) -> list[Item]:
        """Put new items into the first free slots of a creature."""
        given = [self._made(kind) for kind in kinds]
        slots = self.named[name].slots
        for item in given:
            slots[slots.index(None)] = item
        self.level.sight.note_gear(self.named[name].number)
        return given

    def set_health(
        self, name: str, *, hp: int | None = None, hp_max: int | None = None, hp_part: int | None = None
    ) -> None:
        """Give a creature this health, this maximum of it, or this part of the next point."""
        self._assign(name, hp=hp, hp_max=hp_max, hp_part=hp_part)

    def set_mana(self, name: str, *, mana: int | None = None, mana_max: int | None = None) -> None:
        """Give a creature this mana, or this maximum of it."""
        self._assign(name, mana=mana, mana_max=mana_max)

    def set_stats(
        self,
        name: str,
        *,
        attack: int | None = None,
        defence: int | None = None,
        speed: int | None = None,
        sight: int | None = None,
    ) -> None:
        """Give a creature these numbers."""
        self._assign(name, attack=attack, defence=defence, speed=speed, sight=sight)

    def set_progress(
        self, name: str, *, level: int | None = None, experience: int | None = None, points: int | None = None
    ) -> None:
        """Give a creature this level, this experience, or these points to spend."""
        self._assign(name, level=level, experience=experience, points=points)

    def set_food(self, name: str, food: int) -> None:
        """Give a player this much food."""
        self._assign(name, food=food)

    def put_to_sleep(self, name: str, turns: int) -> None:
        """Let a creature sleep for so long; 0 wakes it."""
        self._assign(name, asleep=turns)

    def wield(self, name: str, number: int) -> None:
        """Put an item that a creature carries into its hand, without a turn."""
        self._assign(name, wielded=number)

    def wear(self, name: str, number: int) -> None:
        """Put on an item that a creature carries, without a turn."""
        self._assign(name, worn=number)

    def protect(self, name: str, turns: int) -> None:
        """Let nothing hurt a creature for this many turns, as after an arrival."""
        self._assign(name, grace=turns)

    def set_children(self, name: str, children: int) -> None:
        """Let a creature have this many children in the future."""
        self._assign(name, children=children)

    def set_owner(self, name: str, owner: str) -> None:
        """Let a creature belong to another."""
        self._assign(name, owner=self.named[owner].number)

    def remember_contact(self, name: str, other: str, *, at: int) -> None:
        """Let a creature have hurt or helped another at this action of its own."""
        self.named[name].contacts[self.named[other].number] = at

    def owe(self, victim: str, attacker: str, harm: int) -> None:
        """Let a creature owe this much lost health to another."""
        self.named[victim].hurt_by[self.named[attacker].number] = harm

    def hunt(self, name: str, prey: str) -> None:
        """Let a creature have chosen its prey."""
        self.named[name].ai.prey = self.named[prey].number

    def remember_sighting(self, name: str, *, level: int, cell: int) -> None:
        """Let a creature have seen its prey last on this cell."""
        self.named[name].ai.last_seen = LevelCell(level, cell)

    def set_home(self, name: str, *, level: int, cell: int) -> None:
        """Let a creature keep to this cell."""
        self.named[name].ai.home = LevelCell(level, cell)

    def count_attackers(self, name: str, attackers: int) -> None:
        """Let a boss have grown for this many attackers."""
        self.named[name].attackers = attackers

    def _assign(self, name: str, **fields: int | None) -> None:
        """Set fields of a creature: the one place to change when a creature is stored otherwise."""
        creature = self.named[name]
        for field, value in fields.items():
            if value is not None:
                assert hasattr(creature, field)
                setattr(creature, field, value)

    def names(self, name: str) -> list[str]:
        """Return what a creature carries as "letter name", in the order of the slots."""
        slots = enumerate(self.named[name].slots)
        return [f"{ascii_lowercase[slot]} {item.name}" for slot, item in slots if item is not None]

    def _made(self, kind: str) -> Item:
        found = self.level.campaign.items[kind]
        return Item(
            self.level.new_id(),
            found.key,
            found.name,
            found.colour or "white",
            found.bites,
            charges=found.charges[1],
        )

    def _player(self, digit: int) -> Creature:
        kind, food = self.level.campaign.player_kind, self.level.campaign.hunger.start
        return new_creature(kind, digit * 1_024, name=f"Player{digit}", account=digit, food=food)

    def _stand(self, name: str, creature: Creature, cell: int, dice: Dice) -> None:
        self.level.add(creature, cell, dice)
        if name not in self.named:
            self.named[name] = creature


def _unlit(dark: str | bool, width: int, height: int) -> bytes:
    """Return one byte a cell, 1 where a drawing has an `x`; True makes all cells unlit."""
    if isinstance(dark, bool):
        return bytes([dark]) * (width * height)
    rows = [row.strip().ljust(width, ".") for row in dark.strip().splitlines()]
    return bytes(sign == "x" for sign in "".join(rows))


def kinds(events: Iterable[Event]) -> list[str]:
    """Return what happened, in order: narrations by kind, facts by the name of their class."""
    return [event.kind if isinstance(event, Narration) else type(event).__name__ for event in events]


def narrations(events: Iterable[Event]) -> list[Narration]:
    """Return the events for logs."""
    return [event for event in events if isinstance(event, Narration)]


def facts(events: Iterable[Event], fact: type[AnyFact]) -> list[AnyFact]:
    """Return the events of one class of facts."""
    return [event for event in events if isinstance(event, fact)]


def experience_gained(scenario: Scenario) -> int:
    """Return all experience that the last input gave."""
    return sum(gain.amount for gain in facts(scenario.events, ExperienceGained))


def blows(events: Iterable[Narration]) -> list[str]:
    """Return who struck, by name, in order."""
    return [event.actor_name for event in events if event.kind == "strikes"]


def read_events(events: Iterable[Event], viewer: Creature) -> list[str]:
    """Return what a player's log says of events."""
    lines = [log_lines_for(event, viewer.number) for event in narrations(events)]
    return [render_line(line) for line in lines if line is not None]
