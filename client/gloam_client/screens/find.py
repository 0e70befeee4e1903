"""Finding again what one has seen: a list of things, ways out and shrines, of which one is travelled to."""

from gloam_client.model import Model, Push, Reaction
from gloam_client.render.words import capital, item_words, terrain_at, terrain_words, where
from gloam_client.screens.orders import note, order
from gloam_client.screens.pick import Pick, Way
from gloam_client.screens.pointing import PLACES, known, nearest_first
from gloam_shared.commands import AnyCommand, Climb, Travel
from gloam_shared.narration import depth_told


def finding(model: Model) -> Reaction:
    """Return the list, the nearest first: things here, places here, then things on other levels; or why there is none."""
    if not model.in_dungeon:
        return note("Nothing to find yet.", "quiet")
    ways = [*_things(model), *_places(model), *_elsewhere(model)]
    if not ways:
        return note("You know of nothing that lies here, and of no way out.", "quiet")
    return Reaction(Push(Pick("Find and travel there", tuple(ways))))


def _things(model: Model) -> list[Way]:
    cells = [cell for cell in model.lying if cell != model.view.cell]
    return [
        _way(model, f"{item_words(model.lying[cell])} {where(model.view, cell)}", Travel(cell))
        for cell in nearest_first(model, cells)
    ]


def _places(model: Model) -> list[Way]:
    view = model.view
    cells = [cell for kinds in PLACES for cell in known(model, kinds) if cell != view.cell]
    return [
        _way(
            model,
            f"{capital(terrain_words(terrain_at(view, cell), model.terrain_words))}. {where(view, cell)}",
            Travel(cell),
        )
        for cell in cells
    ]


def _elsewhere(model: Model) -> list[Way]:
    """Return what lies on other levels, the nearest of them first; to take one leads to the stairs towards it."""
    here = model.view.place.depth
    depths = sorted((depth for depth in model.recall if depth != here), key=lambda depth: abs(depth - here))
    return [
        _way(model, f"{item_words(item)} On depth {depth_told(depth)}.", Climb(down=depth > here))
        for depth in depths
        for item in model.recall[depth].values()
    ]


def _way(model: Model, words: str, command: AnyCommand) -> Way:
    return Way(words, order(model, command).intents)
