"""Respawning: a level that lost creatures fills up again, and one with too many empties (rules F08, F41).

Both happen out of sight and within limits, and count the turns of the players there, never a clock. Respawned creatures
are worth nothing to the difficulty tracker, which gains once, from the original creatures of a depth.
"""

from typing import Final

import numpy as np
from msgspec import UNSET
from numpy.typing import NDArray

from gloam_server.rules.line_of_sight import field_of_view
from gloam_server.world.combat.bosses import RETURNS_AFTER, is_boss_missing, respawn_boss
from gloam_server.world.generation.placement.creature_placement import PlacedCreature
from gloam_server.world.generation.placement.population_schemes import POPULATION_SCHEMES
from gloam_server.world.growth.beacons import is_warden
from gloam_server.world.items.floor_items import destroy_item
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.inputs import Refill, accept_once
from gloam_server.world.model.level import PLAIN_FLOOR, Level
from gloam_server.world.population.guest_goods import take_back_goods
from gloam_server.world.population.spawning import doze, is_from_level, spawn_creature

_SETTLES_APART: Final = 12
"""The least distance in cells from the stairs at which a monster settles that goes down: beyond most sight."""
SPAWN_DISTANCE_MIN: Final = 8
"""The least distance of a new creature to every player."""

COMPANY_TURNS: Final = 1_000
"""The turns of a level for which a player who left it counts there."""

_WITHDRAWS_EVERY: Final = 20
"""The turns of a level in which one creature too many leaves it while players are there."""

_IS_PLAIN: Final = np.isin(np.arange(256), PLAIN_FLOOR)
"""Whether a kind of terrain, by its number, is plain floor."""

_SIGHTS_AT_ONCE: Final = 32
"""The number of fields of view that are united in one operation."""


def respawn_if_due(context: TurnContext) -> None:
    """After enough turns bring one creature, if the level lacks one and there is a place that no player sees.

    A boss that was slain comes before all others, for players who had no part in the kill (rule F32).
    """
    level = context.level
    lacking = is_boss_missing(level)
    every = level.level_kind.respawn_turns or (RETURNS_AFTER if lacking else 0)
    if not every:
        return
    level.state.quiet += 1
    if level.state.quiet < every:
        return
    level.state.quiet = 0
    if lacking:
        respawn_boss(context, level.campaign.victory.creature)
        return
    if count_natives(level) >= population_target(level) or level.is_full():
        return
    newcomer = spawn_newcomer(context, unseen_cells(level))
    if newcomer is not None:
        newcomer.generation = 1  # less experience than a native (rule F35): waiting for respawns gains little


def needs_refill(level: Level) -> bool:
    """Return whether a level without players is not as `refill_percent` promises it to an heir (rule F08)."""
    return not level.players() and (_lacks_natives(level) or bool(level.state.away))


def refill(context: TurnContext, input_: Refill) -> None:
    """Fill a level without players up again, out of sight of the place where lives begin.

    The new creatures give full experience: each refill costs a player a life. As many sleep as when the level was made: an
    heir would else meet the awake rest of an earlier life and its newcomers, all at once (rule F122).
    """
    level = context.level
    if not accept_once(level.state.heard, input_.source):
        return
    if level.players():
        return
    level.state.away.clear()
    level.state.withdrawn = 0
    cells = unseen_cells(level)
    if level.state.arrival >= 0:
        seen = field_of_view(level.transparent(), level.state.arrival, level.campaign.player_kind.sight)
        cells = [cell for cell in cells if not seen[cell]]
    while _lacks_natives(level) and spawn_newcomer(context, cells) is not None:
        pass
    for creature in level.monsters():
        if is_from_level(level, creature):
            doze(context, creature)


def population_target(level: Level) -> int:
    """Return how many creatures live on a level: the campaign's number, and more for each player but the first (rule F41)."""
    more = level.level_kind.monsters_per_guest * max(0, len(level.state.company) - 1)
    return level.state.share + more


def forget_absent(context: TurnContext) -> None:
    """Forget the players who left the level more than `COMPANY_TURNS` ago, with their goods that lie untouched."""
    level, state = context.level, context.level.state
    there = {player.account for player in level.players()}
    for left in (state.company, state.away):
        for account in [
            each for each, turn in left.items() if each not in there and turn + COMPANY_TURNS <= state.turns
        ]:
            del left[account]
            take_back_goods(context, account)
    if not state.away:
        state.withdrawn = 0


def withdraw_if_due(context: TurnContext) -> None:
    """Let creatures too many leave: all at once from a level without players, else one after another, unseen (rule F41)."""
    level, state = context.level, context.level.state
    if not state.company:
        return
    if level.players():
        if state.turns % _WITHDRAWS_EVERY == 0:
            forget_absent(context)
            _withdraw(context, min(1, _surplus(level)))
    else:
        forget_absent(context)
        state.away |= state.company
        state.company.clear()
        state.withdrawn += _withdraw(context, _surplus(level))


def _surplus(level: Level) -> int:
    """Return how many creatures a level has beyond its number; none where guests bring no creatures."""
    return count_natives(level) - population_target(level) if level.level_kind.monsters_per_guest else 0


