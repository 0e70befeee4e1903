"""The danger of creatures as the player sees it, in attacks and in one word. Pure; an estimate in integers.

The client shows it, and the server's plans use it. It is made from what the view says: the campaign's formula of damage
(`Welcome.damage`), the player's body and means, each foe's numbers and `Menace`, and the friends beside. Kinds of damage,
resistances and the habits of weapons count on both sides. It looks at what the next ten turns hold: which foes arrive in them, what they take by blows, shots and spells until they are dead, and
how their webs delay the player. What is left after ten turns goes on as before. Attacks have mean damage.

A plan of the server is refused, and ends, when the enemies that hold the player may take half of the remaining health
before the player has killed them. Client and server use the same function, so the client offers only keys that work.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from gloam_shared.view.menace import DamageKind, Menace, Prowess
from gloam_shared.view.surfaces import SurfaceFlag, surface_at
from gloam_shared.view.view import Creature, CreatureFlag, InventoryItem, ItemFlag, Spell, Stat, View

_MISS_PARTS: Final = 9
"""The number of hits in ten attacks by the ratio formula (rule RG.7)."""
NEVER: Final = 9_999
"""The lost health, in thousandths, of a fight that cannot be won."""
HALF: Final = 500
_SPREADS: Final = int(SurfaceFlag.SPREADS)
_EASY: Final = 300
_EVEN: Final = 600
_DANGEROUS: Final = 1_800
"""The lost health, in thousandths of the present one, below which a fight has the word "easy", "even", "dangerous".

Dice decide how a fight ends, so the words leave room: the table of duels (`make duels`) holds them to their promises.
"""
_HARD_BLOW: Final = 250
_GRAVE_BLOW: Final = 400
"""The parts of the present health, in thousandths, of a blow that makes a foe at least "even", and at least "dangerous".

A slow or weak foe that should die first still strikes first now and then.
"""
WORDS: Final = ("harmless", "easy", "even", "dangerous", "deadly")
"""The words of danger, the mildest first."""
_TENTHS: Final = 100
"""Ten turns, in tenths of a turn."""
_HALF_TURN: Final = 5
_NO_MANA: Final = 10
"""The tenths of a turn by which a blow takes longer than the spell that it replaces."""
_HELP_CELLS: Final = 3
THROWN_REACH: Final = 3
"""The most cells of reach that a few items to throw are worth; who reaches farther keeps off and shoots."""
_PLAYER, _SELF, _HOSTILE = int(CreatureFlag.PLAYER), int(CreatureFlag.SELF), int(CreatureFlag.HOSTILE)
_HOLDS_YOU, _AWAY = int(CreatureFlag.HOLDS_YOU), int(CreatureFlag.CUT_OFF | CreatureFlag.AWAY)
_EQUIPPED: Final = int(ItemFlag.WIELDED | ItemFlag.WORN)
_WIELDED: Final = int(ItemFlag.WIELDED)
_NOT_THROWN: Final = ~int(ItemFlag.WIELDABLE | ItemFlag.BOUND)
_STRIKES: Final = Menace()
_BREAKS: Final = int(SurfaceFlag.BREAKS)
_HABITS: Final = (Stat.MIGHT, Stat.PACE, Stat.LENGTH, Stat.STUNS, Stat.SWEEPS, Stat.PARRIES)


class Danger(NamedTuple):
    """The mean attacks that each side needs to kill the other; None if attacks do nothing.

    `lost` is the part of the player's present health that the fight costs, in thousandths; `word` says it.
    """

    its_blows: int | None
    your_blows: int | None
    lost: int
    word: str


class Means(NamedTuple):
    """The means of the player in a fight. Attacks are in points; `missiles` are the items to throw, the best first."""

    attack: int
    defence: int
    speed: int
    shot: int
    reach: int
    missiles: tuple[tuple[int, InventoryItem], ...]
    damage: int
    """The health that the best spell takes."""
    casts: int
    helpers: tuple[int, ...]
    """The attacks of the friends beside."""
    spell_deals: int = 0
    """The `DamageKind` of the best spell."""
    prowess: Prowess = Prowess()
    """The kind of damage of blows and shots, the resistances, and the habits on the sheet."""


class _Bout(NamedTuple):
    """One foe of a fight. Times are in tenths of a turn."""

    tenths: int
    """The time that the player needs to kill it."""
    hurt: int
    """The health that it takes in a turn, in hundredths."""
    arrival: int
    """The time before it can hurt."""
    afar: int
    """The damage of the player's shots and throws in percent of that at hand."""
    casts: int
    """The player's spells that it takes."""
    swept: int = 0
    """The damage by a sweep that it takes while the player strikes another, in percent of a blow at it."""


