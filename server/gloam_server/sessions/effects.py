"""What a session asks its host to do: the only way anything leaves a conversation."""

from typing import TypeAlias

from msgspec import Struct

from gloam_shared.protocol.commands import AnyCommand
from gloam_shared.protocol.messages import FromServer


class Send(Struct, frozen=True):
    """Send a message to the client."""

    message: FromServer


class CheckLogin(Struct, frozen=True):
    """Find out whether this device may play under this name; answered by `Session.login_checked`."""

    name: str
    token: bytes
    password: str = ""
    invite: str = ""


class ResumeSession(Struct, frozen=True):
    """Find out whether a cut conversation may go on here; answered by `Session.login_checked`."""

    name: str
    token: bytes


class LogOut(Struct, frozen=True):
    """The player leaves on purpose: this conversation cannot be resumed."""


class ChangePassword(Struct, frozen=True):
    """Set the player's password, or change it from the old one."""

    new: str
    old: str = ""


class SendStatus(Struct, frozen=True):
    """Answer a question for the server's status, then close."""


class QueueCommand(Struct, frozen=True):
    """A command for the player's body."""

    number: int
    command: AnyCommand


class AcknowledgePatch(Struct, frozen=True):
    """The client has seen all patches up to this one."""

    patch: int


class RelayChat(Struct, frozen=True):
    """Something to say to everybody."""

    text: str


class RelayPing(Struct, frozen=True):
    """A word to call out to everybody, for a cell of the level at `depth`."""

    word: str
    depth: int
    cell: int


class ReportThinking(Struct, frozen=True):
    """The player chooses from a list: a turn that waits for them waits longer."""


class SendMapMemory(Struct, frozen=True):
    """Send what the player remembers of a level."""

    depth: int


class SendWholeView(Struct, frozen=True):
    """Send the whole view again."""


class StartLife(Struct, frozen=True):
    """The player's life number `life` is over; begin the next, with that one of the keepsakes that were offered."""

    life: int
    keepsake: int | None = None


class MarkAway(Struct, frozen=True):
    """The player is away from the keyboard."""


class BanForFlood(Struct, frozen=True):
    """The player has flooded the chat: they cannot join again for a while."""


class Close(Struct, frozen=True):
    """End the connection once what was sent is out, or after a second; `at_once` does not wait."""

    at_once: bool = False


Effect: TypeAlias = (
    Send | CheckLogin | SendStatus | QueueCommand | AcknowledgePatch | RelayChat | RelayPing | ReportThinking | SendMapMemory | SendWholeView
    | StartLife | MarkAway | ChangePassword | ResumeSession | LogOut | BanForFlood | Close
)  # fmt: skip
