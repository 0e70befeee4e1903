"""Powers: abilities of kinds of creatures, of traits and of items, besides their numbers. Data only."""

from typing import Annotated, Final, Literal, TypeAlias, get_args

from msgspec import Meta, Struct

from gloam_server.content.field_types import Count

DamageType: TypeAlias = Literal["blow", "fire", "cold", "venom", "light"]
"""The types of damage; "blow" is the type of each attack that says nothing else."""

DAMAGE_TYPES: Final[tuple[DamageType, ...]] = get_args(DamageType)

RESIST_MOST: Final = 75
"""The largest resistance in percent, of all powers of a body together."""

PowerWord: TypeAlias = Literal[
    "resist", "deals", "reach", "sweep", "stun", "quick", "heavy", "quiet", "stabs",
    "inflicts", "breaks_doors", "wards", "slays", "catches", "holds",
    "parry", "answer", "keen", "fury", "company", "bane", "aim", "master", "guard", "bulwark", "feast", "drink",
    "thrift", "sorcery", "brew", "charge", "light", "leap", "rethrow", "tunnel",
]  # fmt: skip
"""The words of powers; `Power` defines each."""

AGAINST_PEOPLES: Final[frozenset[PowerWord]] = frozenset({"wards", "slays"})
"""The powers whose `against` is a people."""

AGAINST_DAMAGE: Final[frozenset[PowerWord]] = frozenset({"resist", "deals"})
"""The powers whose `against` is a type of damage."""

HABITS: Final[frozenset[PowerWord]] = frozenset({"reach", "sweep", "stun", "quick", "heavy"})
"""The habits of weapons; kinds and traits may have them, too (rule F113)."""


class Power(Struct, frozen=True, forbid_unknown_fields=True):
    """A power of a kind, of a creature that has learned a trait, or of the user of an item.

    "resist": damage of the type `against` ("" for each type) is `percent` less; below 0 it is more. "deals": blows, throws
    and shots are damage of the type `against`. "inflicts": `percent` of the blows and shots that harm cast the spell `against` on the
    creature that was struck. "breaks_doors": a closed door that it opens is gone.

    "wards": creatures of the people `against` do `percent` less damage to a player. "slays": a player does `percent` more
    damage to them. "catches": what is thrown or shot does `percent` less damage. "holds": thieves take nothing.

    "reach": blows reach foes up to `amount` cells away. "sweep": a blow also strikes all other foes beside the attacker, with
    `percent` of its attack. "stun": the chance that a blow that harms takes an action from its victim. "quick": the chance that
    a blow is followed by another. "heavy": blows have `percent` more attack, and cost `amount` percent more of an action.

    Attacks are `percent` stronger: "fury" below a third of its health, "company" beside a friend, "bane" against the people
    `against`, "aim" by throws and shots, "ambush" against sleepers, "master" of its companion and summoned creatures. "keen":
    the chance of twice the attack. "parry": the share of blows that miss it. "answer": the chance to strike back after a blow
    that missed. "guard": the part of a friend's wound beside it that it takes. "bulwark": one wound takes at most `percent`
    of its health. A kill gives "feast" `percent` of its health, "drink" `amount` of mana. "thrift": the chance that a spell
    costs no mana, "charge" that a wand keeps its charge, "rethrow" that a throw or shot is followed by another. "sorcery":
    its spells harm `percent` more; "brew": it is healed `percent` more. "light": it lights `amount` cells around. "leap": a step towards a foe two cells ahead also strikes it. "tunnel": it
    digs through a wall in `amount` turns.
    """

    does: PowerWord
    percent: Annotated[int, Meta(ge=-400, le=400)] = 0
    amount: Count = 0
    against: str = ""
