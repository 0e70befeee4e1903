"""Renown of monsters: the players that they killed, their level gains, and the names that they earn."""

from typing import Final

from gloam_server.content.campaign import Campaign
from gloam_server.world.combat.revenge import avenger_of
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature, Victim, named_after
from gloam_server.world.model.events import NamedDied, Renown, RenownGained
from gloam_server.world.model.inputs import SetName, accept_once

VICTIMS_MAX: Final = 5
"""The most victims of a monster that are remembered by name, the newest."""

_TRIES: Final = 12
"""The number of names that a level suggests for a creature, in case others have them."""


def note_victim(stage: TurnContext, killer: Creature | None, victim: Creature) -> None:
    """Remember a player that a monster killed; the monster may earn a name by it."""
    if killer is None or killer.account or not victim.account:
        return
    killer.victim_count += 1
    killer.victims.append(Victim(victim.account, victim.family or victim.name))
    del killer.victims[:-VICTIMS_MAX]
    stage.renowned[killer.number] = None


def report_renown(stage: TurnContext) -> None:
    """Report to the realm each monster that gained renown in this input and is still here."""
    level = stage.level
    rules = level.campaign.named
    if not rules.max:
        return
    for number in stage.renowned:
        body = level.creatures.get(number)
        if body is None or body.account or body.owner or body.ally:
            continue
        if body.title or body.victims or body.levels_grown >= rules.levels:
            stage.outputs.append(RenownGained(_renown(stage, body)))


def report_death(stage: TurnContext, victim: Creature, by: str, killer: Creature | None) -> None:
    """Report to the realm that a named creature is dead, or gone permanently."""
    if not victim.title:
        return
    player = avenger_of(stage, killer)
    name = by if player is None else player.family or player.name
    account = 0 if player is None else player.account
    stage.outputs.append(NamedDied(victim.number, stage.level.place, victim.level, name, account))


def set_name(stage: TurnContext, input_: SetName) -> None:
    """Give a creature the name that the realm decided on, or take its name."""
    level = stage.level
    if not accept_once(level.state.heard, input_.source):
        return
    body = level.creatures.get(input_.creature)
    if body is None or body.account:
        return
    body.title = input_.title
    body.name = named_after(input_.title, level.campaign.creatures[body.kind].name)


def _renown(stage: TurnContext, body: Creature) -> Renown:
    campaign = stage.level.campaign
    return Renown(
        number=body.number,
        kind=campaign.creatures[body.kind].name,
        title=body.title,
        place=stage.level.place,
        level=body.level,
        grown=body.levels_grown,
        victims=tuple(victim.name for victim in body.victims),
        victim_count=body.victim_count,
        candidates=() if body.title else _suggestions(stage, campaign, body),
    )


def _suggestions(stage: TurnContext, campaign: Campaign, body: Creature) -> tuple[str, ...]:
    """Return names of a creature's people, in the order to try; none without a people."""
    people = campaign.peoples.get(campaign.creatures[body.kind].people)
    if people is None or not people.syllables_first or not people.syllables_last:
        return ()
    names = [
        stage.dice.pick("name_first", body.number, people.syllables_first)
        + stage.dice.pick("name_last", body.number, people.syllables_last)
        for _ in range(_TRIES)
    ]
    return tuple(dict.fromkeys(names))
