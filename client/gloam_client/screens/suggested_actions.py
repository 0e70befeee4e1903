"""The actions on the bottom line of play: those that make sense now, the most urgent first."""

from collections.abc import Iterator
from typing import Final

from gloam_client.screens.common.command_effects import offline_notice
from gloam_client.screens.lists.item_uses import beside, shot
from gloam_client.screens.map.exploration import is_barred, is_explored, next_exit, should_eat
from gloam_client.screens.map.find_friends import leads_to_downed, leads_to_friend
from gloam_client.state.aiming import aim_fault, reaches_foe
from gloam_client.state.guidance.by_hand import step_away, step_by_hand, step_to
from gloam_client.state.map import reachability
from gloam_client.state.map.landmarks import WAYS_DOWN, WAYS_UP, downed_beside, open_doors
from gloam_client.state.model import Model
from gloam_shared.appearance import Terrain
from gloam_shared.bitboard import bits_of, cells_of
from gloam_shared.view.danger import could_take_half, is_deadly, means_of, spreading_beside
from gloam_shared.view.surfaces import device_cells
from gloam_shared.view.view import CreatureFlag, Hunger, ItemFlag, MagicEffect, Stat, View

_HUNGRY = (Hunger.HUNGRY, Hunger.VERY_HUNGRY, Hunger.FAMISHED, Hunger.STARVING)
_TOO_HUNGRY = _HUNGRY[1:]
_HOSTILE: Final = int(CreatureFlag.HOSTILE)
_ASLEEP: Final = int(CreatureFlag.ASLEEP)
_TEACHES: Final = 3
"""The most levels by which a sleeper is below a player who still learns from it."""
_WELL: Final = 6
"""A player who lacks more than this part of their health rests before they go on: a sixth."""
_SAVING: Final = frozenset({
    MagicEffect.HARM, MagicEffect.DRAIN, MagicEffect.WEAKEN, MagicEffect.BLINK, MagicEffect.TELEPORT,
    MagicEffect.SWAP, MagicEffect.PUSH, MagicEffect.SLEEP, MagicEffect.FEAR,
})  # fmt: skip
_BOUND: Final = int(ItemFlag.BOUND)
_NO_ROOM: Final = int(ItemFlag.NO_ROOM)
_EDIBLE: Final = int(ItemFlag.EDIBLE)
_WORTH: Final = int(ItemFlag.WORTH)
"""Plain numbers: a flag itself is slow to compare, and these are compared in every frame."""


def suggested_actions(model: Model) -> list[str]:
    """Return the intents of play that are possible now; without a connection, those that need none."""
    return list(suggestions(model))


def suggestions(model: Model) -> Iterator[str]:
    """Yield the intents of `suggested_actions`, each once: the last ones cost the most, and few lines have room for them."""
    known = set[str]()
    for intent, sensible in _suggested(model):
        if sensible and intent not in known:
            known.add(intent)
            yield intent


def _suggested(model: Model) -> Iterator[tuple[str, bool]]:
    if not model.in_dungeon:
        return
    if offline_notice(model) is not None:
        yield "look", True
        yield "inventory", bool(model.view.inventory)
        return
    if model.turns_down:
        yield from ((intent, True) for intent in ("wait", "call", "say", "look"))
        return
    yield "lift", bool(downed_beside(model))
    yield "friend", not model.threatened and leads_to_downed(model)
    yield "choose", bool(model.view.choices or model.login.kits or model.login.beacons)
    yield "back", model.pace.plan
    yield "party", bool(model.company.party.open_invites(model.now_ms))
    if model.threatened:
        yield from _in_danger(model)
    elif model.pace.plan:
        yield from _under_way(model)
    else:
        yield "fight", _can_fight(model)
        yield from _at_ease(model)


def _under_way(model: Model) -> list[tuple[str, bool]]:
    """Return the actions beside stopping a plan: the same for all its steps, so that the line stays still."""
    return [("look", True), ("inventory", bool(model.view.inventory))]


