"""Beginning beside a friend, in the client: one key on the death screen and at the entrance (U48, U55)."""

from msgspec import structs
from msgspec.structs import replace

from gloam_client.screens.map.find_friends import leads_to_friend
from gloam_client.state import client_events
from gloam_client.state.client_effects import SendCommand, SendMessage
from gloam_client.state.model import Model
from gloam_client.state.players.joining_friends import friends_below
from gloam_client.update import update
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Wait
from gloam_shared.protocol.messages.lives import Died, JoinFriend
from gloam_shared.protocol.messages.login import Error
from gloam_shared.protocol.messages.parties import PartyMember, PartyState
from gloam_shared.view.view import CreatureFlag, Friend, Stat, View
from support.client.fake_server import level_view
from support.client.model_in_play import heard, picture, playing, press


def with_friends(level: int = 1, **depths: int) -> View:
    """Return a view of a player of this level, with friends on these levels."""
    here = level_view()
    sheet = list(here.sheet)
    sheet[Stat.LEVEL] = level
    friends = tuple(Friend(name, depth, 7, 4, CreatureFlag.PLAYER) for name, depth in depths.items())
    return replace(here, sheet=tuple(sheet), party=(*here.party, *friends))


def at_entrance(view: View, *, offered: bool = True) -> Model:
    model = structs.replace(base := playing(view=view), view=view, login=structs.replace(base.login, life=3))
    return structs.replace(
        model, world=structs.replace(model.world, abilities=frozenset({"beside"} if offered else ()))
    )


def dead(view: View, *, offered: bool = True, keepsakes: tuple[str, ...] = ()) -> Model:
    died = Died("rat", 2, 3, 45, 678, 9, 5, keepsakes=keepsakes)
    return update(at_entrance(view, offered=offered), heard(died, view=view), 0)[0]


def test_one_key_begins_beside_the_deepest_friend() -> None:
    """U48: the screen names the friend and the key; the keepsake goes along."""
    model = dead(with_friends(Bert=2, Carl=5), keepsakes=("a dagger",))

    assert "G begins it beside Carl (depth 5)" in picture(model)
    assert press(model, "G")[1] == [SendMessage(JoinFriend(3, 0))]


def test_the_party_is_named_before_deeper_strangers() -> None:
    """U48: the screen names the friend that the server chooses: one of the party, if one is there."""
    model = dead(with_friends(Bert=2, Carl=5))
    joined = PartyState((PartyMember("Ann", 1, -1, 9, 9, 1, 0), PartyMember("Bert", 2, -1, 9, 9, 7, 0)))
    assert "G begins it beside Bert (depth 2)" in picture(update(model, heard(joined, view=model.view), 0)[0])


def test_the_depth_of_a_friend_is_the_newest_known() -> None:
    """The view of the dead stays as it was; the news of the party go on."""
    model = dead(with_friends(Bert=10))
    news = PartyState((PartyMember("Ann", 0, -1, 0, 0, 0, 0), PartyMember("Bert", 5, -1, 9, 9, 7, 0)))
    assert "G begins it beside Bert (depth 5)" in picture(update(model, heard(news, view=model.view), 0)[0])


def test_without_friends_or_ability_no_key_is_shown() -> None:
    for model in (dead(with_friends()), dead(with_friends(Bert=2), offered=False)):
        assert "beside" not in picture(model)
        assert press(model, "G")[1] == []


BERT = SendMessage(JoinFriend(3, None, "Bert"))


def refused(view: View, *choice: str) -> Model:
    """Return a newcomer whose friend is in danger: the server has just refused."""
    model, wanted = press(at_entrance(view), "G", *choice)
    assert BERT in wanted
    no = Error("friend", "Bert is in danger now; wait until the fight is over, or begin at the entrance.")
    return update(model, heard(no, view=model.view), 0)[0]


def commands_later(model: Model, count: int) -> Model:
    for _ in range(count):
        model = update(model, client_events.CommandSent(Wait(), 0), 0)[0]
    return model


def test_a_refusal_does_not_end_the_offer() -> None:
    """U55: `G` goes to a friend's side immediately; if the server refuses, a later `G` asks again."""
    assert BERT in press(commands_later(refused(with_friends(Bert=4)), 9), "G")[1]


def test_after_a_refusal_known_stairs_go_first() -> None:
    """The next `G` takes stairs that are known; where none are, it asks again instead of "no way known"."""
    model, wanted = press(refused(with_friends(Bert=4)), "G")
    assert isinstance(wanted[-1], SendCommand)
    assert "by the stairs" in model.flash.text

    view = with_friends(Bert=4)
    blind = replace(view, terrain=view.terrain.replace(bytes([Terrain.STAIRS_DOWN]), bytes([Terrain.FLOOR])))
    assert BERT in press(refused(blind), "G")[1]


def test_the_bottom_line_names_no_way_that_was_refused() -> None:
    """The bottom line shows the key while it leads somewhere: not right after a refusal without known stairs."""
    view = with_friends(Bert=4)
    blind = replace(view, terrain=view.terrain.replace(bytes([Terrain.STAIRS_DOWN]), bytes([Terrain.FLOOR])))
    assert leads_to_friend(at_entrance(blind))
    assert not leads_to_friend(refused(blind))
    assert leads_to_friend(commands_later(refused(blind), 9))


def test_a_life_that_has_gone_goes_by_stairs() -> None:
    """One transfer a life: after it the key asks no more, neither for this friend nor for another."""
    model, _ = press(at_entrance(with_friends(Bert=4, Carl=6)), "G", "a")
    there = replace(model.view, place=replace(model.view.place, depth=4))
    model = update(model, heard(view=there), 0)[0]
    _, wanted = press(commands_later(model, 9), "G", "b")
    assert not any(isinstance(each, SendMessage) for each in wanted)


def test_stairs_are_no_transfer() -> None:
    """A friend's depth that was reached by stairs leaves the offer as it was."""
    model = commands_later(refused(with_friends(Bert=2, Carl=6), "a"), 1)
    there = replace(model.view, place=replace(model.view.place, depth=2))
    model = commands_later(update(model, heard(view=there), 0)[0], 9)
    assert any(isinstance(each, SendMessage) for each in press(model, "G", "b")[1])


def test_who_has_gained_a_level_walks() -> None:
    _, wanted = press(at_entrance(with_friends(level=2, Bert=4)), "G")

    assert not any(isinstance(each, SendMessage) for each in wanted)


def test_the_hint_counts_who_is_there() -> None:
    """U55: "2 players on depth 4"."""
    assert friends_below(at_entrance(with_friends(Ann=2, Bert=4, Carl=4))) == "2 players on depth 4"
    assert friends_below(at_entrance(with_friends(level=2, Bert=4))) == ""
    assert friends_below(at_entrance(with_friends(Bert=4), offered=False)) == ""
