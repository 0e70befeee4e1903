"""A bot's choice of cards by simulated outcome: it fights the foes that it remembers with each of them. Pure, in integers.

An outing is a row of fights without a rest between, every third against two foes together, until the bot falls. All options
meet the same foes and the same dice, so that the difference is theirs. A player reads in words what an option does; here
it is taken from the campaign, since bots compare no words.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from msgspec import UNSET

from gloam_lab.bots.bot_memory import Foe
from gloam_lab.bots.combat_estimate import expected_damage
from gloam_lab.bots.item_knowledge import ItemUse
from gloam_lab.bots.pack import pack_of
from gloam_lab.bots.style import Style
from gloam_server.content.growth.bents import Bent
from gloam_server.content.growth.learning import Trait
from gloam_server.rules.dice import stream
from gloam_server.world.growth.bents import options_of
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_shared.view.view import Stat, View

_OUTINGS: Final = 24
_FIGHTS_MAX: Final = 12
_ROUNDS_MAX: Final = 60
_DICE: Final = 512
_MISS: Final = 10
_ASLEEP: Final = 35
"""The percentage of foes that sleep when a bot finds them; each cell of less noise adds three."""
_OFTEN: Final = 40
"""The percentage of fights in which a leap brings a first blow; half as often there is something to throw."""
_EACH_CELL: Final = 5
"""The percentage of fights in which a cell of sight or light more brings a first blow."""
_SPREAD: Final = 40
_MANA: Final = 4
"""The mana that a bot regains between two fights of an outing."""
_MENDS: Final = 6
"""The percentage of health that closing wounds bring between two fights of an outing."""
_TYPED: Final = {"fire": 14, "cold": 12, "venom": 18}
"""The percentage of wounds that are of a type of damage."""
_KEPT_APART: Final = frozenset({"bane", "resist"})


@dataclass(slots=True)
class _Body:
    """A bot in an outing; attack and defense in hundredths, percentages by the word of a power."""

    style: Style
    attack: int
    defence: int
    hp_max: int
    mana: int
    spell: int
    cost: int
    potions: int
    wands: int
    friends: bool
    powers: dict[str, int] = field(default_factory=dict)
    bane: tuple[str, int] = ("", 0)
    hp: int = 0
    energy: int = 0

    def power(self, name: str) -> int:
        """Return a power's number; 0 without it."""
        return self.powers.get(name, 0)


class _Met(NamedTuple):
    """A foe in an outing, and by how much a grudge against its people makes blows stronger."""

    foe: Foe
    grudge: int


class _Rolls:
    """Rolls of 0 to 99 in order, from one stream."""

    def __init__(self, *key: int) -> None:
        self._bytes = stream("outing", *key, size=_DICE)
        self._at = 0

    def chance(self, percent: int) -> bool:
        """Return whether one more roll is below a percentage."""
        self._at = (self._at + 1) % _DICE
        return self._bytes[self._at] * 100 < percent << 8

    def of(self, hundredths: int) -> int:
        """Return a damage with its spread."""
        self._at = (self._at + 1) % _DICE
        return hundredths * (100 - _SPREAD + (2 * _SPREAD * self._bytes[self._at] >> 8)) // 100


def best_by_outcome(level: Level, body: Creature, view: View, style: Style, foes: tuple[Foe, ...]) -> int:
    """Return the option with which a bot fells most of the foes that it remembers before it falls."""
    campaign = level.campaign
    known = foes or (Foe(view.fact(Stat.ATTACK), view.fact(Stat.DEFENCE), view.fact(Stat.HP_MAX), ""),)
    people = {kind.name: kind.people for kind in campaign.creatures.values()}
    peoples = tuple(people.get(foe.name.rpartition(" the ")[2], "") for foe in known)
    key = level.realm_seed, body.number, body.level
    scores = []
    for option in options_of(level, body):
        made = _equipped(view, style)
        if option in campaign.traits:
            _give_card(made, body, campaign.traits[option])
        else:
            _give_step(made, campaign.bents["" if body.bent is UNSET else body.bent])
        scores.append(
            sum(_outing(replace(made), known, peoples, at, _Rolls(*key, at)) for at in range(_OUTINGS))
        )
    return max(range(len(scores)), key=lambda at: (scores[at], -at), default=0)


def _equipped(view: View, style: Style) -> _Body:
    """Return a bot as it is, with what it carries."""
    spells = [spell for spell in view.spells if spell.damage and spell.target != "self"]
    spell = max(spells, key=lambda each: (each.damage, each.key), default=None)
    pack = pack_of(view.inventory)
    return _Body(
        style,
        view.fact(Stat.ATTACK) * 100,
        view.fact(Stat.DEFENCE) * 100,
        view.fact(Stat.HP_MAX) * 100,
        view.fact(Stat.MANA_MAX),
        spell.damage * 100 if spell else 0,
        spell.cost if spell else 0,
        sum(item.count for item, use in pack.magic if use is ItemUse.HEAL),
        len(pack.wands),
        len(view.party) > 1,
    )


