"""A rule that fails costs the creature whose action failed, at worst its level, and never the server (limits, section 2)."""

import logging
from pathlib import Path
from typing import Any

import pytest

from gloam_server.app import reports, showing
from gloam_server.app import turns as asking
from gloam_server.app.archive import verify
from gloam_server.app.reports import Reports
from gloam_server.sessions import plans
from gloam_server.sessions.session import Session
from gloam_server.views.projection import project
from gloam_server.world import apply as applying
from gloam_server.world import realm as realms
from gloam_server.world import turn as turns_of_the_world
from gloam_server.world.bubbles import divided
from gloam_server.world.creature import Creature, Item, born
from gloam_server.world.dungeon import Dungeon
from gloam_server.world.inputs import Arrive, Enter, Keep, Remove, Restore, Turn
from gloam_server.world.kit import equip
from gloam_server.world.level import Level
from gloam_shared.appearance import Terrain
from gloam_shared.commands import Climb, Explore, Move, PickUp, Wait
from gloam_shared.messages import Answer, Bye, Died, Said
from server.app.company import actions, company, threatened, turn, until
from support.campaigns import arena_with
from support.poison import FOREVER, Broken, Poison
from support.realm import SimClient, SimServer

KING = """
[king]
name = "king"
glyph = "K"
colour = "yellow"
hp = 20
attack = 1
tasks = ["hunt", "wander"]
boss = true
spawns = false
"""


@pytest.fixture
def poison(monkeypatch: pytest.MonkeyPatch) -> Poison:
    return Poison(monkeypatch)


def whole(server: SimServer) -> None:
    """Prove that the journal leads to what stands in memory, and that the server goes on."""
    assert server.fatal == []
    assert verify(server.journal, server.campaign)[1] == server.dungeon.state_hash()
    server.crash()
    assert server.again().dungeon.state_hash() == server.dungeon.state_hash()


def things(dungeon: Dungeon) -> list[int]:
    """Return the numbers of all things there are."""
    kept = [life.kept for life in dungeon.realm.lives.values() if life.kept is not None]
    bodies = [body for level in dungeon.levels.values() for body in level.creatures.values()]
    carried = [item.number for body in (*bodies, *kept) for item in body.carried]
    lying = [item.number for level in dungeon.levels.values() for _, item in level.lying()]
    return sorted([*carried, *lying])


def removed(server: SimServer, place: int = 1) -> list[int]:
    """Return whom the journal of a level tells to have been taken out."""
    return [each.creature for each in server.inputs(place) if isinstance(each, Remove)]


def byes(client: SimClient) -> list[str]:
    return [bye.code for bye in client.of_kind(Bye)]


def test_a_monster_whose_action_fails_vanishes_and_the_turn_goes_on_without_it(poison: Poison) -> None:
    server, (anna,) = company("Anna")
    kobold = server.put("kobold", server.body(anna).cell)
    rat = server.put("rat", server.body(anna).cell)
    poison.spoil(turns_of_the_world, "age", server.level_of(anna), kobold)
    number = anna.command(Wait())
    server.advance(100)

    assert poison.failed == 1
    assert removed(server) == [kobold.number]
    assert kobold.number not in server.level_of(anna).creatures
    assert server.level_of(anna).creatures[rat.number].actions == 1, "the others act once, and no more"
    assert (actions(server, anna), anna.link.done) == (1, number)
    assert byes(anna) == []
    assert any(line.kind == "removed" and line.subject == "kobold" for line in anna.view.log.lines)
    turn(server, anna)
    whole(server)


def test_the_removal_stands_before_the_turn_and_in_the_same_append(poison: Poison) -> None:
    server, (anna,) = company("Anna")
    kobold = server.put("kobold", server.body(anna).cell)
    poison.spoil(turns_of_the_world, "age", server.level_of(anna), kobold)
    server.writer.appended.clear()
    turn(server, anna)

    [first, second] = server.inputs(1)[-2:]
    assert isinstance(first, Remove)
    assert isinstance(second, Turn)
    assert [record.place for record in server.writer.appended[0]] == [1, 1]


