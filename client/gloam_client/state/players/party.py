"""Knowledge of the player's party: its members, its patience, open invites, and the players' colors. Pure."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace
from msgspec.structs import replace as changed

from gloam_shared.protocol.messages.parties import MemberMark, PartyInvite, PartyMember, PartyState
from gloam_shared.text import clean, fold

PATIENCE_WORDS: Final = ("normal", "patient", "very patient")
"""The words for a patience, by its number."""
PLAYER_COLORS: Final = ("cyan", "magenta", "blue", "white", "teal", "purple")
"""The colors of other players: none of danger or health, and each another one among 16 colors, too."""
_TINTS_MAX: Final = 64


class Invited(NamedTuple):
    """An open invite: who invites, and until when it is open."""

    name: str
    until_ms: int


class PartyKnowledge(Struct, frozen=True):
    """All of it. Without members the player is in no party."""

    members: tuple[PartyMember, ...] = ()
    patience: int = 0
    """The patience of the party, 0 to 2."""
    invites: tuple[Invited, ...] = ()
    """The open invites, the newest last."""
    tints: Mapping[str, str] = field(default_factory=dict)
    """The color of each other player that this client has met, by name."""

    def meet(self, names: Iterable[str]) -> "PartyKnowledge":
        """Return the knowledge with a color for each of the players who are here, which a player keeps.

        It is the color of the name, the same for all who see the player, or the next one that no other player here has.
        """
        here = tuple(names)
        if all(name in self.tints for name in here):
            return self
        tints = {
            name: tint for name, tint in self.tints.items() if name in here or len(self.tints) < _TINTS_MAX
        }
        for name in here:
            first = sum(fold(name).encode()) % len(PLAYER_COLORS)
            ordered = PLAYER_COLORS[first:] + PLAYER_COLORS[:first]
            taken = {tints[each] for each in here if each in tints}
            tints.setdefault(name, next((one for one in ordered if one not in taken), ordered[0]))
        return replace(self, tints=tints)

    def take(self, message: PartyState | PartyInvite, now_ms: int) -> "PartyKnowledge":
        """Return the knowledge after a message of the server; its texts are made safe to show."""
        if isinstance(message, PartyState):
            members = [_cleaned(member) for member in message.members]
            return replace(self, members=tuple(members), patience=message.patience)
        name = clean(message.name)
        others = tuple(each for each in self.invites if each.name != name)
        fresh = (Invited(name, now_ms + message.seconds * 1_000),) if message.seconds else ()
        return replace(self, invites=(*others, *fresh))

    def unknown(self) -> "PartyKnowledge":
        """Return the knowledge on a new connection: the server sends the party again, if there still is one."""
        return PartyKnowledge(invites=self.invites, tints=self.tints)

    def open_invites(self, now_ms: int) -> tuple[str, ...]:
        """Return the names of players who have invited the player, the newest last."""
        return tuple(each.name for each in self.invites if each.until_ms > now_ms)

    def member(self, name: str) -> PartyMember | None:
        """Return the member of this name; None if there is none."""
        return next((each for each in self.members if fold(each.name) == fold(name)), None)

    def others(self, name: str) -> tuple[PartyMember, ...]:
        """Return the members besides the player `name`; members who need help come first."""
        others = [each for each in self.members if fold(each.name) != fold(name)]
        return tuple(sorted(others, key=lambda each: not needs_help(each)))


NO_PARTY: Final = PartyKnowledge()


def _cleaned(member: PartyMember) -> PartyMember:
    return changed(member, name=clean(member.name))


def needs_help(member: PartyMember) -> bool:
    """Return whether a member is in danger: below half of their health in a fight, or below a quarter anywhere."""
    if not member.depth or member.hp_max <= 0:
        return False
    part = 2 if member.marks & MemberMark.FOUGHT else 4
    return member.hp * part < member.hp_max