def _give_card(made: _Body, body: Creature, card: Trait) -> None:
    """Add what a card does to the numbers and the powers of a bot."""
    made.attack += body.attack * card.attack_percent // 100
    made.defence += body.defence * card.defence_percent // 100
    made.hp_max += body.hp_max * card.hp_percent
    made.powers = {
        power.does: power.percent or power.amount or 1
        for power in card.powers
        if power.does not in _KEPT_APART
    }
    for name, number in (("speed", card.speed // 10), ("sight", card.sight), ("mend", card.regeneration)):
        if number:
            made.powers[name] = number
    for power in card.powers:
        if power.does == "bane":
            made.bane = (power.against, power.percent)
        elif power.does == "resist":
            made.powers["resist"] = _TYPED.get(power.against, 0) * power.percent // 100


def _give_step(made: _Body, bent: Bent) -> None:
    """Add one step of a bent to the numbers of a bot."""
    made.attack += bent.attack
    made.defence += bent.defence
    made.hp_max += bent.health * 100
    made.mana += bent.mana


def _outing(me: _Body, foes: tuple[Foe, ...], peoples: tuple[str, ...], at: int, rolls: _Rolls) -> int:
    """Return the health of the foes that the bot takes before it falls, in percent of theirs."""
    me.hp, taken = me.hp_max, 0
    for fight in range(_FIGHTS_MAX):
        places = [(at + fight) % len(foes)]
        if fight % 3 == 2:
            places.append((at + fight + 1) % len(foes))
        met = [_Met(foes[place], me.bane[1] if peoples[place] == me.bane[0] else 0) for place in places]
        taken += _fight(me, met, rolls)
        if me.hp <= 0:
            break
        me.hp = min(me.hp_max, me.hp + me.hp_max * (10 + _MENDS * bool(me.power("mend"))) // 100)
        me.mana += _MANA
    return taken


def _fight(me: _Body, met: list[_Met], rolls: _Rolls) -> int:
    """Fight some foes together, the first one first; return what they lost, in percent of their health."""
    left = [each.foe.hp * 100 for each in met]
    for bonus in _first_blows(me, rolls):
        left[0] -= _blow(me, met[0], rolls) * (100 + bonus) // 100
    for _ in range(_ROUNDS_MAX):
        alive = [at for at, hp in enumerate(left) if hp > 0]
        if not alive or me.hp <= 0:
            break
        me.energy += 100 + me.power("speed")
        while me.energy >= 100:
            me.energy -= 100
            _act(me, met, left, alive, rolls)
        for at in alive:
            if left[at] > 0:
                _suffer(me, met[at], left, at, rolls)
    for hp in left:
        if hp <= 0 < me.hp:
            me.hp = min(me.hp_max, me.hp + me.hp_max * me.power("feast") // 100)
            me.mana += me.power("drink")
    return sum(
        (each.foe.hp * 100 - max(0, hp)) // max(1, each.foe.hp) for each, hp in zip(met, left, strict=True)
    )


def _first_blows(me: _Body, rolls: _Rolls) -> Iterator[int]:
    """Yield the blows before a foe strikes, each by its bonus in percent: at sleepers, of leaps and shots, of wands."""
    if rolls.chance(_ASLEEP + 3 * me.power("quiet")):
        yield 50 + me.power("stabs")
    if rolls.chance(_OFTEN * me.power("leap") + _EACH_CELL * (me.power("sight") + me.power("light"))):
        yield 0
    if me.style is Style.ARCHER or rolls.chance(_OFTEN // 2):
        for _ in range(3 if me.style is Style.ARCHER else 1):
            yield me.power("aim") + me.power("rethrow")
    if me.wands and rolls.chance(me.power("charge")):
        yield 50


def _act(me: _Body, met: list[_Met], left: list[int], alive: list[int], rolls: _Rolls) -> None:
    """Let the bot do one action: a draught, a spell or a blow."""
    at = next((at for at in alive if left[at] > 0), alive[0])
    if me.potions and me.hp * 3 < me.hp_max:
        me.potions -= 1
        me.hp = min(me.hp_max, me.hp + me.hp_max * (50 + me.power("brew") // 2) // 100)
    elif me.spell and me.mana >= me.cost and me.style is Style.MAGE:
        me.mana -= 0 if rolls.chance(me.power("thrift")) else me.cost
        left[at] -= rolls.of(me.spell) * (100 + me.power("sorcery")) // 100
    else:
        dealt = _blow(me, met[at], rolls)
        dealt += _blow(me, met[at], rolls) if rolls.chance(me.power("quick")) else 0
        left[at] -= dealt
        for other in alive:
            if other != at:
                left[other] -= dealt * me.power("sweep") // 100


def _blow(me: _Body, met: _Met, rolls: _Rolls) -> int:
    if rolls.chance(_MISS):
        return 0
    bonus = met.grudge
    bonus += me.power("fury") if me.hp * 3 < me.hp_max else 0
    if me.friends:  # a guess: one stands beside the bot in half of its fights
        bonus += me.power("company") // 2 + me.power("guard") // 3
    bonus += 100 if rolls.chance(me.power("keen")) else 0
    return rolls.of(expected_damage(me.attack * (100 + bonus) // 100, met.foe.defence * 100))


def _suffer(me: _Body, met: _Met, left: list[int], at: int, rolls: _Rolls) -> None:
    """Let a foe strike the bot, who may answer a miss."""
    if rolls.chance(_MISS + me.power("parry")):
        if rolls.chance(me.power("answer")):
            left[at] -= _blow(me, met, rolls)
        return
    hurt = rolls.of(expected_damage(met.foe.attack * 100, me.defence)) * (100 - me.power("resist")) // 100
    cap = me.power("bulwark")
    me.hp -= min(hurt, me.hp_max * cap // 100) if cap else hurt
