"""Friends of a party in a fight: down and lifted, both sides of a foe, changing places (rules F127 to F130, F190)."""

import pytest
from msgspec.structs import replace

from gloam_server.content.campaign import Campaign
from gloam_server.content.campaign_schema import FriendRules
from gloam_server.rules.dice import Dice
from gloam_server.world import actions
from gloam_server.world.combat.damage import apply_damage
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature_state import Down
from gloam_server.world.model.events import Narration, PlayerDied
from gloam_server.world.model.inputs import Leave, ShareMaps
from gloam_server.world.model.outcome import Impossible
from gloam_shared.protocol.commands import ActionCommand, Cast, Drag, Move, Wait
from gloam_shared.view.downed import turns_down
from gloam_shared.view.menace import DamageKind
from support.content.campaigns import arena
from support.content.magic_campaign import academy
from support.scenarios.scenario import E, Scenario, W, kinds

RULES = FriendRules(down_turns=8, flank_percent=50, swaps=True, lends=True)


def friends(drawing: str, base: Campaign | None = None, m: str = "ogre") -> Scenario:
    """Return a level on which all players are in one party."""
    scene = Scenario(drawing, campaign=replace(base or arena(), friends=RULES), m=m)
    for name, body in sorted(scene.named.items()):
        if body.account:
            scene.apply(ShareMaps(body.number, 0, (0, int(name), 0), member=1))
    return scene


def fell(drawing: str, base: Campaign | None = None, kind: str = "ogre") -> Scenario:
    """Return a level on which the creature "m" has just brought player 2 down."""
    scene = friends(drawing, base, m=kind)
    scene.set_health("2", hp=1)
    scene.hunt("m", "2")
    for _ in range(3):
        if scene.alive("2") and not turns_left(scene):
            scene.turn(("2", None))
    assert turns_left(scene)
    return scene


def turns_left(scene: Scenario, name: str = "2") -> int:
    down = scene[name].down
    return down.turns if isinstance(down, Down) else 0


def refusal(scene: Scenario, name: str, command: ActionCommand) -> str:
    outcome = actions.plan(scene.level, scene[name], command)
    assert isinstance(outcome, Impossible)
    return outcome.reason


def handle(scene: Scenario, name: str) -> int:
    return scene.level.handles[scene[name].number]


@pytest.mark.rule("F127")
def test_one_of_a_party_goes_down_and_does_nothing() -> None:
    scene = fell("#1..2m#")
    assert (scene["2"].hp, refusal(scene, "2", Move(*W))) == (1, "down")
    before = scene["2"].actions
    scene.turn(("2", Wait()), ("1", Wait()))
    assert scene["2"].actions == before


@pytest.mark.rule("F127")
def test_alone_nobody_goes_down() -> None:
    scene = friends("#2m#", m="ogre")
    scene.set_health("2", hp=1)
    while scene.alive("2"):
        scene.turn(("2", Wait()))
        assert not turns_left(scene)


@pytest.mark.rule("F127")
def test_a_stranger_on_the_level_is_no_help() -> None:
    scene = Scenario("#12m#", campaign=replace(arena(), friends=RULES), m="ogre")
    scene.set_health("2", hp=1)
    scene.hunt("m", "2")
    for _ in range(3):
        if scene.alive("2"):
            scene.turn(("1", Wait()))
            assert not turns_left(scene)
    assert not scene.alive("2")


@pytest.mark.rule("F127")
def test_the_count_ends_in_the_death_by_its_killer() -> None:
    """The killer has the credit, and the summary names it."""
    scene = fell("""
        #########
        #2m#...1#
        ###.....#
        #########""")
    turns = 0
    while scene.alive("2"):
        scene.turn(("2", None))
        turns += 1
    died = [output for output in scene.outputs if isinstance(output, PlayerDied)]
    assert [(each.number, each.by, each.killer) for each in died] == [
        (scene["2"].number, "ogre", scene["m"].number)
    ]
    assert scene["m"].victim_count == 1
    assert 1 <= turns <= RULES.down_turns


@pytest.mark.rule("F127")
def test_who_outlives_the_striker_dies_of_wounds() -> None:
    """The line names no creature that is gone, as it would name a poison; the summary does."""
    scene = fell("#2m..1#")
    scene.level.swap(scene["m"], scene["1"])
    scene["2"].down = Down(1, 10_000, "digger mole")
    scene.turn(("2", None))
    deaths = [event for event in scene.events if isinstance(event, Narration) and event.kind == "dies"]
    assert [event.source for event in deaths] == ["wounds"]
    died = [output for output in scene.outputs if isinstance(output, PlayerDied)]
    assert [each.by for each in died] == ["digger mole"]


