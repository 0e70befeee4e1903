"""Random play on a level: any list of small numbers gives a course of events, and the same list gives the same course."""

from collections.abc import Callable, Sequence

from hypothesis import strategies as st

from gloam_server.content.campaign import Campaign
from gloam_server.world.model import inputs
from gloam_server.world.model.creature import new_creature
from gloam_server.world.model.level import Level
from gloam_server.world.transition.apply import Result, apply
from gloam_server.world.transition.dungeon import new_dungeon
from gloam_server.world.transition.turn_groups import compute_turn_groups
from gloam_shared.geometry import DIRECTIONS
from gloam_shared.protocol import commands
from support.content.campaigns import arena

COMMANDS: tuple[commands.ActionCommand | None, ...] = (
    *(commands.Move(dx, dy) for dx, dy in DIRECTIONS),
    commands.Wait(),
    *(
        command(slot)
        for slot in (0, 1, 2)
        for command in (commands.Eat, commands.Drop, commands.Wield, commands.Wear)
    ),
    commands.Wield(None),
    commands.Wear(None),
    commands.Climb(down=True),
    commands.Climb(down=False),
    None,
)
STRANGERS = 9
"""The place that players of random play come from."""

Step = tuple[int, int]
ChooseCommand = Callable[[Level, int, int], commands.ActionCommand | None]
Watch = Callable[[Level, inputs.LevelInput, Result], None]

steps = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 10_000)), min_size=1, max_size=60)
seeds = st.integers(0, 10_000)


def cave(seed: int, *, monsters: int = 12, campaign: Campaign | None = None) -> Level:
    """Return the first level of a small dungeon, with monsters and things on it and no players yet."""
    level = new_dungeon(campaign or arena(), seed).levels[1]
    apply(level, inputs.PopulateLevel(difficulty=0, monsters=monsters, items=20, unique=("sword", "tunic")))
    return level


def play(
    level: Level, course: Sequence[Step], watch: Watch | None = None, choose: ChooseCommand | None = None
) -> list[bytes]:
    """Play a course of events on a level; return the inputs that it led to, as the journal keeps them.

    `choose` tells what a player, by their number, does for a number of the course.
    """
    journal = []
    for kind, number in [(8, 1), (8, 2), (8, 3), *course]:
        input_ = _input(level, kind, number, choose or choose_command)
        if input_ is None:
            continue
        journal.append(inputs.encode(input_))
        result = apply(level, input_)
        if watch is not None:
            watch(level, input_, result)
    return journal


def _input(level: Level, kind: int, number: int, choose: ChooseCommand) -> inputs.LevelInput | None:
    players = level.players()
    if kind == 8 or not players:
        return _arrival(level, number)
    player = players[number % len(players)]
    if kind == 7:
        return inputs.FreeAction(player.number, 0, commands.Choose(number % 4))
    if kind == 6:
        return inputs.UnattendedTurn()
    if kind == 9 and number % 4 == 0:
        return inputs.Leave(player.number)
    group = compute_turn_groups(level).of(player.number)
    acts = [
        inputs.PlayerAction(who, level.sequence + 1, choose(level, who, number // (at + 2)))
        for at, who in enumerate(group.players)
    ]
    return inputs.Turn(tuple(acts))


def choose_command(level: Level, who: int, number: int) -> commands.ActionCommand | None:
    """Return a command by a number; every other goes to the nearest creature or thing, so that something happens."""
    here = level.creatures[who].cell
    if number % 3 and here in level.piles:
        return commands.PickUp()
    others = [other.cell for other in level.creatures.values() if not other.account] + list(level.piles)
    if number % 2 and others:
        nearest = min(others, key=lambda cell: (abs(cell - here), cell))
        return commands.Move(*level.grid.towards(here, nearest))
    return COMMANDS[number // 2 % len(COMMANDS)]


def _arrival(level: Level, number: int) -> inputs.Arrive | None:
    """Bring one of four players, unless they stand here already."""
    account = 1 + number % 4
    if any(body.account == account for body in level.players()):
        return None
    serial = level.sequence * 8 + account
    kind, food = level.campaign.player_kind, level.campaign.hunger.start
    body = new_creature(kind, serial * 1_024, name=f"Player{account}", account=account, food=food)
    floor = [cell for cell in range(len(level.terrain)) if level.is_empty_floor(cell)]
    return inputs.Arrive(body, floor[number % len(floor)], (STRANGERS, serial, 0))
