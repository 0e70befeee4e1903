"""Bots at the table: whole lives, the same for the same seed, and nothing broken on the way."""

import pytest
from msgspec.structs import replace

from gloam_lab.balance.observer import Observer
from gloam_lab.balance.simulation import Simulation, choose_keepsake
from gloam_lab.bots import Adventurer
from gloam_lab.invariants import check_invariants
from gloam_server.world.model.events import DroppedItem, PlayerDied
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import RecordBeacon
from gloam_server.world.transition.dungeon import Dungeon
from gloam_shared.protocol.commands import AnyCommand, Wait
from gloam_shared.view.view import View
from support.content.beacon_campaign import beacon_arena
from support.content.campaigns import arena, shipped
from support.run.fault_seam import FaultSeam

pytestmark = pytest.mark.unchecked


@pytest.mark.thorough
def test_a_life_is_played_until_it_is_over() -> None:
    stats = Simulation(shipped("jsrogue"), 5, 1).play()
    life = stats.lives[0]
    assert life.end in ("died", "won")
    assert bool(life.cause) == (life.end == "died")
    assert stats.lives[0].turns > 100
    assert stats.met


@pytest.mark.thorough
def test_players_share_a_realm() -> None:
    table = Simulation(shipped("jsrogue"), 5, 3, turns_max=50)
    stats = table.play()
    assert len(stats.lives) == 3
    turns = [life.turns for life in stats.lives if life.end == "alive"]
    assert 49 <= max(turns) < 100, "the others may wait for it"


class Waiter(Adventurer):
    """A bot that only waits."""

    def decide(self, _view: View) -> AnyCommand:
        """Return a wait."""
        return Wait()


@pytest.mark.parametrize(("players", "turns"), [(1, 3), (2, 0)])
def test_no_turn_passes_while_all_wait_in_company(players: int, turns: int) -> None:
    """Friends who only wait for each other press no key: their time stands still, as on a server. Alone it is a turn."""
    table = Simulation(arena(), 3, players)
    for guest in table.players.values():
        guest.bot = Waiter()
    for _ in range(3):
        table.step()
    assert sum(each.turns for each in table.stats.depths) == turns


def test_all_take_the_kit_that_is_asked_for() -> None:
    """All take the kit that is asked for, also one that is not open to them yet."""
    table = Simulation(shipped("gloam"), 3, 2, kit="shadow")
    assert {player.life.kit for player in table.players.values()} == {"shadow"}
    bodies = [table.dungeon.levels[1].creatures[life.number] for life in table.dungeon.realm.lives.values()]
    assert all("quiet_feet" in body.learned for body in bodies)


@pytest.mark.thorough
def test_two_do_not_wait_for_each_other_for_ever() -> None:
    """With this seed both once waited to change places in a corridor until the last round."""
    table = Simulation(shipped("gloam"), 29, 2, turns_max=500)
    still, turns = 0, -1
    while table.step():
        before, turns = turns, sum(each.turns for each in table.stats.depths)
        still = still + 1 if turns == before else 0
        assert still < 100


@pytest.mark.thorough
def test_the_same_seed_is_the_same_tale() -> None:
    once, again = (Simulation(shipped("jsrogue"), 7, 2, turns_max=300) for _ in range(2))
    assert once.play() == again.play()
    assert once.dungeon.state_hash() == again.dungeon.state_hash()
    assert Simulation(shipped("jsrogue"), 8, 2, turns_max=300).play() != again.stats


@pytest.mark.thorough
def test_all_is_whole_after_every_input() -> None:
    def look(dungeon: Dungeon, _partition: int) -> None:
        for level in dungeon.levels.values():
            check_invariants(level)

    table = Simulation(arena(monsters=12, hunger="starve_or_choke"), 3, 2, turns_max=200)
    table.after_input = look

    assert table.play().lives


@pytest.mark.thorough
def test_observer_counts_every_level_up(seam: FaultSeam) -> None:
    """The observer misses no one on levels that no input reached."""
    report = Simulation(shipped("gloam"), 4, 2, turns_max=300).play()
    # It looks at every level before each input.
    seam.plant(Observer.record_changes, lambda *_: None)
    assert Simulation(shipped("gloam"), 4, 2, turns_max=300).play() == report


