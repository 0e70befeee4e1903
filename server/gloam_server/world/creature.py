"""Creature: the one type for players and monsters alike. Only the mind differs: a session, or the kind's tasks."""

from msgspec import Struct, field

from gloam_server.content.definitions import CreatureKind


class Item(Struct):
    """A thing: lying in a pile or carried. `number` is realm-wide and never used again.

    `bites` is how many are left of it. While it lies, `owner` is the account of the player who dropped it, 0 for none,
    and `laid` the input of its level that laid it.
    """

    number: int
    kind: str
    name: str
    colour: str
    bites: int = 1
    owner: int = 0
    laid: int = 0


class Creature(Struct):
    """A living body. Numbers are realm-wide and never used again; health, experience and energy are integers.

    `account` is the player's account, 0 for a monster. `energy` is what it may spend, 1,000 an action.
    `actions` counts its own actions: it ages by nothing else. `command` is the number of the last command that a
    player's body has done. `grace` counts the turns for which an arrival still cannot be hurt. `asleep` counts the
    turns for which it cannot act. `contacts` tells, by creature number, at which of its own actions it last hurt,
    was hurt by, or was helped against that creature. `slots` are what it can carry, each with a letter of its own
    (rules J10.3, J10.4); `wielded` and `worn` are the numbers of things in them, 0 for none. `food` is what a player
    has in his stomach.
    """

    number: int
    kind: str
    name: str
    hp: int
    hp_max: int
    attack: int
    defence: int
    sight: int
    speed: int
    account: int = 0
    cell: int = -1
    energy: int = 0
    level: int = 1
    experience: int = 0
    points: int = 0
    kills: int = 0
    actions: int = 0
    command: int = 0
    grace: int = 0
    asleep: int = 0
    children: int = 0
    contacts: dict[int, int] = field(default_factory=dict)
    slots: list[Item | None] = field(default_factory=list)
    wielded: int = 0
    worn: int = 0
    food: int = 0

    @property
    def carried(self) -> list[Item]:
        """What it carries, in the order of the slots."""
        return [item for item in self.slots if item is not None]


def born(kind: CreatureKind, number: int, *, name: str = "", account: int = 0, food: int = 0) -> Creature:
    """Return a new creature of a kind, at its starting level, in full health and with empty slots."""
    return Creature(
        number=number,
        kind=kind.key,
        name=name or kind.name,
        account=account,
        hp=kind.hp,
        hp_max=kind.hp,
        attack=kind.attack,
        defence=kind.defence,
        sight=kind.sight,
        speed=kind.speed,
        level=kind.level,
        children=kind.children,
        slots=[None] * kind.slots,
        food=food,
    )
