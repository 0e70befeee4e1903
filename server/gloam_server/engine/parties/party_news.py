"""News of a party for its members: where each is and how they are. Sent when it changes, and not more often than it must.

Without parties it costs one comparison. With them each party is looked at every `PARTY_EVERY_MS` at most.
"""

from gloam_server.engine.messages import Say, Views
from gloam_server.engine.player import Player
from gloam_server.engine.players import Players
from gloam_server.engine.turns.turn_scheduler import TurnScheduler
from gloam_server.world.realm.parties import Member, Parties, Party
from gloam_server.world.transition.dungeon import Dungeon
from gloam_shared import limits
from gloam_shared.protocol.messages.parties import MemberMark, PartyMember, PartyState

_NO_PARTY = PartyState()


class PartyNewsFeed:
    """Sends each connected member of a party the state of their party."""

    def __init__(self, dungeon: Dungeon, players: Players, scheduler: TurnScheduler, views: Views) -> None:
        self._dungeon = dungeon
        self._players = players
        self._scheduler = scheduler
        self._views = views
        self._shown: dict[int, tuple[int, PartyState]] = {}
        self._next_ms = 0

    def publish(self, now_ms: int) -> int | None:
        """Send what has changed, if it is time; return when to look again, None if not before something happens."""
        of_realm = self._dungeon.realm.parties
        if not isinstance(of_realm, Parties) or not (of_realm.parties or self._shown):
            return None
        if now_ms < self._next_ms:
            return self._next_ms
        self._next_ms = now_ms + limits.PARTY_EVERY_MS
        former, self._shown = self._shown, {}
        for party in of_realm.parties.values():
            self._publish_to(party, former)
        for account, (connection, state) in former.items():
            player = self._players.by_account(account)
            if account not in self._shown and state.members and player is not None:
                self._send(player, connection, _NO_PARTY)
        return None

    def _publish_to(self, party: Party, former: dict[int, tuple[int, PartyState]]) -> None:
        """Send a party's state to those members who have not seen it."""
        there = [
            player
            for member in party.members
            if (player := self._players.by_account(member.account)) is not None
            and player.connection
            and player.attached
        ]
        if not there:
            return
        state = PartyState(tuple([self._member(party, member) for member in party.members]), party.patience)
        for player in there:
            if former.get(player.account) != (player.connection, state):
                self._send(player, player.connection, state)
            self._shown[player.account] = player.connection, state

    def _send(self, player: Player, connection: int, state: PartyState) -> None:
        if player.connection == connection and "parties" in player.abilities:
            self._views.take(Say(connection, state))

    def _member(self, party: Party, member: Member) -> PartyMember:
        """Return a member as the others know them."""
        player = self._players.by_account(member.account)
        marks = MemberMark.LEADER if member.account == party.leader else MemberMark(0)
        marks |= MemberMark.SHARES if member.shares else 0
        marks |= _connection_marks(player)
        in_play = self._players.in_dungeon(member.account) if player is not None else None
        if in_play is None:
            marks |= MemberMark.DEAD if member.account in self._dungeon.realm.fallen else MemberMark.ABSENT
            return PartyMember(member.name, 0, -1, 0, 0, 0, int(marks), member.patience)
        _, level, body = in_play
        if level.partition not in self._dungeon.closed and self._scheduler.is_held(level, body):
            marks |= MemberMark.FOUGHT
        return PartyMember(
            member.name,
            level.partition,
            body.cell if member.shares else -1,
            body.hp,
            body.hp_max,
            body.level,
            int(marks),
            member.patience,
        )


def _connection_marks(player: Player | None) -> MemberMark:
    """Return a member's marks from the state of their connection; a short cut is not reported, as to all players."""
    if player is None or (not player.connection and not player.attendance.present.reported):
        return MemberMark.CUT_OFF
    return MemberMark.AWAY if player.attendance.away.reported else MemberMark(0)