@pytest.mark.rule("F127")
def test_blows_never_take_the_turn_of_a_friend() -> None:
    """A friend has one whole turn left after the turn of the fall, for any number of blows in it."""
    scene = fell("""
        #####
        #m2m#
        #mmm#
        #####
        #1..#""")
    scene.turn(("1", Wait()))
    assert scene.alive("2")


@pytest.mark.rule("F127")
def test_creatures_prefer_those_who_stand() -> None:
    scene = fell("#.1m2#")
    scene.set_health("1", hp=1_000, hp_max=1_000)
    for _ in range(4):
        left = turns_left(scene)
        scene.turn(("1", Wait()))
        assert turns_left(scene) == left - 1


@pytest.mark.rule("F127")
def test_who_is_freed_of_all_foes_gets_up() -> None:
    """A friend beside a downed player without a foe in sight helps them up: with a tenth of their health."""
    scene = fell("#.12m#", kind="kobold")
    scene.set_health("m", hp=1)
    scene.level.swap(scene["1"], scene["2"])
    scene.turn(("1", Move(*E)))
    assert not scene.alive("m")
    assert (turns_left(scene), scene["2"].hp) == (0, 4)


@pytest.mark.rule("F128")
def test_a_potion_and_a_spell_lift() -> None:
    scene = fell("#.12m#", academy())
    assert refusal(scene, "1", Move(*E)) == "no_means"
    scene.give("1", "health_potion", "draught_potion")
    scene.turn(("1", Move(*E)))
    assert scene.names("1") == ["a health potion"]  # an unknown potion is none
    assert scene["2"].hp > 1 or not scene.alive("2") or turns_left(scene)
    scene = fell("#1..2m#", academy())
    scene.give("1", "white_book")
    lines = scene.turn(("1", Cast("minor_heal", scene["2"].cell)))
    assert "gets_up" in kinds(lines)


@pytest.mark.rule("F128")
def test_a_downed_friend_is_dragged_a_step() -> None:
    scene = fell("#..12m#")
    scene.turn(("1", Drag(handle(scene, "2"), *W)))
    assert (scene.where("1"), scene.where("2")) == ((2, 0), (3, 0))
    assert refusal(scene, "1", Drag(handle(scene, "2"), *E)) == "impassable"
    assert refusal(scene, "1", Drag(handle(scene, "m"), *W)) == "gone"


@pytest.mark.rule("F127")
def test_a_downed_player_who_leaves_stands_again() -> None:
    scene = fell("#1..2m#")
    scene.apply(Leave(scene["2"].number))
    assert not turns_left(scene)
    assert scene["2"].hp == 4


@pytest.mark.rule("F127")
def test_a_duel_ends_in_death() -> None:
    scene = friends("#12.3#")
    scene["1"].consents.append(scene["2"].number)
    scene["2"].consents.append(scene["1"].number)
    scene.set_health("2", hp=1)
    while scene.alive("2"):
        scene.turn(("1", Move(*E)), ("2", Wait()))
        assert not turns_left(scene)


@pytest.mark.rule("F127")
def test_who_starves_dies_beside_friends() -> None:
    """Hunger brings no player down: without a foe they would get up, and starve again, without end."""
    for food, alive in ((0, False), (100, True)):
        scene = friends("#12#", arena(hunger="six_states"))
        scene["2"].food = food
        context = TurnContext(scene.level, Dice(1, 1, 1))
        apply_damage(context, scene["2"], 100, None, "starvation" if not food else "gas", source="gradual")
        assert scene.alive("2") is alive


