"""project(level, viewer) -> View: exactly what one body may know. Pure."""

from collections.abc import Mapping
from functools import lru_cache

from gloam_server.rules import growth, hunger
from gloam_server.views.display_numbers import gain_in_words, in_points
from gloam_server.views.inventory import InventoryCache, floor_pile, inventory, traits_on_ground
from gloam_server.views.level_records import LevelRecords
from gloam_server.views.magic_effects import level_gain
from gloam_server.views.own_body import spell_list, status_list
from gloam_server.world.actions.missiles import missile_range
from gloam_server.world.combat.experience import gain_choices
from gloam_server.world.combat.hostility import holds, is_hostile
from gloam_server.world.items.equipment import total_attack, total_defense, total_sight, total_speed
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.identification import item_color
from gloam_server.world.model.item_names import item_name
from gloam_server.world.model.level import Level
from gloam_server.world.model.modifiers import detects, has_status
from gloam_shared.level_numbers import round_of_level
from gloam_shared.view import view as seen
from gloam_shared.view.view import CreatureFlag, Friend, LevelGain, Log, Place, View

_PLAYER, _SELF, _HOSTILE = int(CreatureFlag.PLAYER), int(CreatureFlag.SELF), int(CreatureFlag.HOSTILE)
_HOLDS_YOU, _ASLEEP = int(CreatureFlag.HOLDS_YOU), int(CreatureFlag.ASLEEP)
_GROWN, _NAMED = int(CreatureFlag.GROWN), int(CreatureFlag.NAMED)


def project(
    level: Level,
    viewer: Creature,
    *,
    marks: Mapping[int, CreatureFlag],
    party: tuple[Friend, ...],
    log: Log,
    cache: InventoryCache | None = None,
    records: LevelRecords | None = None,
) -> View:
    """Return what `viewer` knows now.

    `marks` are the players' marks from the connections, by number: cut off, away. `party` are the realm's
    players. `cache` belongs to this viewer's player, `records` to the level, refreshed with the marks of all; neither
    changes the result.
    """
    sight = level.field_of_view(viewer)
    if cache is not None:
        carried, spells = cache.inventory_and_spells(level, viewer)
    else:
        carried, spells = inventory(level, viewer), spell_list(level, viewer)
    return View(
        place=_place(level),
        terrain=bytes(level.memory[viewer.number]),
        sight=sight,
        creatures=_creatures(level, viewer, sight, marks)
        if records is None
        else records.creatures_shown_to(viewer, sight, int(marks.get(viewer.number, 0))),
        items=_items(level, viewer, sight)
        if records is None
        else records.items_shown_to(viewer, sight, cache),
        pile=floor_pile(level, viewer),
        inventory=carried,
        spells=spells,
        states=status_list(level, viewer),
        sheet=_sheet(level, viewer),
        choices=_choices(level, viewer),
        party=party,
        log=log,
        gains=_gains(level, viewer),
    )


def _place(level: Level) -> Place:
    campaign, grid = level.campaign, level.grid
    return _named_place(
        campaign.title, level.place, level.depth, grid.width, grid.height, campaign.movement == "four"
    )


@lru_cache(maxsize=1_024)
def _named_place(title: str, place: int, depth: int, width: int, height: int, in_fours: bool) -> Place:  # noqa: FBT001
    """Return a level as its viewers know it. Its name has the depth, and after the first round also the round."""
    round_ = round_of_level(place)
    name = f"{title}, level {depth}"
    return Place(place, width, height, f"{name} of round {round_}" if round_ > 1 else name, in_fours)


def remembered_map(level: Level, number: int) -> bytes:
    """Return the terrain that a life remembers of a level: empty if it never was there."""
    return bytes(level.memory.get(number, bytes(level.grid.size)))


def _creatures(
    level: Level, viewer: Creature, sight: bytes, marks: Mapping[int, CreatureFlag]
) -> tuple[seen.Creature, ...]:
    detecting = has_status(level.campaign, viewer, "detect")
    shown = [
        _creature(level, viewer, body, marks)
        for body in level.creatures.values()
        if (sight[body.cell] and not body.hidden)
        or (detecting and detects(level.campaign, viewer, level.distance(viewer, body)))
    ]
    return tuple(sorted(shown, key=lambda creature: creature.handle))


