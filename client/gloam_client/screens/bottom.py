"""Which actions the bottom line of play names: those that make sense now, the most urgent first (row U5)."""

from gloam_client.model import Model
from gloam_client.screens.direction import open_doors
from gloam_client.screens.exploring import is_explored, nearest, should_eat, way_on
from gloam_client.screens.friends import leads_to_friend
from gloam_client.screens.pointing import WAYS_DOWN
from gloam_client.screens.uses import beside
from gloam_shared.view import Fact, Hunger, Mark, Trait

_HUNGRY = (Hunger.HUNGRY, Hunger.VERY_HUNGRY, Hunger.FAMISHED, Hunger.STARVING)
_TOO_HUNGRY = _HUNGRY[1:]


def wishes(model: Model) -> list[str]:
    """Return intents of play that have an object now."""
    if not model.in_dungeon:
        return []
    urgent: list[tuple[str, bool]] = [("choose", bool(model.view.choices)), ("back", model.pace.plan)]
    common = _in_danger(model) if model.threatened else [("fight", bool(model.holders)), *_at_ease(model)]
    return list(dict.fromkeys(wish for wish, sensible in (*urgent, *common) if sensible))


def _in_danger(model: Model) -> list[tuple[str, bool]]:
    foe, hurt, quaff = _foe_in_sight(model), model.badly_hurt, model.carries(Trait.QUAFFABLE)
    return [
        ("quaff", quaff and hurt),
        ("fight", not hurt),
        ("fire", foe and model.fact(Fact.REACH) > 0),
        ("cast", _can_cast(model)),
        ("quaff", quaff and not hurt),
        ("read", model.carries(Trait.READABLE)),
        ("throw", foe and bool(model.view.inventory)),
        ("call", bool(model.friends)),
        ("wait", True),
        ("look", True),
    ]


def _at_ease(model: Model) -> list[tuple[str, bool]]:
    hurt = model.fact(Fact.HP) < model.fact(Fact.HP_MAX)
    return [
        ("use", model.carries(Trait.USABLE)),
        ("pick up", bool(model.view.pile)),
        ("eat", model.fact(Fact.HUNGER) in _HUNGRY and model.carries(Trait.EDIBLE)),
        *_leading_on(model),
        ("rest", _can_rest(model)),
        ("fire", _foe_in_sight(model) and model.fact(Fact.REACH) > 0),
        ("give", _has_to_give(model) and bool(beside(model))),
        ("close", bool(open_doors(model))),
        ("cast", _can_cast(model)),
        ("quaff", hurt and model.carries(Trait.QUAFFABLE)),
        ("read", model.carries(Trait.READABLE)),
        ("descend", nearest(model.view, WAYS_DOWN) is not None),
        ("look", True),
        ("friend", leads_to_friend(model)),
        ("call", bool(model.friends)),
        ("inventory", bool(model.view.inventory)),
    ]


def _leading_on(model: Model) -> list[tuple[str, bool]]:
    """Return what leads on: exploring, or on an explored level what helps there."""
    if should_eat(model):
        return []
    if not is_explored(model):
        return [("explore", True)]
    helps = way_on(model)
    stairs = "descend" if helps.goal is not None else helps.intent
    return [(stairs, True), ("explore", helps.goal not in (None, model.view.cell))]


def _can_rest(model: Model) -> bool:
    """Return whether rest brings anything: who is hurt and too hungry does not heal in every campaign."""
    if should_eat(model):
        return False
    if model.fact(Fact.HP) < model.fact(Fact.HP_MAX):
        return model.fact(Fact.HUNGER) not in _TOO_HUNGRY
    return model.fact(Fact.MANA) < model.fact(Fact.MANA_MAX)


def _can_cast(model: Model) -> bool:
    return any(spell.cost <= model.fact(Fact.MANA) for spell in model.view.spells)


def _foe_in_sight(model: Model) -> bool:
    view = model.view
    return any(one.marks & Mark.HOSTILE and view.sight[one.cell] for one in view.creatures)


def _has_to_give(model: Model) -> bool:
    """Return whether the player carries anything that is not bound to him."""
    return any(not thing.traits & Trait.BOUND for thing in model.view.inventory)
