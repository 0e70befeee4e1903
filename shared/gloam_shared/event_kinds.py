"""The kinds of events with words: the closed list behind log lines, message templates and the rules' events.

For the type checker a log line's kind is one of these words; on the wire it is text, since a newer server may send
more. A test holds this list, the message templates and PROTOCOL's table together.
"""

from typing import Literal, TypeAlias

StrikeKind: TypeAlias = Literal["strikes", "strikes_hard", "strikes_lightly", "strikes_vainly", "misses"]
"""How one attack in melee went: what the client folds into an exchange of blows."""

EventKind: TypeAlias = Literal[
    StrikeKind,
    # the rest of combat
    "throws_at", "shoots", "spits", "blasted", "kills", "dies",
    # experience, and what a level brings
    "learns", "forgets", "advances", "stronger", "tougher", "healthier", "aware", "wiser", "fresher", "calmer",
    # movement and noise
    "descends", "ascends", "jumps", "follows", "arrives", "removed", "digs", "swaps", "guards", "tends",
    "shouts", "hears_shout",
    # items
    "finds", "finds_several", "lands", "picks_up", "overburdened", "pack_full", "drops", "throws", "throws_to", "breaks",
    "crumbles", "wields", "empties_hands", "wears", "takes_off", "quaffs", "reads", "turns_out", "steals", "gives", "receives",
    # food
    "eats", "gross", "hunger", "hungers", "no_food", "aches", "overeats", "starved", "bursts", "starves", "chokes",
    # spells and status effects
    "casts", "heals", "restores", "enlightened", "fills", "bleeds_mana", "begins", "ends", "falls_asleep", "wakes", "maps",
    "fades_out", "fades_in", "swaps_by_magic", "pushed", "appears", "vanishes", "bores", "brightens", "reveals",
    # monsters
    "spreads", "spawns", "calls", "grows_limb", "emerges",
    # doors, traps and special places
    "opens", "closes", "shrine_heals", "shrine_is_silent", "finds_trap", "springs",
    # duels, victory, the way out and keepsakes
    "challenges", "duels", "makes_peace", "wins", "uses", "goes_on", "hesitates", "flees", "fades", "inherits", "bereft",
]  # fmt: skip
"""Every kind of event that a log line can tell."""