def adopt_population(context: TurnContext) -> None:
    """Give a level of rules version 8 or before the number of its own creatures.

    Past guests' creatures leave it (rule F41).
    """
    level, state, kind = context.level, context.level.state, context.level.level_kind
    brought = kind.monsters_per_guest * max(0, len(state.guests) - 1)
    state.share = min(state.share, max(kind.monsters, state.share - brought))
    state.company = {player.account: state.turns for player in level.players()}
    state.claimed = bool(state.guests)
    if brought and not level.players():
        _withdraw(context, _surplus(level))


def _withdraw(context: TurnContext, count: int) -> int:
    """Remove up to this many creatures with their gear, the newest first; return how many went."""
    if count <= 0:
        return 0
    level = context.level
    able = [creature for creature in level.monsters() if _may_withdraw(level, creature)]
    gone = sorted(able, key=lambda creature: (not creature.respawned, -creature.number))[:count]
    for creature in gone:
        level.remove_for_good(creature)
        for item in creature.carried:
            destroy_item(context, item, creature.cell)
    return len(gone)


def _may_withdraw(level: Level, creature: Creature) -> bool:
    """Return whether no player misses a creature: no name, victim, loot or beacon, and no player sees or fights it."""
    kind = level.campaign.creatures[creature.kind]
    if not is_from_level(level, creature) or creature.title or creature.victims or kind.speech:
        return False
    if creature.bond is not UNSET or is_warden(level, creature):
        return False
    own = range(creature.number + 1, creature.number + 1 + len(kind.starts_with))
    if any(item.number not in own for item in creature.carried):
        return False
    return not level.witnesses(creature.cell) and creature.contacts.keys().isdisjoint(
        player.number for player in level.players()
    )


def spawn_newcomer(context: TurnContext, cells: list[int]) -> Creature | None:
    """Place one creature, drawn by the level's population scheme, on one of these cells.

    Return None if none may appear.
    """
    level = context.level
    free = [cell for cell in cells if cell not in level.occupied]
    if not free or level.is_full():
        return None
    spawn = _spawn(context, context.dice.pick("respawn place", 0, free))
    if spawn is None:
        return None
    newcomer = spawn_creature(context, spawn)
    newcomer.respawned = True
    return newcomer


def settling_cell(context: TurnContext, creature: Creature, stairs: int) -> int:
    """Return where a monster lives that goes down to a depth without players: away from the stairs, where they will arrive.

    No turns pass there, so it would stand at the stairs until one arrives (rule F97).
    """
    grid = context.level.grid
    cells = [cell for cell in unseen_cells(context.level) if grid.distance(cell, stairs) >= _SETTLES_APART]
    return context.dice.pick("settles", creature.number, cells) if cells else stairs


def unseen_cells(level: Level) -> list[int]:
    """Return the empty floor cells that no player sees and that are far enough from all of them."""
    plain = _IS_PLAIN[np.frombuffer(bytes(level.terrain), dtype=np.uint8)]
    cells = plain & ~_near_players(level) & ~_seen_by_players(level)
    cells[list(level.occupied)] = False
    if level.state.devices:
        cells[level.state.devices.sealed] = False
    return np.flatnonzero(cells).tolist()


def _near_players(level: Level) -> NDArray[np.bool_]:
    """Return which cells are too near to a player: the square around each of them, for any number of players."""
    grid = level.grid
    near = np.zeros(grid.size, dtype=np.bool_)
    near[[player.cell for player in level.players()]] = True
    rows = near.reshape(grid.height, grid.width)
    for lines in (rows, rows.T):
        before = lines.copy()
        for steps in range(1, SPAWN_DISTANCE_MIN):
            lines[steps:] |= before[:-steps]
            lines[:-steps] |= before[steps:]
    return near


def _seen_by_players(level: Level) -> NDArray[np.bool_]:
    """Return which cells a player sees.

    The fields of view of a thousand players are 9 MB: united a few at a time, they stay in the processor's cache.
    """
    sights = level.players_sight()
    seen = np.zeros(level.grid.size, dtype=np.uint8)
    for at in range(0, len(sights), _SIGHTS_AT_ONCE):
        some = np.frombuffer(b"".join(sights[at : at + _SIGHTS_AT_ONCE]), dtype=np.uint8)
        np.bitwise_or(seen, np.bitwise_or.reduce(some.reshape(-1, level.grid.size)), out=seen)
    return seen.astype(np.bool_)


def count_natives(level: Level) -> int:
    """Return the number of creatures that count for the level's population."""
    return sum(is_from_level(level, creature) for creature in level.creatures.values())


def _lacks_natives(level: Level) -> bool:
    return count_natives(level) < level.state.share * level.level_kind.refill_percent // 100


def _spawn(context: TurnContext, cell: int) -> PlacedCreature | None:
    """Return one creature drawn by the level's population scheme; None if no kind fits."""
    level = context.level
    scheme = POPULATION_SCHEMES[level.level_kind.populace]
    drawn = scheme.choose_newcomer(
        level.campaign, context.dice, level.level_kind, level.depth, level.state.difficulty
    )
    return None if drawn is None else PlacedCreature(drawn.kind, cell, drawn.levels)
