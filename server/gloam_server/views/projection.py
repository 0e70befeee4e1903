"""project(level, viewer) -> View: exactly what one body may know. Pure."""

from collections.abc import Mapping

from gloam_server.views.display_numbers import in_points
from gloam_server.views.inventory import InventoryCache, floor_pile, inventory, traits_on_ground
from gloam_server.views.level_records import LevelRecords
from gloam_server.views.menace import menace_of
from gloam_server.views.own_body import choices, gains, place_of, sheet, spell_list, status_list
from gloam_server.views.view_cache import ViewCache
from gloam_server.world.combat.hostility import holds, is_hostile
from gloam_server.world.items.equipment import total_attack, total_defense
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.identification import item_color
from gloam_server.world.model.item_names import item_name
from gloam_server.world.model.level import Level
from gloam_server.world.model.modifiers import detects, has_status
from gloam_shared.view import view as seen
from gloam_shared.view.view import CreatureFlag, Friend, Log, View

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
    kept: ViewCache | None = None,
) -> View:
    """Return what `viewer` knows now.

    `marks` are the players' marks from the connections, by number: cut off, away. `party` are the realm's
    players. `cache` belongs to this viewer's player. None of the others changes the result: `records` belong to the
    level, refreshed with the marks of all, and `kept` to this viewer.
    """
    if records is not None:
        own_mark = int(marks.get(viewer.number, 0))
        return (kept or ViewCache()).view(records, viewer, own_mark, party=party, log=log)
    sight = level.field_of_view(viewer)
    if cache is not None:
        carried, spells = cache.inventory_and_spells(level, viewer)
    else:
        carried, spells = inventory(level, viewer), spell_list(level, viewer)
    return View(
        place=place_of(level),
        terrain=bytes(level.memory[viewer.number]),
        sight=sight,
        creatures=_creatures(level, viewer, sight, marks),
        items=_items(level, viewer, sight),
        pile=floor_pile(level, viewer),
        inventory=carried,
        spells=spells,
        states=status_list(level, viewer),
        sheet=sheet(level, viewer),
        choices=choices(level, viewer),
        party=party,
        log=log,
        gains=gains(level, viewer),
    )


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
        menace=None if body.account else menace_of(level, body),
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
