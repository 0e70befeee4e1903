"""Summaries of an ended life, for its player. Pure."""

from collections.abc import Sequence
from typing import Final

from gloam_server.content.campaign import Campaign
from gloam_server.views.item_value import item_rank
from gloam_server.world.model.events import DroppedItem, PlayerDied
from gloam_server.world.realm.fame import NamedCreature
from gloam_shared.level_numbers import PartitionId, depth_of_level
from gloam_shared.limits import KEEPSAKES_MAX
from gloam_shared.narration.rendering import cause_of_damage, depth_text, list_names, with_article
from gloam_shared.protocol.messages.lives import Died

_NAMED_MAX: Final = 3
"""The most players of a crowd that are named in a line about it."""


def death_summary(
    campaign: Campaign, fallen: PlayerDied, killer: NamedCreature | None = None, told: PartitionId = 0
) -> Died:
    """Return the message to a player about the end of their life.

    `killer` is what the realm knows of the monster that ended it, if that has a name now; `told` is the level on which
    the news told of that name, 0 for none.
    """
    return Died(
        by=fallen.by if killer is None else killer.name,
        depth=depth_of_level(fallen.partition),
        level=fallen.level,
        experience=fallen.experience,
        turns=fallen.turns,
        kills=fallen.kills,
        cell=fallen.cell,
        won=fallen.won,
        life=describe_life(campaign, fallen, killer, told),
        keepsakes=tuple(left.name for left in keepsakes(campaign, fallen)),
    )


def keepsakes(campaign: Campaign, fallen: PlayerDied) -> tuple[DroppedItem, ...]:
    """Return the keepsakes offered to an heir, the best first."""
    offered = [left for left in fallen.remains if left.offered]
    return tuple(
        sorted(offered, key=lambda left: item_rank(campaign, left.name), reverse=True)[:KEEPSAKES_MAX]
    )


def describe_life(
    campaign: Campaign, fallen: PlayerDied, killer: NamedCreature | None = None, told: PartitionId = 0
) -> tuple[str, ...]:
    """Return a life in five lines: name, depth, defeated creatures, statistics and equipment, and the end (rule RG.30)."""
    return (
        _who(fallen),
        _way(fallen),
        _deeds(fallen),
        _strength(campaign, fallen),
        _end(campaign, fallen, killer, told),
    )


def arrival_text(names: Sequence[str]) -> str:
    """Return the message to the others about some arrivals."""
    return f"{_crowd(names)} {'comes' if len(names) == 1 else 'come'} into the dungeon."


def departure_text(names: Sequence[str]) -> str:
    """Return the message to the others about some departures."""
    return f"{_crowd(names)} {'has' if len(names) == 1 else 'have'} left the dungeon."


def _crowd(names: Sequence[str]) -> str:
    """Return some names, and how many others there are: "Anna, Bert, Cleo and 4 others"."""
    if len(names) <= _NAMED_MAX + 1:
        return list_names(names)
    return list_names([*names[:_NAMED_MAX], f"{len(names) - _NAMED_MAX} others"])


def _who(fallen: PlayerDied) -> str:
    if not fallen.family:
        return f"{fallen.name}, the first of the line."
    return f"{fallen.family}, of the line of {fallen.name}."


def _way(fallen: PlayerDied) -> str:
    depth = fallen.deepest or depth_of_level(fallen.partition)
    way = f"Won {_with_plural(fallen.wins, 'round')}, went" if fallen.wins else "Went"
    time = _with_plural(fallen.turns, "turn")
    rise = f"rose to level {fallen.level} with {fallen.experience} experience"
    return f"{way} down to depth {depth} and {rise} in {time}."


def _deeds(fallen: PlayerDied) -> str:
    foes = f"Defeated {_with_plural(fallen.kills, 'foe')}"
    if fallen.foe:
        foes += f", the greatest {with_article(fallen.foe)} of level {fallen.foe_level}"
    if fallen.named_slain:
        foes += f", with names: {', '.join(fallen.named_slain)}"
    lit = f" Lit {list_names(fallen.beacons)}." if fallen.beacons else ""
    return f"{foes}; dealt {fallen.dealt} damage and took {fallen.taken}.{lit}"


def _strength(campaign: Campaign, fallen: PlayerDied) -> str:
    scale = campaign.combat.scale
    attack, defence = ((value + scale // 2) // scale for value in (fallen.attack, fallen.defence))
    items = _with_plural(len(fallen.remains), "thing")
    summary = f"Had {fallen.hp_max} health, attack {attack} and defense {defence}, and carried {items}"
    used = [f"wielding {with_article(left.name)}" for left in fallen.remains if left.wielded]
    worn = [with_article(left.name) for left in fallen.remains if left.worn]
    used += [f"wearing {list_names(worn)}"] if worn else []
    return f"{summary}{', ' if used else ''}{' and '.join(used)}."


def _end(campaign: Campaign, fallen: PlayerDied, killer: NamedCreature | None, told: PartitionId) -> str:
    if not fallen.won:  # the cause is above the five lines, from `Died.by`
        return (
            f"Died on {_place(fallen)}.{_most_damage(campaign, fallen)}{_whereabouts(fallen, killer, told)}"
        )
    words = campaign.victory.words or "You won."
    natural = campaign.victory.rule == "use"
    later = " Died, long after, of perfectly natural causes." if natural else ""
    return f"Won by {fallen.by}. {words}{later}"


def _most_damage(campaign: Campaign, fallen: PlayerDied) -> str:
    """Return what took the most health since the player was unhurt or got up, if it was not the last blow (rule F56)."""
    if not fallen.worst or fallen.worst == fallen.by:
        return ""
    worst = "their own acts" if fallen.worst == fallen.name else cause_of_damage(fallen.worst)
    taken = f"{fallen.worst_damage} of {fallen.worst_total} points"
    since = "unhurt or got up" if campaign.friends.down_turns else "unhurt"
    return f" Since you were last {since}, the most damage was by {worst}: {taken}."


def _whereabouts(fallen: PlayerDied, killer: NamedCreature | None, told: PartitionId) -> str:
    """Return the present state of the monster that ended a life: of a named one, also where it is, if the news tells it."""
    if killer is None:
        return f" What killed you is level {fallen.killer_level} now." if fallen.killer_grown else ""
    if killer.partition == fallen.partition:
        went = "is still there"
    else:
        went = f"went to depth {depth_text(told)}" if told == killer.partition else "has left"
    return f" {killer.name} is level {killer.level} now and {went}."


def _place(fallen: PlayerDied) -> str:
    return f"depth {depth_text(fallen.partition)}"


def _with_plural(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
