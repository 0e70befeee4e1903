"""Duels: players hit each other only when both agreed to it, until one dies, takes it back, or they part."""

import pytest

from gloam_server.world import actions
from gloam_server.world.actions.melee import Attack
from gloam_server.world.actions.walking import Swap
from gloam_server.world.combat.duels import plan_consent
from gloam_server.world.combat.hostility import is_held, is_hostile
from gloam_server.world.model.inputs import FreeAction, Leave, PlayerAction, Turn
from gloam_server.world.model.outcome import Impossible
from gloam_server.world.transition.apply import ARRIVAL_GRACE, Result
from gloam_server.world.transition.serialization import deserialize_level, serialize_level
from gloam_server.world.transition.turn_groups import compute_turn_groups, turn_groups
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import ActionCommand, Climb, Duel, Move, Throw
from support.content.campaigns import arena
from support.scenarios.scenario import E, Scenario, kinds, read_events


def agree(scenario: Scenario, one: str, other: str, *, to: bool = True) -> Result:
    handle = scenario.level.handles[scenario[other].number]
    return scenario.apply(FreeAction(scenario[one].number, 0, Duel(handle, to)))


def duel(drawing: str) -> Scenario:
    scenario = Scenario(drawing)
    agree(scenario, "1", "2")
    agree(scenario, "2", "1")
    return scenario


def bump(scenario: Scenario) -> object:
    return actions.plan(scenario.level, scenario["1"], Move(*E))


@pytest.mark.rule("A62")
def test_players_swap_and_never_strike_without_consent() -> None:
    """Players change places, and never hit each other without the consent of both."""
    scenario = Scenario("#12.#")
    assert isinstance(bump(scenario), Swap)
    agree(scenario, "1", "2")
    assert isinstance(bump(scenario), Swap)
    assert not is_held(scenario.level, scenario["2"])


@pytest.mark.rule("F13")
def test_a_duel_begins_when_both_agreed() -> None:
    scenario = Scenario("#12.#")
    assert read_events(list(agree(scenario, "1", "2").events), scenario["2"]) == [
        "Player1 challenges you to a duel: say /duel Player1 to agree, and it begins."
    ]
    assert read_events(list(agree(scenario, "2", "1").events), scenario["1"]) == [
        "Your duel with Player2 begins!"
    ]
    assert isinstance(bump(scenario), Attack)


@pytest.mark.rule("F13", "F03")
@pytest.mark.parametrize("command", [Move(*E), Throw(0, 2)])
def test_two_who_have_just_arrived_can_duel(command: ActionCommand) -> None:
    """Both are protected until they act; a refused blow is no act, so that neither could ever begin."""
    scenario = Scenario("#12.#")
    scenario.give("1", "rock")
    scenario["1"].grace = scenario["2"].grace = ARRIVAL_GRACE
    agree(scenario, "1", "2")
    assert (scenario["1"].grace, scenario["2"].grace) == (ARRIVAL_GRACE, ARRIVAL_GRACE)
    agree(scenario, "2", "1")
    assert not isinstance(actions.plan(scenario.level, scenario["1"], command), Impossible)
    for _ in range(8):
        scenario.turn(("1", command), ("2", None))
        command = Move(*E)
    assert scenario["2"].hp < 40


@pytest.mark.rule("F13", "F03")
def test_asking_for_a_duel_leaves_the_other_protected() -> None:
    scenario = Scenario("#12.#")
    scenario["2"].grace = ARRIVAL_GRACE
    agree(scenario, "1", "2")
    agree(scenario, "1", "2", to=False)
    assert scenario["2"].grace == ARRIVAL_GRACE


@pytest.mark.rule("F13")
def test_duelling_players_share_group() -> None:
    """Duelling players share a turn group and hold each other."""
    scenario = duel("#1..2#")
    [group] = compute_turn_groups(scenario.level).all_groups
    assert (group.players, group.held, group.creatures) == ((1_024, 2_048), True, ())


@pytest.mark.rule("F13")
def test_a_neutral_third_joins_no_group() -> None:
    """A third is nobodys enemy and in no turn group of theirs."""
    scenario = duel("#1.3.2#")
    assert [group.players for group in compute_turn_groups(scenario.level).all_groups] == [
        (1_024, 2_048),
        (3_072,),
    ]
    assert not is_hostile(scenario.level, scenario["3"], scenario["1"])