def danger_of_fight(creature: Creature, view: View, damage: str) -> Danger:
    """Return what a fight with one creature in view would mean for the player."""
    means = means_of(view)
    blow = foes_blow(damage, creature, means)
    its_blows = blows_to_kill(blow, view.fact(Stat.HP))
    your_blows = blows_to_kill(own_blow(damage, means, creature), creature.hp)
    lost = _lost([creature], view, damage, means)
    if its_blows is None and not (creature.menace and (creature.menace.ranged or creature.menace.magic)):
        return Danger(its_blows, your_blows, lost, "harmless")
    struck = blow * 10 // max(1, view.fact(Stat.HP))
    least = _EVEN if struck >= _GRAVE_BLOW else _EASY if struck >= _HARD_BLOW else 0
    return Danger(its_blows, your_blows, lost, _word(max(lost, least)))


def danger_together(creatures: Iterable[Creature], view: View, damage: str) -> str:
    """Return the word for the fight with all of these that hunt the player; "" if one of them has a word as grave.

    Each creature has a word of its own besides, so that a rat in a pack does not look like an ogre.
    """
    hunters = [one for one in creatures if one.marks & _HOLDS_YOU]
    words = {danger_of_fight(one, view, damage).word for one in hunters} - {"harmless"}
    if len(hunters) < 2 or not words:
        return ""
    together = _word(health_lost(hunters, view, damage))
    return together if WORDS.index(together) > max(map(WORDS.index, words)) else ""


def could_take_half(creatures: Sequence[Creature], view: View, damage: str) -> bool:
    """Return whether these creatures together may take half of the player's health before the player has killed them."""
    return bool(creatures) and health_lost(creatures, view, damage) >= HALF


def is_deadly(creatures: Sequence[Creature], view: View, damage: str) -> bool:
    """Return whether a fight with all of these together has the word "deadly"."""
    return bool(creatures) and health_lost(creatures, view, damage) >= _DANGEROUS


def health_lost(creatures: Sequence[Creature], view: View, damage: str) -> int:
    """Return the part of the player's present health that a fight with all of these costs, in thousandths."""
    return _lost(creatures, view, damage, means_of(view))


def means_of(view: View) -> Means:
    """Return what the player has for a fight now."""
    own = view.fact(Stat.ATTACK)
    ranged = 0
    for item in view.inventory:
        if item.traits & _EQUIPPED:
            own -= item.attack
            ranged = item.ranged if item.traits & _WIELDED else ranged
    half = max(0, own) // 2
    missiles = [(half + item.thrown, item) for item in view.inventory if is_missile(item)]
    mana = view.fact(Stat.MANA)
    spells = [
        spell for spell in view.spells if spell.damage and spell.target != "self" and spell.cost <= mana
    ]
    best = max(spells, key=lambda spell: spell.damage, default=None)
    return Means(
        attack=view.fact(Stat.ATTACK),
        defence=view.fact(Stat.DEFENCE),
        speed=max(50, view.fact(Stat.SPEED)),
        shot=half + ranged if ranged else 0,
        reach=view.fact(Stat.REACH) if ranged else 0,
        missiles=tuple(sorted(missiles, key=lambda each: (-each[0], each[1].slot))),
        damage=best.damage if best else 0,
        casts=mana // max(1, best.cost) if best else 0,
        helpers=_helpers(view),
        spell_deals=best.deals if best else 0,
        prowess=Prowess(
            view.fact(Stat.DEALS),
            view.sheet[Stat.RESISTS_BLOW : Stat.RESISTS_LIGHT + 1],
            *(view.fact(stat) for stat in _HABITS),
        ),
    )


