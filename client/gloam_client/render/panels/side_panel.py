"""Next to the map: the player's sheet (rule RG.28), the party, creatures in sight as bars, what lies here, the inventory."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

from gloam_client.render.bars import draw_bar, health_style
from gloam_client.render.damage_summary import damage_summary, summary_lines
from gloam_client.render.layout import layout
from gloam_client.render.panels.map_panel import creature_cell, player_style
from gloam_client.render.panels.minimap import draw_minimap
from gloam_client.render.panels.party_bar import draw_members, short_way
from gloam_client.render.panels.status_panel import friend_words, own_wounds
from gloam_client.state.model import Model
from gloam_client.terminal.canvas import PLAIN, QUIET, TITLE, Canvas, Rect, Style, fit_text, wrap_facts
from gloam_client.terminal.kept_panel import KeptPanel, keep
from gloam_shared.narration.rendering import inventory_name
from gloam_shared.text import cells, clean
from gloam_shared.view.danger import danger_of_fight, danger_together
from gloam_shared.view.downed import turns_down, turns_left_words
from gloam_shared.view.view import Creature, CreatureFlag, InventoryItem, ItemFlag, Stat

_SHEET_FROM: Final = 12
"""The number of rows from which a panel shows the sheet, too."""
_LIST_ROWS_MIN: Final = 3
_IN_SIGHT: Final = "In sight"
_NAME_CELLS: Final = 5
"""The cells of a name for which growth and level of a creature give way."""
_MINIMAP_ROWS_MIN: Final = 5
_SELF: Final = int(CreatureFlag.SELF)
_PLAYER: Final = int(CreatureFlag.PLAYER)
_HOLDS_YOU: Final = int(CreatureFlag.HOLDS_YOU)
_WIELDED: Final = int(ItemFlag.WIELDED)
_WORN: Final = int(ItemFlag.WORN)
_PUT_ON: Final = int(ItemFlag.PUT_ON)
_EQUIPPED: Final = _WIELDED | _WORN | _PUT_ON
_ASLEEP: Final = int(CreatureFlag.ASLEEP)
_HOSTILE: Final = int(CreatureFlag.HOSTILE)
"""Plain numbers: a flag itself is slow to compare, and these are compared in every frame."""
_MANA: Final = Style("blue", bold=True)


def draw_side(canvas: Canvas, area: Rect, model: Model) -> None:
    """Draw the sheet where there is room, the party, and the creatures in sight, the nearest first, as many as fit.

    What lies here, the inventory and a small map of the level follow where there is room.
    """
    bottom = area.y + area.height
    y = area.y
    for part in _parts(area):
        if y < bottom:
            y = part(canvas, Rect(area.x, y, area.width, bottom - y), model)


class SideRow(NamedTuple):
    """The content of a row of the panel: the word of its part, and a creature or an item.

    None where it shows neither.
    """

    part: str
    item: Creature | InventoryItem | None = None


def side_row(area: Rect, model: Model, row: int) -> SideRow | None:
    """Return what a row of the terminal shows in the panel; None where nothing in it can be chosen."""
    canvas, bottom, y = Canvas(*model.surface.size), area.y + area.height, area.y
    for part in _parts(area):
        room, top = bottom - y, y
        y = part(canvas, Rect(area.x, y, area.width, room), model) if room > 0 else y
        if not top <= row < y or part not in _CHOSEN:
            continue
        word, items = _CHOSEN[part]
        shown = items(model, room - 1)
        at = row - top - 1
        return SideRow(word, shown[at] if 0 <= at < len(shown) else None)
    return None


def _parts(area: Rect) -> "tuple[_Part, ...]":
    return (_SHEET + _PARTS) if area.height >= _SHEET_FROM else _PARTS


def _bars_inputs(model: Model) -> object:
    sheet = model.view.sheet
    numbers = sheet[Stat.HP], sheet[Stat.HP_MAX], sheet[Stat.MANA], sheet[Stat.MANA_MAX]
    return numbers, own_wounds(model), model.surface.unicode


@keep(_bars_inputs)
def _draw_bars(canvas: Canvas, area: Rect, model: Model) -> int:
    """Draw the bars of health and mana; return the next free row."""
    y = area.y
    hp, most = model.fact(Stat.HP), model.fact(Stat.HP_MAX)
    lost, flashes = own_wounds(model)
    words = f"Health {hp}/{most}" + (f", lost {lost}" if lost else "")
    style = Style("red", bold=True) if flashes else health_style(hp, most)
    draw_bar(canvas, (area.x, y, area.width), words, (hp, most, lost), style, unicode=model.surface.unicode)
    y += 1
    if (mana_most := model.fact(Stat.MANA_MAX)) > 0:
        mana = model.fact(Stat.MANA)
        part = (mana, mana_most, 0)
        words = f"Mana {mana}/{mana_most}"
        draw_bar(canvas, (area.x, y, area.width), words, part, _MANA, unicode=model.surface.unicode)
        y += 1
    return y


def _words_inputs(model: Model) -> object:
    view = model.view
    sheet = view.sheet
    numbers = sheet[Stat.ATTACK], sheet[Stat.DEFENCE], sheet[Stat.REACH], sheet[Stat.KILLS]
    return numbers, view.inventory, view.spells, view.states


@keep(_words_inputs)
def _draw_words(canvas: Canvas, area: Rect, model: Model) -> int:
    """Draw the sheet in words, in at most half of the area: foes in sight need the rest; return the next free row."""
    lines = [line for words in sheet_words(model) for line in wrap_facts(words, area.width)]
    lines = lines[: max(area.height // 2, 1)]
    for y, text in enumerate(lines, area.y):
        canvas.put(area.x, y, text, PLAIN, area.x + area.width)
    return area.y + len(lines)


def sheet_words(model: Model) -> list[str]:
    """Return the player's own sheet in lines: numbers, equipment, inventory, and status effects."""
    view = model.view
    reach = f"  Reach {view.fact(Stat.REACH)}" if view.fact(Stat.REACH) else ""
    lines = [f"Attack {view.fact(Stat.ATTACK)}  Defense {view.fact(Stat.DEFENCE)}{reach}"]
    for word, trait in (("Wielding", _WIELDED), ("Wearing", _WORN | _PUT_ON)):
        gear = [clean(item.name) for item in view.inventory if item.traits & trait]
        lines.append(f"{word} {', '.join(gear) or 'nothing'}")
    counts = [("Items", len(view.inventory)), ("Spells", len(view.spells)), ("Kills", view.fact(Stat.KILLS))]
    lines.append("  ".join(f"{word} {n}" for word, n in counts if n or word != "Spells"))
    if view.states:
        lines.append(", ".join(state_words(state.word, fading=state.fading) for state in view.states))
    return lines