def _creature(
    level: Level, viewer: Creature, body: Creature, marks: Mapping[int, CreatureFlag]
) -> seen.Creature:
    campaign = level.campaign
    kind = campaign.creatures[body.kind]
    return seen.Creature(
        handle=level.handles[body.number],
        cell=body.cell,
        hp=body.hp,
        hp_max=body.hp_max,
        level=body.level,
        marks=_marks(level, viewer, body) | int(marks.get(body.number, 0)),
        glyph=kind.glyph,
        colour=kind.colour,
        name=body.name,
        attack=in_points(campaign, total_attack(level, body)),
        defence=in_points(campaign, total_defense(level, body)),
        grown=body.levels_grown,
    )


def _marks(level: Level, viewer: Creature, body: Creature) -> int:
    flags = 0  # plain numbers: flags cost ten times as much, and this runs for every creature in sight
    if body.account:
        flags |= _PLAYER
    if body.number == viewer.number:
        return flags | _SELF
    if not body.account or body.number in viewer.consents:  # friends are neither, and there may be many
        if is_hostile(level, body, viewer):
            flags |= _HOSTILE
        if holds(level, body, viewer):
            flags |= _HOLDS_YOU
    if body.asleep:
        flags |= _ASLEEP
    if body.levels_grown:
        flags |= _GROWN
    if body.title:
        flags |= _NAMED
    return flags


def _items(level: Level, viewer: Creature, sight: bytes) -> tuple[seen.Item, ...]:
    shown = []
    for cell, pile in level.piles.items():
        if pile and sight[cell]:
            top = pile[-1]
            kind, name = level.campaign.items[top.kind], item_name(level, top, viewer)
            colour = item_color(level, kind, top.colour)
            traits = traits_on_ground(level, top, viewer)
            shown.append(
                seen.Item(level.handles[top.number], cell, len(pile), kind.glyph, colour, name, traits)
            )
    return tuple(sorted(shown, key=lambda item: item.handle))


def _sheet(level: Level, viewer: Creature) -> tuple[int, ...]:
    state = hunger.hunger_state(level.campaign.hunger, viewer.food, viewer.food_max)
    return (  # in the order of `Stat`; a dictionary by fact costs ten times as much
        level.handles[viewer.number],
        viewer.hp,
        viewer.hp_max,
        in_points(level.campaign, total_attack(level, viewer)),
        in_points(level.campaign, total_defense(level, viewer)),
        total_sight(level, viewer),
        total_speed(level, viewer),
        viewer.level,
        viewer.experience,
        growth.least_experience_beyond(level.campaign.experience, viewer.level),
        viewer.points,
        viewer.kills,
        int(state),
        viewer.mana,
        viewer.mana_max,
        missile_range(level, viewer),
        _food_turns(level, viewer) if hunger.is_hungry(state) else 0,
    )


def _food_turns(level: Level, viewer: Creature) -> int:
    rules, regeneration = level.campaign.hunger, level.campaign.regeneration
    body = {"hp": viewer.hp, "hp_max": viewer.hp_max, "part": viewer.hp_part}
    return hunger.turns_left(rules, regeneration, viewer.food, **body)


def _choices(level: Level, viewer: Creature) -> tuple[str, ...]:
    if not viewer.points:
        return ()
    campaign = level.campaign
    rules = campaign.experience
    return tuple(
        f"{getattr(rules.words, gain)} (+{gain_in_words(campaign, gain, getattr(rules.gains, gain))})"
        for gain in gain_choices(level, viewer)
    )


def _gains(level: Level, viewer: Creature) -> tuple[LevelGain, ...]:
    if not viewer.points:
        return ()
    gains = level.campaign.experience.gains
    return tuple(
        level_gain(level.campaign, gain, getattr(gains, gain)) for gain in gain_choices(level, viewer)
    )