@pytest.mark.rule("F129")
def test_two_on_both_sides_strike_half_as_hard_again() -> None:
    """With the same dice a blow does half as much again, rounded up, if a friend stands behind the foe."""
    dealt = []
    for drawing in ("#1m2#", "#1m.2#"):
        scene = friends(drawing, m="ogre")
        scene.put_to_sleep("m", 100)
        scene.turn(("1", Move(*E)))
        dealt.append(200 - scene["m"].hp)
    assert dealt[0] == -(-dealt[1] * 3 // 2) > dealt[1]


def health_taken(scene: Scenario, down: str = "") -> int:
    """Return the health that player 1 takes from a sleeper by 20 blows; this player is down meanwhile."""
    for _ in range(20):
        if down:
            scene[down].down = Down(RULES.down_turns, 0, "ogre")
        scene["m"].asleep = 100
        scene.turn(("1", Move(*E)))
    return scene["m"].hp_max - scene["m"].hp


def wounds(
    *hurt: str, percent: int = 50, turns: int = 1, down: str = "", base: Campaign | None = None
) -> int:
    """Return the health that player 1 takes from a sleeper, which these players hurt some turns ago, by 20 blows."""
    rules = FriendRules(attacker_percent=percent, down_turns=RULES.down_turns)
    scene = Scenario("#12m.3#", campaign=replace(base or arena(), friends=rules), m="ogre")
    scene.level.swap(scene["1"], scene["2"])
    scene.set_health("m", hp=5_000, hp_max=5_000)
    for name in hurt:
        scene["m"].hurt_by[scene[name].number] = 1
        scene["m"].contacts[scene[name].number] = scene["m"].actions
    scene["m"].actions += turns
    return health_taken(scene, down)


@pytest.mark.rule("F190")
def test_a_foe_of_several_withstands_more() -> None:
    """A half more for each player but the first, members of a party or not; the dice decide about parts of a point."""
    alone = wounds()
    assert abs(wounds("2") - alone * 2 // 3) <= 10
    assert abs(wounds("2", "3") - alone // 2) <= 10
    assert wounds("2", "3", percent=0) == wounds("1") == alone


def crowd(members: str, percent: int = 100) -> Scenario:
    """Return a sleeper beside player 1, on a level with five others; these are in the party."""
    rules = FriendRules(crowd_percent=percent, down_turns=RULES.down_turns)
    scene = Scenario("#1m..23456#", campaign=replace(arena(), friends=rules), m="ogre")
    scene.set_health("m", hp=5_000, hp_max=5_000)
    for name in "123456":
        party = 1 if name in members else 1 + int(name)
        scene.apply(ShareMaps(scene[name].number, 0, (0, int(name), 0), member=party))
    return scene


@pytest.mark.rule("F190")
def test_a_foe_withstands_more_of_a_crowd() -> None:
    """Each member of the striker's party after the fourth on the level counts, on their feet, wherever they stand."""

    alone = health_taken(crowd("1"))
    assert health_taken(crowd("1234")) == health_taken(crowd("123456", percent=0)) == alone
    assert abs(health_taken(crowd("12345")) - alone // 2) <= 10
    assert abs(health_taken(crowd("123456")) - alone // 3) <= 10
    assert health_taken(crowd("123456"), down="6") == health_taken(crowd("12345"))


@pytest.mark.rule("F190")
def test_the_view_of_a_foe_counts_the_crowd() -> None:
    """The estimate of danger and the look at a foe say how much less the blows of a crowd do."""

    def resisted(members: str) -> int:
        [ogre] = [one for one in crowd(members).view("1").creatures if one.name == "ogre"]
        return ogre.menace.resists[DamageKind.BLOW] if ogre.menace and ogre.menace.resists else 0

    assert [resisted(members) for members in ("1", "1234", "12345", "123456")] == [0, 0, 50, 67]


@pytest.mark.rule("F190")
def test_only_those_who_fight_a_foe_count() -> None:
    """A player whose last contact with it is 20 of its actions ago does not count, and none who is down."""
    assert wounds("2", "3", turns=20) == wounds()
    assert wounds("2", "3", down="3") == wounds("2") < wounds()


@pytest.mark.rule("F190", "F32")
def test_a_boss_grows_instead() -> None:
    ogre = replace(arena().creatures["ogre"], boss=True)
    base = replace(arena(), creatures={**arena().creatures, "ogre": ogre})
    assert wounds("2", "3", base=base) == wounds(base=base)


@pytest.mark.rule("F130")
def test_friends_change_places_in_a_fight() -> None:
    """Out of a fight, or beside as many foes: never into more of them."""
    scene = friends("#.12m#", m="ogre")
    scene.turn(("1", Move(*E)))
    assert scene.where("1") == (3, 0)
    assert refusal(scene, "1", Move(*W)) == "held"


@pytest.mark.rule("F130")
def test_strangers_hold_their_place() -> None:
    scene = Scenario("#.12m#", campaign=replace(arena(), friends=RULES), m="ogre")
    assert refusal(scene, "1", Move(*E)) == "held"


def test_without_the_rules_a_party_changes_nothing() -> None:
    scene = Scenario("#12m#", m="ogre")
    for name in ("1", "2"):
        scene.apply(ShareMaps(scene[name].number, 0, (0, int(name), 0), member=1))
    assert refusal(scene, "1", Move(*E)) == "held"
    scene.set_health("2", hp=1)
    scene.hunt("m", "2")
    while scene.alive("2"):
        scene.turn(("1", Wait()))
        assert not turns_left(scene)


@pytest.mark.rule("F127")
def test_others_and_the_player_see_the_count() -> None:
    """Marks tell it to new clients; the word among the status effects also to older ones."""
    scene = fell("#.12m#")
    seen = next(each for each in scene.view("1").creatures if each.name == "Player2")
    assert (turns_down(seen.marks), turns_left(scene)) == (turns_left(scene), 7)
    assert [state.word for state in scene.view("2").states] == [f"down: {turns_left(scene)} turns"]
    scene.turn(("1", Wait()))
    seen = next(each for each in scene.view("1").creatures if each.name == "Player2")
    assert turns_down(seen.marks) == turns_left(scene) <= 6