def state_words(word: str, *, fading: bool) -> str:
    """Return a status effect in words, marked if it will soon end."""
    return f"{clean(word)} (fading)" if fading else clean(word)


def in_sight(model: Model) -> list[Creature]:
    """Return the other creatures in sight, the nearest first."""
    view = model.view
    others = [creature for creature in view.creatures if not creature.marks & _SELF]
    if len(others) < 2:
        return others
    grid, own = view.place.grid, view.cell
    return sorted(others, key=lambda one: (grid.distance(own, one.cell), one.handle))


def _strangers_inputs(model: Model) -> object:
    if not model.view.party:
        return None
    return (
        model.view.party,
        model.company.party.members,
        model.company.party.tints,
        model.name,
        _names_in_sight(model),
    )


@keep(_strangers_inputs)
def _draw_strangers(canvas: Canvas, area: Rect, model: Model) -> int:
    """Draw the players out of sight who are not in the party, in at most half of the area; return the next free row."""
    seen = _names_in_sight(model)
    away = [friend for friend in model.strangers if friend.name not in seen]
    half = area._replace(height=min(area.height, max(area.height // 2, 2)))
    lines = [
        (friend_words(friend, area.width), player_style(model.company.party.tints, friend.name, PLAIN))
        for friend in away[: half.height]
    ]
    return _draw_list(canvas, half, "In the dungeon", lines, len(away) - len(lines))


def _names_in_sight(model: Model) -> frozenset[str]:
    return frozenset(one.name for one in model.view.creatures if one.marks & _PLAYER)


def _not_members(model: Model) -> list[Creature]:
    """Return the other creatures in sight that are not in the player's party, the nearest first."""
    if not model.company.party.members:
        return in_sight(model)
    return [
        one for one in in_sight(model) if not one.marks & _PLAYER or not model.company.party.member(one.name)
    ]


def _creatures_inputs(model: Model) -> object:
    """Return what the lines of creatures depend on; the danger of each depends on the sheet."""
    view = model.view
    if all(one.marks & _SELF for one in view.creatures):
        return None
    facts = view.creatures, view.sheet, view.place, model.company.party.members, model.company.party.tints
    return facts, model.world.damage, model.fights.flashing(model.now_ms), model.surface.unicode


@keep(_creatures_inputs)
def _draw_creatures(canvas: Canvas, area: Rect, model: Model) -> int:
    """Draw the creatures in sight, each with a bar of its health; return the next free row.

    The line of a foe has the color of its danger, since a deadly foe is no less so while it is unhurt; the title says
    how dangerous the hunters are together. A member of the party is drawn above, with a bar in the color of its health.
    """
    near, flashing = _not_members(model), model.fights.flashing(model.now_ms)
    if near and area.height < _LIST_ROWS_MIN - 1:
        return area.y
    _draw_title(canvas, area, near, danger_together(near, model.view, model.world.damage))
    shown = _shown_creatures(model, area.height - 1)
    for row, creature in enumerate(shown, area.y + 1):
        char, look = creature_cell(creature)
        if creature.marks & _PLAYER:
            look = player_style(model.company.party.tints, creature.name, look)
        danger = _danger_word(model, creature)
        color = _DANGER_STYLES.get(danger)
        style = color or health_style(creature.hp, creature.hp_max)
        canvas.put(area.x, row, char, color or look)
        words = _neighbor_words(model, creature, danger, area.width - 2)
        if creature.handle in flashing:
            style = Style("red", bold=True)
        at = (area.x + 2, row, area.width - 2)
        draw_bar(canvas, at, words, (creature.hp, creature.hp_max, 0), style, unicode=model.surface.unicode)
    end = area.y + 1 + len(shown)
    if len(shown) == len(near) or end == area.y + area.height:
        return end
    canvas.put(area.x, end, f"and {len(near) - len(shown)} more", QUIET, area.x + area.width)
    return end + 1


def _shown_creatures(model: Model, room: int) -> list[Creature]:
    """Return the nearest creatures: all where there is room, else one fewer than there are rows, but one at least."""
    near = _not_members(model)
    return near if len(near) <= room else near[: max(room - 1, 1)]


def _draw_title(canvas: Canvas, area: Rect, near: list[Creature], together: str) -> None:
    """Draw the title of the creatures in sight, with the danger of the hunters together, alone where both do not fit."""
    x, right = area.x, area.x + area.width
    danger = f"{together} together" if together else ""
    if not danger or len(_IN_SIGHT) + len(": ") + len(danger) <= area.width:
        title = f"{_IN_SIGHT}: " if danger else _IN_SIGHT if near else "Nothing in sight"
        x = canvas.put(x, area.y, title, TITLE if near else QUIET, right)
    if danger:
        canvas.put(x, area.y, danger, _DANGER_STYLES[together], right)


@keep(_creatures_inputs)
def draw_foes_bar(canvas: Canvas, area: Rect, model: Model) -> int:
    """Draw the foes that hunt the player in one line, for a screen without a panel beside the map; return the next free row."""
    x, right = area.x, area.x + area.width
    hunters = [one for one in in_sight(model) if one.marks & _HOLDS_YOU]
    for at, foe in enumerate(hunters):
        word = _danger_word(model, foe)
        health = f" {max(100 * foe.hp // max(foe.hp_max, 1), 1)}%" if foe.hp < foe.hp_max else ""
        text = f"{clean(foe.name)} L{foe.level} {word}{health} {short_way(model, foe.cell)}"
        more = f" +{len(hunters) - at - 1}" if at + 1 < len(hunters) else ""
        if at and x + 2 + cells(text) + cells(more) > right:
            canvas.put(x + 1, area.y, f"+{len(hunters) - at}", QUIET, right)
            break
        x = canvas.put(x + 2 if at else x, area.y, text, _DANGER_STYLES.get(word, PLAIN), right - cells(more))
    return area.y + 1


@keep(lambda model: (model.messages.entries, model.fights.turns, model.fights.losses))
def _draw_damage(canvas: Canvas, area: Rect, model: Model) -> int:
    """Draw the damage of the last turns in a sum, where there was any; return the next free row."""
    lines = summary_lines(damage_summary(model.messages.entries, model.fights), area.width, area.height)
    for row, line in enumerate(lines, area.y):
        canvas.put(area.x, row, line, QUIET, area.x + area.width)
    return area.y + len(lines)


@keep(lambda model: model.view.pile, rows=lambda model: len(model.view.pile) + 1)
def _draw_here(canvas: Canvas, area: Rect, model: Model) -> int:
    """Draw what lies under the player's feet, the uppermost first; return the next free row."""
    pile = [clean(item.name) for item in reversed(model.view.pile)]
    return _draw_list(canvas, area, "Here", [(name, PLAIN) for name in pile])


def _inventory_inputs(model: Model) -> object:
    return model.view.inventory, model.memory.newest_slots


@keep(_inventory_inputs, rows=lambda model: len(model.view.inventory) + 1)
def _draw_inventory(canvas: Canvas, area: Rect, model: Model) -> int:
    """Draw what the player carries, by its letters; return the next free row."""
    lines = [
        (f"{chr(ord('a') + item.slot)} {clean(inventory_name(item))}", PLAIN)
        for item in shown_items(model, area.height - 1)
    ]
    return _draw_list(canvas, area, "You carry", lines, len(model.view.inventory) - len(lines))


def shown_items(model: Model, room: int) -> list[InventoryItem]:
    """Return the carried items by their letters: all where there is room, else one fewer than there are rows.

    What is wielded and worn is left out first, since the sheet above names it, then the oldest item.
    """
    carried = model.view.inventory
    if len(carried) <= room:
        return list(carried)
    ages = {slot: age for age, slot in enumerate(model.memory.newest_slots)}
    by_age = sorted(carried, key=lambda one: (not one.traits & _EQUIPPED, ages.get(one.slot, -1)))
    shown = by_age[len(by_age) - max(room - 1, 0) :]
    return sorted(shown, key=lambda one: one.slot)


def _draw_list(
    canvas: Canvas, area: Rect, title: str, lines: list[tuple[str, Style]], left_out: int = 0
) -> int:
    """Draw lines below a title, as many as fit, and how many more there are; return the next free row.

    `left_out` is the number of lines that were left out before.
    """
    total, room = len(lines) + left_out, area.height - 1
    if not total or area.height < min(total + 1, _LIST_ROWS_MIN):
        return area.y
    if total > room:
        lines = [*lines[: room - 1], (f"and {total - room + 1} more", QUIET)]
    for row, (text, style) in enumerate([(title, TITLE), *lines]):
        canvas.put(area.x, area.y + row, text, style, area.x + area.width)
    return area.y + 1 + len(lines)


def _draw_whole_level(canvas: Canvas, area: Rect, model: Model) -> int:
    """Draw a small map of a level that is larger than the map; return the next free row."""
    place, view = model.view.place, model.view
    window = layout(*model.surface.size, place.width).map
    room = area._replace(y=area.y + 1, height=area.height - 1)
    fits = place.width <= window.width and place.height <= window.height
    if fits or room.height < _MINIMAP_ROWS_MIN:
        return area.y
    canvas.put(area.x, area.y, "The whole level", TITLE, area.x + area.width)
    return room.y + draw_minimap(canvas, room, view)


def _danger_word(model: Model, creature: Creature) -> str:
    """Return how dangerous a foe is; "" for a creature that is none."""
    is_foe = creature.marks & _HOSTILE
    return danger_of_fight(creature, model.view, model.world.damage).word if is_foe else ""


def _neighbor_words(model: Model, creature: Creature, danger: str, room: int) -> str:
    """Return a creature in words of at most `room` cells: mark, danger and way stay, then the name before the level."""
    view = model.view
    name, level = clean(creature.name), f"L{creature.level}"
    marks, own = creature.marks, view.cell
    mark = "!" if marks & _HOLDS_YOU else ""
    state = " (asleep)" if marks & _ASLEEP and not mark else ""
    if left := turns_down(marks):
        state = f" (down: {turns_left_words(left)})"
    hp = f" {creature.hp}/{creature.hp_max}"
    grown = f" (+{creature.grown})" if creature.grown > 0 else ""
    threat = f" {danger}" if danger else ""
    grid = view.place.grid
    way = f", {grid.distance(own, creature.cell)} {grid.compass(own, creature.cell)}"
    rest = f" {level}{grown}{threat}"
    for facts in (f"{state}{hp}{rest}{way}", f"{state}{rest}{way}", f"{rest}{way}"):
        if cells(name) + cells(mark) + cells(facts) <= room:
            return f"{name}{mark}{facts}"
    short = f" {short_way(model, creature.cell)}"
    for kept in (rest, f" {level}{threat}", threat or f" {level}"):
        facts = f"{mark}{kept}{short}"
        if room - cells(facts) >= min(cells(name), _NAME_CELLS):
            break
    return fit_text(name, max(room - cells(facts), 1)).rstrip() + facts


_DANGER_STYLES: Final = {
    "easy": Style("green"),
    "even": Style("yellow"),
    "dangerous": Style("orange", bold=True),
    "deadly": Style("red", bold=True),
}
_Part: TypeAlias = KeptPanel[Model] | Callable[[Canvas, Rect, Model], int]
_SHEET: Final[tuple[_Part, ...]] = (_draw_bars, _draw_words)
_PARTS: Final[tuple[_Part, ...]] = (
    draw_members,
    _draw_strangers,
    _draw_creatures,
    _draw_damage,
    _draw_here,
    _draw_inventory,
    _draw_whole_level,
)
"""The parts below the sheet, from the top down."""
_CHOSEN: Final[dict[_Part, tuple[str, Callable[[Model, int], Sequence[Creature | InventoryItem]]]]] = {
    draw_members: ("party", lambda *_: ()),
    _draw_creatures: ("creatures", _shown_creatures),
    _draw_here: ("here", lambda *_: ()),
    _draw_inventory: ("inventory", shown_items),
}
"""The parts with rows that can be chosen: the word of each, and what its rows below the title show in this room."""