def own_blow(damage: str, means: Means, foe: Creature, attack: int | None = None) -> int:
    """Return the mean damage of the player's blow at a foe, in hundredths, with the habit of the weapon and the kind of damage.

    `attack` stands in the place of the usual one.
    """
    menace = foe.menace or _STRIKES
    struck = means.attack if attack is None else attack
    mean = _mean(damage, struck * (100 + means.prowess.might) // 100, foe.defence)
    return resisted(mean, menace.resists, means.prowess.deals) * (100 - menace.parries) // 100


def own_shot(damage: str, means: Means, foe: Creature) -> int:
    """Return the mean damage of the player's shot at a foe, in hundredths."""
    mean = _mean(damage, means.shot, foe.defence)
    return resisted(mean, (foe.menace or _STRIKES).resists, means.prowess.deals)


def own_throw(damage: str, attack: int, foe: Creature) -> int:
    """Return the mean damage of a throw of the player at a foe, in hundredths."""
    return resisted(_mean(damage, attack, foe.defence), (foe.menace or _STRIKES).resists, DamageKind.BLOW)


def spell_harm(spell: Spell, foe: Creature) -> int:
    """Return the health that a spell of the player takes from a foe."""
    return resisted(spell.damage, (foe.menace or _STRIKES).resists, spell.deals)


def foes_blow(damage: str, foe: Creature, means: Means, defence: int | None = None) -> int:
    """Return the mean damage of a foe's blow at the player, in hundredths; with another defense in place of the usual one."""
    menace = foe.menace or _STRIKES
    against = means.defence if defence is None else defence
    mean = _mean(damage, foe.attack * (100 + menace.might) // 100, against)
    return resisted(mean, means.prowess.resists, menace.deals) * (100 - means.prowess.parries) // 100


def resisted(amount: int, resists: Sequence[int], kind: int) -> int:
    """Return what is left of damage of a kind for a body with these resistances, in percent by kind (rule F111)."""
    percent = resists[kind] if 0 <= kind < len(resists) else 0
    return amount * (100 - percent) // 100


def blows_to_kill(mean: int, health: int) -> int | None:
    """Return how many blows with a mean damage, in hundredths, kill a body with `health`; None if they do nothing."""
    return -(-max(health, 1) * 100 // mean) if mean > 0 else None


def is_missile(item: InventoryItem) -> bool:
    """Return whether an item is there to be thrown: a stone, or a weapon that is not in use and made to be thrown, too."""
    return item.thrown > 0 and not item.traits & _NOT_THROWN


def mean_hundredths(damage: str, attack: int, defence: int) -> int:
    """Return the mean damage of an attack in hundredths.

    "excess" (rules JG.5, TG.19) is 1 to the attack's excess over the defense, at least 1. "ratio" (rule RG.7) is the
    excess where the attack is twice the defense, else a quarter to a half of the attack; one of ten misses.
    """
    if damage != "ratio":
        return 50 * (1 + max(1, attack - defence))
    if attack >= 2 * defence:
        hundredths = 100 * (attack - defence)
    else:
        hundredths = attack * (50 + min(50, 25 * attack // max(1, defence))) // 2
    return hundredths * _MISS_PARTS // 10


def _helpers(view: View) -> tuple[int, ...]:
    if len(view.creatures) < 2:
        return ()
    grid, own = view.place.grid, view.cell
    return tuple(
        one.attack
        for one in view.creatures
        if one.marks & _PLAYER
        and not one.marks & (_SELF | _HOSTILE | _AWAY)
        and grid.distance(own, one.cell) <= _HELP_CELLS
    )


def _lost(foes: Sequence[Creature], view: View, damage: str, means: Means) -> int:
    """Return what a fight costs: each foe hurts from its arrival until the player has killed it, the worst for its time first.

    Before they arrive, the player shoots as long as there is something to shoot. Even a foe that should die on its way
    costs half a turn of its blows: shots miss.
    """
    grid, own = view.place.grid, view.cell
    bouts = [
        _bout(foe, grid.distance(own, foe.cell), damage, means, _scorched(view, foe) if view.surfaces else 0)
        for foe in foes
    ]
    if None in bouts:
        return NEVER
    hurting = [bout for bout in bouts if bout and bout.hurt and (bout.arrival <= _TENTHS or len(foes) == 1)]
    hurting.sort(key=lambda bout: bout.tenths * 1_000 // bout.hurt)
    passed, lost, mana = 0, 0, means.casts
    shots = NEVER if means.reach else sum(item.count for _, item in means.missiles) * 10_000 // means.speed
    for at, bout in enumerate(hurting):
        short = max(0, bout.casts - mana)  # an earlier foe has taken the mana
        mana -= bout.casts - short
        early = min(shots, max(0, bout.arrival - passed))
        shots -= early
        swept = max(0, passed - bout.arrival) * bout.swept // 100 if at else 0
        spared = early * bout.afar // 100 + swept
        passed = max(passed, bout.arrival) + max(0, bout.tenths + short * _NO_MANA - spared)
        lost += max(passed - bout.arrival, _HALF_TURN) * bout.hurt
    if view.surfaces:
        lost += passed * harm_of_ground(view, own, means.prowess.resists)
    return min(NEVER, lost // max(1, view.fact(Stat.HP) * (1 + len(means.helpers))))


def harm_of_ground(view: View, cell: int, resists: Sequence[int]) -> int:
    """Return the health that the surface on a cell takes in a turn from a body with these resistances, in hundredths."""
    look = surface_at(view.surface_looks, view.surfaces, cell)
    if look is None or look.marks & _BREAKS:
        return 0
    return resisted(look.harm * 100, resists, look.deals)


def _scorched(view: View, foe: Creature) -> int:
    return harm_of_ground(view, foe.cell, (foe.menace or _STRIKES).resists)


def _bout(foe: Creature, away: int, damage: str, means: Means, scorched: int = 0) -> _Bout | None:
    """Return what one foe means for the player; None if it hurts and the player cannot kill it.

    `scorched` is what the ground under it takes from it in a turn, in hundredths.
    """
    menace, hurt = foe.menace or _STRIKES, _hurt(foe, means, damage)
    reach = max(1, menace.reach, menace.spell_range if menace.magic else 0)
    arrival = max(0, away - reach) * 10_000 // max(1, menace.speed)
    shot = own_shot(damage, means, foe)
    blow = own_blow(damage, means, foe) * (100 + means.prowess.pace) // 100
    afar = shot if means.reach else own_throw(damage, means.missiles[0][0], foe) if means.missiles else 0
    plain = max(blow, shot) + scorched + sum(_mean(damage, attack, foe.defence) for attack in means.helpers)
    harm = resisted(means.damage, menace.resists, means.spell_deals)
    casts = min(means.casts, -(-foe.hp // harm)) if harm * 100 > plain else 0
    left = max(0, foe.hp - casts * harm) * 100
    if left and not plain:
        return None if hurt else _Bout(0, 0, 0, 0, 0)
    acts = casts + (-(-left // plain) if left else 0)
    if (
        reach > THROWN_REACH and not means.reach and not casts
    ):  # it stands off, and the player has to go there
        acts += min(away, reach) - 1 + (acts if menace.speed >= means.speed else 0)
    if means.prowess.length > reach:  # who closes in is struck first
        acts = max(1, acts - min(means.prowess.length, away) + reach)
    pace = means.speed * (100 - menace.binds) // 100
    swept = (
        own_blow(damage, means, foe, means.attack * means.prowess.sweeps // 100)
        if means.prowess.sweeps
        else 0
    )
    return _Bout(
        acts * 10_000 // max(1, pace),
        hurt,
        arrival,
        afar * 100 // max(1, plain),
        casts,
        swept * 100 // max(1, plain),
    )


def _mean(damage: str, attack: int, defence: int) -> int:
    return mean_hundredths(damage, attack, defence) if attack > 0 else 0


def _hurt(foe: Creature, means: Means, damage: str) -> int:
    """Return the health that a foe takes in one of its first ten turns at hand, in hundredths."""
    menace = foe.menace or _STRIKES
    blow = foes_blow(damage, foe, means) * (100 + menace.pace) // 100
    shot = resisted(_mean(damage, menace.ranged, means.defence), means.prowess.resists, menace.deals)
    blows = max(0, menace.speed - menace.casts * 100) * (100 - means.prowess.stuns) // 100
    return blows * max(blow, shot) // 1_000 + resisted(
        menace.magic * 10, means.prowess.resists, menace.magic_deals
    )


def _word(lost: int) -> str:
    if lost < _EASY:
        return "easy"
    if lost < _EVEN:
        return "even"
    return "dangerous" if lost < _DANGEROUS else "deadly"


def spreading_beside(view: View) -> str:
    """Return the name of a surface on the player's cell or beside it that harms and spreads, or harms there; "" for none.

    Beside it a player cannot rest.
    """
    if not view.surfaces:
        return ""
    here = surface_at(view.surface_looks, view.surfaces, view.cell)
    if here is not None and here.harm:
        return here.name
    around = view.place.grid.neighbors(view.cell)
    found = [surface_at(view.surface_looks, view.surfaces, cell) for cell in around]
    return next((look.name for look in found if look and look.harm and look.marks & _SPREADS), "")
