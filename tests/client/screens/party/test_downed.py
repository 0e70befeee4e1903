"""A downed friend on the screen: marks, panels, words, the key that helps; and being down oneself (rules F127, F128)."""

from msgspec import structs
from msgspec.structs import replace

from gloam_client.linear.status_words import surroundings_lines
from gloam_client.render.descriptions import describe_creature
from gloam_client.render.panels.party_bar import member_words
from gloam_client.screens.suggested_actions import suggested_actions
from gloam_client.state.client_effects import SendCommand, SendMessage
from gloam_client.state.model import Model
from gloam_server.views.party_view import friend_of
from gloam_server.views.projection import project
from gloam_server.world.model.creature_state import Down
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import AnyCommand, Drag, Move, Travel
from gloam_shared.protocol.messages.chat import HEAL_PING, MapPing
from gloam_shared.protocol.messages.parties import PartyMember
from gloam_shared.view.downed import marks_of_downed
from gloam_shared.view.view import (
    Creature,
    CreatureFlag,
    Friend,
    InventoryItem,
    ItemFlag,
    Log,
    MagicEffect,
    Stat,
    View,
)
from support.client.fake_server import level_view
from support.client.model_in_play import HELD, picture, playing, press
from support.scenarios.scenario import Scenario

HERE = level_view().cell
POTION = InventoryItem(
    3, "!", "red", "potion of healing", ItemFlag.QUAFFABLE, 0, 0, 0, effect=MagicEffect.HEAL, words="Heals."
)


def beside_bert(turns: int = 7) -> View:
    """Return a view with a friend on the cell east of the player, who is down for some turns."""
    marks = CreatureFlag.PLAYER | marks_of_downed(turns)
    bert = Creature(77, HERE + 1, 1, 30, 2, marks, "@", "white", "Bert")
    view = level_view()
    return replace(
        view,
        creatures=(*[one for one in view.creatures if one.marks & CreatureFlag.SELF], bert),
        party=(Friend("Bert", 1, 2, 1, marks),),
    )


def knowing(view: View) -> Model:
    """Return a client on a server that knows of downed friends."""
    model = playing(view)
    return structs.replace(
        model, world=structs.replace(model.world, abilities=frozenset({"rescue", HEAL_PING}))
    )


def test_the_key_lifts_or_asks_where_to_drag() -> None:
    view = beside_bert()
    assert suggested_actions(knowing(view))[0] == "lift"
    _, wanted = press(knowing(replace(view, inventory=(POTION,))), "M")
    assert wanted == [SendCommand(Move(1, 0))]
    model, wanted = press(knowing(replace(view, inventory=())), "M")
    assert (wanted, model.top.state) == ([], "direction")
    assert "Drag your friend where?" in picture(model)
    assert press(model, "h")[1] == [SendCommand(Drag(77, -1, 0))]


def test_without_a_downed_friend_the_key_says_so() -> None:
    assert "lift" not in suggested_actions(knowing(level_view()))
    model, wanted = press(knowing(level_view()), "M")
    assert (wanted[:0], model.top.state) == ([], "play")


def test_words_tell_who_is_down_and_for_how_long() -> None:
    view = beside_bert()
    assert ", a player, down: 7 turns." in describe_creature(view.creatures[-1], view)
    assert any("down: 7 turns" in line for line in surroundings_lines(knowing(view)))
    assert any("down: 1 turn" in line for line in surroundings_lines(knowing(beside_bert(1))))


def lying(turns: int = 5) -> View:
    """Return a view, as a server sends it, in which the player is down: only the party and the states tell so."""
    own = Friend("Ann", 1, 2, 1, CreatureFlag.PLAYER | marks_of_downed(turns))
    view = level_view()
    sheet = (*view.sheet[: Stat.HP], 1, *view.sheet[Stat.HP + 1 :])
    return replace(view, sheet=sheet, party=(own, Friend("Bert", 1, 2, 1, CreatureFlag.PLAYER)))


def test_being_down_offers_what_one_can_do() -> None:
    view = lying()
    assert suggested_actions(knowing(view)) == ["wait", "call", "say", "look"]
    _, wanted = press(knowing(view), "p", "h")
    assert wanted == [SendMessage(MapPing("heal", 1, HERE))]


