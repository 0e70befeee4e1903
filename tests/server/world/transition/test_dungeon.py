"""The dungeon: outputs of one place become inputs of another, in order, once, and the journal holds them all."""

import pytest

from gloam_lab.invariants import check_invariants
from gloam_server.rules.dice import Dice
from gloam_server.rules.growth import least_experience_beyond
from gloam_server.world.model.creature import Creature, new_creature
from gloam_server.world.model.events import Narration
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import (
    AdoptRules,
    Arrive,
    EnterPlay,
    Leave,
    PlayerAction,
    RecordMove,
    Remove,
    StoreBody,
    Turn,
    UnattendedTurn,
    decode,
)
from gloam_server.world.transition import dungeon as dungeons
from gloam_server.world.transition.dungeon import Applied, Dungeon, new_dungeon
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Climb, Wait
from support.content.campaigns import arena, shipped

DOWN = Climb(down=True)
GLOAM = shipped("gloam")


def peopled(*accounts: int, seed: int = 5) -> Dungeon:
    """Return a dungeon without monsters in which these players stand."""
    here = new_dungeon(arena(), seed)
    for account in accounts:
        here.apply_input(REALM_PARTITION, EnterPlay(account, f"Player{account}"))
    here.take_batch()
    return here


def body_of(here: Dungeon, account: int) -> Creature:
    life = here.realm.lives[account]
    return here.levels[life.partition].creatures[life.number]


def act(here: Dungeon, account: int, command: Climb | Wait) -> None:
    body = body_of(here, account)
    here.apply_input(here.realm.lives[account].partition, Turn((PlayerAction(body.number, 0, command),)))


def on_stairs(here: Dungeon, account: int) -> None:
    """Put stairs down under a player, and floor below them."""
    cell = body_of(here, account).cell
    here.levels[1].dig(cell, Terrain.STAIRS_DOWN)
    here.levels[2].dig(cell, Terrain.STAIRS_UP)


@pytest.mark.rule("F102")
def test_a_sound_is_an_input_only_where_someone_hears() -> None:
    """The growth of a creature near stairs reaches a player beside them below; without one it leaves no record there."""
    here = new_dungeon(GLOAM, 5)
    here.apply_input(REALM_PARTITION, EnterPlay(1, "Player1"))
    body, stairs = body_of(here, 1), here.levels[4].terrain.find(Terrain.STAIRS_DOWN)
    here.levels[1].remove(body)
    told = []
    for listens in (False, True):
        if listens:
            below = here.levels[4].state.links.get(stairs, stairs)
            here.levels[5].add(body, below, Dice(1, 1, 1))
        here.take_batch()
        grown = new_creature(GLOAM.creatures["kobold"], here.levels[4].new_id())
        grown.experience = least_experience_beyond(GLOAM.experience, grown.level)
        here.apply_input(4, Arrive(grown, stairs, (3, 1 + listens, 0)))
        told.append(summarize(here.take_batch().applied))
    assert told == [[(4, "Arrive")], [(4, "Arrive"), (5, "Resound")]]


def summarize(applied: list[Applied]) -> list[tuple[int, str]]:
    return [(each.partition, type(decode(each.body)).__name__) for each in applied]


def test_who_enters_stands_at_the_arrival_place() -> None:
    here = peopled(1)
    assert body_of(here, 1).cell == here.realm.arrival