def _in_danger(model: Model) -> list[tuple[str, bool]]:
    foe, hurt, quaff = _foe_in_sight(model), model.badly_hurt, model.carries(ItemFlag.QUAFFABLE)
    deadly = is_deadly(model.holders, model.view, model.world.damage)
    weakened = deadly and _needs_rest(model)  # after a rest the fight is another one
    on_stairs = _stands_on(model.view, WAYS_UP)
    step = step_by_hand(model.view) if hurt else step_away(model.view) if weakened else None
    return [
        ("quaff", quaff and hurt),
        ("ascend", (hurt or weakened) and on_stairs),
        ("zap", deadly and _may_help(model, ItemFlag.ZAPPABLE)),
        ("read", deadly and _may_help(model, ItemFlag.READABLE)),
        *([(step, True)] if step else []),
        ("friend", leads_to_downed(model)),
        ("fight", not hurt and _can_fight(model)),
        ("fire", _can_fire(model)),
        ("cast", _can_cast(model)),
        ("quaff", quaff and not hurt),
        ("zap", _can_zap(model)),
        ("read", model.carries(ItemFlag.READABLE)),
        ("throw", foe and _can_throw(model)),
        ("ascend", deadly and on_stairs),
        ("call", model.in_company),
        ("wait", True),
        ("look", True),
    ]


def _at_ease(model: Model) -> Iterator[tuple[str, bool]]:
    hurt = model.fact(Stat.HP) < model.fact(Stat.HP_MAX)
    safe = not (model.holders or model.hunted)
    yield "trade", bool(model.company.trade.name)
    yield "use", model.carries(ItemFlag.USABLE)
    yield "pick up", _can_pick_up(model)
    yield "eat", model.fact(Stat.HUNGER) in _HUNGRY and model.carries(ItemFlag.EDIBLE)
    yield "ascend", model.hunted and model.badly_hurt and _can_climb(model.view, WAYS_UP)
    yield "rest", safe and _needs_rest(model)
    yield "fight", _is_worth_waking(model)
    yield from _leading_on(model)
    yield "rest", safe and _can_rest(model)
    yield "fire", _can_fire(model)
    yield "give", _has_to_give(model) and bool(beside(model))
    yield "close", _can_close(model)
    yield "cast", _can_cast(model)
    yield "quaff", hurt and model.carries(ItemFlag.QUAFFABLE)
    yield "read", model.carries(ItemFlag.READABLE)
    yield "descend", _can_climb(model.view, WAYS_DOWN)
    yield "look", True
    yield "friend", leads_to_friend(model)
    yield "call", model.in_company
    yield "inventory", bool(model.view.inventory)


def _leading_on(model: Model) -> list[tuple[str, bool]]:
    """Return the intent to continue with: exploring, or what helps on an explored level.

    Not every kind can dig.
    """
    if should_eat(model):
        return []
    if (obstacle := reachability.obstacle_to_exploring(model.view)) is not None:
        return _past(model, obstacle)
    if not is_explored(model):
        leave = is_barred(model) and _can_climb(model.view, WAYS_DOWN)
        return [("descend", leave), ("explore", reachability.may_explore(model.view))]
    helps = next_exit(model)
    view = model.view
    goal = helps.goal
    leads = goal is not None and goal != view.cell and reachability.plan_reaches(view, bits_of([goal]))
    return [
        ("descend", goal is not None and _can_climb(view, WAYS_DOWN)),
        ("ascend", helps.intent == "ascend" and _can_climb(view, WAYS_UP)),
        ("explore", leads),
        *([(step, True)] if helps.intent == "dig" and (step := _step_into_device(view)) else []),
    ]


def _step_into_device(view: View) -> str | None:
    """Return the step into a device beside the player: a lever may open a gate in the only way on."""
    devices = bits_of(view.place.grid.neighbors(view.cell, view.place.directions))
    devices &= device_cells(view.surface_looks, view.surfaces)
    return next((step_to(view, cell) for cell in cells_of(devices)), None)


def _past(model: Model, obstacle: reachability.Obstacle) -> list[tuple[str, bool]]:
    """Return how to get on where something is in the only way to what is unexplored: exploring would refuse."""
    step = step_to(model.view, obstacle.step) if obstacle.kind in ("trap", "hazard") else None
    return [
        ("descend", _can_climb(model.view, WAYS_DOWN)),
        ("fight", obstacle.kind == "foe"),
        ("wait", obstacle.kind == "fire"),
        *([(step, True)] if step else []),
    ]


def _can_rest(model: Model) -> bool:
    """Return whether rest helps: in some campaigns a hungry player does not heal, and beside fire no rest begins."""
    if should_eat(model) or spreading_beside(model.view):
        return False
    if model.fact(Stat.HP) < model.fact(Stat.HP_MAX):
        return model.fact(Stat.HUNGER) not in _TOO_HUNGRY
    return model.fact(Stat.MANA) < model.fact(Stat.MANA_MAX)