def test_what_a_monster_carried_stays_where_it_stood(poison: Poison) -> None:
    server, (anna,) = company("Anna")
    goblin = born(server.campaign.creatures["goblin"], 99 * 1_024)
    goblin.slots[0] = Item(number=100 * 1_024, kind="sword", name="sword", colour="white")
    server.beats.submit(1, Arrive(goblin, server.body(anna).cell, (99, 1, 0)))
    server.settle()
    before, cell = things(server.dungeon), goblin.cell
    poison.spoil(turns_of_the_world, "age", server.level_of(anna), goblin)
    turn(server, anna)

    assert removed(server) == [goblin.number]
    assert [item.name for item in server.level_of(anna).piles[cell]] == ["sword"]
    assert things(server.dungeon) == before
    whole(server)


def test_a_player_whose_action_fails_is_told_so_and_returns_unhurt_with_all_that_is_his(
    poison: Poison,
) -> None:
    server, (anna, bert) = company("Anna", "Bert")
    body = server.body(anna)
    carried, hp, experience, before = [*body.carried], body.hp, body.experience, things(server.dungeon)
    poison.spoil(turns_of_the_world, "age", server.level_of(anna), body)
    number = anna.command(Move(1, 0))
    server.advance(100)

    assert poison.failed == 1
    assert byes(anna) == ["fault"]
    assert "unhurt" in anna.of_kind(Bye)[0].text
    assert [each.number for each in anna.of_kind(Answer)] == [number]
    assert any(line.kind == "removed" and line.subject == "Anna" for line in bert.view.log.lines)
    assert things(server.dungeon) == before
    turn(server, bert)
    assert actions(server, bert) == 1

    anna.dial()
    server.advance(200)
    body = server.body(anna)
    assert (body.carried, body.hp, body.experience, body.actions) == (carried, hp, experience, 0)
    turn(server, anna)
    assert actions(server, anna) == 1
    assert byes(anna) == ["fault"], "what failed is not tried again by itself"
    whole(server)


def test_a_held_friends_command_is_answered_when_the_one_who_fails_shares_his_turn(poison: Poison) -> None:
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)
    poison.spoil(turns_of_the_world, "age", server.level_of(anna), server.body(anna))
    number = bert.command(Wait())
    anna.command(Wait())
    server.advance(100)

    assert byes(anna) == ["fault"]
    assert (bert.link.done, actions(server, bert)) == (number, 1)
    whole(server)


def test_when_what_held_two_together_is_gone_both_commands_are_done_all_the_same(poison: Poison) -> None:
    server, (anna, bert) = company("Anna", "Bert")
    statue = threatened(server, anna, bert)
    poison.spoil(turns_of_the_world, "age", server.level_of(anna), statue)
    numbers = [player.command(Wait()) for player in (anna, bert)]
    server.advance(100)

    assert removed(server) == [statue.number]
    assert [player.link.done for player in (anna, bert)] == numbers
    assert (actions(server, anna), actions(server, bert)) == (1, 1)
    whole(server)


def test_two_who_fail_in_one_turn_are_both_taken_out(poison: Poison) -> None:
    server, (anna,) = company("Anna")
    level, cell = server.level_of(anna), server.body(anna).cell
    foes = [server.put("kobold", cell), server.put("ogre", cell)]
    for foe in foes:
        poison.spoil(turns_of_the_world, "age", level, foe, times=5)
    number = anna.command(Wait())
    server.advance(100)

    assert sorted(removed(server)) == sorted(foe.number for foe in foes)
    assert (anna.link.done, actions(server, anna)) == (number, 1)
    whole(server)


def test_everybody_may_fail_and_the_server_stands(poison: Poison) -> None:
    server, (anna, bert) = company("Anna", "Bert")
    kobold = server.put("kobold", server.body(anna).cell)
    poison.spoil(turns_of_the_world, "age", server.level_of(anna), times=2)
    for player in (anna, bert):
        player.command(Wait())
        server.advance(100)

    assert list(server.dungeon.levels[1].creatures) == [kobold.number], "its turn never came"
    assert (byes(anna), byes(bert)) == (["fault"], ["fault"])
    carl = server.join("Carl")
    turn(server, carl)
    assert actions(server, carl) == 1
    whole(server)


