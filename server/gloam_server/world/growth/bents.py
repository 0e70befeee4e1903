"""Bents and cards of players: what a gained level brings where the campaign has bents (rules F106, F107).

The first gained level offers the bents. From then on each level is a step of the bent, except those that offer cards; a
step may be taken instead of a card. `Creature.points` counts the choices that wait, `Creature.offer` keeps the cards of
the next one, so that no kill changes them while the player reads.
"""

from typing import Final

from msgspec import UNSET

from gloam_server.content.campaign import Campaign
from gloam_server.content.campaign_schema import Kit
from gloam_server.content.field_types import SIGHT_MAX
from gloam_server.content.growth.learning import Trait
from gloam_server.rules.dice import Dice
from gloam_server.world.growth.learning import is_new_trait, learn_trait
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.level import Level

_WITH_FRIENDS: Final = frozenset({"company", "guard"})

STEP: Final = "step"
"""The choice of a step of the bent instead of a card."""


def grows_by_bent(level: Level, creature: Creature) -> bool:
    """Return whether the levels of a creature bring steps and cards: a player does, where the campaign has bents."""
    return bool(creature.account and level.campaign.bents)


def gain_levels(context: TurnContext, body: Creature, gained: int) -> None:
    """Give a body what its last `gained` levels bring: steps of its bent, and choices that wait (rule F106)."""
    every = context.level.campaign.cards.every
    if body.bent is UNSET and not body.points:
        body.points = 1
    for number in range(body.level - gained + 1, body.level + 1):
        if every and number % every == 0:
            body.points += 1
        elif body.bent is UNSET:
            body.steps = 1 + (0 if body.steps is UNSET else body.steps)
        else:
            take_step(context, body)
    draw_offer(context.level, body)


def options_of(level: Level, body: Creature) -> tuple[str, ...]:
    """Return what the next choice of a body offers: keys of bents, or keys of cards and `STEP`; nothing without one."""
    if not body.points:
        return ()
    if body.bent is UNSET:
        return tuple(level.campaign.bents)
    return (*(() if body.offer is UNSET else body.offer), STEP)


def default_option(level: Level, body: Creature) -> int | None:
    """Return the option that is taken for a player: the bent of the kit, or a step, but never a card; None for none."""
    options = options_of(level, body)
    if not options or body.bent is not UNSET:
        return len(options) - 1 if options else None
    kit = kit_of(level.campaign, body)
    return options.index(kit.bent) if kit is not None and kit.bent in options else 0


def kit_of(campaign: Campaign, body: Creature) -> Kit | None:
    """Return the kit that a life has chosen; None for the starting kit, or one that the campaign no longer has."""
    return None if body.kit is UNSET else next(iter(campaign.kits[body.kit - 1 : body.kit]), None)


def choice_level(level: Level, body: Creature) -> int:
    """Return the level that the next choice of a body is for: 1 for the bent, the level of the cards; 0 for any other."""
    if not body.points or not grows_by_bent(level, body):
        return 0
    return 1 if body.bent is UNSET else card_level(level, body)


def card_level(level: Level, body: Creature) -> int:
    """Return the level of the first card that a body has not chosen; 0 without one.

    Each level with cards brings one choice, and they are made in their order: so those that wait are the last ones.
    """
    every = level.campaign.cards.every
    if not body.points or not every or body.bent is UNSET:
        return 0
    return max(1, body.level // every - body.points + 1) * every


def take_option(context: TurnContext, body: Creature, at: int) -> None:
    """Take an option of the next choice, by its index (rules F106, F107)."""
    chosen = options_of(context.level, body)[at]
    body.points -= 1
    if body.bent is UNSET:
        _take_bent(context, body, chosen)
    elif chosen == STEP:
        take_step(context, body)
        context.emit("stronger", body)
    else:
        trait = context.level.campaign.traits[chosen]
        learn_trait(context.level, body, trait)
        context.emit("takes_card", body, source=trait.name)
    body.offer = UNSET
    draw_offer(context.level, body)


def _take_bent(context: TurnContext, body: Creature, key: str) -> None:
    body.bent = key
    context.emit("takes_card", body, source=f"the ways of the {context.level.campaign.bents[key].name}")
    waiting, body.steps = (0 if body.steps is UNSET else body.steps), UNSET
    for _ in range(waiting):
        take_step(context, body)


def take_step(context: TurnContext, body: Creature) -> None:
    """Raise a body by one step of its bent."""
    bent = context.level.campaign.bents.get("" if body.bent is UNSET else body.bent)
    if bent is None:  # another version of the campaign had it
        return
    body.hp_max += bent.health
    body.hp += bent.health
    body.attack += bent.attack
    body.defence += bent.defence
    body.mana_max += bent.mana
    body.mana += bent.mana
    if bent.sight:
        body.sight = min(SIGHT_MAX, body.sight + bent.sight)
        context.level.sight.note_change(body.number)


def draw_offer(level: Level, body: Creature) -> None:
    """Draw the cards of the next choice, by the realm's seed, the life and the level that they are for (rule F107)."""
    number = card_level(level, body)
    if not number or body.offer is not UNSET:
        return
    dice = Dice(level.realm_seed, REALM_PARTITION, body.number)
    pool = cards_for(level, body)
    drawn: list[str] = []
    while pool and len(drawn) < level.campaign.cards.offered:
        card = dice.weighted("card", number, pool, lambda trait: trait.card)
        pool.remove(card)
        drawn.append(card.key)
    body.offer = tuple(drawn)


def cards_for(level: Level, body: Creature) -> list[Trait]:
    """Return the cards that a body may be offered: those for its kit and bent, and what creatures that it killed learn.

    What needs a friend beside is for members of a party, and for who has a companion.
    """
    campaign = level.campaign
    kit = kit_of(campaign, body)
    suits = {kit.key if kit is not None else "", "" if body.bent is UNSET else body.bent} - {""}
    killed = body.statistics.slain.keys()
    alone = body.member is UNSET and not any(each.owner == body.number for each in level.creatures.values())
    cards = []
    for key, trait in sorted(campaign.traits.items()):
        learners = campaign.learners.get(key)
        if not trait.card or not is_new_trait(level, body, key):
            continue
        if alone and any(power.does in _WITH_FRIENDS for power in trait.powers):
            continue
        fits = not trait.suits or not suits.isdisjoint(trait.suits)
        if fits if learners is None else not killed.isdisjoint(learners):
            cards.append(trait)
    return cards
