"""Changes of the party: a large one is changed in place, with the result of the definition."""

from hypothesis import given
from hypothesis import strategies as st

from gloam_shared.view.changes import Friends
from gloam_shared.view.party_changes import PartyList, apply_friends
from gloam_shared.view.view import Friend

_NAMES = st.sampled_from(["Anna", "Bert", "Carl", "Cara", "Dora", "anna", "Émile"])
_FRIENDS = st.lists(st.builds(Friend, _NAMES, st.integers(1, 3), st.just(1), st.integers(0, 4), st.just(0)))


def ordered(friends: list[Friend]) -> PartyList:
    by_name = {friend.name: friend for friend in friends}
    return tuple(by_name[name] for name in sorted(by_name))


@given(_FRIENDS, st.lists(_NAMES), _FRIENDS)
def test_a_party_is_what_stays_and_what_comes(
    party: list[Friend], gone: list[str], come: list[Friend]
) -> None:
    before = ordered(party)
    stay = [friend for friend in before if friend.name not in gone]
    assert apply_friends(before, Friends(tuple(gone), tuple(come))) == ordered([*stay, *come])


def test_an_empty_party_is_filled() -> None:
    anna, bert = Friend("Anna", 1, 1, 4, 0), Friend("Bert", 1, 1, 4, 0)
    assert apply_friends((), Friends((), (bert, anna))) == (anna, bert)
