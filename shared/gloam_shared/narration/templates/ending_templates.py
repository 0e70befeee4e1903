"""Victory, duels, heirs and graves."""

from typing import Final

from gloam_shared.event_kinds import EventKind
from gloam_shared.narration.templates.template import Telling

TELLINGS: Final[dict[EventKind, Telling]] = {
    "grows_limb": Telling("{w} appears on you!", "", "{w} appears on {s}!", "fight"),
    "calls": Telling("You bring forth {a}.", "", "{S} brings forth {a}!", "fight"),
    "wins": Telling(
        "You have won by {w}!", "", "{S} has won by {w}, and leaves the dungeon in glory!", "good"
    ),
    "uses": Telling("You open {o}.", "", "{S} opens {o}.", "good"),
    "goes_on": Telling(
        "You have won, and begin round {n}.", "", "{S} has won, and goes on into round {n}.", "good"
    ),
    "hesitates": Telling(
        "Without {w} this life would end as a coward's. Go up once more, and it does.",
        "",
        "{S} hesitates at the way out.",
        "quiet",
    ),
    "flees": Telling("You flee the caves.", "", "{S} flees the caves like a coward."),
    "gives": Telling("You give {o} to {w}.", "", "{S} gives {a} to {w}."),
    "receives": Telling("You receive {a} from {w}.", "", ""),
    "challenges": Telling(
        "You challenge {o} to a duel.",
        "{S} challenges you to a duel: say /duel {s} to agree, and it begins.",
        "{S} challenges {o} to a duel.",
    ),
    "duels": Telling(
        "Your duel with {o} begins!", "Your duel with {s} begins!", "{S} and {o} begin a duel!", "fight"
    ),
    "makes_peace": Telling(
        "You no longer agree to a duel with {o}.",
        "{S} no longer agrees to a duel with you.",
        "{S} no longer agrees to a duel with {o}.",
    ),
    "fades": Telling("", "", "{O} fades away: an heir has taken it."),
    "inherits": Telling("You carry {a}, kept from your last life.", "", ""),
    "bereft": Telling("Your keepsake is no longer in the grave: another player took it first.", "", ""),
}
