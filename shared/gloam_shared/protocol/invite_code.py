"""The text of an invite: `HOST[:PORT]/CODE`, or `HOST[:PORT]/CODE.PIN` with the pin of the server's key."""

import re
from typing import Final, NamedTuple

CODE_SIZE: Final = 16
"""Letters and digits of a code: 80 bits, five a character."""
_TICKET: Final = re.compile(r"([a-z2-7]{16})(?:\.([A-Za-z0-9_-]{1,64}))?")


class Ticket(NamedTuple):
    """The part after the slash: a code for authentication, and the pin of the server's key ("" for none)."""

    code: str
    pin: str = ""

    def __str__(self) -> str:
        return f"{self.code}.{self.pin}" if self.pin else self.code


def read_ticket(text: str) -> Ticket | None:
    """Return the parsed part after an invite's slash, or None if it is not an invite."""
    found = _TICKET.fullmatch(text)
    return Ticket(found[1], found[2] or "") if found else None
