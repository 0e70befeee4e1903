"""Names that were released for lack of play: their owner gets the character back under a free name."""

from collections.abc import Iterator
from typing import Final

from gloam_server.gateway.login.login_attempt import LoginAttempt
from gloam_server.gateway.login.login_refusals import imitation
from gloam_server.storage.accounts import Account, Accounts
from gloam_shared import limits

_NUMBERS: Final = range(2, 100)


def given_back(directory: Accounts, caller: LoginAttempt, reserved: frozenset[str]) -> Account | None:
    """Return the account of an owner whose name was released, with a free name; None for all other callers.

    Their device proves them. A password or a code means the account that has the name now.
    """
    asks_otherwise = caller.login.password or caller.login.invite
    former = None if asks_otherwise else directory.released_account(caller.folded, caller.device)
    if former is None:
        return None
    for name in _names_like(former.name):
        if not directory.accounts_alike(name) and imitation(name, reserved) is None:
            return directory.give_name(former.number, name)
    return None


def words_for(asked: str, name: str) -> str:
    """Return the server's words for an owner whose character goes on under another name."""
    days = limits.NAME_FREE_S // 86_400
    return (
        f"{asked} was not played for {days} days, and another player has that name now. "
        f"Your character goes on as {name}. /password keeps a name for good."
    )


def _names_like(name: str) -> Iterator[str]:
    """Return a name, and those that its owner may get in its place: Bert, Bert2, Bert3 and so on."""
    yield name
    for number in _NUMBERS:
        yield f"{name[: limits.NAME_MAX - len(str(number))]}{number}"