def test_what_half_a_turn_sent_to_another_level_never_arrives(poison: Poison) -> None:
    server, (anna,) = company("Anna")
    server.walk_to(anna, Terrain.STAIRS_DOWN)
    ogre = server.put("ogre", server.body(anna).cell)
    poison.spoil(turns_of_the_world, "age", server.level_of(anna), server.body(anna))
    turn(server, anna, Climb(down=True))

    assert byes(anna) == ["fault"]
    assert server.dungeon.levels[2].creatures == {}
    assert list(server.dungeon.levels[1].creatures) == [ogre.number]
    whole(server)


@pytest.mark.parametrize("who", ["the player", "his follower"])
def test_who_fails_midway_on_the_stairs_never_left_and_is_taken_out_where_he_stood(
    poison: Poison, who: str
) -> None:
    server, (anna,) = company("Anna")
    server.walk_to(anna, Terrain.STAIRS_DOWN)
    ogre, body = server.put("ogre", server.body(anna).cell), server.body(anna)
    culprit = body if who == "the player" else ogre
    poison.spoil(applying, "notice_pile", server.dungeon.levels[2], culprit, times=2)
    turn(server, anna, Climb(down=True))

    assert removed(server, 1) == [culprit.number]
    assert removed(server, 2) == []
    if culprit is body:
        assert byes(anna) == ["fault"]
        assert server.dungeon.levels[2].creatures == {}
        anna.dial()
        server.advance(200)
        assert server.level_of(anna).place == 1
    else:
        assert list(server.dungeon.levels[2].creatures) == [body.number]
        assert byes(anna) == []
    whole(server)


def test_a_death_that_the_realm_fails_to_bury_does_not_happen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server, (anna,) = company("Anna")
    server.put("ogre", server.body(anna).cell)

    def broken(**_: Any) -> None:
        raise Broken("a chapter")

    monkeypatch.setattr(realms, "Chapter", broken)
    for _ in range(3):
        turn(server, anna)

    assert byes(anna) == ["fault"]
    assert server.dungeon.realm.deaths == 0
    kept = server.dungeon.realm.lives[1].kept
    assert kept is not None
    assert kept.hp > 0
    assert isinstance(server.inputs(0)[-1], Keep)
    whole(server)


def test_who_cannot_be_let_in_is_told_and_comes_in_when_it_is_mended(monkeypatch: pytest.MonkeyPatch) -> None:
    server, (anna,) = company("Anna")

    def broken(campaign: Any, body: Creature, mint: Any) -> None:
        equip(campaign, body, mint)
        if body.name == "Bert":
            raise Broken("a kit")

    with monkeypatch.context() as patch:
        patch.setattr(realms, "equip", broken)
        bert = server.join("Bert")
    assert byes(bert) == ["fault"]
    assert 2 not in server.dungeon.realm.lives
    assert sum(isinstance(each, Enter) for each in server.inputs(0)) == 1
    turn(server, anna)

    bert.dial()
    server.advance(200)
    assert server.body(bert).hp
    assert actions(server, anna) == 1
    whole(server)


def test_a_fault_that_names_nobody_closes_its_level_and_no_other(poison: Poison) -> None:
    server, (anna, bert) = company("Anna", "Bert")
    server.walk_to(anna, Terrain.STAIRS_DOWN)
    turn(server, anna, Climb(down=True))
    poison.spoil(applying, "repopulate", server.dungeon.levels[2], times=FOREVER)
    turn(server, anna)

    assert server.dungeon.closed == {2}
    assert byes(anna) == ["fault"]
    assert "Level 2 is closed" in anna.of_kind(Bye)[0].text
    assert any("Level 2 is closed" in said.text for said in bert.of_kind(Said))
    turn(server, bert)
    anna.dial()
    server.advance(200)
    assert server.level_of(anna).place == server.dungeon.realm.lives[1].place == 1, (
        "she begins where lives begin"
    )
    turn(server, anna)
    server.walk_to(anna, Terrain.STAIRS_DOWN)
    turn(server, anna, Climb(down=True))
    assert server.level_of(anna).place == 1, "nobody comes onto a level that is closed"
    assert not byes(anna)[1:]
    whole(server)


def test_bubbles_that_cannot_be_told_close_the_level(monkeypatch: pytest.MonkeyPatch) -> None:
    server, (anna,) = company("Anna")

    def broken(level: Any, sequence: int) -> Any:
        if level.place == 1:
            raise Broken("bubbles")
        return divided(level, sequence)

    with monkeypatch.context() as patch:
        patch.setattr(asking, "divided", broken)
        turn(server, anna)
        assert server.dungeon.closed == {1}
        assert byes(anna) == ["fault"]
        bert = server.join("Bert")
        assert byes(bert) == ["fault"], "there is nowhere to begin"
    whole(server)


