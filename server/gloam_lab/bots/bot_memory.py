"""A bot's memory of its life: refusals, known items, visited places. Views are its only source."""

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from gloam_lab.bots.in_sight import in_sight
from gloam_lab.bots.kept import Kept
from gloam_lab.bots.style import Style
from gloam_shared.protocol.commands import AnyCommand, Command, Rest, Wait
from gloam_shared.view.view import Creature, Friend, InventoryItem, Stat, View

_REFUSED_FOR: Final = 12
"""The number of decisions in which a bot does not repeat a refused command."""

_MISSES_MAX: Final = 4
_TRY_AGAIN: Final = 200
"""After this number of refusals in a row, a kind of command is tried only this rarely."""

_PATIENCE: Final = 300
"""The number of decisions without progress after which a bot tries another way."""

_TRAIL: Final = 24
_TREADS: Final = 6
"""A bot is stuck if its trail of this length visits one cell this often without a gain."""

_STAY_MAX: Final = 2_500
"""The number of decisions on one level after which the bot leaves."""

_VISITS_MAX: Final = 8
"""The number of arrivals on a level after which the bot no longer leaves it by the stairs up."""

_MEND_SAMPLE: Final = 60
"""The number of quiet actions that show whether health regenerates."""

_FOES_KEPT: Final = 9

UNHURT: Final = 4
"""The condition of a friend who has lost no health."""


class Foe(NamedTuple):
    """A foe as it was met: attack and defense in points, its whole health, its name."""

    attack: int
    defence: int
    hp: int
    name: str


class Roster(NamedTuple):
    """A bot's excerpt of a party, which may have a thousand members."""

    first: Friend | None
    """The first by name."""
    hurt: tuple[Friend, ...]
    """The members who have lost health."""


def _read_roster(party: tuple[Friend, ...]) -> Roster:
    first = min([friend.name for friend in party], default=None)
    return Roster(
        next((friend for friend in party if friend.name == first), None),
        tuple([friend for friend in party if friend.condition < UNHURT]),
    )


