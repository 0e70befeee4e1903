"""The changes in the dungeon since the last lines: two states in, lines out. Pure."""

from dataclasses import dataclass, replace
from typing import Final

from gloam_client.linear.place_words import (
    PLACES,
    by_distance,
    item_words,
    openings,
    openings_words,
    others_in_sight,
    thing_words,
    way_words,
)
from gloam_client.linear.status_words import health_words, hunger_words, level_up_words
from gloam_client.render.descriptions import peaceful_words, terrain_at
from gloam_client.render.panels.status_panel import silence_ms
from gloam_client.state.model import Model
from gloam_shared.appearance import Terrain
from gloam_shared.narration.rendering import capital, depth_text
from gloam_shared.text import clean
from gloam_shared.view.surfaces import surface_at
from gloam_shared.view.view import Creature, CreatureFlag, Stat, View

_THREATS_MAX: Final = 4
_FOUND_MAX: Final = 8
"""The most new things of one moment that are said one by one."""
_UNSAID: Final = frozenset({Terrain.DOOR_OPEN})
"""Places that are not worth a line when they enter view."""


@dataclass(frozen=True, slots=True)
class Said:
    """The state of the dungeon that the lines have said."""

    depth: int = 0
    cell: int = -1
    openings: tuple[str, ...] = ()
    threats: tuple[tuple[int, str], ...] = ()
    creatures: frozenset[int] = frozenset()
    items: frozenset[tuple[int, str]] = frozenset()
    places: frozenset[int] = frozenset()
    health: int = 0
    states: tuple[str, ...] = ()
    level_up: str = ""
    turn: str = ""
    link: str = ""
    surfaces: frozenset[tuple[str, bool]] = frozenset()


NOTHING_SAID: Final = Said()


def tell(said: Said, model: Model) -> tuple[list[str], Said]:
    """Return the lines for what has changed, and what is said after them."""
    lines, said = _link(said, model)
    if not model.in_dungeon or model.dead:
        return lines, said
    view = model.view
    if view.place.depth != said.depth:
        name = clean(view.place.name)
        lines.append(f"{name + ', ' if name else ''}depth {depth_text(view.place.depth)}.")
        said = Said(depth=view.place.depth, cell=view.cell, health=said.health, link=said.link)
    for part in (_seen, _surfaces, _moved, _threats, _body, _turn):
        more, said = part(said, model)
        lines += more
    return lines, said


def _link(said: Said, model: Model) -> tuple[list[str], Said]:
    """Say that the connection is lost or silent, and the server's notice, once each."""
    wire, link, lines = model.connection, "", []
    if wire.state == "down":
        link = f"No connection: {wire.text} It is tried again by itself."
    elif wire.state == "joined" and silence_ms(model):
        link = "No answer from the server."
    if link != said.link:
        lines.append(link or "The connection is good again.")
    return lines, replace(said, link=link)


def _seen(said: Said, model: Model) -> tuple[list[str], Said]:
    """Say each creature that enters sight, and each item and place that was not known."""
    view = model.view
    others = others_in_sight(view)
    lines = [_entering(view, one) for one in others if one.handle not in said.creatures]
    floor = {item.cell: item for item in view.items}
    fresh = [cell for cell in floor if (cell, floor[cell].name) not in said.items and cell != view.cell]
    lines += [item_words(view, floor[cell]) for cell in by_distance(view, fresh)]
    known = frozenset(cell for cell, terrain in enumerate(view.terrain) if terrain in PLACES)
    new = [cell for cell in known - said.places if terrain_at(view, cell) not in _UNSAID]
    lines += [thing_words(view, PLACES[terrain_at(view, cell)], cell) for cell in by_distance(view, new)]
    more = len(lines) - _FOUND_MAX
    if more > 0:
        lines = [*lines[:_FOUND_MAX], f"{more} more things came into view."]
    items = said.items | {(cell, item.name) for cell, item in floor.items()}
    return lines, replace(said, creatures=frozenset(one.handle for one in others), items=items, places=known)


