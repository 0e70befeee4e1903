"""Powers in words, for look mode, the inventory and choices: computed from their numbers. Pure."""

from typing import Final, Literal

from gloam_server.content.powers import RESIST_MOST, Power, PowerWord

_TYPES: Final = {"blow": "a blow", "": "each damage"}
_SHARES: Final = {
    25: "a quarter less",
    50: "half as much",
    75: "a quarter as much",
    -50: "half as much again",
}
_ITS: Final = {"it": "Its", "you": "Your"}


_WORDS: Final[dict[PowerWord, str]] = {
    "parry": "Of 100 blows at {you} {n} miss.",
    "answer": "Of 100 blows that miss {you} {n} are answered with one.",
    "keen": "Of 100 attacks {n} have twice the force.",
    "fury": "Below a third of {your} health attacks are {n} % stronger.",
    "company": "Beside a friend attacks are {n} % stronger.",
    "bane": "Against {against} attacks are {n} % stronger.",
    "aim": "Throws and shots are {n} % stronger.",
    "master": "Those that follow {you} strike {n} % harder.",
    "guard": "Of a friend's wound beside {you} {n} % falls on {you}.",
    "bulwark": "One wound takes at most {n} % of {your} health.",
    "feast": "Each kill heals {n} % of {your} health.",
    "drink": "Each kill gives {n} mana.",
    "thrift": "Of 100 spells {n} cost no mana.",
    "sorcery": "Spells harm {n} % more.",
    "brew": "What heals {you} heals {n} % more.",
    "charge": "Of 100 zaps {n} take no charge.",
    "light": "It is light for {n} cells around {you}.",
    "leap": "A step towards a foe two cells ahead strikes it, too.",
    "tunnel": "A wall takes {n} turns to dig through.",
    "rethrow": "Of 100 throws and shots {n} are followed by another.",
}


def power_words(power: Power, whom: Literal["it", "you"]) -> str:
    """Return a sentence about a power of a creature ("it") or of an item of the reader ("you")."""
    kind = _TYPES.get(power.against, power.against)
    if power.does == "resist":
        share = min(power.percent, RESIST_MOST)
        usual = f"{abs(share)} % {'less' if share > 0 else 'more'}"
        return f"{kind.capitalize()} hurts {whom} {_SHARES.get(share, usual)}."
    match power.does:
        case "deals":
            return f"{_ITS[whom]} blows are {kind}."
        case "reach":
            return f"Blows reach {power.amount} cells away: shoot with it."
        case "sweep":
            return (
                f"Each blow strikes all foes beside {whom}, the others with {power.percent} % of its force."
            )
        case "stun":
            return f"Of 100 blows {power.percent} stun: the victim loses a turn."
        case "quick":
            return f"Of 100 blows {power.percent} are followed by another."
        case "heavy":
            return f"Blows are {power.percent} % stronger, and take {power.amount} % longer."
        case "quiet":
            return f"Steps and blows are heard {power.amount} cells less far."
        case "stabs":
            return f"Blows at sleepers do {power.percent} % more damage."
        case _:
            return _special_words(power, whom)


def _special_words(power: Power, whom: Literal["it", "you"]) -> str:
    """Return the sentence about a power of a trait or trophy; "" for one without words."""
    share = _SHARES.get(power.percent, f"{power.percent} % less")
    match power.does:
        case "inflicts":
            return f"Of 100 blows {power.percent} bring {power.against}."
        case "breaks_doors":
            return f"Doors break before {whom}."
        case "wards":
            return f"The {power.against} hurt {whom} {share}."
        case "slays":
            return f"{_ITS[whom]} blows do {power.percent} % more damage to the {power.against}."
        case "catches":
            return f"What is thrown or shot hurts {whom} {share}."
        case "holds":
            return f"Thieves take nothing from {whom}."
        case _:
            words = _WORDS.get(power.does, "")
            return words.format(
                n=power.percent or power.amount, against=power.against, you=whom, your=_ITS[whom].lower()
            )