@dataclass(slots=True)
class BotMemory:
    """The memory of one life.

    `inventory` is what it carries, `item_uses` what things were when they were carried, by name; `junk` are names of
    what is not worth carrying. `things` are what lay about when it was last seen, by depth and cell. `stairs` counts
    how often stairs were taken and levers worked, by depth and cell. `fled` counts flights by stairs in the same way.
    `foes` are the foes met last, by handle, in that order. `chased` counts the steps after each creature, by handle.
    `friends_at` are the cells on the present level where friends were seen last, by name, `roster_of` returns what the
    bot asks of its party. `waited` and `rescues` count what was done for friends there. `bored` counts how
    often the bot gave up on the present level; until the decision `roving_until` it goes about without an aim. `visits`
    counts the arrivals on each depth.
    """

    style: Style = Style.FIGHTER
    decisions: int = 0
    last: AnyCommand | None = None
    refused: dict[tuple[int, Command], int] = field(default_factory=dict)
    inventory: tuple[InventoryItem, ...] = ()
    item_uses: dict[str, InventoryItem] = field(default_factory=dict)
    junk: set[str] = field(default_factory=set)
    items: dict[int, dict[int, str]] = field(default_factory=dict)
    stairs: dict[tuple[int, int], int] = field(default_factory=dict)
    flights: dict[tuple[int, int], int] = field(default_factory=dict)
    visits: dict[int, int] = field(default_factory=dict)
    foes: dict[int, Foe] = field(default_factory=dict)
    chased: dict[int, int] = field(default_factory=dict)
    rested_in_vain: int = -10_000
    digs: bool = True
    bored: int = 0
    roving_until: int = 0
    roving_to: int = -1
    arrived: int = 0
    waited: int = 0
    rescues: int = 0
    friends_at: dict[str, int] = field(default_factory=dict)
    roster_of: Kept[tuple[Friend, ...], Roster] = field(default_factory=lambda: Kept(_read_roster, 1))
    _friends: dict[str, int] = field(default_factory=dict)
    _friends_before: dict[str, int] = field(default_factory=dict)
    depth: int = 0
    _hp: int = 0
    _level: int = 0
    _mended: int = 0
    _watched: int = 0
    _gains: tuple[int, int, int] = (0, 0, 0)
    _wounds: dict[int, int] = field(default_factory=dict)
    _trail: list[int] = field(default_factory=list)
    _progressed: int = 0
    _seen: View | None = None
    _misses: dict[type[Command], int] = field(default_factory=dict)

    def look(self, view: View) -> None:
        """Update the memory from a view, before a decision."""
        # Time stands still while all in company wait: the view is the same one then, and the bot looks again.
        stood = bool(view.party) and isinstance(self.last, Wait)
        if view is self._seen and not stood:
            return  # asked again, because something was refused
        self._seen = view
        if self.last is not None:
            self._misses.pop(type(self.last), None)
        self.decisions += 1
        if view.place.depth != self.depth:
            self.depth, self.arrived = view.place.depth, self.decisions
            self.visits[self.depth] = self.visits.get(self.depth, 0) + 1
            self.bored, self.waited, self.rescues = 0, 0, 0
            self.friends_at.clear()
            self.chased.clear()
            self.roving_until = 0
        if view.inventory is not self.inventory:
            self.inventory = view.inventory
            self.item_uses.update((item.name, item) for item in view.inventory)
        self._note_things(view)
        self._note_friends(view)
        self._note_progress(view)
        self._note_mending(view)

    def note_foe(self, foe: Creature) -> None:
        """Remember a foe's numbers: level-ups are chosen for the next foe of this kind."""
        self.foes.pop(foe.handle, None)
        self.foes[foe.handle] = Foe(foe.attack, foe.defence, foe.hp_max, foe.name)
        if len(self.foes) > _FOES_KEPT:
            del self.foes[next(iter(self.foes))]

    def refuse(self, view: View, command: AnyCommand) -> None:
        """Remember that a command was refused where the bot stands."""
        self.refused[view.cell, command] = self.decisions
        self._misses[type(command)] = self._misses.get(type(command), 0) + 1
        self.last = None

    def is_refused(self, view: View, command: AnyCommand) -> bool:
        """Return whether a command was recently refused here."""
        if self._misses.get(type(command), 0) > _MISSES_MAX and self.decisions % _TRY_AGAIN:
            return True
        when = self.refused.get((view.cell, command))
        return when is not None and self.decisions - when < _REFUSED_FOR

    def is_passing(self, cell: int | None) -> bool:
        """Return whether a friend who was elsewhere before is on a cell now."""
        return any(at == cell != self._friends_before.get(name) for name, at in self._friends.items())

    @property
    def foe(self) -> tuple[int, int, int] | None:
        """The attack, defense and health of the foe met last; None before the first."""
        return next(((one.attack, one.defence, one.hp) for one in reversed(self.foes.values())), None)

    @property
    def roves(self) -> bool:
        """Whether the bot wanders now, because its goals led nowhere."""
        return self.decisions < self.roving_until

    @property
    def lingers(self) -> bool:
        """Whether the bot has been on this level for too long."""
        return self.decisions - self.arrived > _STAY_MAX

    @property
    def keeps_coming(self) -> bool:
        """Return whether the bot has reached this level so often that it no longer flees, but fights."""
        return self.visits.get(self.depth, 0) > _VISITS_MAX

    @property
    def is_healing(self) -> bool:
        """Whether health regenerates fast enough to wait for it: a point in less than 25 actions."""
        return self._watched >= _MEND_SAMPLE // 2 and self._mended * 25 >= self._watched

    @property
    def slow_to_mend(self) -> bool:
        """Whether waiting is known not to heal enough."""
        return self._watched >= _MEND_SAMPLE and not self.is_healing

    def _note_things(self, view: View) -> None:
        known = self.items.setdefault(view.place.depth, {})
        shown = {item.cell: item.name for item in view.items}
        for cell in [cell for cell in known if view.sight[cell] and cell not in shown]:
            del known[cell]
        known.update(shown)

    def _note_friends(self, view: View) -> None:
        """Record the friends' places; forget the last place of a friend who has left it."""
        shown, own = {each.name: each.cell for each in in_sight(view.creatures).friends}, view.cell
        if own in self.friends_at.values():
            for name in [name for name, cell in self.friends_at.items() if cell == own]:
                del self.friends_at[name]
        self.friends_at.update(shown)
        self._friends_before, self._friends = self._friends, shown

    def _note_mending(self, view: View) -> None:
        hp, level = view.fact(Stat.HP), view.fact(Stat.LEVEL)
        if level == self._level and 0 < self._hp < view.fact(Stat.HP_MAX) and hp - self._hp in (0, 1, 2):
            self._watched += 1
            self._mended += hp - self._hp
            if self._watched > 4 * _MEND_SAMPLE:
                self._watched, self._mended = self._watched // 2, self._mended // 2
        self._hp, self._level = hp, level

    def _note_progress(self, view: View) -> None:
        """Record whether the bot gained anything; without a gain for long, or when stuck, it takes another way."""
        wounds = {foe.handle: foe.hp for foe in in_sight(view.creatures).enemies}
        struck = any(hp < self._wounds.get(handle, 0) for handle, hp in wounds.items())
        own = view.cell
        unknown, experience, items = (
            view.terrain.count(0),
            view.fact(Stat.EXPERIENCE),
            len(self.item_uses),
        )
        before = self._gains
        gained = unknown < before[0] or experience > before[1] or items > before[2]
        self._wounds, self._gains = wounds, (unknown, experience, items)
        if not isinstance(self.last, Wait):  # a bot that waits for friends is not stuck
            self._trail = [*self._trail[-_TRAIL:], own]
        mends = view.fact(Stat.HP) > self._hp and not wounds  # in sight of a foe wounds heal and open again
        if gained or struck or mends or isinstance(self.last, Rest):
            self._progressed = self.decisions
            self._trail = [own]
        treads = self._trail.count(own) >= _TREADS
        if treads or self.decisions - self._progressed > _PATIENCE:
            self._give_up(view)

    def _give_up(self, view: View) -> None:
        """Give up the current goal, and wander for a while."""
        self._progressed, self._trail = self.decisions, []
        self.bored += 1
        self.roving_until = self.decisions + 10 + 10 * min(self.bored, 5)
        self.items[view.place.depth] = {}
        for creature in view.creatures:
            self.chased[creature.handle] = 1_000
