"""Duels: what fights cost that the estimate of danger names with one word, as the fighting plan fights them.

`python -m support.balance.duels COUNT FIRST` plays from the seed FIRST on until each word has that many duels, and prints a
table; `make duels` plays 1,000 from seed 1. A duel is a room with a player of some level, with the means that players of that level have, and one to three
awake foes. The player does what the fighting plan does, also below half of their health, until one side is dead or out
of sight. The same seed plays the same duel.
"""

import sys
from collections.abc import Iterator
from itertools import count
from typing import Final, NamedTuple

from gloam_server.autopilot.fighting import next_blow
from gloam_server.content.campaign import Campaign
from gloam_server.content.creatures import CreatureKind
from gloam_server.rules.dice import Dice
from gloam_server.views.projection import project
from gloam_server.world.actions.registry import plan
from gloam_server.world.items.equipment import attack_wielding
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature, new_creature
from gloam_server.world.model.inputs import PlayerAction, Turn, UnattendedTurn
from gloam_server.world.model.level import Level
from gloam_server.world.model.outcome import Impossible
from gloam_server.world.population.spawning import raise_to_level
from gloam_server.world.population.starting_gear import give_starting_gear
from gloam_server.world.transition.apply import apply
from gloam_server.world.transition.turn import can_act
from gloam_server.world.transition.turn_groups import turn_groups
from gloam_shared.protocol.commands import ActionCommand, Wait
from gloam_shared.view.danger import WORDS as DANGER_WORDS
from gloam_shared.view.danger import danger_of_fight, danger_together
from gloam_shared.view.view import CreatureFlag, Log
from support.content.campaigns import shipped
from support.content.expected_blows import player_at
from support.scenarios.scenario import Scenario

WORDS: Final = DANGER_WORDS[1:]
"""The words of danger, the mildest first. A foe without an attack ("harmless") fights no duel."""
_TURNS_MAX: Final = 200
_LEVEL_MAX: Final = 20
_NEAR: Final = 6
_ROOM: Final = """
    #################
    #...............#
    #...............#
    #...............#
    #.......1.......#
    #...............#
    #...............#
    #...............#
    #################
"""
_BOWS: Final = ("sling", "short_bow", "long_bow", "war_bow", "moon_bow")
_RINGS: Final = ("ring_embers", "ring_frost", "ring_toads")
_MISSILES: Final = ("rock", "knife", "javelin")


class Duel(NamedTuple):
    """A duel: the foes, the gravest word before it, all wounds in percent of the player's health, and whether they died."""

    foes: tuple[str, ...]
    word: str
    lost: int
    died: bool
    turns: int


def duel(seed: int) -> Duel | None:
    """Return the duel of a seed; None if no foe in sight can hurt."""
    campaign, dice = shipped("gloam"), Dice(seed, 1, 1)
    scene = Scenario(_ROOM, campaign=campaign, seed=seed)
    _equip(scene, scene["1"], 1 + dice.roll("level", 1, _LEVEL_MAX), dice)
    level, body = scene.level, scene["1"]
    foes = _put_foes(level, body, dice)
    view = project(level, body, marks={}, party=(), log=Log())
    hostile = [one for one in view.creatures if one.marks & CreatureFlag.HOSTILE]
    damage = campaign.combat.damage
    words = [danger_of_fight(one, view, damage).word for one in hostile]
    together = danger_together(hostile, view, damage)
    word = max([*words, together or "harmless"], key=DANGER_WORDS.index)
    if word not in WORDS:
        return None
    return _fought(level, body, word, tuple(foe.name for foe in foes))


