"""Changes of the party: who left, came or changed, instead of all players of a realm.

A party is the same for all players, and a server keeps it as one object until it changes. So the difference between
two parties is computed once, and not again for each of a thousand players.
"""

from typing import Final, TypeAlias

from gloam_shared.view.changes import Friends
from gloam_shared.view.view import Friend

PartyList: TypeAlias = tuple[Friend, ...]

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
    """Return a party after a change, ordered by name."""
    friends = {friend.name: friend for friend in party}
    for name in change.gone:
        friends.pop(name, None)
    friends.update((friend.name, friend) for friend in change.come)
    return tuple([friends[name] for name in sorted(friends)])


def _difference(old: PartyList, new: PartyList) -> Friends | None:
    before = {friend.name: friend for friend in old}
    after = {friend.name for friend in new}
    gone = tuple([friend.name for friend in old if friend.name not in after])
    come = tuple([friend for friend in new if before.get(friend.name) != friend])
    change = Friends(gone, come)
    if len(gone) + len(come) >= len(new) or apply_friends(old, change) != new:
        return None
    return change
