"""Faults outside actions: at worst one costs a line or a level, and never the server (limits, section 2)."""

from typing import Any

from gloam_server.autopilot import plans
from gloam_server.autopilot.plans import continue_plan
from gloam_server.engine import command_queue
from gloam_server.engine.command_queue import accept_command
from gloam_server.engine.publishing import broadcaster
from gloam_server.engine.turns import turn_scheduler as asking
from gloam_server.sessions.session import Session
from gloam_server.views.projection import project
from gloam_server.world.effects.upkeep import end_action
from gloam_server.world.items.starting_kit import give_starting_kit
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import EnterPlay, ForgetLife, StoreBody
from gloam_server.world.population import respawning
from gloam_server.world.population.inheritance import send_keepsake
from gloam_server.world.realm import realm as realms
from gloam_server.world.realm.chronicle import ChronicleEntry
from gloam_server.world.transition import apply as applying
from gloam_server.world.transition import turn as turns_of_the_world
from gloam_server.world.transition.turn_groups import turn_groups
from gloam_shared import limits
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Climb, Explore, PickUp, Wait
from gloam_shared.protocol.messages.chat import ChatLine
from gloam_shared.protocol.messages.lives import Died
from gloam_shared.protocol.messages.login import Bye
from support.run.fault_seam import FaultSeam
from support.server.failing_rules import FOREVER, Broken, Poison
from support.server.journal_checks import byes, things, whole
from support.server.parties import actions, armed_goblin, company, turn, until


def test_death_realm_fails_bury_not_happen(seam: FaultSeam) -> None:
    """A death that the realm fails to bury does not happen."""
    server, (anna,) = company("Anna")
    server.put("ogre", server.body(anna).cell)

    def broken(**_: Any) -> None:
        raise Broken("a chapter")

    seam.plant(ChronicleEntry, broken, within=realms)
    for _ in range(3):
        turn(server, anna)

    assert byes(anna) == ["fault"]
    assert server.dungeon.realm.deaths == 0
    kept = server.dungeon.realm.lives[1].kept
    assert kept is not None
    assert kept.hp > 0
    assert isinstance(server.inputs(0)[-1], StoreBody)
    whole(server)


def test_own_input_of_the_realm_fails_once(seam: FaultSeam) -> None:
    """An input of the realm itself that fails changes nothing, and is not tried again."""
    server, (anna,) = company("Anna")
    tried = []

    def broken(_realm: Any, _input: Any) -> tuple[()]:
        tried.append(1)
        raise Broken("a release")

    with seam.fault(realms._change_life, broken, within=realms):
        server.engine.loop.submit(REALM_PARTITION, ForgetLife(1))
        server.advance(200)
    assert len(tried) == 1
    turn(server, anna)
    whole(server)


def test_cannot_let_reported_and_comes_when_mended(seam: FaultSeam) -> None:
    """A player who cannot enter gets a reason. They enter once the fault is gone."""
    server, (anna,) = company("Anna")

    def broken(campaign: Any, body: Creature, mint: Any) -> None:
        give_starting_kit(campaign, body, mint)
        if body.name == "Bert":
            raise Broken("a kit")

    with seam.fault(give_starting_kit, broken, within=realms):
        bert = server.join("Bert")
    assert byes(bert) == ["fault"]
    assert 2 not in server.dungeon.realm.lives
    assert sum(isinstance(each, EnterPlay) for each in server.inputs(0)) == 1
    turn(server, anna)

    bert.dial()
    server.advance(200)
    assert server.body(bert).hp
    assert actions(server, anna) == 1
    whole(server)


def test_an_unattributed_fault_closes_the_level(poison: Poison) -> None:
    """A fault that names no one closes its level and no other."""
    server, (anna, bert) = company("Anna", "Bert")
    server.walk_to(anna, Terrain.STAIRS_DOWN)
    turn(server, anna, Climb(down=True))
    poison.spoil(respawning, respawning.respawn_if_due, server.dungeon.levels[2], times=FOREVER)
    turn(server, anna)

    assert server.dungeon.closed == {2}
    assert byes(anna) == ["fault"]
    assert "Level 2 is closed" in anna.of_kind(Bye)[0].text
    assert any("Level 2 is closed" in said.text for said in bert.of_kind(ChatLine))
    turn(server, bert)
    anna.dial()
    server.advance(200)
    assert server.level_of(anna).partition == server.dungeon.realm.lives[1].partition == 1, (
        "she begins where lives begin"
    )
    turn(server, anna)
    server.walk_to(anna, Terrain.STAIRS_DOWN)
    turn(server, anna, Climb(down=True))
    assert server.level_of(anna).partition == 1, "no player enters a closed level"
    assert not byes(anna)[1:]
    whole(server)