def test_who_outlives_the_last_turn_is_still_alive() -> None:
    stats = Simulation(arena(), 1, 1, turns_max=20).play()
    assert [life.end for life in stats.lives] == ["alive"]
    assert stats.lives[0].turns == 20


@pytest.mark.thorough
@pytest.mark.rule("F41", "F43", "F48")
def test_visitors_leave_nothing_behind() -> None:
    """Accounts that looked in and left change nothing: a player begins as in a new world."""
    new, visited = (Simulation(shipped("gloam"), 3, 1, visitors=count) for count in (0, 20))
    levels = [each.dungeon.levels[1] for each in (new, visited)]
    assert len({level.count_monsters() for level in levels}) == 1
    new_goods, goods = ([(cell, item.kind) for cell, item in level.items_at()] for level in levels)
    assert new_goods == goods
    assert [level.state.guests for level in levels] == [[1], [1]]
    assert all(level.state.company.keys() == {1} for level in levels)


@pytest.mark.thorough
def test_heirs_live_in_the_realm_of_the_dead() -> None:
    """Each player has three lives one after another; the levels live on, and each heir is born later."""
    gloam = shipped("gloam")
    frail = replace(gloam, creatures={**gloam.creatures, gloam.player: replace(gloam.player_kind, hp=3)})
    once, again = (Simulation(frail, 3, 2, turns_max=3_000, heirs=3) for _ in range(2))
    stats = once.play()
    lives = [(life.player, life.heir) for life in stats.lives]
    assert lives == sorted(lives)
    assert len(set(lives)) == len(lives)
    assert {(1, 0), (2, 0)} < set(lives), "no life was over after 1,000 turns"
    for account in (1, 2):
        assert once.dungeon.realm.born[account] == sum(player == account for player, _ in lives)
    assert again.play() == stats
    assert again.dungeon.state_hash() == once.dungeon.state_hash()


@pytest.mark.rule("F188")
@pytest.mark.parametrize(("lit", "beacons", "depth"), [(False, True, 1), (True, False, 1), (True, True, 2)])
def test_heirs_begin_at_a_lit_beacon(lit: bool, beacons: bool, depth: int) -> None:
    small = beacon_arena()
    frail = replace(small, creatures={**small.creatures, small.player: replace(small.player_kind, hp=1)})
    table = Simulation(frail, 3, 1, turns_max=400, heirs=2, beacons=beacons)
    if lit:
        table.dungeon.apply_input(REALM_PARTITION, RecordBeacon(2, 40, 1, (99, 1, 0)))
    begun = []

    def note(dungeon: Dungeon, _: int) -> None:
        if dungeon.realm.born[1] == 2 and 1 in dungeon.realm.lives:
            begun.append(dungeon.realm.lives[1].partition)

    table.after_input = note
    table.play()
    assert begun[0] == depth


@pytest.mark.thorough
def test_every_turn_and_death_is_on_a_depth() -> None:
    """Turns, deaths and visits by depth add up to the totals of the lives."""
    stats = Simulation(shipped("gloam"), 5, 2, turns_max=600, heirs=2).play()
    assert sum(each.visits for each in stats.depths) >= len(stats.lives)
    assert sum(each.deaths for each in stats.depths) == sum(life.end == "died" for life in stats.lives)
    assert all(0 <= each.danger <= each.turns for each in stats.depths)
    assert all(0 <= means.own <= means.actions for means in stats.means.values())
    assert stats.grown_marked == stats.grown_met


def test_an_heir_takes_what_was_worn() -> None:
    """The keepsake is the armor, else the weapon; nothing that is not offered."""
    fallen = PlayerDied(1, 7, "Bot1", "rat", 1, 0, 1, 0, 9, 0, 1)
    weapon = DroppedItem(4, "knife", wielded=True, worn=False, offered=True)
    armour = DroppedItem(5, "jerkin", wielded=False, worn=True, offered=True)
    assert choose_keepsake(fallen) == 0
    assert choose_keepsake(replace(fallen, remains=(weapon, armour))) == 5
    assert choose_keepsake(replace(fallen, remains=(weapon, replace(armour, offered=False)))) == 4
