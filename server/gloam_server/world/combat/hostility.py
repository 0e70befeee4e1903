"""Enemies and holding: one predicate, which time, plans, leaving and safety all use."""

from collections.abc import Sequence
from typing import Final

from gloam_server.content.campaign import Campaign
from gloam_server.world.items.equipment import total_attack
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level

CONTACT_ACTIONS: Final = 20
"""The number of a player's own actions for which an attack, or help, keeps an enemy's hold on them."""


def is_hostile(level: Level, one: Creature, other: Creature) -> bool:
    """Return whether `one` would attack `other`.

    Players are hostile to each other only in a duel to which both agreed (rule F13). A creature that a player
    summoned is on their side. Creatures are hostile to players, to the kinds that their own kind hates, and to every
    creature that hurt them, but never to their summoner. A captive has no foe (rule F116).
    """
    if one.account and other.account:
        return other.number in one.consents and one.number in other.consents
    ours, theirs = one.account or one.ally, other.account or other.ally
    if one.number == other.number or (ours and theirs):
        return False
    if one.number == other.owner or other.number == one.owner or (one.owner and one.owner == other.owner):
        return False
    if one.bond == "captive" or other.bond == "captive":
        return False
    if ours or theirs:
        return True
    hates = level.campaign.creatures[one.kind].hates
    return other.kind in hates or other.number in one.contacts


def possible_enemies(level: Level, creature: Creature) -> list[Creature]:
    """Return all creatures that a creature may be hostile to, in no order.

    A monster has players and their allies as foes, the kinds that it hates, and those that it has fought.
    """
    if is_on_players_side(creature):
        return list(level.creatures.values())
    hates = level.campaign.creatures[creature.kind].hates

    def certain(_: object) -> list[Creature]:
        return [each for each in level.creatures.values() if each.account or each.ally or each.kind in hates]

    foes = level.caches.foes[creature.kind].get((), True, certain)
    if not creature.contacts:
        return foes
    met = [level.creatures[number] for number in creature.contacts if number in level.creatures]
    return foes + [other for other in met if not (other.account or other.ally or other.kind in hates)]


def is_on_players_side(creature: Creature) -> bool:
    """Return whether a creature is a player, or on the players' side because one of them summoned it."""
    return bool(creature.account or creature.ally)


def make_ally(level: Level, creature: Creature) -> None:
    """Put a creature of a level permanently on the players' side, also after its summoner's death."""
    creature.ally = True
    level.caches.foes.clear()


def is_enemy(level: Level, creature: Creature, player: Creature) -> bool:
    """Return whether a creature is an enemy of a player: awake, hostile to them, and able to harm them."""
    return not creature.asleep and is_hostile(level, creature, player) and total_attack(level, creature) > 0


def holds(level: Level, creature: Creature, player: Creature) -> bool:
    """Return whether a creature holds a player: an enemy that the player sees, or had recent contact with."""
    return bool(_in_touch(level, player, (creature,))) and is_enemy(level, creature, player)


def enemies_holding(level: Level, player: Creature, near: Sequence[Creature] | None = None) -> list[int]:
    """Return the numbers of the enemies that hold a player, rising.

    `near` are the monsters among which the player's enemies are; by default all of the level.
    """
    near = _in_touch(level, player, level.monsters() if near is None else near)
    if player.consents:
        rivals = [level.creatures[number] for number in player.consents if number in level.creatures]
        near += _in_touch(level, player, rivals)
    return sorted([creature.number for creature in near if is_enemy(level, creature, player)]) if near else []


def is_held(level: Level, player: Creature) -> bool:
    """Return whether anything holds a player: between two inputs the turn groups know it, within one it may change."""
    groups = level.caches.turn_groups.find((), level.state.sequence)
    if groups is not None:
        return player.number in groups.held
    return bool(enemies_holding(level, player))


def is_watched(level: Level, creature: Creature) -> bool:
    """Return whether a player sees a creature, or had contact with it in its last `CONTACT_ACTIONS` actions."""
    bodies, now = level.creatures, creature.actions
    return bool(level.witnesses(creature.cell)) or any(
        now - when < CONTACT_ACTIONS and (other := bodies.get(number)) is not None and other.account
        for number, when in creature.contacts.items()
    )


def _in_touch(level: Level, player: Creature, creatures: Sequence[Creature]) -> list[Creature]:
    """Return the creatures, of the given ones, that a player sees or had recent contact with.

    A hidden creature has no contact with any player, because its hold would reveal it.
    """
    if not creatures:
        return []
    seen, contacts = level.field_of_view(player), player.contacts
    # Most creatures are strangers and out of sight; this is called for each player in each turn.
    known = [creature for creature in creatures if seen[creature.cell] or creature.number in contacts]
    return [
        creature
        for creature in known
        if not creature.hidden
        and (seen[creature.cell] or player.actions - contacts[creature.number] < CONTACT_ACTIONS)
    ]


def make_enemy(one: Creature, other: Creature) -> None:
    """Make a creature hostile to another before any attack."""
    one.contacts.setdefault(other.number, one.actions)


def remember_contact(one: Creature, other: Creature) -> None:
    """Let two creatures remember a contact, each by its own count of actions."""
    one.contacts[other.number] = one.actions
    other.contacts[one.number] = other.actions


def join_fight(level: Level, helper: Creature, helped: Creature) -> None:
    """Make the enemies that hold a player hold their helper, too."""
    for number in enemies_holding(level, helped):
        helper.contacts[number] = helper.actions


def forget_old_contacts(creature: Creature) -> None:
    """Drop expired contacts; a monster keeps its grudges."""
    if creature.account:
        stale = [n for n, when in creature.contacts.items() if creature.actions - when >= CONTACT_ACTIONS]
        for number in stale:
            del creature.contacts[number]


def is_kin(campaign: Campaign, creature: Creature, other: Creature) -> bool:
    """Return whether two creatures are of one kind or one people."""
    people = campaign.creatures[creature.kind].people
    return creature.kind == other.kind or bool(people and people == campaign.creatures[other.kind].people)
