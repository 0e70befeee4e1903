"""What a login brings, what the accounts know about it, and what the host allows: plain data for authentication."""

from dataclasses import dataclass

from gloam_server.net.networks import Networks
from gloam_server.storage.accounts import Account
from gloam_shared import text
from gloam_shared.protocol.messages import Login


@dataclass(frozen=True, slots=True)
class AccessRules:
    """What a host may set about access."""

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
    """The network that the attempt counts for, "" for none."""
    local: bool

    @property
    def folded(self) -> str:
        """The name as the accounts know it."""
        return text.fold(self.login.name)


@dataclass(frozen=True, slots=True)
class AccountLookup:
    """What the accounts know of the name of a login: no account, or one with its ban, and whether it knows the device."""

    account: Account | None
    known_device: bool = False
    banned_until_s: int = 0
    """The end of a ban in seconds since 1970, 0 for none."""
    made: bool = False
