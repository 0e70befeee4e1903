"""Beginning beside a friend, in the client: one key on the death screen and at the entrance (U48, U55)."""

from dataclasses import replace as changed

from msgspec.structs import replace

from gloam_client.state.client_effects import SendMessage
from gloam_client.state.joining_friends import friends_below
from gloam_client.state.model import Model
from gloam_client.update import update
from gloam_shared.protocol.messages import Died, JoinFriend
from gloam_shared.protocol.party_messages import PartyMember, PartyState
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
    model = changed(playing(view=view), view=view, life=3)
    return changed(model, abilities=frozenset({"beside"} if offered else ()))


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


def test_without_friends_or_ability_no_key_is_shown() -> None:
    for model in (dead(with_friends()), dead(with_friends(Bert=2), offered=False)):
        assert "beside" not in picture(model)
        assert press(model, "G")[1] == []


def test_a_newcomer_is_asked_once_by_g() -> None:
    """U55: `G` goes to a friend's side at once; if the server refuses, the next `G` looks for stairs."""
    model, wanted = press(at_entrance(with_friends(Bert=4)), "G")
    assert SendMessage(JoinFriend(3, None, "Bert")) in wanted

    _, wanted = press(model, "G")
    assert not any(isinstance(each, SendMessage) for each in wanted)


def test_who_has_gained_a_level_walks() -> None:
    _, wanted = press(at_entrance(with_friends(level=2, Bert=4)), "G")

    assert not any(isinstance(each, SendMessage) for each in wanted)


def test_the_hint_counts_who_is_there() -> None:
    """U55: "2 players on level 4"."""
    assert friends_below(at_entrance(with_friends(Ann=2, Bert=4, Carl=4))) == "2 players on level 4"
    assert friends_below(at_entrance(with_friends(level=2, Bert=4))) == ""
    assert friends_below(at_entrance(with_friends(Bert=4), offered=False)) == ""
