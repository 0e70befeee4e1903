"""The refusals of a login, and the names that no newcomer gets: names of the server, the game and its creatures."""

import logging
from collections.abc import Iterable
from typing import Final

from twisted.python.failure import Failure

from gloam_server.storage.errors import StorageError
from gloam_shared import text
from gloam_shared.protocol.messages.login import Bye, Error

_log: Final = logging.getLogger(__name__)
AUTH: Final = Error("auth", "That name and password do not belong together; try again.")
BUSY: Final = Bye("busy", "Too many passwords wait for their check; try again in a moment.")
CROWDED: Final = Bye("busy", "Too many logins wait for their check; try again in a moment.")
INVITE: Final = Bye(
    "invite", "This dungeon is private: ask its host for an invite, and join with the command in it."
)
INVITE_USED: Final = Bye("invite", "That invite is used up or not of this dungeon; ask its host for another.")
RESUMED: Final = Error(
    "auth",
    "The connection was lost and continued, which does not prove your device: join again, and set the password then.",
)
TRY_LATER: Final = Error("wait", "You come and go too often; try again in 1 s.")
UNREADABLE: Final = Bye("busy", "The server cannot read its accounts now; try again in a minute.")

_WORDS: Final = text.RESERVED | frozenset(
    "administrators admins sysadmin sysop superuser mod mods moderators operators gm gamemaster staff support "
    "official console daemon servers host hosts owners god gods goddess dungeon game news notice warning error "
    "he she it its we us they them your yours yourself me him her his hers our ours their theirs "
    "the this that anyone nothing something none".split()
)
"""Words that begin sentences of the game, or stand for people with power over it."""
_OWN_NAMES: Final = frozenset(("Ali",))
"""Names of people that look like a word ("All") only as far as a reader tells "i" from "l"."""


def reserved_skeletons(creatures: Iterable[str]) -> frozenset[str]:
    """Return the skeletons of all words that no new name may look like, with the names of a campaign's creatures."""
    return frozenset(text.skeleton(word.replace(" ", "")) for word in (*_WORDS, *creatures))


def imitation(name: str, reserved: frozenset[str]) -> Error | None:
    """Return the refusal of a new name that looks like a reserved word."""
    if text.capitalize_name(name) in _OWN_NAMES or text.skeleton(name) not in reserved:
        return None
    return Error("name", f'The name "{name}" looks like a word of the game; choose another name.')


def looks_like_another(name: str) -> Error:
    """Return the refusal of a new name that looks like an account's."""
    return Error(
        "name", f'The name "{name}" looks too much like another player\'s; choose one that differs more.'
    )


def belongs_to_another(name: str) -> Error:
    """Return the refusal of a device that does not know the account."""
    return Error("name", f'The name "{name}" belongs to another device; choose another name.')


def too_many_passwords(wait_s: int) -> Error:
    """Return the refusal of a password after too many wrong ones."""
    return Error("wait", f"Too many wrong passwords; try again in {wait_s} s.")


def unreadable(whose: str, failure: Failure) -> Bye:
    """Return the refusal of a login for which the accounts cannot be read, and log why: a fault of ours with its traceback."""
    ours = None if failure.check(StorageError) else failure.getTraceback()
    _log.error("the login of %s failed: %s", whose, ours or failure.getErrorMessage())
    return UNREADABLE
