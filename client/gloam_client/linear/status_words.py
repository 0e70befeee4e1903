"""The player's state and surroundings in lines of text, on demand. Pure."""

from gloam_client.input import keymap
from gloam_client.linear import place_words
from gloam_client.render.descriptions import describe_pile, terrain_at
from gloam_client.render.panels.party_bar import member_words
from gloam_client.render.panels.status_panel import banner, pace_words
from gloam_client.state.model import Model
from gloam_shared.narration.rendering import HUNGER_WORDS, capital, depth_text
from gloam_shared.text import clean
from gloam_shared.view.danger import danger_together
from gloam_shared.view.view import Hunger, Stat

_PLACES_MAX = 12
_THINGS_MAX = 12


def status_lines(model: Model) -> list[str]:
    """Return health, level, conditions, position and turn, a line for each subject."""
    view = model.view
    if not model.in_dungeon:
        return [banner(model) or "Not in the dungeon yet."]
    x, y = view.place.grid.point(view.cell)
    place = clean(view.place.name)
    lines = [
        f"{clean(model.name)}: {', '.join([health_words(model), *_mana(model), _level(model)])}.",
        _conditions(model),
        f"{place + ', ' if place else ''}depth {depth_text(view.place.depth)}, column {x + 1}, row {y + 1}.",
        _turn(model),
        *(f"Party: {member_words(model, member)}." for member in model.company.party.others(model.name)),
        level_up_words(model),
        banner(model),
    ]
    return [line for line in lines if line]


def surroundings_lines(model: Model) -> list[str]:
    """Return what is around the player: creatures, items, places, and the open ways, the nearest first."""
    if not model.in_dungeon:
        return status_lines(model)
    view = model.view
    creatures = [place_words.creature_words(model, one) for one in place_words.others_in_sight(view)]
    together = danger_together(view.creatures, view, model.world.damage)
    floor = {**model.floor_items, **{item.cell: item for item in view.items}}
    items = [
        place_words.item_words(view, floor[cell])
        for cell in place_words.by_distance(view, floor)
        if cell != view.cell
    ]
    cells = place_words.by_distance(
        view, (cell for cell in range(len(view.terrain)) if view.terrain[cell] in place_words.PLACES)
    )
    places = [
        place_words.thing_words(view, place_words.PLACES[terrain_at(view, cell)], cell) for cell in cells
    ]
    return [
        *(creatures or ["No creature in sight."]),
        *([f"All that are after you together: {together}."] if together else []),
        *_first(items, _THINGS_MAX, "items"),
        *([f"Here: {describe_pile(view.pile)}"] if view.pile else []),
        *_first(places, _PLACES_MAX, "places"),
        place_words.openings_words(view),
    ]


def health_words(model: Model) -> str:
    """Return the player's health: "health 31 of 40"."""
    return f"health {model.fact(Stat.HP)} of {model.fact(Stat.HP_MAX)}"


def hunger_words(model: Model) -> str:
    """Return a hunger state that matters, with the turns that are left; "" for none."""
    state, left = model.fact(Stat.HUNGER), model.fact(Stat.FOOD_TURNS)
    if state == Hunger.NOT_HUNGRY or state not in list(Hunger):
        return ""
    turns = f", {left} turn{'s' if left > 1 else ''} left" if left > 0 else ""
    return f"{HUNGER_WORDS[Hunger(state)].casefold()}{turns}"


def level_up_words(model: Model) -> str:
    """Return that a level-up choice waits, with its key; "" without one."""
    if not model.view.choices:
        return ""
    return f"Level up: {keymap.key_for(model.options.keys, 'play', 'choose')} chooses what it brings."


def _level(model: Model) -> str:
    experience = f"{model.fact(Stat.EXPERIENCE)} of {model.fact(Stat.NEXT_LEVEL_AT)} experience"
    return f"level {model.fact(Stat.LEVEL)}, {experience}"


def _mana(model: Model) -> list[str]:
    most = model.fact(Stat.MANA_MAX)
    return [f"mana {model.fact(Stat.MANA)} of {most}"] if most > 0 else []


def _conditions(model: Model) -> str:
    states = [f"{clean(one.word)}{' (fading)' if one.fading else ''}" for one in model.view.states]
    words = ", ".join(filter(None, [hunger_words(model), *states]))
    return f"{capital(words)}." if words else ""


def _turn(model: Model) -> str:
    words = pace_words(model)
    return f"{capital(words)}." if words else ""


def _first(lines: list[str], count: int, word: str) -> list[str]:
    """Return the first lines, and how many more there are."""
    more = len(lines) - count
    return [*lines[:count], *([f"{more} more {word} farther away."] if more > 0 else [])]