def test_a_plan_that_fails_costs_its_player_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    server, (anna, bert) = company("Anna", "Bert")
    proceed = plans.proceed
    cells = [server.body(anna).cell]

    def broken(view: Any, course: Any) -> Any:
        if view.cell in cells:
            raise Broken("a plan")
        return proceed(view, course)

    with monkeypatch.context() as patch:
        patch.setattr(plans, "proceed", broken)
        anna.command(Explore())
        server.advance(100)
    assert byes(anna) == ["fault"]
    turn(server, bert)
    assert actions(server, bert) == 1
    anna.dial()
    server.advance(200)
    turn(server, anna)
    whole(server)


def test_a_view_that_cannot_be_made_ends_its_players_line_and_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server, (anna, bert) = company("Anna", "Bert")
    blind = server.body(anna).number

    def broken(level: Any, viewer: Creature, **more: Any) -> Any:
        if viewer.number == blind:
            raise Broken("a view")
        return project(level, viewer, **more)

    with monkeypatch.context() as patch:
        patch.setattr(showing, "project", broken)
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


def test_a_player_whose_sight_fails_is_taken_out_and_the_others_play_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server, (anna, bert) = company("Anna", "Bert")
    sight, blind = Level.sight, server.body(anna)
    other = server.body(bert).number

    def broken(level: Level, creature: Creature) -> bytes:
        if creature.number == blind.number and getattr(level.creatures.get(other), "actions", 0) == 1:
            raise Broken("sight")
        return sight(level, creature)

    with monkeypatch.context() as patch:
        patch.setattr(Level, "sight", broken)
        turn(server, bert)
    assert (byes(anna), byes(bert)) == (["fault"], [])
    assert actions(server, bert) == 1
    assert not server.dungeon.closed
    whole(server)


def test_a_boss_whose_action_fails_rises_once_more_for_without_it_nobody_could_win(poison: Poison) -> None:
    server = SimServer(arena_with(creatures=KING))
    anna = server.join("Anna")
    level = server.level_of(anna)
    king = server.put("king", server.body(anna).cell)
    poison.spoil(turns_of_the_world, "age", level, king)
    number = anna.command(Wait())
    server.advance(100)

    assert removed(server) == [king.number]
    [risen] = [body for body in server.level_of(anna).creatures.values() if body.kind == "king"]
    assert risen.number != king.number
    assert (anna.link.done, byes(anna)) == (number, [])
    poison.spoil(turns_of_the_world, "age", server.level_of(anna), risen, times=FOREVER)
    for _ in range(40):
        turn(server, anna)
    assert len([each for each in server.inputs(1) if isinstance(each, Restore)]) == 1
    whole(server)


def test_a_level_whose_rules_fail_for_all_is_rid_of_its_creatures_one_by_one_and_stands(
    poison: Poison,
) -> None:
    server, (anna,) = company("Anna")
    for _ in range(12):
        server.put("kobold", server.body(anna).cell)
    foes = sum(not body.account for body in server.level_of(anna).creatures.values())
    for body in list(server.level_of(anna).creatures.values()):
        if not body.account:
            poison.spoil(turns_of_the_world, "age", server.level_of(anna), body, times=FOREVER)
    number = anna.command(Wait())
    server.advance(100)

    assert (foes, len(removed(server))) == (12, 12)
    assert (anna.link.done, actions(server, anna)) == (number, 1)
    whole(server)


def test_a_heartbeat_that_fails_ends_its_own_line(monkeypatch: pytest.MonkeyPatch) -> None:
    server, (anna, bert) = company("Anna", "Bert")
    tick = Session.tick

    def broken(session: Session, now_ms: int) -> Any:
        if session is anna.connection.session:
            raise Broken("a heartbeat")
        return tick(session, now_ms)

    with monkeypatch.context() as patch:
        patch.setattr(Session, "tick", broken)
        server.advance(1_100)
    assert (byes(anna), byes(bert)) == (["fault"], [])
    turn(server, bert)
    assert actions(server, bert) == 1
    whole(server)


