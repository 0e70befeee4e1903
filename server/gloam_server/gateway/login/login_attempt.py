"""The data of a login, of its account, and of the host's access rules: plain data for authentication."""

from dataclasses import dataclass

from gloam_server.net.networks import Networks
from gloam_server.storage.accounts import Account
from gloam_shared import text
from gloam_shared.protocol.messages.login import Login


@dataclass(frozen=True, slots=True)
class AccessRules:
    """The access rules of a host."""

    open: bool = False
    """Whether new names need no invite."""
    trusted: Networks = ()
    """Networks without limits for addresses."""


@dataclass(frozen=True, slots=True)
class LoginAttempt:
    """One attempt to log in."""

    login: Login
    device: bytes
    """The hash of the device's token."""
    network: str
    """The network to count the attempt by, "" for none."""
    local: bool
    plays: bool = False
    """Whether it is a login to play: then a resume token is written with its account."""

    @property
    def folded(self) -> str:
        """The case-folded name, as accounts are stored."""
        return text.fold(self.login.name)


@dataclass(frozen=True, slots=True)
class AccountLookup:
    """The account of a login's name: none, or its ban, and whether it knows the device."""

    account: Account | None
    known_device: bool = False
    banned_until_s: int = 0
    """The end of a ban in seconds since 1970, 0 for none."""
    made: bool = False
