"""Templates for bodies: attacks, steps, levels, hunger, and carried items."""

from typing import Final, Literal, TypeAlias

from gloam_shared.event_kinds.template import MessageTemplate

StrikeKind: TypeAlias = Literal["strikes", "strikes_hard", "strikes_lightly", "strikes_vainly", "misses"]
"""The result of one attack in melee: the client folds these into an exchange of blows."""

BodyEvent: TypeAlias = Literal[
    StrikeKind, "kills", "learns", "forgets", "advances", "stronger", "tougher", "healthier", "aware",
    "wiser", "fresher", "calmer", "spreads", "descends", "ascends", "follows", "arrives", "digs", "swaps",
    "guards", "removed", "finds", "finds_several", "picks_up", "overburdened", "pack_full", "drops", "eats",
    "wields", "empties_hands", "wears", "takes_off", "crumbles", "gross", "hunger", "hungers", "aches",
    "overeats", "no_food", "starved", "bursts", "starves", "chokes", "turns_to_dust", "puts_on",
    "goes_down", "gets_up", "lifts", "drags", "returns", "accompanies",
]  # fmt: skip
"""The kinds of events in this module."""

TELLINGS: Final[dict[BodyEvent, MessageTemplate]] = {
    "strikes": MessageTemplate(
        "You strike {o} for {n} damage!",
        "{S} strikes you for {n} damage!",
        "{S} strikes {o} for {n} damage.",
        "fight",
    ),
    "strikes_hard": MessageTemplate(
        "You strike {o} for {n} damage!!",
        "{S} strikes you for {n} damage!!",
        "{S} strikes {o} for {n} damage!!",
        "fight",
    ),
    "strikes_lightly": MessageTemplate(
        "You strike {o} for {n} damage.",
        "{S} strikes you for {n} damage.",
        "{S} strikes {o} for {n} damage.",
        "fight",
    ),
    "strikes_vainly": MessageTemplate(
        "You strike {o}, but it does no damage.",
        "{S} strikes you, but does no damage.",
        "{S} strikes {o}, but does no damage.",
        "fight",
    ),
    "misses": MessageTemplate("You miss {o}.", "{S} misses you.", "{S} misses {o}.", "fight"),
    "kills": MessageTemplate("You kill {o}!", "{S} kills you!", "{S} kills {o}!", "fight"),
    "learns": MessageTemplate("You gain {n} xp.", "", "", "good"),
    "forgets": MessageTemplate("You lose {n} xp.", "", "", "quiet"),
    "advances": MessageTemplate("You advance to level {n}.", "", "{S} advances to level {n}.", "good"),
    "stronger": MessageTemplate("You feel stronger!", "", "{S} looks stronger.", "good"),
    "tougher": MessageTemplate("You feel tougher!", "", "{S} looks tougher.", "good"),
    "healthier": MessageTemplate("You feel healthier!", "", "{S} looks healthier.", "good"),
    "aware": MessageTemplate("You are more aware of your surroundings!", "", "{S} looks more aware.", "good"),
    "wiser": MessageTemplate("You feel wiser!", "", "{S} looks wiser.", "good"),
    "fresher": MessageTemplate("You feel fresher!", "", "{S} looks fresher.", "good"),
    "calmer": MessageTemplate("You feel calmer!", "", "{S} looks calmer.", "good"),
    "spreads": MessageTemplate("You are spreading!", "", "{S} is spreading!"),
    "descends": MessageTemplate("You descend to level {n}!", "", "{S} goes down the stairs."),
    "ascends": MessageTemplate("You ascend to level {n}!", "", "{S} goes up the stairs."),
    "follows": MessageTemplate("You follow!", "{S} follows you!", "{S} follows.", "fight"),
    "accompanies": MessageTemplate("", "{S} comes with you.", "{S} goes along."),
    "arrives": MessageTemplate("You arrive.", "", "{S} arrives."),
    "digs": MessageTemplate("You dig through the rock.", "", "{S} digs through the rock."),
    "swaps": MessageTemplate("You change places with {o}.", "{S} changes places with you.", ""),
    "guards": MessageTemplate("You are on guard: {w}", "", "", "quiet"),
    "removed": MessageTemplate("", "", "{S} vanishes.", "quiet"),
    "finds": MessageTemplate("You see {a}.", "", ""),
    "finds_several": MessageTemplate("There are several objects here.", "", ""),
    "turns_to_dust": MessageTemplate("", "", "{O} turns to dust: one was to be chosen."),
    "picks_up": MessageTemplate("You pick up {a}.", "", "{S} picks up {a}."),
    "overburdened": MessageTemplate("Your inventory is full! Not all items were picked up.", "", ""),
    "pack_full": MessageTemplate(
        "Your inventory is full: what is worth picking up stays where it lies.", "", ""
    ),
    "drops": MessageTemplate("You drop {o}.", "", "{S} drops {a}."),
    "eats": MessageTemplate("You eat {o}.", "", "{S} eats {a}."),
    "wields": MessageTemplate("You are wielding {a}.", "", "{S} is wielding {a}."),
    "empties_hands": MessageTemplate("You are empty handed.", "", "{S} is empty handed."),
    "wears": MessageTemplate("You are wearing {a}.", "", "{S} is wearing {a}."),
    "puts_on": MessageTemplate("You put on {a}.", "", "{S} puts on {a}."),
    "takes_off": MessageTemplate("You take off {o}.", "", "{S} takes off {a}."),
    "crumbles": MessageTemplate("", "", "{O} crumbles to dust.", "quiet"),
    "gross": MessageTemplate("Gross!", "", "", "quiet"),
    "hunger": MessageTemplate("You are {w}.", "", "", "quiet"),
    "hungers": MessageTemplate("You are {w}", "", "", "quiet"),
    "aches": MessageTemplate("You ache with hunger!", "", "{S} aches with hunger!", "fight"),
    "overeats": MessageTemplate(
        "You can't believe your stomach can hold that much!", "", "{S} has eaten too much."
    ),
    "no_food": MessageTemplate(
        "You are starving and have no food: find some before your turns run out.", "", "", "fight"
    ),
    "starved": MessageTemplate("Starved to death.", "", "{S} starves to death!", "fight"),
    "bursts": MessageTemplate("Killed by overeating.", "", "{S} bursts!", "fight"),
    "goes_down": MessageTemplate(
        "You go down! A friend beside you can lift you.", "", "{S} goes down!", "fight"
    ),
    "gets_up": MessageTemplate("You are on your feet again.", "", "{S} is on their feet again.", "good"),
    "lifts": MessageTemplate("You give {a} to {w}.", "", "{S} gives {a} to {w}.", "good"),
    "drags": MessageTemplate("You drag {o} along.", "{S} drags you along.", "{S} drags {o} along."),
    "returns": MessageTemplate("{O} goes back to {w}.", "", "{O} goes back to {w}."),
    "starves": MessageTemplate("You have died of starvation!", "", "{S} dies of starvation!", "fight"),
    "chokes": MessageTemplate("You choke and die!", "", "{S} chokes and dies!", "fight"),
}
