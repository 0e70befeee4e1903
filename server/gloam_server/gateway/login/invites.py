"""Codes from the host: to admit new players, or to give a name to a new device.

Blocking, for the writer's thread.

Invites and password resets are both secrets that the host hands out, so one kind of code, one table and one field of
`Login` serve both. A name that falls free keeps the number of its account: deaths and chronicle stay with their owner.
"""

import base64
import hashlib
import secrets

from gloam_server.storage.accounts import Account, Accounts
from gloam_shared.protocol.invite_code import CODE_SIZE, Ticket
from gloam_shared.text import fold


class NoSuchName(Exception):
    """No player has this name; the text is one sentence for the host."""


def invite(accounts: Accounts, uses: int, now_s: int) -> str:
    """Return a new code that admits `uses` new players."""
    code = _code()
    accounts.add_invite(digest(code), uses, now_s)
    return code


def reset_password(accounts: Accounts, name: str, now_s: int) -> tuple[Account, str]:
    """Return an account and a new code that gives it to one device, without its password. Raises NoSuchName."""
    account = accounts.account_by_name(fold(name))
    if account is None:
        raise NoSuchName(f'No player has the name "{name}" here; check its spelling.')
    code = _code()
    accounts.add_invite(digest(code), 1, now_s, account.number)
    return account, code


def invite_line(host: str, code: str, pin: str = "", name: str = "") -> str:
    """Return the line that a new player types.

    `host` is the public address, with its port if it is not the usual one.
    """
    return f"gloam join {host}/{Ticket(code, pin)}" + (f" --name {name}" if name else "")


def digest(secret: str) -> bytes:
    """Return the stored hash of a code."""
    return hashlib.sha256(secret.encode()).digest()


def _code() -> str:
    return base64.b32encode(secrets.token_bytes(CODE_SIZE * 5 // 8)).decode().lower()