def _surfaces(said: Said, model: Model) -> tuple[list[str], Said]:
    """Say the nearest cell of each kind of surface that enters view, and again if it is then beside the player or below."""
    view = model.view
    nearest: dict[str, int] = {}
    for cell in by_distance(view, [cell for cell, number in enumerate(view.surfaces) if number]):
        look = surface_at(view.surface_looks, view.surfaces, cell)
        if look is not None:
            nearest.setdefault(look.name, cell)
    near = {(name, view.place.grid.distance(view.cell, cell) <= 1) for name, cell in nearest.items()}
    lines = [thing_words(view, name, nearest[name]) for name, _ in sorted(near - said.surfaces)]
    return lines, replace(said, surfaces=frozenset(near))


def _entering(view: View, creature: Creature) -> str:
    """Return a creature that enters sight: its name and where it is; the log says how strong it is."""
    marks = creature.marks
    temper = "" if marks & CreatureFlag.HOSTILE else peaceful_words(marks)
    asleep = "asleep" if marks & CreatureFlag.ASLEEP else ""
    return thing_words(view, creature.name, creature.cell, temper, asleep)


def _moved(said: Said, model: Model) -> tuple[list[str], Said]:
    """Say where the player went, once they stand, and the open ways if these are others."""
    view, lines = model.view, []
    if model.pace.plan:
        return [], said
    if view.cell != said.cell and 0 <= said.cell < len(view.terrain):
        lines.append(_step_words(view, said.cell))
    ways = openings(view)
    if ways != said.openings:
        lines.append(openings_words(view))
    return lines, replace(said, cell=view.cell, openings=ways)


def _step_words(view: View, before: int) -> str:
    """Return the way from one cell to the player's: "North-east." for a step, else the distance, too."""
    grid = view.place.grid
    way = grid.compass(before, view.cell)
    distance = grid.distance(before, view.cell)
    return f"{capital(way)}." if distance == 1 else f"You went {distance} {way}."


def _threats(said: Said, model: Model) -> tuple[list[str], Said]:
    """Say where the nearest wakeful foes are, if any of them is elsewhere than it was said to be."""
    view = model.view
    if model.pace.plan:
        return [], said
    foes = [
        one
        for one in others_in_sight(view)
        if one.marks & CreatureFlag.HOSTILE and not one.marks & CreatureFlag.ASLEEP
    ]
    near = tuple((one.handle, way_words(view, one.cell)) for one in foes[:_THREATS_MAX])
    old = dict(said.threats)
    told = {handle for handle, _ in near} - set(old)  # these were said as they entered sight
    lines = []
    if any(old.get(handle, place) != place for handle, place in near) and set(dict(near)) - told:
        lines.append("; ".join(thing_words(view, one.name, one.cell) for one in foes[:_THREATS_MAX]))
    return lines, replace(said, threats=near)


def _body(said: Said, model: Model) -> tuple[list[str], Said]:
    """Say lost health, full health, conditions that begin or end, and a level-up choice."""
    health, lines = model.fact(Stat.HP), []
    if health < said.health or (health > said.health > 0 and health == model.fact(Stat.HP_MAX)):
        lines.append(f"{capital(health_words(model))}.")
    hunger = hunger_words(model).split(",")[0]
    states = tuple(filter(None, [hunger, *(clean(one.word) for one in model.view.states)]))
    lines += [f"Now {word}." for word in states if word not in said.states]
    lines += [f"No longer {word}." for word in said.states if word not in states]
    level_up = level_up_words(model)
    if level_up and not said.level_up:
        lines.append(level_up)
    return lines, replace(said, health=health, states=states, level_up=level_up)


def _turn(said: Said, model: Model) -> tuple[list[str], Said]:
    """Say whose move it is when that changes: it is heard when a foe hunts the player, and when none does any more."""
    words = _turn_words(model)
    if words is None or words == said.turn or model.pace.plan:
        return [], said
    ease = "" if words or not said.turn else "At ease."
    return [line for line in (words or ease,) if line], replace(said, turn=words)


def _turn_words(model: Model) -> str | None:
    """Return whose move it is, without the seconds that are left.

    "" for a player at ease, None in the moment between a command and its turn.
    """
    pace = model.pace
    others = [clean(name) for name in pace.for_names if name != model.name]
    if pace.waiting and others:
        return f"Waiting for {' and '.join(others)}."
    if pace.waiting:
        return None
    if pace.held and model.name in pace.for_names:
        return "The others wait for your move."
    if pace.held:
        return "Something hunts you." if model.hunted else "Your move."
    return ""
