"""Renown of monsters: the players that they killed, their level gains, and the names that they earn."""

from typing import Final

from msgspec import UNSET, UnsetType

from gloam_server.content.campaign import Campaign
from gloam_server.world.growth.revenge import avenger_of
from gloam_server.world.growth.sounds import resound
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature, Victim, named_after
from gloam_server.world.model.creature_state import LevelCell
from gloam_server.world.model.events import ChangedLevel, Renown
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import Envelope, RecordNamedDeath, RecordRenown, SetName, accept_once
from gloam_shared.level_numbers import PartitionId

VICTIMS_MAX: Final = 5
"""The most victims of a monster that are remembered by name, the newest."""

HEARD_PERCENT: Final = 2
"""The chance that a named monster is heard in an action that no player sees."""

GREETED_MAX: Final = 8
"""The most players that a monster remembers to have greeted, the newest."""

_TRIES: Final = 12
"""The number of names that a level suggests for a creature, in case others have them."""


def note_victim(context: TurnContext, killer: Creature | None, victim: Creature) -> None:
    """Remember a player that a monster killed; the monster may earn a name by it."""
    if killer is None or killer.account or not victim.account:
        return
    killer.victim_count += 1
    killer.victims.append(Victim(victim.account, victim.family or victim.name, victim.member))
    del killer.victims[:-VICTIMS_MAX]
    killer.ai.sighted = LevelCell(context.level.partition, killer.cell)
    context.renowned[killer.number] = True


def report_renown(context: TurnContext) -> None:
    """Report to the realm each monster that gained renown in this input and is still here.

    A slayer that left in the same input, since no player is left to see it, is reported where it goes (rule F99).
    """
    level = context.level
    rules = level.campaign.named
    if not rules.max:
        return
    gone = {each.creature.number: each for each in context.outputs if isinstance(each, ChangedLevel)}
    for number, slew in context.renowned.items():
        left = gone.get(number) if slew else None
        body = level.creatures.get(number) if left is None else left.creature
        if (
            body is None
            or body.account
            or level.campaign.creatures[body.kind].speech
            or ((body.owner or body.ally) and body.bond != "companion")
        ):
            continue
        if body.title or body.victims or body.levels_grown >= (rules.levels if body.bond is UNSET else 1):
            partition = level.partition if left is None else left.partition
            renown = _renown(context, body, partition, slew=slew)
            context.outputs.append(Envelope(REALM_PARTITION, RecordRenown(renown)))


def be_seen(context: TurnContext, creature: Creature) -> None:
    """Let a monster that grew before anyone saw it earn its name at the first sight of players (rule F133)."""
    if creature.title:
        _be_seen_by_name(context, creature)
    elif (
        creature.levels_grown >= context.level.campaign.named.levels
        and not creature.owner
        and creature.ai.sighted is None
        and not creature.hidden
        and context.level.observers(creature.cell)
    ):
        creature.ai.sighted = LevelCell(context.level.partition, creature.cell)
        context.renowned.setdefault(creature.number, False)


def _be_seen_by_name(context: TurnContext, creature: Creature) -> None:
    """Note where players see a named monster; it greets the first that knows its name and was not greeted before (rule F100)."""
    level = context.level
    if creature.hidden:
        return
    observers = level.observers(creature.cell)
    if not observers:
        if context.dice.chance("is heard", creature.number, HEARD_PERCENT):
            resound(context, "name", creature)
        return
    creature.ai.sighted = LevelCell(level.partition, creature.cell)
    people = level.campaign.peoples.get(level.campaign.creatures[creature.kind].people)
    greeted = creature.ai.greeted
    lines = people.speech if people is not None else ()
    for body in observers if lines else ():
        if body.account not in greeted and _knows(body, creature):
            creature.ai.greeted = [*greeted, body.account][-GREETED_MAX:]
            context.emit("speaks", creature, source=context.dice.pick("speech", creature.number, lines))
            return


def _knows(player: Creature, named: Creature) -> bool:
    """Return whether a player knows a monster by name: it killed an earlier life of theirs, or a member of their party."""
    return any(
        victim.account == player.account or (victim.party is not UNSET and victim.party == player.member)
        for victim in named.victims
    )


def report_death(context: TurnContext, victim: Creature, by: str, killer: Creature | None) -> None:
    """Report to the realm that a named creature is dead, or gone permanently."""
    if not victim.title:
        return
    player = avenger_of(context, killer)
    name = by if player is None else player.family or player.name
    account = 0 if player is None else player.account
    context.outputs.append(
        Envelope(
            REALM_PARTITION,
            RecordNamedDeath(victim.number, context.level.partition, victim.level, name, account),
        )
    )


def set_name(context: TurnContext, input_: SetName) -> None:
    """Give a creature the name that the realm decided on, or take its name."""
    level = context.level
    if not accept_once(level.state.heard, input_.source):
        return
    body = level.creatures.get(input_.creature)
    if body is None or body.account:
        return
    body.title = input_.title
    body.name = named_after(input_.title, level.campaign.creatures[body.kind].name)


def _renown(context: TurnContext, body: Creature, partition: PartitionId, *, slew: bool) -> Renown:
    campaign = context.level.campaign
    return Renown(
        number=body.number,
        kind=campaign.creatures[body.kind].name,
        title=body.title,
        partition=partition,
        level=body.level,
        grown=body.levels_grown,
        victims=tuple(victim.name for victim in body.victims),
        victim_count=body.victim_count,
        candidates=() if body.title else _suggestions(context, campaign, body),
        friend=_friend_of(context, body),
        slew=slew or UNSET,
    )


def _friend_of(context: TurnContext, body: Creature) -> str | UnsetType:
    """Return the name of the player whose companion a creature is; unset for none."""
    owner = context.level.creatures.get(body.owner) if body.bond == "companion" else None
    return UNSET if owner is None else owner.family or owner.name


def _suggestions(context: TurnContext, campaign: Campaign, body: Creature) -> tuple[str, ...]:
    """Return names of a creature's people, in the order to try; none without a people."""
    people = campaign.peoples.get(campaign.creatures[body.kind].people)
    if people is None or not people.syllables_first or not people.syllables_last:
        return ()
    names = [
        context.dice.pick("name_first", body.number, people.syllables_first)
        + context.dice.pick("name_last", body.number, people.syllables_last)
        for _ in range(_TRIES)
    ]
    return tuple(dict.fromkeys(names))
