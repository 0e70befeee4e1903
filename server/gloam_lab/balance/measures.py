"""Measurements of simulated players each turn: danger, means, kinds met, grown creatures, first items."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from gloam_lab.balance.run_stats import (
    EARLY_DEPTHS,
    FIRST_FINDS,
    HALF_HOUR,
    FirstItems,
    Life,
    Means,
    OfferCounts,
    RunStats,
)
from gloam_lab.bots import OWN_MEANS, Adventurer
from gloam_server.autopilot.plans import RunningPlan
from gloam_server.views.view_cache import ViewCache
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.transition.dungeon import Dungeon
from gloam_shared.protocol.commands import ActionCommand, Choose, PutOn, Wear, Wield
from gloam_shared.view.view import CreatureFlag, View

_PLAYER, _GROWN, _HOLDS = int(CreatureFlag.PLAYER), int(CreatureFlag.GROWN), int(CreatureFlag.HOLDS_YOU)
_NAMED = int(CreatureFlag.NAMED)
_TALL = 2
"""The levels above its first from which a grown creature counts as far above it."""


@dataclass(slots=True)
class SimulatedPlayer:
    """A bot in the simulation, with one life. `number` is its body's number; `over` means that its life has ended.

    `kit` is the place of the kit that it takes among the campaign's. `fights` means that it sees an enemy that holds it.
    `met` are the kinds that it saw, `visited` the depths where it was, `grown` the creatures that it saw above the level they
    were made with, `named` those that it saw with a name, `tried` the kinds of gear that it found and used.
    """

    account: int
    name: str
    bot: Adventurer
    life: Life = field(default_factory=Life)
    number: int = 0
    commands: int = 0
    course: RunningPlan | None = None
    kit: int | None = None
    over: bool = False
    fights: bool = False
    seen: ViewCache = field(default_factory=ViewCache)
    met: set[str] = field(default_factory=set)
    visited: set[int] = field(default_factory=set)
    grown: set[int] = field(default_factory=set)
    named: set[tuple[int, int]] = field(default_factory=set)
    tried: set[str] = field(default_factory=set)

    @property
    def is_young(self) -> bool:
        """Whether the life is in its first half hour."""
        return self.life.turns < HALF_HOUR


def note_turn(
    stats: RunStats, player: SimulatedPlayer, depth: int, command: ActionCommand | None, *, held: bool
) -> None:
    """Count a turn of a player.

    The turn is in danger if an enemy holds its turn group. Its action is one of a fight if the player sees an enemy that holds
    them: an action near a friend's fight tells nothing of the player's means.
    """
    counts = stats.depth(depth)
    counts.turns += 1
    counts.danger += held
    stats.choices.first.turns += player.is_young
    if held and player.fights:
        style = player.bot.style
        means = stats.means.setdefault(style, Means())
        means.actions += command is not None
        means.own += isinstance(command, OWN_MEANS[style])


def note_choice(stats: RunStats, player: SimulatedPlayer, view: View, command: Choose) -> None:
    """Count the options of a level-up choice by their names, and the one that a bot takes."""
    stats.choices.first.options += player.is_young
    names = [words.partition(":")[0] for words in view.choices]
    for at, name in enumerate(names):
        counts = stats.choices.offers.setdefault(name, OfferCounts())
        counts.offered += 1
        counts.taken += at == command.option
    for name in names[command.option : command.option + 1]:
        chosen = stats.choices.taken.setdefault(player.life.style, {})
        chosen[name] = chosen.get(name, 0) + 1


def note_gear(
    stats: RunStats, player: SimulatedPlayer, body: Creature, command: ActionCommand | None
) -> None:
    """Note the weapon, armor or ring that a life puts in use, once for each kind; not what its kit brought, which is bound to it."""
    match command:
        case Wield(slot=int(slot)) | Wear(slot=int(slot)) | PutOn(slot=int(slot)):
            item = body.slots[slot] if slot < len(body.slots) else None
        case _:
            return
    if item is not None and not item.bound and item.kind not in player.tried:
        player.tried.add(item.kind)
        stats.choices.first.gear += player.is_young
        tried = stats.choices.gear.setdefault(player.life.style, {})
        tried[item.kind] = tried.get(item.kind, 0) + 1


def note_visit(stats: RunStats, player: SimulatedPlayer, depth: int) -> None:
    """Note that a life is on a depth."""
    if depth not in player.visited:
        player.visited.add(depth)
        player.life.depth = max(player.life.depth, depth)
        stats.depth(depth).visits += 1


def note_view(
    stats: RunStats, player: SimulatedPlayer, level: Level, view: View, grown: Iterable[int]
) -> None:
    """Note the kinds in sight, and whether a grown creature bears the mark when the player first sees it so."""
    player.fights = any(each.marks & _HOLDS for each in view.creatures)
    if len(view.creatures) <= 1:
        return
    for each in view.creatures:
        if not each.marks & _PLAYER:
            player.met.add(each.name.rpartition(" the ")[2])
    marks = {each.handle: each.marks for each in view.creatures}
    for number in grown:
        if number in level.creatures and number not in player.grown:
            seen = marks.get(level.handles[number])
            if seen is not None:
                player.grown.add(number)
                stats.grown_met += 1
                stats.grown_marked += bool(seen & _GROWN)
                stats.grown_tall += level.creatures[number].levels_grown >= _TALL
    for each in view.creatures:
        if each.marks & _NAMED and (level.partition, each.handle) not in player.named:
            player.named.add((level.partition, each.handle))
            stats.named_met += 1


def count_first_items(dungeon: Dungeon) -> FirstItems:
    """Return the numbers of items on the first depths of a new realm."""
    found, kinds = FirstItems(), dungeon.campaign.items
    for _, level in sorted(dungeon.levels.items()):
        if level.depth > EARLY_DEPTHS:
            continue
        for _, item in level.items_at():
            kind = kinds[item.kind]
            if kind.fixed:
                continue
            found.things += 1
            found.food += kind.food > 0
            if level.depth <= FIRST_FINDS:
                found.armed |= kind.wieldable or kind.wearable
                found.magic |= bool(kind.reads or kind.zaps or kind.teaches)
    return found
