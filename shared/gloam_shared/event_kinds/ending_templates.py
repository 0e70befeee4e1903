"""Templates for victory, duels, heirs and graves."""

from typing import Final, Literal, TypeAlias

from gloam_shared.event_kinds.template import MessageTemplate

EndingEvent: TypeAlias = Literal[
    "grows_limb", "calls", "wins", "uses", "goes_on", "hesitates", "flees", "gives", "receives",
    "challenges", "duels", "makes_peace", "fades", "inherits", "bereft", "rallies", "gains_trait", "speaks", "takes_card",
    "outgrows", "shoves", "trades", "trade_note", "frees", "stuns", "shields", "hews", "invades",
]  # fmt: skip
"""The kinds of events in this module."""

TELLINGS: Final[dict[EndingEvent, MessageTemplate]] = {
    "grows_limb": MessageTemplate("{w} appears on you!", "", "{w} appears on {s}!", "fight"),
    "calls": MessageTemplate("You bring forth {a}.", "", "{S} brings forth {a}!", "fight"),
    "rallies": MessageTemplate("You call your kin.", "", "{S} calls its kin!", "fight"),
    "speaks": MessageTemplate("", "", "{S} {w}", "fight"),
    "gains_trait": MessageTemplate("", "", "{S} {w}.", "fight"),
    "hews": MessageTemplate("You hew at the rock: {n} more turns.", "", "", "quiet"),
    "shields": MessageTemplate(
        "You take {n} damage for {o}.",
        "{S} takes {n} damage for you.",
        "{S} takes {n} damage for {o}.",
        "fight",
    ),
    "takes_card": MessageTemplate("You learn {w}.", "", "{S} learns {w}.", "good"),
    "outgrows": MessageTemplate("", "", "{S} goes down to look for worthier prey.", "fight"),
    "invades": MessageTemplate("", "", "{S} arrives from above to look for worthier prey.", "fight"),
    "shoves": MessageTemplate("You push past {o}.", "{S} pushes past you.", "{S} pushes past {o}."),
    "stuns": MessageTemplate("You stun {o}.", "{S} stuns you!", "{S} stuns {o}.", "fight"),
    "frees": MessageTemplate(
        "You free {o}, and it goes with you.", "{S} frees you.", "{S} frees {o}.", "good"
    ),
    "wins": MessageTemplate(
        "You have won by {w}!", "", "{S} has won by {w}, and leaves the dungeon in glory!", "good"
    ),
    "uses": MessageTemplate("You open {o}.", "", "{S} opens {o}.", "good"),
    "goes_on": MessageTemplate(
        "You have won, and begin round {n}.", "", "{S} has won, and goes on into round {n}.", "good"
    ),
    "hesitates": MessageTemplate(
        "Without {w} this life would end as a coward's. Go up once more, and it does.",
        "",
        "{S} hesitates at the way out.",
        "quiet",
    ),
    "flees": MessageTemplate("You flee the caves.", "", "{S} flees the caves like a coward."),
    "gives": MessageTemplate("You give {o} to {w}.", "", "{S} gives {a} to {w}."),
    "receives": MessageTemplate("You receive {a} from {w}.", "", ""),
    "trades": MessageTemplate("You trade with {o}.", "You trade with {s}.", "{S} trades with {o}.", "good"),
    "trade_note": MessageTemplate("{w}", "", ""),
    "challenges": MessageTemplate(
        "You challenge {o} to a duel.",
        "{S} challenges you to a duel: say /duel {s} to agree, and it begins.",
        "{S} challenges {o} to a duel.",
    ),
    "duels": MessageTemplate(
        "Your duel with {o} begins!", "Your duel with {s} begins!", "{S} and {o} begin a duel!", "fight"
    ),
    "makes_peace": MessageTemplate(
        "You no longer agree to a duel with {o}.",
        "{S} no longer agrees to a duel with you.",
        "{S} no longer agrees to a duel with {o}.",
    ),
    "fades": MessageTemplate("", "", "{O} fades away: an heir has taken it."),
    "inherits": MessageTemplate("You carry {a}, kept from your last life.", "", ""),
    "bereft": MessageTemplate(
        "Your keepsake is no longer in the grave: another player took it first.", "", ""
    ),
}
