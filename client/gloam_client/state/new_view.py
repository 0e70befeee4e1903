"""The notes that the client takes of each new view: the items and stains in it, the friends, the fight. Pure."""

from typing import Final

from msgspec.structs import replace

from gloam_client.state.event_log import fresh_lines, merge_log
from gloam_client.state.fights import note_fights, note_turn
from gloam_client.state.map.friend_locations import update_locations
from gloam_client.state.map.item_memory import update_item_memory
from gloam_client.state.map.sightings import announcement, update_sightings
from gloam_client.state.map.stains import update_stains
from gloam_client.state.model import Model, add_message
from gloam_shared.view.view import CreatureFlag, InventoryItem, View

_SELF: Final = int(CreatureFlag.SELF)
"""A plain number: a flag itself is slow to compare."""


def slots_by_age(
    before: tuple[int, ...], old: tuple[InventoryItem, ...], new: tuple[InventoryItem, ...]
) -> tuple[int, ...]:
    """Return the slots of an inventory, those with new items or more of them last; the rest stays in its order."""
    if new is old:
        return before
    had = {item.slot: (item.name, item.count) for item in old}
    come = [item.slot for item in new if _is_more(item, *had.get(item.slot, ("", 0)))]
    kept = {item.slot for item in new}.difference(come)
    return (*(slot for slot in before if slot in kept), *come)


def _is_more(item: InventoryItem, name: str, count: int) -> bool:
    return item.name != name or item.count > count


def announce_sightings(model: Model, *, turn: bool) -> Model:
    """Return the model with the foes announced that have entered view.

    The reason of a plan that ended for such a foe may arrive before the view, and is in the announcement, too.
    """
    sightings, new = update_sightings(model.memory.sightings, model.view, turn=turn)
    if sightings != model.memory.sightings:
        model = replace(model, memory=replace(model.memory, sightings=sightings))
    if not new or not model.in_dungeon:
        return model
    text = announcement(new, model.view, model.world.damage)
    log = model.messages.without_last(
        lambda last: last.turn == model.turn and text.startswith(f"{last.text[:-1]}, ")
    )
    return add_message(replace(model, messages=replace(log, announced_at=model.turn)), text, "urgent")


def take_view(model: Model, view: View, *, done: bool = False) -> Model:
    """Return the model with a new view and its fight; with reduced motion nothing in it flashes.

    `done` says that a command of the player was carried out.
    """
    flashes, views = model.options.motion == "full", (model.view, view)
    fights = note_turn(model.fights, views, fresh_lines(model, view.log), done=done)
    fights = note_fights(fights, views, model.turn, model.now_ms, flashes=flashes)
    return replace(model, view=view, fights=fights)


def note_items(before: Model, model: Model) -> Model:
    """Return the model that remembers the items of a new view, and which are the newest ones in the pack."""
    memory, old, view = model.memory, before.view, model.view
    slots = slots_by_age(memory.newest_slots, old.inventory, view.inventory)
    recall = memory.recall if _shows_same_items(old, view) else update_item_memory(memory.recall, view)
    if slots is memory.newest_slots and recall is memory.recall:
        return model
    return replace(model, memory=replace(memory, newest_slots=slots, recall=recall))


def _shows_same_items(old: View, view: View) -> bool:
    """Return whether two views have the same items in sight, as objects: a patch keeps what it does not change."""
    return (
        view.items is old.items
        and view.pile is old.pile
        and view.sight is old.sight
        and view.cell == old.cell
        and view.place is old.place
    )


def note_stains(before: Model, model: Model) -> Model:
    """Return the model that remembers the stains on the floor in a new view."""
    memory, old, view = model.memory, before.view, model.view
    if _shows_same_items(old, view) and view.surfaces is old.surfaces:
        return model
    stains = update_stains(memory.stains, (old, view), model.fights.turns)
    return model if stains is memory.stains else replace(model, memory=replace(memory, stains=stains))


def note_friends(before: Model, model: Model) -> Model:
    """Return the model that remembers the friends of a new view: where each was, and which are of the party."""
    memory, company, view = model.memory, model.company, model.view
    whereabouts = update_locations(memory.whereabouts, view)
    if whereabouts is not memory.whereabouts:
        model = replace(model, memory=replace(memory, whereabouts=whereabouts))
    if view.party is before.view.party:
        return model
    party = company.party.meet(one.name for one in view.party if not one.marks & _SELF)
    return model if party is company.party else replace(model, company=replace(company, party=party))


def note_log(_before: Model, model: Model) -> Model:
    """Return the model with the new lines of a new view's log."""
    return merge_log(model, model.view.log)
