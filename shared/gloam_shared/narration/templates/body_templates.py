"""What bodies do and suffer: blows, steps, levels, hunger, and what they carry."""

from typing import Final

from gloam_shared.event_kinds import EventKind
from gloam_shared.narration.templates.template import Telling

TELLINGS: Final[dict[EventKind, Telling]] = {
    "strikes": Telling(
        "You strike {o} for {n} damage!",
        "{S} strikes you for {n} damage!",
        "{S} strikes {o} for {n} damage.",
        "fight",
    ),
    "strikes_hard": Telling(
        "You strike {o} for {n} damage!!",
        "{S} strikes you for {n} damage!!",
        "{S} strikes {o} for {n} damage!!",
        "fight",
    ),
    "strikes_lightly": Telling(
        "You strike {o} for {n} damage.",
        "{S} strikes you for {n} damage.",
        "{S} strikes {o} for {n} damage.",
        "fight",
    ),
    "strikes_vainly": Telling(
        "You strike {o}, but it does no damage.",
        "{S} strikes you, but does no damage.",
        "{S} strikes {o}, but does no damage.",
        "fight",
    ),
    "misses": Telling("You miss {o}.", "{S} misses you.", "{S} misses {o}.", "fight"),
    "kills": Telling("You kill {o}!", "{S} kills you!", "{S} kills {o}!", "fight"),
    "learns": Telling("You gain {n} xp.", "", "", "good"),
    "forgets": Telling("You lose {n} xp.", "", "", "quiet"),
    "advances": Telling("You advance to level {n}.", "", "{S} advances to level {n}.", "good"),
    "stronger": Telling("You look stronger!", "", "{S} looks stronger.", "good"),
    "tougher": Telling("You look tougher!", "", "{S} looks tougher.", "good"),
    "healthier": Telling("You look healthier!", "", "{S} looks healthier.", "good"),
    "aware": Telling("You are more aware of your surroundings!", "", "{S} looks more aware.", "good"),
    "wiser": Telling("You feel wiser!", "", "{S} looks wiser.", "good"),
    "fresher": Telling("You look fresher!", "", "{S} looks fresher.", "good"),
    "calmer": Telling("You look calmer!", "", "{S} looks calmer.", "good"),
    "spreads": Telling("You are spreading!", "", "{S} is spreading!"),
    "descends": Telling("You descend to level {n}!", "", "{S} goes down the stairs."),
    "ascends": Telling("You ascend to level {n}!", "", "{S} goes up the stairs."),
    "follows": Telling("You follow!", "{S} follows you!", "{S} follows.", "fight"),
    "arrives": Telling("You arrive.", "", "{S} arrives."),
    "digs": Telling("You dig through the rock.", "", "{S} digs through the rock."),
    "swaps": Telling("You change places with {o}.", "{S} changes places with you.", ""),
    "guards": Telling("You are on guard: {w}", "", "", "quiet"),
    "removed": Telling("", "", "{S} vanishes.", "quiet"),
    "finds": Telling("You see {a}.", "", ""),
    "finds_several": Telling("There are several objects here.", "", ""),
    "picks_up": Telling("You pick up {a}.", "", "{S} picks up {a}."),
    "overburdened": Telling("Your inventory is full! Not all items were picked up.", "", ""),
    "pack_full": Telling("Your inventory is full: what is worth picking up stays where it lies.", "", ""),
    "drops": Telling("You drop {o}.", "", "{S} drops {a}."),
    "eats": Telling("You eat {o}.", "", "{S} eats {a}."),
    "wields": Telling("You are wielding {a}.", "", "{S} is wielding {a}."),
    "empties_hands": Telling("You are empty handed.", "", "{S} is empty handed."),
    "wears": Telling("You are wearing {a}.", "", "{S} is wearing {a}."),
    "takes_off": Telling("You take off {o}.", "", "{S} takes off {a}."),
    "crumbles": Telling("", "", "{O} crumbles to dust.", "quiet"),
    "gross": Telling("Gross!", "", "", "quiet"),
    "hunger": Telling("You are {w}.", "", "", "quiet"),
    "hungers": Telling("You are {w}", "", "", "quiet"),
    "aches": Telling("You ache with hunger!", "", "{S} aches with hunger!", "fight"),
    "overeats": Telling("You can't believe your stomach can hold that much!", "", "{S} has eaten too much."),
    "no_food": Telling(
        "You are starving and have no food: find some before your turns run out.", "", "", "fight"
    ),
    "starved": Telling("Starved to death.", "", "{S} starves to death!", "fight"),
    "bursts": Telling("Killed by overeating.", "", "{S} bursts!", "fight"),
    "starves": Telling("You have died of starvation!", "", "{S} dies of starvation!", "fight"),
    "chokes": Telling("You choke and die!", "", "{S} chokes and dies!", "fight"),
}
