"""Bots at the table: whole lives, the same for the same seed, and nothing broken on the way."""

from gloam_server.balance.observer import Observer
from gloam_server.balance.simulation import Simulation
from gloam_server.world.engine.dungeon import Dungeon
from gloam_server.world.engine.invariants import check_invariants
from support.content.campaigns import arena, shipped
from support.run.fault_seam import FaultSeam


def test_a_life_is_played_until_it_is_over() -> None:
    tale = Simulation(shipped("jsrogue"), 5, 1).play()

    life = tale.lives[0]
    assert life.end in ("died", "won")
    assert bool(life.cause) == (life.end == "died")
    assert tale.lives[0].turns > 100
    assert tale.met


def test_players_share_a_realm() -> None:
    table = Simulation(shipped("jsrogue"), 5, 3, turns_max=50)
    tale = table.play()

    assert len(tale.lives) == 3
    assert all(50 <= life.turns < 100 for life in tale.lives if life.end == "alive")


def test_the_same_seed_is_the_same_tale() -> None:
    once, again = (Simulation(shipped("jsrogue"), 7, 2, turns_max=300) for _ in range(2))

    assert once.play() == again.play()
    assert once.dungeon.state_hash() == again.dungeon.state_hash()
    assert Simulation(shipped("jsrogue"), 8, 2, turns_max=300).play() != again.tale


def test_all_is_whole_after_every_input() -> None:
    def look(dungeon: Dungeon, _place: int) -> None:
        for level in dungeon.levels.values():
            check_invariants(level)

    table = Simulation(arena(monsters=12, hunger="starve_or_choke"), 3, 2, turns_max=200)
    table.after_input = look

    assert table.play().lives


def test_observer_misses_nobody_levels(seam: FaultSeam) -> None:
    """The observer misses no one on levels that no input reached."""
    told = Simulation(shipped("gloam"), 4, 2, turns_max=300).play()
    # It looks at every level before each input.
    seam.plant(Observer.record_changes, lambda *_: None)

    assert Simulation(shipped("gloam"), 4, 2, turns_max=300).play() == told


def test_who_outlives_the_last_turn_is_still_alive() -> None:
    tale = Simulation(arena(), 1, 1, turns_max=20).play()

    assert [life.end for life in tale.lives] == ["alive"]
    assert tale.lives[0].turns == 20
