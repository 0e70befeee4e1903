"""What `campaign.toml` says: which formulas hold, and their numbers. Data only; the formulas are in `rules`."""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from gloam_server.content.creatures import Gain
from gloam_server.content.field_types import Count, Key, Percent, Radius, Short, Words

Movement: TypeAlias = Literal["eight", "four"]
Digging: TypeAlias = Literal["step", "command"]
Credit: TypeAlias = Literal["killer", "last_hit", "share", "full"]
Award: TypeAlias = Literal[
    "worth_minus_level_gap", "worth_minus_twice_killer", "worth_minus_killer", "level_plus_9"
]
Threshold: TypeAlias = Literal["square", "power_3_2", "power_7_4", "compound"]
Heal: TypeAlias = Literal["full", "twice_level"]
Damage: TypeAlias = Literal["excess", "ratio"]
Marks: TypeAlias = Literal["letters", "digits"]
Hunger: TypeAlias = Literal["none", "starve_or_choke", "stuffed", "six_states"]
Regeneration: TypeAlias = Literal["none", "thousandths", "fed"]
LOOK_COLOURS: Final = {"grey": "gray", "dark": "darkgray", "light": "white", "golden": "goldenrod"}
"""The colours of appearances that are not called as their colour is (rule TG.22)."""

Victory: TypeAlias = Literal["none", "slay", "escape", "use"]