def _needs_rest(model: Model) -> bool:
    """Return whether a rest comes before going on: the next fight begins with the health of now."""
    return _WELL * model.fact(Stat.HP) < (_WELL - 1) * model.fact(Stat.HP_MAX) and _can_rest(model)


def _may_help(model: Model, use: ItemFlag) -> bool:
    """Return whether an item of this use may end a deadly fight: its magic does, or is not identified yet."""
    return any(
        item.effect in _SAVING or (item.effect == MagicEffect.NONE and not item.words)
        for item in model.view.inventory
        if item.traits & use and (use != ItemFlag.ZAPPABLE or reaches_foe(item, model.view))
    )


def _can_zap(model: Model) -> bool:
    return any(
        item.traits & ItemFlag.ZAPPABLE and reaches_foe(item, model.view) for item in model.view.inventory
    )


def _can_fight(model: Model) -> bool:
    """Return whether a way leads to the nearest enemy that holds the player, the fighting key's target."""
    view = model.view
    nearest_foe = min(
        model.holders,
        key=lambda one: (view.place.grid.distance(view.cell, one.cell), one.hp, one.handle),
        default=None,
    )
    return nearest_foe is not None and reachability.within_reach(view, nearest_foe.cell)


def _is_worth_waking(model: Model) -> bool:
    """Return whether the nearest foe sleeps, teaches, and is no danger to a well player with all in sight: the fighting key's target."""
    view = model.view
    foes = [one for one in view.creatures if one.marks & _HOSTILE]
    near = min(
        foes,
        key=lambda one: (view.place.grid.distance(view.cell, one.cell), one.hp, one.handle),
        default=None,
    )
    if near is None or model.holders or not near.marks & _ASLEEP or not near.attack:
        return False
    if near.level + _TEACHES < model.fact(Stat.LEVEL) or _needs_rest(model):
        return False
    within = reachability.within_reach(view, near.cell)
    return within and not could_take_half(foes, view, model.world.damage)


def _can_climb(view: View, kinds: frozenset[Terrain]) -> bool:
    """Return whether a way past all creatures leads to the stairs of the key."""
    if view.terrain[view.cell] in kinds:
        return True
    stairs = reachability.nearest_by_ground(view, kinds)
    return stairs is not None and reachability.plan_reaches(view, bits_of([stairs]))


def _stands_on(view: View, kinds: frozenset[Terrain]) -> bool:
    return view.terrain[view.cell] in kinds


def _can_close(model: Model) -> bool:
    """Return whether there is an open door to close, with no creature or item in it."""
    doors = [model.view.step(way) for way in open_doors(model)]
    return any(
        model.view.at(door) is None and door not in model.floor_items for door in doors if door is not None
    )


def _can_pick_up(model: Model) -> bool:
    """Return whether the player can pick up anything underfoot that is of use: spare food is not, such as most corpses."""
    needs = model.fact(Stat.HUNGER) in _HUNGRY or not model.carries(ItemFlag.EDIBLE)
    return any(
        not item.traits & (_BOUND | _NO_ROOM) and (needs or item.traits & (_EDIBLE | _WORTH) != _EDIBLE)
        for item in model.view.pile
    )


def _can_cast(model: Model) -> bool:
    return any(spell.cost <= model.fact(Stat.MANA) for spell in model.view.spells)


def _can_throw(model: Model) -> bool:
    """Return whether the player carries what is made to be thrown, and not in use: a missile, or a potion that harms."""
    return bool(means_of(model.view).missiles) or any(
        item.traits & ItemFlag.QUAFFABLE and item.effect and item.harms for item in model.view.inventory
    )


def _foe_in_sight(model: Model) -> bool:
    view = model.view
    return any(one.marks & _HOSTILE and view.sight[one.cell] for one in view.creatures)


def _can_fire(model: Model) -> bool:
    """Return whether the wielded weapon can shoot a foe."""
    view, aim = model.view, shot(model.fact(Stat.REACH))
    return any(one.marks & _HOSTILE and not aim_fault(aim, view, one.cell) for one in view.creatures)


def _has_to_give(model: Model) -> bool:
    """Return whether the player carries anything that is not bound to them."""
    return any(not item.traits & _BOUND for item in model.view.inventory)
