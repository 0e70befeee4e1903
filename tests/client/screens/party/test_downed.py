"""A downed friend on the screen: marks, panels, words, the key that helps; and being down oneself (rules F127, F128)."""

from msgspec import structs
from msgspec.structs import replace

from gloam_client.linear.status_words import surroundings_lines
from gloam_client.render.descriptions import describe_creature
from gloam_client.screens.suggested_actions import suggested_actions
from gloam_client.state.client_effects import SendCommand, SendMessage
from gloam_client.state.model import Model
from gloam_shared.protocol.commands import Drag, Move
from gloam_shared.protocol.messages.chat import HEAL_PING, MapPing
from gloam_shared.view.downed import marks_of_downed
from gloam_shared.view.view import Creature, CreatureFlag, Friend, InventoryItem, ItemFlag, MagicEffect, View
from support.client.fake_server import level_view
from support.client.model_in_play import picture, playing, press

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


def test_being_down_offers_what_one_can_do() -> None:
    view = level_view()
    own = next(one for one in view.creatures if one.marks & CreatureFlag.SELF)
    lying = replace(own, marks=own.marks | marks_of_downed(5))
    view = replace(view, creatures=(lying,), party=beside_bert().party)
    assert suggested_actions(knowing(view)) == ["wait", "call", "say", "look"]
    _, wanted = press(knowing(view), "p", "h")
    assert wanted == [SendMessage(MapPing("heal", 1, HERE))]


def test_an_older_server_gets_no_new_ping() -> None:
    _, wanted = press(playing(beside_bert()), "p", "h")
    assert [each for each in wanted if isinstance(each, SendMessage)] == []
