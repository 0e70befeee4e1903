"""The part of a pack that can be offered, and how two packs look after an exchange. Nothing here changes a creature."""

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from gloam_server.content.campaign import Campaign
from gloam_server.world.items.equipment import is_in_use, items_in_slot, put_in, slot_for
from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.outcome import Impossible

_MALFORMED: Final = Impossible("That is no offer: name each slot once, with the number of its items.", "gone")


class Pack(NamedTuple):
    """The inventory of a creature: the fields `slots` and `stacks`."""

    slots: list[Item | None]
    stacks: dict[int, list[Item]]


def is_offerable(creature: Creature, item: Item) -> bool:
    """Return whether a carried item may change hands in a trade: neither bound to a life nor in use."""
    return not (item.bound or is_in_use(creature, item))


def choose_items(creature: Creature, pairs: Sequence[int]) -> tuple[int, ...] | Impossible:
    """Return the numbers of the items that `pairs` of slots and counts name, rising; or why they cannot be offered."""
    slots, counts = pairs[::2], pairs[1::2]
    if len(slots) != len(counts) or len(set(slots)) != len(slots) or not all(counts):
        return _MALFORMED
    chosen: list[int] = []
    for slot, count in zip(slots, counts, strict=True):
        there = items_in_slot(creature, slot)
        if len(there) < count:
            return Impossible("You no longer carry that much of it.", "gone")
        free = [item.number for item in there if is_offerable(creature, item)]
        if len(free) < count:
            return _refuse_kept(there)
        chosen += free[len(free) - count :]
    return tuple(sorted(chosen))


def packs_after(
    campaign: Campaign, one: Creature, gives: Collection[int], other: Creature, gets: Collection[int]
) -> tuple[Pack, Pack] | Impossible:
    """Return both packs after an exchange, or why it cannot be: the refusal speaks to `one`."""
    given = [item for item in one.carried if item.number in gives]
    got = [item for item in other.carried if item.number in gets]
    if len(given) != len(gives) or len(got) != len(gets):
        return Impossible("That offer is gone: an item of it has left a pack.", "gone")
    mine, theirs = _with(campaign, one, gives, got), _with(campaign, other, gets, given)
    if mine is None:
        return Impossible("You have no room for all that you would get.", "full")
    if theirs is None:
        return Impossible(f"{other.name} has no room for all that you would give.", "friend_full")
    return mine, theirs


def _refuse_kept(there: Sequence[Item]) -> Impossible:
    """Return why items that are carried cannot be offered."""
    if any(item.bound for item in there):
        return Impossible("That is bound to your life; you cannot trade it away.", "bound")
    return Impossible("That is in use; take it off first.", "already")


def _with(campaign: Campaign, body: Creature, without: Collection[int], more: Sequence[Item]) -> Pack | None:
    """Return the pack of a body without some items and with others; None if there is no room."""
    slots: list[Item | None] = []
    stacks: dict[int, list[Item]] = {}
    for slot in range(len(body.slots)):
        kept = [item for item in items_in_slot(body, slot) if item.number not in without]
        slots.append(kept[0] if kept else None)
        if kept[1:]:
            stacks[slot] = kept[1:]
    draft = replace(body, slots=slots, stacks=stacks)
    for item in more:
        slot_or_none = slot_for(campaign, draft, item)
        if slot_or_none is None:
            return None
        put_in(draft, slot_or_none, item)
    return Pack(slots, stacks)
