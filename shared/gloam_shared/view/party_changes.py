"""Changes of the party: the players who left, joined or changed, instead of all players of a realm.

A party is the same for all players, and a server keeps it as one object until it changes. So the difference between
two parties is computed once, and not again for each of a thousand players.
"""

from bisect import bisect_left
from operator import attrgetter
from typing import Final, TypeAlias

from gloam_shared.view.changes import Friends
from gloam_shared.view.view import Friend

PartyList: TypeAlias = tuple[Friend, ...]

_NAME: Final = attrgetter("name")
_KEPT: Final = 64
_known: dict[tuple[int, int], tuple[PartyList, PartyList, Friends | None]] = {}
"""The newest differences by the identities of their parties, which are kept with them so that these stay theirs."""


def party_difference(old: PartyList, new: PartyList) -> Friends | None:
    """Return the change from one party to another; None if it is not shorter than the new party, or cannot express it."""
    key = id(old), id(new)
    known = _known.get(key)
    if known is None:
        if len(_known) >= _KEPT:
            _known.clear()
        known = _known[key] = old, new, _difference(old, new)
    return known[2]


def apply_friends(party: PartyList, change: Friends) -> PartyList:
    """Return a party after a change; both are ordered by name. Of a large party few change, and the others are not read."""
    friends = list(party)
    for name in change.gone:
        at = bisect_left(friends, name, key=_NAME)
        if friends[at : at + 1] and friends[at].name == name:
            del friends[at]
    for friend in change.come:
        at = bisect_left(friends, friend.name, key=_NAME)
        known = at < len(friends) and friends[at].name == friend.name
        friends[at : at + known] = [friend]
    return tuple(friends)


def _difference(old: PartyList, new: PartyList) -> Friends | None:
    before = {friend.name: friend for friend in old}
    after = {friend.name for friend in new}
    gone = tuple([friend.name for friend in old if friend.name not in after])
    come = tuple([friend for friend in new if before.get(friend.name) != friend])
    change = Friends(gone, come)
    if len(gone) + len(come) >= len(new) or apply_friends(old, change) != new:
        return None
    return change