def test_an_heir_whose_keepsake_fails_begins_without_it_and_it_stays_in_the_grave(poison: Poison) -> None:
    server, (anna,) = company("Anna")
    goblin = born(server.campaign.creatures["goblin"], 99 * 1_024)
    goblin.slots[0] = Item(number=100 * 1_024, kind="sword", name="sword", colour="white")
    server.beats.submit(1, Arrive(goblin, server.body(anna).cell, (99, 1, 0)))
    server.settle()
    poison.spoil(turns_of_the_world, "age", server.level_of(anna), goblin)
    turn(server, anna)
    server.walk(anna, goblin.cell)
    turn(server, anna, PickUp())
    assert [item.name for item in server.body(anna).carried] == ["sword"]
    server.put("ogre", server.body(anna).cell)
    until(lambda: anna.of_kind(Died), lambda: turn(server, anna))
    before, level = things(server.dungeon), server.dungeon.levels[1]
    poison.spoil(applying, "claim", level, times=2)
    anna.begin_again(0)
    server.advance(100)

    assert poison.failed == 2, "the monster before, and the claim"
    assert server.body(anna).family == "Anna II"
    assert server.body(anna).carried == []
    assert things(server.dungeon) == before
    assert byes(anna) == []
    assert not server.dungeon.closed
    whole(server)


def test_a_message_whose_handling_fails_ends_its_own_line(monkeypatch: pytest.MonkeyPatch) -> None:
    server, (anna, bert) = company("Anna", "Bert")
    with monkeypatch.context() as patch:
        patch.setattr("gloam_server.app.host.take_order", lambda *_: 1 // 0)
        anna.command(Wait())
    assert byes(anna) == ["fault"]
    turn(server, bert)
    assert actions(server, bert) == 1
    anna.dial()
    server.advance(200)
    assert actions(server, anna) == 1, "what was never answered is asked again"
    whole(server)


def test_a_report_tells_seed_position_input_version_and_where_it_failed(
    poison: Poison, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    server, (anna,) = company("Anna")
    server.beats.reports = Reports(tmp_path / "faults", lambda: 1_800_000_000)
    kobold = server.put("kobold", server.body(anna).cell)
    poison.spoil(turns_of_the_world, "age", server.level_of(anna), kobold)
    position = server.level_of(anna).sequence
    turn(server, anna)

    [path] = (tmp_path / "faults").iterdir()
    assert path.name == "20270115T080000Z-000001.txt"
    told = path.read_text()
    assert "seed 1, place 0 at input" in told
    assert f"place 1 at input {position}," in told
    assert f"acting: creature {kobold.number}, kobold 'kobold'" in told
    assert "input: of place 1, not carried out: Turn(acts=(Act(" in told
    assert "bytes: 92" in told
    assert "campaign: arena" in told
    assert "version: " in told
    assert "Broken: age of creature" in told
    assert "Traceback" in told
    faults = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    assert [str(path) in fault for fault in faults] == [True]


def test_reports_are_few_and_small_and_one_line_of_the_code_fills_none_of_their_room(tmp_path: Path) -> None:
    written = Reports(tmp_path / "faults", lambda: 0)
    for at in range(reports.KEPT_MAX + 5):
        written.write("a test", raised(at, "short"), list)
    written.write("a test", raised(at + 1, "x" * 100_000), lambda: ["é" * 100_000])
    kept = sorted((tmp_path / "faults").iterdir())

    assert [path.name[-10:-4] for path in kept] == [f"{at:06d}" for at in range(7, 107)]
    assert reports.BYTES_MAX // 4 < kept[-1].stat().st_size <= reports.BYTES_MAX
    for _ in range(reports.SAME_MAX * 2):
        written.write("a test", ValueError("always the same"), list)
    assert written.written == 106 + reports.SAME_MAX


def raised(line: int, words: str) -> ValueError:
    """Return an error that was raised on some line of a file that there is not."""
    try:
        exec(compile("\n" * line + "raise ValueError(words)", "nowhere", "exec"), {"words": words})
    except ValueError as error:
        return error
    raise AssertionError


def test_a_report_that_cannot_be_written_is_told_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "faults").write_text("no folder")
    Reports(tmp_path / "faults", lambda: 0).write("a test", ValueError("\x1b[2J"), list)

    assert "could not be written" in caplog.text
    assert "\x1b" not in caplog.records[0].getMessage()
