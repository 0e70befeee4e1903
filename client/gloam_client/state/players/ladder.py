"""The client's ladders: boards of the server in play, and of the places asked from the title. Data only."""

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from gloam_client.user_files.address import Address
from gloam_shared.protocol.messages.records import ORDERS, SPANS, Ladder


class LadderOwner(NamedTuple):
    """The owner of a ladder: the server at an address, or the own world of a campaign.

    If neither, the server in play.
    """

    address: Address | None = None
    campaign: str = ""

    @property
    def words(self) -> str:
        """The owner as the screen names it; "" for the server in play."""
        return str(self.address) if self.address else self.campaign


HERE = LadderOwner()


class LadderState(Struct, frozen=True):
    """The newest boards by owner, span and order, and why an owner has not answered."""

    boards: Mapping[tuple[LadderOwner, str, str], Ladder] = field(default_factory=dict)
    faults: Mapping[LadderOwner, str] = field(default_factory=dict)

    def take(self, owner: LadderOwner, answer: Ladder | str) -> "LadderState":
        """Return the state after an answer, or after the reason why there is none."""
        if isinstance(answer, str):
            return replace(self, faults={**self.faults, owner: answer})
        if answer.span not in SPANS or answer.order not in ORDERS:
            return self
        faults = {where: text for where, text in self.faults.items() if where != owner}
        return LadderState({**self.boards, (owner, answer.span, answer.order): answer}, faults)

    def without(self, owner: LadderOwner) -> "LadderState":
        """Return the state without the boards of an owner: another server answers there now."""
        boards = {key: board for key, board in self.boards.items() if key[0] != owner}
        return replace(self, boards=boards)
