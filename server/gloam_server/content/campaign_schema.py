"""The contents of `campaign.toml`: which formulas hold, and their numbers. Data only; the formulas are in `rules`."""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from gloam_server.content.creatures import Gain
from gloam_server.content.field_types import Count, Depth, Key, Percent, Radius, Sentence, Short, Turns, Words
from gloam_server.content.fights.hearing import HearingRules
from gloam_server.content.fights.tempers import Temper
from gloam_server.content.growth.bents import CardRules
from gloam_server.content.growth.learning import LearningRules, NamedRules, SoundRules
from gloam_server.content.items import Brand
from gloam_server.content.levels import Feature
from gloam_shared.protocol.commands import OptionalCommand

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
LOOK_COLORS: Final = {"grey": "gray", "dark": "darkgray", "light": "white", "golden": "goldenrod"}
"""The colors of appearances that are not called as their color is (rule TG.22)."""

KITS_MAX: Final = 12
"""The most kits of a campaign."""

Victory: TypeAlias = Literal["none", "slay", "escape", "use"]


class Gains(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The gain of one point, by option. An option with a gain of 0 is not offered.

    Health raises both maximum and current health, mana both maximum and current mana. Attack and defense are in the
    campaign's units, regeneration in thousandths of a point per turn. See rules J14.1-J14.4, TG.26.
    """

    attack: Count = 2
    defence: Count = 2
    health: Count = 10
    sight: Radius = 1
    mana: Count = 0
    regeneration: Count = 0
    mana_regeneration: Count = 0


class OptionWords(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The texts of the level-up options.

    `title` is above them. `marks` says whether a letter or a digit is before each. See rules J14.5, J14.9, T14.6,
    T14.9, TG.26.
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
    """The formulas of `rules.growth`, and their numbers.

    `credit` decides which creatures gain experience from a kill. Under "full" a player gains the full award if they
    hurt the victim, healed a friend in that fight, or took part in it as `LearningRules.credit_turns` says. Players
    more than `gap_max` levels below the highest of these gain nothing. `points_per_level` is the number of options that
    a player chooses for each level. Each level adds `factor_percent` of the level-1 value of its kind to health, attack
    and defense. A monster gains at most `monster_levels_max` levels; 0 means no limit. The death of a player is worth
    `player_worth` times as much as an equal creature's death. `told` says whether players get a message about
    experience that they gain. If a player gains several levels at the same time, there is a message for the last one,
    or for each one with `tells_each_level`. Children and summoned creatures are worth `generation_percent` of their
    parent's award, and creatures that appear later are worth `generation_percent` of an original one; 100 is the full
    award. `offers` is the order of the level-up options. Options that are left out are not offered, and neither are
    options at their maximum, such as a sight of 20, so that no point is lost. A kind gains only what it can use, or
    with `offers_all` everything that is offered. See rules R1, T14.3, J14.7, T14.4, J14.5, T14.7.
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
    offers_all: bool = False
    words: OptionWords = OptionWords()


class CombatRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The formula of `rules.combat`.

    Attack and defense are stored in units; `scale` units are one displayed point. `miss_percent` of the attacks miss.
    See rules JG.5, TG.19, RG.7.
    """

    damage: Damage = "excess"
    scale: Literal[1, 100] = 1
    miss_percent: Percent = 0


class TimeRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rules of time. The wild takes a turn each time any one player has taken `wild_every` turns."""

    wild_every: Annotated[int, Meta(ge=1, le=100)] = 4


class HungerRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The formula of `rules.hunger` for players, and its numbers.

    A life starts with `start` food of at most `max`. Each action of the player takes `per_action`, and in addition
    `per_step`, `per_dig` or `per_blow` for a step, a dig or an attack. Each regenerated point of health or mana takes
    `per_point`. Each action in which health grows because the player is fed takes `per_healing`. A player whose food
    lasts for `warn_turns` steps or less gets one warning, and from then on sees the turns that are left. See rules
    JG.15, TG.18, RG.18.
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
    warn_turns: Annotated[int, Meta(ge=0, le=100_000)] = 100


class RegenerationRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The formula of `rules.regeneration`, and its numbers.

    "thousandths" uses the values of each kind. "fed" heals players who are not hungry by all their health in
    `full_turns` turns, and a starving body loses all of it in `starving_turns`. A creature that no player sees or has
    lately fought regains all its health in `creature_turns` of its own turns, a boss in `boss_turns`, players' allies
    always in `full_turns`; with 0 creatures regain only what their kinds do. With `follows_once` bosses and guards
    follow a player over stairs, once until they are back. See rules TG.25, RG.19, F119, F120.
    """

    rule: Regeneration = "none"
    full_turns: Annotated[int, Meta(ge=1, le=10_000)] = 300
    starving_turns: Annotated[int, Meta(ge=1, le=10_000)] = 400
    creature_turns: Turns = 0
    boss_turns: Annotated[int, Meta(ge=1, le=10_000)] = 20
    follows_once: bool = False


class DifficultyRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The difficulty tracker. Without `tracked` the difficulty of a level is its depth.

    The tracker starts at level 1 with the campaign's own threshold, and gains `pays_percent` of the experience that the
    creatures of each depth are worth. From difficulty `last` on no stairs lead further down, and the prize is there.
    `equal_percent` of spawned creatures have the tracker's level, half of the others are up to 3 levels lower, the rest
    lower still. See rules R9-R14, RG.11.
    """

    tracked: bool = False
    pays_percent: Annotated[int, Meta(ge=1, le=1_000)] = 100
    last: Annotated[int, Meta(ge=0, le=1_000)] = 0
    equal_percent: Percent = 20


class VictoryRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The victory: to "slay" the creature, to "escape" with the item, or to "use" it.

    `again` says whether a player who uses the item may choose the next round instead. The winner reads `words`. See
    rules JG.24, TG.30, RG.30, RG.32.
    """

    rule: Victory = "none"
    creature: str = ""
    item: str = ""
    again: bool = False
    words: str = ""


class RefusalTexts(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The refusals for a player who tries to go `down` or `up` without stairs.

    See rules J7.14, RG.33.
    """

    down: Short = "You can't go down here!"
    up: Short = "You can't go up here!"


class LabelWords(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The labels that items with `looks` show instead of their name, by group: "crumpled" for a "crumpled scroll".

    A group without labels shows the campaign's `appearances`.
    """

    potion: tuple[Short, ...] = ()
    scroll: tuple[Short, ...] = ()
    wand: tuple[Short, ...] = ()
    ring: tuple[Short, ...] = ()

    def of(self, group: str) -> tuple[str, ...]:
        """Return the labels of a group of items."""
        labels: tuple[str, ...] = getattr(self, group, ())
        return labels


class TerrainWords(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The words for each terrain in look mode, with an article and without a full stop.

    Terrain that is left out has the common words, such as "a cave floor".

    See rule TG.3.
    """

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


class Guarantee(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The guaranteed content of one of the depths in every realm: a special place, a creature of one of these kinds, or one of these items."""

    depths: tuple[Depth, Depth]
    feature: Feature | Literal[""] = ""
    creatures: tuple[str, ...] = ()
    items: tuple[str, ...] = ()


class Epitaph(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A grave that the generator may dig: who lies there, and what brought them there."""

    name: Short
    end: Short


class CatchUpRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rules of a new life beside a friend who is deeper (rule F92).

    It has the friend's level less `levels_below`, at least 1, and the items of `kit` besides the starting kit: keys of
    items, or entries for a random item of that level ("any weapon", "any armour", "any wand"). With 0 lives begin at
    the entrance only.
    """

    levels_below: Annotated[int, Meta(ge=0, le=100)] = 0
    kit: tuple[str, ...] = ()


class FriendRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rules for members of a party who are on the same level (rules F127 to F131, F190).

    Who loses all health while another member stands is down for `down_turns` turns before they die; with 0 they die.
    A blow does `flank_percent` more damage if another of the players' side stands behind the foe. A creature withstands
    `attacker_percent` more for each player but the first who fights it, of the party or not (bosses grow by their own number),
    and `crowd_percent` more for each of a party after the fourth: a foe for members on the level, a boss for attackers.
    `swaps` lets members change places also in a fight, `lends` lets them give each other items that are bound to their lives.
    """

    down_turns: Annotated[int, Meta(ge=0, le=100)] = 0
    flank_percent: Percent = 0
    attacker_percent: Percent = 0
    crowd_percent: Percent = 0
    swaps: bool = False
    lends: bool = False


class Kit(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kit that a new life may choose instead of the starting kit (rules F96, F105).

    `words` say what such a life does, `items` are its items. The life has learned its `traits`, has `health` and `mana`
    more, and takes the `bent` if its player chooses none. A creature of the kind `companion` goes with it. A kit with
    `opens_at` is offered to players with a life that has reached that depth.
    """

    key: Key | Literal[""] = ""
    name: Short
    words: Sentence
    items: tuple[str, ...]
    traits: tuple[str, ...] = ()
    health: Count = 0
    mana: Count = 0
    bent: str = ""
    companion: str = ""
    opens_at: Depth | Literal[0] = 0


class Beacon(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A beacon of a depth: it is lit when players slay its warden there, and a life that begins at it has `level`."""

    name: Short
    depth: Depth
    warden: str
    level: Annotated[int, Meta(ge=1, le=100)] = 1


class BeaconRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The beacons of a realm, none in most campaigns (rules F185 to F189).

    Each lit one makes the creature of the victory weaker by `weakens_percent`, and goes out after `lasts_days` real days.
    The surface `fire` lies where it burns, and `unlit` where it is dark.
    """

    places: tuple[Beacon, ...] = ()
    weakens_percent: Annotated[int, Meta(ge=0, le=50)] = 0
    lasts_days: Annotated[int, Meta(ge=1, le=365)] = 7
    fire: str = ""
    unlit: str = ""


class CampaignSchema(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """The rules of the campaign. `player` is the key of the players' kind of creature.

    `kit` lists the items that a new life starts with; they are bound to it and worth nothing to others. Until its
    first command a new life may choose one of the `kits` instead. `cards` says which levels offer cards. `appearances`
    lists the colors that items with `looks` show instead of their name: names of colors, or of `LOOK_COLORS`. A group with
    `labels` shows one of these instead. `brand_percent` of new weapons for blows have one of the `brands`.
    Without `piles` a cell holds one item, and a dropped item moves to the nearest cell without an item (rule TG.17). Up
    to `stack` equal items share a slot of the creature that carries them; with 1 each has its own slot. Items are equal
    if they have the same kind and state. Equipment is never equal, except throwing weapons, and neither is food with
    several bites. Below a level of its own kind a kind of level has `repeats_percent` of its weight (rule F161). A corpse is gone after `corpse_turns` turns of its level; with 0 it stays. A use takes one item, a drop drops all of them. `digging` says whether a "step" into rock digs for
    kinds that can dig, in addition to the command. A wall takes a player `dig_turns` turns of digging. `recall` is what the map shows of places out of sight: the items
    that lay there, or only the terrain. It changes only the map: in every campaign the client remembers what a life has
    seen, also over restarts, and `/` lists it. With a `message_radius` players get messages about everything within
    this number of cells, also through walls; with 0, about what they see. `digs_border` says whether rock at the edge
    of a level can be dug, too; there is nothing behind it. Every realm holds what `guaranteed` lists. Each
    depth has one of the `tempers` that are for it. `epitaphs` are for
    the graves of "tomb", a special place. `commands` are the commands that not every campaign has: a "shout" costs a
    turn, wakes all sleepers within 8 cells, and players there read its direction. `lessons` are sentences for the end
    of a life, by its cause (a word of `content.lessons`) or the key of the kind of creature that killed the player. See
    rules F64, RG.13, TG.22, J10.4, J7.15, RG.25, J7.16, J7.9.
    """

    key: Key
    title: Words
    story: Words
    player: str
    experience: ExperienceRules
    cards: CardRules = CardRules()
    learning: LearningRules = LearningRules()
    named: NamedRules = NamedRules()
    sounds: SoundRules = SoundRules()
    combat: CombatRules = CombatRules()
    time: TimeRules = TimeRules()
    hunger: HungerRules = HungerRules()
    regeneration: RegenerationRules = RegenerationRules()
    hearing: HearingRules = HearingRules()
    difficulty: DifficultyRules = DifficultyRules()
    victory: VictoryRules = VictoryRules()
    catch_up: CatchUpRules = CatchUpRules()
    friends: FriendRules = FriendRules()
    beacons: BeaconRules = BeaconRules()
    refusals: RefusalTexts = RefusalTexts()
    terrain: TerrainWords = TerrainWords()
    movement: Movement = "eight"
    digging: Digging = "step"
    dig_turns: Annotated[int, Meta(ge=1, le=20)] = 1
    kit: tuple[str, ...] = ()
    kits: Annotated[tuple[Kit, ...], Meta(max_length=KITS_MAX)] = ()
    appearances: tuple[str, ...] = ()
    labels: LabelWords = LabelWords()
    brand_percent: Percent = 0
    brands: tuple[Brand, ...] = ()
    piles: bool = True
    stack: Annotated[int, Meta(ge=1, le=99)] = 1
    corpse_turns: Annotated[int, Meta(ge=0, le=100_000)] = 0
    repeats_percent: Percent = 100
    recall: Literal["things", "terrain"] = "things"
    message_radius: Radius = 0
    digs_border: bool = False
    guaranteed: tuple[Guarantee, ...] = ()
    tempers: tuple[Temper, ...] = ()
    epitaphs: tuple[Epitaph, ...] = ()
    commands: tuple[OptionalCommand, ...] = ()
    lessons: dict[str, Sentence] = {}
