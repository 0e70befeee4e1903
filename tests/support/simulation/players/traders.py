"""Players who trade, offering at random and confirming what they see or saw; and fellows in danger, who help and lend."""

from collections.abc import Callable
from functools import cache
from typing import Final

from msgspec.structs import replace

from gloam_server.content.campaign import Campaign
from gloam_shared.protocol import commands
from gloam_shared.protocol.messages.trade import TradeState
from gloam_shared.view.view import Creature, CreatureFlag, View
from support.content.campaigns import arena_with, shipped
from support.simulation.randomness import Chance

_NUT: Final = '[nut]\nname = "nut"\nglyph = "%"\ncolour = "brown"\nfood = 1\nfound = "common"\n'


@cache
def market() -> Campaign:
    """Return a campaign without monsters, with many items on its levels, stacks, and packs that are soon full."""
    return arena_with(outline="stack = 3", items=_NUT, levels="items = 60\n")


def trade_word(view: View, trade: TradeState, chance: Chance) -> commands.AnyCommand | None:
    """Return a word of a trade, possible or not; None where there is no one to trade with, or for something else."""
    luck = chance.random()
    friends = players_beside(view)
    if trade.name and luck < 0.9:
        return _word_in_trade(view, trade, chance, luck)
    if friends and luck < 0.4:
        return commands.OfferTrade(chance.choice(friends).handle, some_items(view, chance))
    return None


def _word_in_trade(view: View, trade: TradeState, chance: Chance, luck: float) -> commands.AnyCommand:
    if luck < (0.75 if trade.other_confirmed or trade.gives else 0.3):
        return commands.ConfirmTrade(trade.handle, trade.revision)
    if luck < 0.78:
        return commands.ConfirmTrade(trade.handle, max(0, trade.revision - 1))
    if luck < 0.8:
        return commands.EndTrade()
    return commands.OfferTrade(trade.handle, some_items(view, chance))


def some_items(view: View, chance: Chance) -> tuple[int, ...]:
    """Return pairs of slots and counts: at times of what is bound, in use, or not there."""
    things = [(thing.slot, chance.randint(1, thing.count)) for thing in view.inventory]
    chosen = sorted(things, key=lambda _: chance.random())[: chance.randint(0, 3)]
    if chance.random() < 0.05:
        chosen.append((chance.randint(0, 25), 9))
    return tuple(number for pair in chosen for number in pair)


def players_beside(view: View) -> list[Creature]:
    """Return the other players on the cells around."""
    return [one for one in _others(view) if view.place.grid.distance(view.cell, one.cell) == 1]


def trading_mind(chance: Chance) -> Callable[[View], commands.AnyCommand]:
    """Return a mind that gathers, meets others, and changes its pack between the words of a trade."""

    def decide(view: View) -> commands.AnyCommand:
        luck = chance.random()
        slot = chance.choice([thing.slot for thing in view.inventory] or [0])
        far = [one for one in _others(view) if view.place.grid.distance(view.cell, one.cell) > 1]
        if view.pile and luck < 0.5:
            return commands.PickUp()
        if far and luck < 0.6:
            return commands.Move(*view.place.grid.towards(view.cell, far[0].cell))
        beside = players_beside(view)
        if luck < (0.62 if beside else 0.9):
            return commands.Explore(pick_up=True)
        nuts = [commands.Eat(thing.slot) for thing in view.inventory if thing.name == "nut"]
        uses: list[commands.AnyCommand] = [
            *nuts[:1],
            commands.Drop(slot),
            commands.Wield(slot),
            commands.Wait(),
            commands.Wait(),
            commands.Wait(),
        ]
        uses += [commands.Give(slot, one.handle) for one in beside[:1]]
        return chance.choice(uses)

    return decide


def _others(view: View) -> list[Creature]:
    return [
        one for one in view.creatures if one.marks & CreatureFlag.PLAYER and not one.marks & CreatureFlag.SELF
    ]


_HEALTH: Final = 6
_SLOTS: Final = 26


@cache
def fellowship() -> Campaign:
    """Return the flagship, where lives are frail, a kill brings a level, and each second level offers cards.

    Each kobold of the first depths is the warden of a beacon there, which goes out after a day.
    """
    gloam = shipped("gloam")
    frail = replace(gloam.player_kind, hp=_HEALTH)
    places = tuple(
        replace(each, depth=depth, warden="kobold", level=depth + 1)
        for depth, each in enumerate(gloam.beacons.places[:2], start=1)
    )
    return replace(
        gloam,
        creatures={**gloam.creatures, frail.key: frail},
        beacons=replace(gloam.beacons, places=places, lasts_days=1),
        cards=replace(gloam.cards, every=2),
        experience=replace(gloam.experience, threshold="square"),
    )


class Fellow:
    """The mind of one of them; it wants what is possible, and at times what is not."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance

    def decide(self, view: View) -> commands.AnyCommand:
        """Return what to do next."""
        luck = self.chance.random()
        others = [
            one
            for one in view.creatures
            if one.marks & CreatureFlag.PLAYER and not one.marks & CreatureFlag.SELF
        ]
        beside = [one for one in others if view.place.grid.distance(view.cell, one.cell) == 1]
        if view.choices and luck < 0.5:
            level = view.choosing.level + self.chance.choice((0, 0, 0, 1))
            return commands.ChooseFor(self.chance.randrange(len(view.choices)), level)
        if beside and luck < 0.7:
            return self._help(view, self.chance.choice(beside))
        if others and luck < 0.8:
            return commands.Move(*view.place.grid.towards(view.cell, others[0].cell))
        foes = any(one.marks & CreatureFlag.HOSTILE for one in view.creatures)
        return commands.Fight() if foes and luck < 0.95 else commands.Explore(pick_up=True)

    def _help(self, view: View, friend: Creature) -> commands.AnyCommand:
        """Lift or drag a friend, or give them something, whether they need it or not."""
        way = self.chance.randint(-1, 1), self.chance.randint(-1, 1)
        slot = self.chance.choice([thing.slot for thing in view.inventory] or [_SLOTS - 1])
        wanted: tuple[commands.AnyCommand, ...] = (
            commands.Move(*view.place.grid.towards(view.cell, friend.cell)),
            commands.Drag(friend.handle, *way),
            commands.Give(slot, friend.handle),
            commands.Wait(),
        )
        return self.chance.choice(wanted if friend.marks & CreatureFlag.DOWN else wanted[2:])
