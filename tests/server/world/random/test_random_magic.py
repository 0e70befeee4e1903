"""Laws that hold however wildly magic is used: invariants, names, friends, and that all of it ends."""

from functools import reduce

import pytest
from hypothesis import given

from gloam_lab.invariants import check_invariants
from gloam_server.rules.dice import Dice
from gloam_server.views.projection import project
from gloam_server.views.texts.narration import log_lines_for
from gloam_server.world.actions.casting import known_spells
from gloam_server.world.model.creature import Creature, Item, new_creature
from gloam_server.world.model.events import CreatureDied
from gloam_server.world.model.identification import knows_kind
from gloam_server.world.model.inputs import LevelInput
from gloam_server.world.model.level import Level
from gloam_server.world.model.modifiers import has_status
from gloam_server.world.transition.apply import Result
from gloam_server.world.transition.serialization import deserialize_level, serialize_level
from gloam_shared.appearance import Terrain
from gloam_shared.narration.rendering import render_line
from gloam_shared.protocol.commands import ActionCommand, Cast, Quaff, Read
from gloam_shared.view.view import Log
from support.content.magic_campaign import academy
from support.scenarios.scenario import facts, kinds, narrations
from support.world.outputs import departed
from support.world.random_level import Step, cave, choose_command, play, seeds, steps

CAMPAIGN = academy()


def school(seed: int) -> Level:
    """Return a cave of puddles where much that is magic lies about, and mages and eels live beside the others."""
    level = cave(seed, monsters=10, campaign=CAMPAIGN)
    floor = [
        cell for cell in range(len(level.terrain)) if level.is_empty_floor(cell) and cell not in level.piles
    ]
    dice = Dice(seed, 1, 0)
    *places, first, second = dice.shuffle("places", 0, floor, 25)
    for cell in (first, second, *places[3:]):
        level.dig(cell, Terrain.WATER)
    for cell, kind in zip((first, second, *places[:3]), ("eel", "eel", "mage", "mage", "mage"), strict=True):
        level.add(new_creature(CAMPAIGN.creatures[kind], level.new_id()), cell, dice)
    return level


def magic(level: Level, who: int, number: int) -> ActionCommand | None:
    """Return a command of random play: mostly magic, on oneself or on someone in sight."""
    body = level.creatures[who]
    body.mana = body.mana_max
    _stock(level, body)
    if number % 4 == 0:
        return choose_command(level, who, number // 4)
    sight = level.field_of_view(body)
    aims = [other.cell for other in level.creatures.values() if sight[other.cell]]
    aim = aims[number // 4 % len(aims)]
    slots = [(slot, item) for slot, item in enumerate(body.slots) if item is not None]
    slot, item = slots[number // 7 % len(slots)]
    kind = CAMPAIGN.items[item.kind]
    if kind.quaffs:
        return Quaff(slot)
    if kind.reads:
        return Read(slot, aim)
    spells = known_spells(level, body)
    return Cast(spells[number // 5 % len(spells)].key, aim) if spells else None


def _stock(level: Level, body: Creature) -> None:
    """Give a new life a book and potions, before the laws look at it."""
    if not body.carried:
        for slot, key in enumerate(("white_book", "poison_potion", "health_potion", "fireball_scroll")):
            kind = CAMPAIGN.items[key]
            body.slots[slot] = Item(level.new_id(), key, kind.name, kind.colour)


@given(seeds, steps)
def test_invariants_hold_whatever_cast_quaffed(seed: int, course: list[Step]) -> None:
    """The invariants hold after anything cast, quaffed and read."""
    play(school(seed), course, lambda level, _input, _result: check_invariants(level), magic)


@given(seeds, steps)
def test_a_level_full_of_magic_thaws_as_it_was(seed: int, course: list[Step]) -> None:
    level = school(seed)
    play(level, course, None, magic)
    frozen = serialize_level(level)
    assert serialize_level(deserialize_level(frozen, CAMPAIGN, level.realm_seed)) == frozen


@pytest.mark.rule("TG.23")
@given(seeds, steps)
def test_no_unknown_name_is_revealed(seed: int, course: list[Step]) -> None:
    """A view has no name that its player does not know."""

    def look(level: Level, _input: LevelInput, result: Result) -> None:
        for body in level.players():
            hiding = [kind for kind in CAMPAIGN.items.values() if kind.looks]
            known = sorted((kind.name for kind in hiding if knows_kind(body, kind)), key=len, reverse=True)
            secret = [kind.name for kind in hiding if not knows_kind(body, kind)]
            view = project(level, body, marks={}, party=(), log=Log())
            names = [thing.name for thing in view.items] + [thing.name for thing in view.pile]
            names += [thing.name for thing in view.inventory]
            lines = [log_lines_for(event, body.number) for event in narrations(result.events)]
            names += [render_line(line) for line in lines if line is not None]
            for name in names:
                rest = reduce(lambda text, word: text.replace(word, ""), known, name)
                assert not any(word in rest for word in secret), name

    play(school(seed), course, look, magic)


@given(seeds, steps)
def test_players_are_never_hurt_by_each_others_magic(seed: int, course: list[Step]) -> None:
    """No player dies by a friend, nor is asleep, afraid or poisoned by one."""

    def look(level: Level, _input: LevelInput, result: Result) -> None:
        players = {body.number for body in level.players()}
        for body in level.players():
            for state in body.lasting:
                harms = CAMPAIGN.spells[state.spell].harms
                assert not harms or state.by not in players - {body.number}
        for death in facts(result.events, CreatureDied):
            assert not {death.killer, death.victim} <= players

    play(school(seed), course, look, magic)


@given(seeds, steps)
def test_a_vanishing_creature_is_reported(seed: int, course: list[Step]) -> None:
    level = school(seed)
    present = set(level.creatures)

    def look(level: Level, _input: LevelInput, result: Result) -> None:
        vanished = {event.actor for event in narrations(result.events) if event.kind == "vanishes"}
        assert present - set(level.creatures) <= departed(result) | vanished
        present.clear()
        present.update(level.creatures)

    play(level, course, look, magic)


@pytest.mark.thorough
@pytest.mark.rule("TG.5")
@given(seeds, steps)
def test_not_seen_shown_senses(seed: int, course: list[Step]) -> None:
    """Only a viewer who senses all gets creatures out of sight."""

    def look(level: Level, _input: LevelInput, _result: Result) -> None:
        for body in level.players():
            view = project(level, body, marks={}, party=(), log=Log())
            sight = level.field_of_view(body)
            if has_status(CAMPAIGN, body, "detect"):
                assert len(view.creatures) == len(level.creatures)
            else:
                assert all(sight[creature.cell] for creature in view.creatures)
            assert all(sight[item.cell] for item in view.items)

    play(school(seed), course, look, magic)


@pytest.mark.thorough
def test_random_magic_is_not_idle() -> None:
    names: set[str] = set()
    for seed in range(12):
        play(
            school(seed),
            [(n % 7, (n * n * 37 + n * 11) % 10_007) for n in range(120)],
            lambda _level, _input, result: names.update(kinds(result.events)),
            magic,
        )
    assert names >= {"quaffs", "reads", "casts", "turns_out", "blasted", "begins", "ends", "falls_asleep"}
    assert names >= {"wakes", "fades_in", "appears", "vanishes", "maps", "bores", "heals", "kills"}
    assert names >= {"swaps_by_magic", "pushed"}