def test_a_failure_of_turn_groups_closes_the_level(seam: FaultSeam) -> None:
    server, (anna,) = company("Anna")

    def broken(level: Any, sequence: int) -> Any:
        if level.partition == 1:
            raise Broken("turn groups")
        return turn_groups(level, sequence)

    with seam.fault(turn_groups, broken, within=asking):
        turn(server, anna)
        assert server.dungeon.closed == {1}
        assert byes(anna) == ["fault"]
        bert = server.join("Bert")
        server.advance(200)
        assert byes(bert) == []
        assert server.level_of(bert).partition == 2, "a life begins on the first open level"
    whole(server)


def test_a_plan_that_fails_costs_its_player_alone(seam: FaultSeam) -> None:
    server, (anna, bert) = company("Anna", "Bert")
    cells = [server.body(anna).cell]

    def broken(view: Any, course: Any) -> Any:
        if view.cell in cells:
            raise Broken("a plan")
        return continue_plan(view, course)

    with seam.fault(continue_plan, broken, within=plans):
        anna.command(Explore())
        server.advance(100)
    assert byes(anna) == ["fault"]
    turn(server, bert)
    assert actions(server, bert) == 1
    anna.dial()
    server.advance(200)
    turn(server, anna)
    whole(server)


def test_view_cannot_made_ends_players_line(seam: FaultSeam) -> None:
    """A view that cannot be made ends its players line and no other."""
    server, (anna, bert) = company("Anna", "Bert")
    blind = server.body(anna).number

    def broken(level: Any, viewer: Creature, **more: Any) -> Any:
        if viewer.number == blind:
            raise Broken("a view")
        return project(level, viewer, **more)

    with seam.fault(project, broken, within=broadcaster):
        turn(server, bert)
        server.advance(200)
        assert (byes(anna), byes(bert)) == (["fault"], [])
        turn(server, bert)
    assert actions(server, bert) == 2
    anna.dial()
    server.advance(200)
    turn(server, anna)
    assert actions(server, anna) == 1
    whole(server)


def test_a_heartbeat_that_fails_ends_its_own_line(seam: FaultSeam) -> None:
    server, (anna, bert) = company("Anna", "Bert")
    tick = Session.tick

    def broken(session: Session, now_ms: int) -> Any:
        if session is anna.connection.session:
            raise Broken("a heartbeat")
        return tick(session, now_ms)

    with seam.fault(Session.tick, broken):
        server.advance((limits.LOGIN_S + limits.HEARTBEAT_S) * 1_000)
    assert (byes(anna), byes(bert)) == (["fault"], [])
    turn(server, bert)
    assert actions(server, bert) == 1
    whole(server)


def test_heir_keepsake_fails_begins(poison: Poison) -> None:
    """An heir whose keepsake fails begins without it and it stays in the grave."""
    server, (anna,) = company("Anna")
    goblin = armed_goblin(server, anna)
    poison.spoil(turns_of_the_world, end_action, server.level_of(anna), goblin)
    turn(server, anna)
    server.walk(anna, goblin.cell)
    turn(server, anna, PickUp())
    assert [item.name for item in server.body(anna).carried] == ["sword"]
    server.put("ogre", server.body(anna).cell)
    until(lambda: anna.of_kind(Died), lambda: turn(server, anna))
    before, level = things(server.dungeon), server.dungeon.levels[1]
    poison.spoil(applying, send_keepsake, level, times=10)
    anna.begin_again(0)
    server.advance(100)

    assert poison.failed == 2, "the monster before, and the claim"
    assert server.body(anna).family == "Anna II"
    assert server.body(anna).carried == []
    assert things(server.dungeon) == before
    assert byes(anna) == []
    assert not server.dungeon.closed
    whole(server)


def test_message_handling_fails_ends_line(seam: FaultSeam) -> None:
    """A message whose handling fails ends its own line."""
    server, (anna, bert) = company("Anna", "Bert")
    with seam.fault(accept_command, lambda *_: 1 // 0, within=command_queue):
        anna.command(Wait())
    assert byes(anna) == ["fault"]
    turn(server, bert)
    assert actions(server, bert) == 1
    anna.dial()
    server.advance(200)
    assert actions(server, anna) == 1, "what was never answered is asked again"
    whole(server)