def test_friends_arrive_beside_each_other() -> None:
    here = peopled(1, 2, 3)
    width = here.levels[1].grid.width
    for account in (2, 3):
        cell = body_of(here, account).cell
        assert abs(cell % width - here.realm.arrival % width) <= 1
        assert abs(cell // width - here.realm.arrival // width) <= 1


def test_monsters_first_level_begin_sight_arrival() -> None:
    """Monsters of the first level begin out of sight of the arrival place."""
    for seed in range(20):
        here = new_dungeon(arena(monsters=15), seed)
        dungeons.populate(here)
        here.apply_input(REALM_PARTITION, EnterPlay(1, "Player1"))
        level = here.levels[1]
        seen = level.field_of_view(body_of(here, 1))
        assert not any(seen[body.cell] for body in level.creatures.values() if not body.account)


def test_a_climb_is_a_turn_here_and_an_arrival_there() -> None:
    here = peopled(1)
    on_stairs(here, 1)
    cell = body_of(here, 1).cell
    act(here, 1, DOWN)
    assert here.realm.lives[1].partition == 2
    assert body_of(here, 1).cell == cell
    assert here.levels[1].creatures == {}
    assert summarize(here.take_batch().applied) == [(1, "Turn"), (2, "Arrive"), (0, "RecordMove")]


def test_a_follower_arrives_beside_its_target() -> None:
    here = peopled(1)
    on_stairs(here, 1)
    level, player = here.levels[1], body_of(here, 1)
    [beside] = [cell for cell in (player.cell + 1, player.cell - 1) if level.is_free(cell)][:1]
    kobold = new_creature(here.campaign.creatures["kobold"], level.new_id())
    here.apply_input(1, Arrive(kobold, beside, (9, 1, 0)))
    act(here, 1, DOWN)
    assert sorted(here.levels[2].creatures) == sorted((player.number, kobold.number))
    check_invariants(here.levels[2])


def test_source_names_place_input_and_output() -> None:
    """A source names the place the input and the output."""
    here = peopled(1)
    on_stairs(here, 1)
    sequence = here.sequence(1)
    act(here, 1, DOWN)
    arrive, moved = (decode(each.body) for each in here.take_batch().applied[1:])
    assert isinstance(arrive, Arrive)
    assert isinstance(moved, RecordMove)
    assert arrive.source == moved.source == (1, sequence + 1, 0)


def test_an_arrival_that_comes_twice_is_taken_once() -> None:
    here = peopled()
    kobold = new_creature(here.campaign.creatures["kobold"], 99)
    cell = here.realm.arrival
    here.apply_input(1, Arrive(kobold, cell, (2, 7, 0)))
    here.apply_input(1, Arrive(new_creature(here.campaign.creatures["kobold"], 100), cell, (2, 7, 0)))
    assert list(here.levels[1].creatures) == [99]
    here.apply_input(1, Arrive(new_creature(here.campaign.creatures["kobold"], 101), cell, (2, 7, 1)))
    assert sorted(here.levels[1].creatures) == [99, 101]


def test_leaves_kept_and_returns_same_place() -> None:
    """A body that leaves is kept and returns to the same place."""
    here = peopled(1)
    body = body_of(here, 1)
    body.hp = 9
    cell = body.cell
    here.apply_input(1, Leave(body.number))
    assert here.levels[1].creatures == {}
    assert here.realm.lives[1].kept is body
    here.apply_input(REALM_PARTITION, EnterPlay(1, "Player1"))
    assert (body_of(here, 1).cell, body_of(here, 1).hp) == (cell, 9)
    assert summarize(here.take_batch().applied) == [
        (1, "Leave"),
        (0, "StoreBody"),
        (0, "EnterPlay"),
        (1, "Arrive"),
    ]


def test_returns_stands_beside_took_place() -> None:
    """A body that returns stands beside a player who took its place."""
    here = peopled(1)
    cell = body_of(here, 1).cell
    here.apply_input(1, Leave(body_of(here, 1).number))
    here.apply_input(REALM_PARTITION, EnterPlay(2, "Player2"))
    assert body_of(here, 2).cell == cell
    here.apply_input(REALM_PARTITION, EnterPlay(1, "Player1"))
    assert body_of(here, 1).cell != cell
    check_invariants(here.levels[1])


def test_life_left_remembers_level_when_returns() -> None:
    """A life that left remembers its level when it returns."""
    here = peopled(1)
    number = body_of(here, 1).number
    known = bytes(here.levels[1].memory[number])
    here.apply_input(1, Leave(number))
    here.apply_input(REALM_PARTITION, EnterPlay(1, "Player1"))
    assert bytes(here.levels[1].memory[number]) == known


def dies_below(here: Dungeon) -> int:
    """Let the player go down and die there; return their body's number."""
    on_stairs(here, 1)
    act(here, 1, DOWN)
    body = body_of(here, 1)
    body.hp = 1
    level = here.levels[2]
    [beside] = [cell for cell in (body.cell + 1, body.cell - 1) if level.is_free(cell)][:1]
    here.apply_input(
        2, Arrive(new_creature(here.campaign.creatures["ogre"], level.new_id()), beside, (9, 1, 0))
    )
    act(here, 1, Wait())
    return body.number


def test_dead_buried_and_forgotten_level() -> None:
    """The dead are buried and forgotten by every level."""
    here = peopled(1)
    level_before = here.levels[1].memory
    assert level_before
    number = dies_below(here)
    assert here.realm.lives == {}
    assert all(number not in level.memory for level in here.levels.values())
    assert all(number not in level.creatures for level in here.levels.values())
    batch = here.take_batch()
    assert [death.number for death in batch.deaths] == [number]
    assert summarize(batch.applied)[-3:] == [(2, "Turn"), (0, "RecordDeath"), (1, "Remove")]


def test_a_level_forgets_the_dead_silently() -> None:
    here = peopled(1, 2)
    dies_below(here)
    assert not [
        event
        for partition, event in here.take_batch().events
        if partition == 1 and isinstance(event, Narration) and event.kind == "removed"
    ]


def test_player_removed_fault_goes_realm_unhurt() -> None:
    """A player who is removed for a fault goes to the realm unhurt and may return."""
    here = peopled(1)
    body = body_of(here, 1)
    known = bytes(here.levels[1].memory[body.number])
    here.apply_input(1, Remove(body.number, "a fault of the rules", (9, 1, 0)))
    assert here.levels[1].creatures == {}
    here.apply_input(REALM_PARTITION, EnterPlay(1, "Player1"))
    assert body_of(here, 1).number == body.number
    assert body_of(here, 1).hp == body.hp_max
    assert bytes(here.levels[1].memory[body.number]) == known


def test_monster_removed_gone() -> None:
    """A monster that is removed is gone and leaves no corpse."""
    here = peopled()
    here.apply_input(
        1, Arrive(new_creature(here.campaign.creatures["kobold"], 99), here.realm.arrival, (9, 1, 0))
    )
    here.apply_input(1, Remove(99, "a fault of the rules", (9, 2, 0)))
    assert here.levels[1].creatures == {}
    assert here.levels[1].piles == {}
    assert summarize(here.take_batch().applied) == [(1, "Arrive"), (1, "Remove")]


def test_replay_journal_place() -> None:
    """A replay of the journal place by place leads to the same dungeon."""
    here = new_dungeon(arena(monsters=6), 5)
    dungeons.populate(here)
    for account in (1, 2):
        here.apply_input(REALM_PARTITION, EnterPlay(account, f"Player{account}"))
    act(here, 1, Wait())
    here.apply_input(1, Leave(body_of(here, 2).number))
    here.apply_input(1, UnattendedTurn())
    twin = new_dungeon(arena(monsters=6), 5)
    for applied in sorted(here.take_batch().applied, key=lambda each: (each.partition, each.sequence)):
        twin.replay_input(applied.partition, decode(applied.body))
    assert twin.state_hash() == here.state_hash()
    assert twin.take_batch().applied == []


def test_journal_numbers_inputs_place_without_gap() -> None:
    """The journal numbers the inputs of each place without a gap."""
    here = peopled(1)
    on_stairs(here, 1)
    before = {partition: here.sequence(partition) for partition in here.partitions()}
    act(here, 1, DOWN)
    for partition in here.partitions():
        numbers = [each.sequence for each in here.take_batch().applied if each.partition == partition] or None
        if numbers is not None:
            assert numbers == list(range(before[partition] + 1, here.sequence(partition) + 1))


def test_now_and_record_carries_hash_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Now and then a record carries the hash of its place."""
    monkeypatch.setattr(dungeons, "HASH_EVERY", 3)
    here = new_dungeon(arena(), 5)
    for _ in range(7):
        here.apply_input(1, UnattendedTurn())
    assert [each.state_hash is not None for each in here.take_batch().applied] == [
        (n + 1) % 3 == 0 for n in range(7)
    ]


def test_an_input_goes_only_to_where_it_belongs() -> None:
    here = new_dungeon(arena(), 5)
    with pytest.raises(TypeError):
        here.apply_input(1, EnterPlay(1, "Player1"))
    with pytest.raises(TypeError):
        here.apply_input(REALM_PARTITION, UnattendedTurn())
    with pytest.raises(TypeError):
        here.apply_input(1, RecordMove(1, 1, (1, 1, 0)))
    with pytest.raises(TypeError):
        here.apply_input(1, StoreBody(new_creature(here.campaign.player_kind, 5), 1, (1, 1, 0)))


def test_both_kinds_of_places_note_a_change_of_rules() -> None:
    here = new_dungeon(arena(), 5)
    here.apply_input(1, AdoptRules(7))
    here.apply_input(REALM_PARTITION, AdoptRules(8))
    assert (here.levels[1].state.rules_version, here.realm.rules_version) == (7, 8)