@pytest.mark.rule("F13")
def test_blow_duel_hurts_and_struck_back_guard() -> None:
    """A blow in a duel hurts and is struck back on guard."""
    scenario = duel("#12.#")
    events = scenario.turn(("1", Move(*E)), ("2", None))
    assert kinds(events) == ["strikes", "strikes"]
    assert scenario["1"].hp < 40
    assert scenario["2"].hp < 40


@pytest.mark.rule("F13")
def test_who_takes_his_consent_back_ends_it_for_both() -> None:
    scenario = duel("#12.#")
    agree(scenario, "2", "1", to=False)
    assert isinstance(bump(scenario), Swap)
    assert (scenario["1"].consents, scenario["2"].consents) == ([], [])
    agree(scenario, "1", "2")
    assert isinstance(bump(scenario), Swap)


@pytest.mark.by_hand  # the check mode would mend what is to fail
def test_the_end_of_a_duel_parts_its_group() -> None:
    """The kept turn groups held both together, as long as nothing else near them changed."""
    scenario = Scenario("#1..2#F#", F="fungus")
    agree(scenario, "1", "2")
    agree(scenario, "2", "1")
    level = scenario.level
    assert turn_groups(level, level.state.sequence).groups[0].players == (1_024, 2_048)
    agree(scenario, "2", "1", to=False)
    assert turn_groups(level, level.state.sequence) == compute_turn_groups(level)


@pytest.mark.rule("F13")
def test_a_duel_ends_when_they_part() -> None:
    scenario = duel("#12.#")
    scenario.level.dig(1, Terrain.STAIRS_DOWN)
    scenario.apply(Turn((PlayerAction(scenario["1"].number, 1, Climb(down=True)),)))
    assert scenario["2"].consents == scenario["1"].consents == []
    other = duel("#12.#")
    other.apply(Leave(other["1"].number))
    assert other["2"].consents == []


@pytest.mark.rule("F56")
def test_the_loser_of_a_duel_learns_the_winner() -> None:
    scenario = duel("#12.#")
    scenario.set_health("2", hp=1)
    result = scenario.apply(Turn((PlayerAction(scenario["1"].number, 1, Move(*E)),)))
    [perished] = result.outputs
    assert getattr(perished, "by", "") == "Player1"


@pytest.mark.rule("F35")
def test_a_duel_kill_teaches_nothing() -> None:
    scenario = duel("#12.#")
    scenario.set_health("2", hp=1)
    scenario.set_progress("2", level=9)
    scenario.turn(("1", Move(*E)))
    assert (scenario["1"].experience, scenario["1"].kills) == (0, 1)


@pytest.mark.rule("F13")
def test_a_refused_consent_does_not_reveal_why() -> None:
    """A consent is refused in the same words for a hidden, an absent and a non-player target."""
    scenario = Scenario("#1k#2#", k="kobold")
    handles = [scenario.level.handles[scenario[name].number] for name in "k21"]
    refusals = {
        str(plan_consent(scenario.level, scenario["1"], handle, agree=True))
        for handle in (*handles, 0, 65_000)
    }
    assert len(refusals) == 1


@pytest.mark.rule("F13")
def test_agreed_or_not_agreed_already_refused() -> None:
    """A duel that is agreed or not agreed already is refused."""
    scenario = Scenario("#12.#")
    handle = scenario.level.handles[scenario["2"].number]
    assert isinstance(plan_consent(scenario.level, scenario["1"], handle, agree=False), Impossible)
    agree(scenario, "1", "2")
    assert isinstance(plan_consent(scenario.level, scenario["1"], handle, agree=True), Impossible)


@pytest.mark.rule("F57")
def test_consents_survive_the_disk() -> None:
    scenario = duel("#12.#")
    frozen = serialize_level(scenario.level)
    assert serialize_level(deserialize_level(frozen, arena(), 1)) == frozen


@pytest.mark.rule("A42")
def test_a_challenge_out_of_sight_names_no_target() -> None:
    """A challenge to a player out of sight is refused in the words for an empty cell."""
    scenario = Scenario("#1#2.k#", k="kobold")
    one, level = scenario["1"], scenario.level
    unknown = next(handle for handle in range(65_536) if handle not in level.taken_handles)
    handles = [level.handles[scenario[name].number] for name in "2k"]
    for agree_ in (True, False):
        refusals = {plan_consent(level, one, handle, agree=agree_) for handle in (*handles, unknown)}
        assert len(refusals) == 1
        assert isinstance(refusals.pop(), Impossible)