def _fought(level: Level, body: Creature, word: str, foes: tuple[str, ...]) -> Duel:
    hp, turns, wounds = body.hp, 0, 0
    while turns < _TURNS_MAX and body.number in level.creatures and _foes_left(level, body):
        turns, before = turns + 1, body.hp
        _run_turn(level, body)
        wounds += max(0, before - body.hp)
    died = body.number not in level.creatures
    lost = 100 if died else min(100, 100 * wounds // hp)
    return Duel(foes, word, lost, died, turns)


def duels(least: int, first: int = 1) -> dict[str, list[Duel]]:
    """Return the duels of each word, from the seed `first` on, until each word has as many as wanted."""
    found: dict[str, list[Duel]] = {word: [] for word in WORDS}
    for seed in count(first):
        one = duel(seed)
        if one is not None and len(found[one.word]) < least:
            found[one.word].append(one)
        if all(len(each) >= least for each in found.values()):
            return found
    raise AssertionError("the seeds do not end")


def _equip(scene: Scenario, body: Creature, at: int, dice: Dice) -> None:
    """Give the player the numbers and some of the means that players of a level have."""
    fighter = player_at(at)
    body.level = at
    body.hp_max = fighter.hp
    body.hp = max(1, fighter.hp * (50 + 5 * dice.roll("health", 1, 11)) // 100)
    body.attack, body.defence = fighter.attack, fighter.defence
    body.mana_max = body.mana = 8 + 4 * (at // 4)
    drawn = dice.roll("means", 1, 6)
    if drawn == 0:
        bow = scene.give("1", _BOWS[min(len(_BOWS) - 1, at // 5)])[0]
        body.wielded = bow.number
        body.attack = max(200, fighter.attack - 300)
    elif drawn == 1:
        scene.give("1", *[_MISSILES[dice.roll("missile", 1, 3)]] * 3)
    elif drawn == 2:
        scene.give("1", "book_fire")
    elif drawn == 3:
        _give_habit(scene, body, dice)
        body.ring = scene.give("1", dice.pick("ring", 1, _RINGS))[0].number


def _give_habit(scene: Scenario, body: Creature, dice: Dice) -> None:
    """Put a weapon with a habit or a kind of damage into the player's hand, as strong as the bare numbers of the level."""
    kinds = [
        kind
        for kind in scene.level.campaign.items.values()
        if kind.powers
        and kind.attack
        and not kind.ranged
        and kind.levels
        and kind.levels[0] <= body.level <= kind.levels[1]
    ]
    if kinds:
        weapon = scene.give("1", dice.pick("weapon", 1, kinds).key)[0]
        body.wielded = weapon.number
        body.attack = max(200, body.attack - attack_wielding(scene.level.campaign, weapon))


def _put_foes(level: Level, body: Creature, dice: Dice) -> list[Creature]:
    """Put one to three awake foes near the player, of one kind or several, of levels around the player's."""
    context, foes = TurnContext(level, dice), list[Creature]()
    alike, kind = not dice.roll("alike", 1, 2), None
    for at in range((1, 1, 1, 2, 2, 3)[dice.roll("number", 1, 6)]):
        strength = max(1, body.level - 5 + dice.roll("strength", at, 10))
        if kind is None or not alike:
            kind = dice.pick("kind", at, _kinds_of(level.campaign, strength))
        foe = new_creature(kind, level.new_id())
        free = [
            cell
            for cell in range(len(level.terrain))
            if level.is_empty_floor(cell) and level.grid.distance(cell, body.cell) <= _NEAR
        ]
        level.add(foe, dice.pick("cell", at, free), dice)
        raise_to_level(context, foe, strength)
        foe.hp = foe.hp_max
        give_starting_gear(context, foe)
        foe.ai.hidden, foe.asleep = False, 0
        foes.append(foe)
    return foes


def _kinds_of(campaign: Campaign, strength: int) -> list[CreatureKind]:
    """Return the kinds that appear at a level and walk on dry floor."""
    return [
        kind
        for kind in campaign.creatures.values()
        if kind.spawns
        and kind.levels
        and kind.levels[0] <= strength <= kind.levels[1]
        and not kind.lives_in_water
    ]


def _run_turn(level: Level, body: Creature) -> None:
    group = turn_groups(level, level.sequence).of(body.number)
    command = _command(level, body) if can_act(level, group, body) else None
    apply(level, Turn((PlayerAction(body.number, 0, command),)))
    if level.state.wild_due:
        apply(level, UnattendedTurn())


def _command(level: Level, body: Creature) -> ActionCommand:
    wanted = next_blow(project(level, body, marks={}, party=(), log=Log()), level.campaign.combat.damage)
    if isinstance(wanted, str) or isinstance(plan(level, body, wanted), Impossible):
        return Wait()
    return wanted


def _foes_left(level: Level, body: Creature) -> bool:
    return any(not one.account and one.owner != body.number for one in level.creatures.values())


def table(found: dict[str, list[Duel]]) -> Iterator[str]:
    """Yield the lines of the table of words."""
    yield f"{'word':10}{'duels':>7}{'deaths':>8}{'<=25 %':>8}{'median':>8}{'9 of 10':>8}{'turns':>7}"
    for word, fought in found.items():
        lost = sorted(one.lost for one in fought)
        few = sum(one <= 25 for one in lost)
        died = sum(one.died for one in fought)
        turns = sorted(one.turns for one in fought)[len(fought) // 2]
        yield (
            f"{word:10}{len(fought):7}{died * 100 // len(fought):7}%{few * 100 // len(fought):7}%"
            f"{lost[len(lost) // 2]:7}%{lost[len(lost) * 9 // 10]:7}%{turns:7}"
        )


if __name__ == "__main__":
    sys.stdout.write("\n".join(table(duels(*map(int, sys.argv[1:])))) + "\n")