class Gains(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one point brings, by option (rules J14.1-J14.4, TG.26); what brings 0 is not offered.

    Health raises both maximum and present health, mana both maximum and present mana. Attack and defence are in the
    campaign's units, regeneration in thousandths of a point a turn.
    """

    attack: Count = 2
    defence: Count = 2
    health: Count = 10
    sight: Radius = 1
    mana: Count = 0
    regeneration: Count = 0
    mana_regeneration: Count = 0


class OptionWords(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the options that a level brings are offered (rules J14.5, J14.9, T14.6, T14.9, TG.26).

    `title` stands above them, and before each its letter or its digit, by `marks`.
    """

    title: Short = "Choose a stat to increase"
    marks: Marks = "letters"
    attack: Words = "Increase attack value"
    defence: Words = "Increase defense value"
    health: Words = "Increase max health"
    sight: Words = "Increase sight range"
    mana: Words = "Increase max mana"
    regeneration: Words = "Regenerate health faster"
    mana_regeneration: Words = "Regenerate mana faster"


class ExperienceRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which formulas of `gloam_server.rules.growth` hold, and their numbers.

    `credit` tells who learns from a kill; under "full" nobody who is more than `gap_max` levels below the highest
    contributor. `points_per_level` are the options that a level brings; `factor_percent` of what its kind has at level
    1 every level adds to health, attack and defence by itself (rule R1). A monster rises at most `monster_levels_max`
    levels above the one it came with, 0 for without end. The death of a player is worth `player_worth` times what that of
    a creature like him is. `told` tells whether players are told of the experience that they gain (rule T14.3).
    Of several levels gained at once the last is told, or each one where `tells_each_level` says so (rules J14.7, T14.4).
    `generation_percent` of what its parent teaches does who was spawned or called, and of what a native does who comes
    later; 100 for all of it.
    `offers` is the order of the options that a level brings; what is left out is not offered.
    """

    award: Award
    threshold: Threshold
    heal: Heal
    credit: Credit = "killer"
    points_per_level: Annotated[int, Meta(ge=0, le=20)] = 1
    factor_percent: Percent = 0
    monster_levels_max: Annotated[int, Meta(ge=0, le=100)] = 6
    gap_max: Annotated[int, Meta(ge=0, le=100)] = 7
    player_worth: Annotated[int, Meta(ge=1, le=100)] = 1
    told: bool = False
    tells_each_level: bool = False
    generation_percent: Percent = 50
    gains: Gains = Gains()
    offers: tuple[Gain, ...] = (
        "attack", "defence", "health", "sight", "mana", "regeneration", "mana_regeneration"
    )  # fmt: skip
    words: OptionWords = OptionWords()


class CombatRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which formula of `gloam_server.rules.combat` holds (rules JG.5, TG.19, RG.7).

    Attack and defence are kept in units of which `scale` make one point as it is shown. `miss_percent` of blows miss.
    """

    damage: Damage = "excess"
    scale: Literal[1, 100] = 1
    miss_percent: Percent = 0


class TimeRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How time passes. The wild takes a turn after every `wild_every` turns that any one player took."""

    wild_every: Annotated[int, Meta(ge=1, le=100)] = 4


class HungerRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which formula of `gloam_server.rules.hunger` holds for players, and its numbers (rules JG.15, TG.18, RG.18).

    A life begins with `start` food of at most `max`; each action of its own takes `per_action`, and as much more as
    it was a step, a dig or a blow; each point of health or mana that grew again takes `per_point`, each action during
    which health grows because one is fed `per_healing`.
    """

    rule: Hunger = "none"
    start: Annotated[int, Meta(ge=1, le=100_000)] = 500
    max: Annotated[int, Meta(ge=1, le=100_000)] = 1_000
    per_action: Count = 1
    per_step: Count = 0
    per_dig: Count = 0
    per_blow: Count = 0
    per_point: Count = 0
    per_healing: Count = 0


class RegenerationRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which formula of `gloam_server.rules.regeneration` holds, and its numbers (rules TG.25, RG.19).

    "thousandths" is each kind's own; "fed" heals who is not hungry by all his health in `full_turns` turns, and a
    starving body loses it in `starving_turns`.
    """

    rule: Regeneration = "none"
    full_turns: Annotated[int, Meta(ge=1, le=10_000)] = 300
    starving_turns: Annotated[int, Meta(ge=1, le=10_000)] = 400


class DifficultyRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The difficulty tracker (rules R9-R14, RG.11). Without `tracked` the depth alone tells how hard a level is.

    It begins at level 1 with the campaign's own threshold, and is paid `pays_percent` of what the creatures of each
    depth are worth. From difficulty `last` on no stairs lead further down, and the prize lies there. `equal_percent` of spawns are of its level, half of the others up to 3 below, half lower still.
    """

    tracked: bool = False
    pays_percent: Annotated[int, Meta(ge=1, le=1_000)] = 100
    last: Annotated[int, Meta(ge=0, le=1_000)] = 0
    equal_percent: Percent = 20


class VictoryRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What wins (rules JG.24, TG.30, RG.30): to "slay" the creature, or to "escape" with or "use" the thing named.

    `again` tells whether who uses it may choose the next round instead (rule RG.32). `words` are told to who won.
    """

    rule: Victory = "none"
    creature: str = ""
    item: str = ""
    again: bool = False
    words: str = ""


class RefusalTexts(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is told to who would go `down` or `up` where nothing leads there (rules J7.14, RG.33)."""

    down: Short = "You can't go down here!"
    up: Short = "You can't go up here!"


class TerrainWords(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a look tells of each terrain, with its article and without a stop (rule TG.3); "" for the common words."""

    floor: Short = ""
    wall: Short = ""
    stairs_up: Short = ""
    stairs_down: Short = ""
    hole: Short = ""
    water: Short = ""
    door_closed: Short = ""
    door_open: Short = ""
    trap: Short = ""
    shrine: Short = ""
    exit: Short = ""
    shallows: Short = ""
    grass: Short = ""
    brazier: Short = ""


class CampaignSchema(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `campaign.toml` says. `player` is the key of the kind that players are.

    `kit` are the things that a new life begins with (rule RG.13); they are bound to it and worth nothing to others.
    `appearances` are the colours behind which things with `looks` hide (rule TG.22): names of colours, or of `LOOK_COLOURS`.
    Without `piles` one thing lies on a cell, and what is dropped on another spreads to the nearest that has none (TG.17).
    Up to `stack` things that are alike share a slot of who carries them; 1: each has its own (rule J10.4). Alike are things
    of one kind and state; gear never is, but for what can be thrown, nor what is eaten in several bites.
    `digging` tells whether a "step" into rock digs for kinds that can, besides the command for it (rule J7.15).
    `recall` is what players are shown of places out of sight: the things that lay there, or the terrain alone (RG.25).
    With a `message_radius` players are told of all that happens within so many cells of them, walls or not (rule J7.16);
    with 0 of what they see. `digs_border` tells whether rock at the edge of a level can be dug, too (rule J7.9); nothing
    lies beyond it.
    """

    key: Key
    title: Words
    story: Words
    player: str
    experience: ExperienceRules
    combat: CombatRules = CombatRules()
    time: TimeRules = TimeRules()
    hunger: HungerRules = HungerRules()
    regeneration: RegenerationRules = RegenerationRules()
    difficulty: DifficultyRules = DifficultyRules()
    victory: VictoryRules = VictoryRules()
    refusals: RefusalTexts = RefusalTexts()
    terrain: TerrainWords = TerrainWords()
    movement: Movement = "eight"
    digging: Digging = "step"
    kit: tuple[str, ...] = ()
    appearances: tuple[str, ...] = ()
    piles: bool = True
    stack: Annotated[int, Meta(ge=1, le=99)] = 1
    recall: Literal["things", "terrain"] = "things"
    message_radius: Radius = 0
    digs_border: bool = False