def test_the_view_of_a_downed_player_says_so() -> None:
    """The record of the own body has no such mark: the own line of the party has it."""
    scene = Scenario("#1.2m#", m="ogre")
    scene["2"].down, scene["2"].hp = Down(4, 0, "ogre"), 1
    own = friend_of("2", scene.level, scene["2"], CreatureFlag(0))
    view = project(scene.level, scene["2"], marks={}, party=(own,), log=Log())
    assert structs.replace(playing(view), name="2").turns_down == 4


def test_risen_players_are_down_no_longer() -> None:
    """In a large party the news of it arrive later than the player's own health."""
    view = lying()
    sheet = (*view.sheet[: Stat.HP], 9, *view.sheet[Stat.HP + 1 :])
    assert knowing(replace(view, sheet=sheet)).turns_down == 0


def some_steps_from_bert() -> View:
    """Return a view with Bert, who is down, some steps away."""
    view, far = beside_bert(), HERE + 4
    floor = bytearray(view.terrain)
    floor[HERE - 4 : far + 1] = bytes([Terrain.FLOOR]) * (far - HERE + 5)
    *others, bert = view.creatures
    return replace(view, terrain=bytes(floor), creatures=(*others, replace(bert, cell=far)))


def test_the_way_to_a_downed_friend_is_the_first_hint() -> None:
    model = knowing(some_steps_from_bert())
    assert suggested_actions(model)[0] == "friend"
    assert model.top.hints(model)[0] == ("G", "to Bert (7 turns left)")
    assert knowing(beside_bert()).top.hints(knowing(beside_bert()))[0] == ("M", "lift")


def test_a_downed_friend_comes_before_a_new_level() -> None:
    """A choice waits as long as the player likes; the friend has few turns."""
    for view, first in ((beside_bert(), "lift"), (some_steps_from_bert(), "friend")):
        model = knowing(replace(view, choices=("fighter", "scout")))
        assert suggested_actions(model)[:2] == [first, "choose"]


def way_on(model: Model) -> AnyCommand:
    """Return the command of the key that leads to friends."""
    sent = press(model, "G")[1][-1]
    assert isinstance(sent, SendCommand)
    return sent.command


def test_beside_a_foe_the_key_takes_a_single_step() -> None:
    """The server refuses travel beside a foe that may take half of the health; each press is a step then."""
    model = knowing(some_steps_from_bert())
    assert isinstance(way_on(model), Travel)
    held = playing(some_steps_from_bert(), HELD)
    assert held.threatened
    assert "friend" in suggested_actions(held)
    step = way_on(held)
    assert isinstance(step, Move)
    assert (step.dx, step.digs) == (1, False)


def test_no_step_leads_to_a_friend_on_their_feet() -> None:
    view = some_steps_from_bert()
    *others, bert = view.creatures
    standing = replace(
        view,
        creatures=(*others, replace(bert, marks=CreatureFlag.PLAYER)),
        party=(Friend("Bert", 1, 2, 1, CreatureFlag.PLAYER),),
    )
    assert isinstance(way_on(playing(standing, HELD)), Travel)


def test_of_several_friends_the_downed_one_is_marked() -> None:
    view = some_steps_from_bert()
    abel = Friend("Abel", 1, 2, 4, CreatureFlag.PLAYER)
    model, _ = press(playing(replace(view, party=(abel, *view.party))), "G", "ENTER")
    assert model.flash.text == "To Bert, 4 steps east."


def test_an_older_server_gets_no_new_ping() -> None:
    _, wanted = press(playing(beside_bert()), "p", "h")
    assert [each for each in wanted if isinstance(each, SendMessage)] == []


def test_the_heir_of_a_dead_member_is_not_down() -> None:
    """The news of the party go on where the view of another level stays as it was."""
    model = knowing(beside_bert())
    for hp in (1, 30):
        words = member_words(model, PartyMember("Bert", 1, HERE + 1, hp, 30, 2, 0))
        assert ("down: 7 turns" in words) is (hp == 1)
