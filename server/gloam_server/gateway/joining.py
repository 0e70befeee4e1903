"""Joining: an authenticated player gets their body in the dungeon, or the end of their last life."""

import logging
from collections.abc import Sequence
from functools import partial
from typing import Final

from twisted.python.failure import Failure

from gloam_server.engine.archive.archived_lives import FoundLife, read_life
from gloam_server.engine.engine import Engine
from gloam_server.engine.faults.fault_isolation import LEVEL_CLOSED
from gloam_server.engine.messages import Attached, Fallen, Say
from gloam_server.engine.player import Player
from gloam_server.engine.players import PlayerInPlay
from gloam_server.gateway.caller import Caller
from gloam_server.gateway.disconnector import Disconnector
from gloam_server.gateway.login import login_refusals
from gloam_server.gateway.login.admission import older_client_words
from gloam_server.views.texts.life_summaries import keepsakes
from gloam_server.views.texts.news import missed_news
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import Beside, EnterPlay, FreeAction, Leave, TakeKit
from gloam_server.world.population.chosen_kit import can_choose_kit, open_kits, refuse_kit
from gloam_server.world.realm.beacons import refuse_beacon
from gloam_server.world.realm.parties import Parties
from gloam_server.world.realm.realm import archived_of, beacons_of, deepest_of, last_kit_of, parties_of
from gloam_server.world.realm.young_life import is_young, may_go_beside
from gloam_server.world.trading.trades import trade_of
from gloam_shared.protocol.commands import EndTrade
from gloam_shared.protocol.messages.chat import ChatLine
from gloam_shared.protocol.messages.lives import (
    BEACONS,
    BeaconOffer,
    BeginAtBeacon,
    ChooseKit,
    JoinFriend,
    KitOffer,
    NewLife,
)
from gloam_shared.protocol.messages.login import Error

_log: Final = logging.getLogger(__name__)
_OVER: Final = "This world has one life, and it is over; leave it, or watch others."
_WENT: Final = "This life has gone to a friend's side before; the next life can go to one again."
_HELD: Final = "A foe holds you here; get away from it first."
_HELD_AT_BEGIN: Final = "A foe holds you here; ask again when it is gone, before your first command."
_TAKEN: Final = "This world has one life, and it is another player's."


class Joining:
    """Brings players into play, on their present connection once the input is durable."""

    def __init__(self, engine: Engine, disconnector: Disconnector, *, one_life: bool = False) -> None:
        self._one_life = one_life
        self._scheduler = engine.scheduler
        self._budget = engine.budget
        self._dungeon = engine.dungeon
        self._players = engine.players
        self._loop = engine.loop
        self._commits = engine.commits
        self._views = engine.views
        self._writer = engine.writer
        self._disconnector = disconnector

    def begin_life(self, player: Player, caller: Caller, request: NewLife | JoinFriend) -> None:
        """Begin the life after a player's life number `life`, with the chosen keepsake, at the entrance or beside a friend."""
        if self._one_life and self._players.in_dungeon(player.account) is None:
            caller.send(Error("one-life", _OVER))
        elif isinstance(request, JoinFriend):
            self._join_friend(player, caller, request)
        elif self._players.in_dungeon(player.account) is None:
            if request.life == self._newest_life(player):
                self._enter(player, request.keepsake)
        else:  # it has begun already, perhaps on a lost connection
            self._commits.when_durable(lambda: self.enter_dungeon(player, caller))

    def enter_dungeon(self, player: Player, caller: Caller) -> None:
        """Join a player with a body in the dungeon, send a dead one their summary, let any other enter."""
        if player.connection != caller.number:
            return
        fallen = self._dungeon.realm.fallen.get(player.account)
        in_play = self._players.in_dungeon(player.account)
        if in_play is not None and in_play[1].partition in self._dungeon.closed:
            self._disconnector.expel_after_fault(player, LEVEL_CLOSED)
            self._loop.wake()
        elif in_play is not None:
            if player.attached != in_play[2].number:
                self._end_trade(in_play)
                self._attach_view(player, caller.number)
                self._loop.wake()
        elif fallen is not None:
            life = self._newest_life(player)
            self._views.take(Fallen(fallen, life))
            self._send_missed(player, self._missed(player))
            self._loop.wake()  # the others get a message about it later
        elif player.account in archived_of(self._dungeon.realm):
            self._restore(player, caller)
        elif self._one_life and player.account not in self._dungeon.realm.lives and self._dungeon.realm.born:
            caller.end("full", _TAKEN)
        else:
            self._enter(player, missed=self._missed(player))

    def _restore(self, player: Player, caller: Caller) -> None:
        """Bring a player's archived life into memory, then let them enter. Its rows are read in the writer's thread."""
        archived = archived_of(self._dungeon.realm)[player.account]
        asked = self._writer.call(
            read_life, self._writer.directory, self._dungeon.campaign, player.account, archived
        )
        asked.addCallback(partial(self._life_found, player, caller))
        asked.addErrback(partial(_not_read, player, caller))

    def _life_found(self, player: Player, caller: Caller, found: FoundLife) -> None:
        for fault in found.faults:
            _log.error("%s", fault)

        def restore() -> None:
            if player.connection == caller.number:
                self._loop.submit(REALM_PARTITION, found.input_, enter)

        def enter() -> None:
            if player.account not in archived_of(self._dungeon.realm):  # else a fault kept it there
                self.enter_dungeon(player, caller)

        self._budget.when_paid(player, restore)

    def choose_kit(self, player: Player, caller: Caller, request: ChooseKit) -> None:
        """Give a life that has not begun to act the kit that its player wants (rule F96); an `Error` says why not."""
        in_play = self._players.in_dungeon(player.account)
        if in_play is None or request.life != self._newest_life(player):
            return
        _, level, body = in_play
        kits = open_kits(self._dungeon.campaign, deepest_of(self._dungeon.realm, player.account))
        fault = refuse_kit(self._dungeon.campaign, body, request.kit, len(kits))
        if fault:
            caller.send(Error("kit", fault))
        else:
            self._loop.submit(level.partition, TakeKit(body.number, request.kit))

    def begin_at_beacon(self, player: Player, caller: Caller, request: BeginAtBeacon) -> None:
        """Take a life that has given no command yet to a lit beacon (rule F188); an `Error` says why not."""
        in_play = self._players.in_dungeon(player.account)
        if in_play is None or request.life != self._newest_life(player):
            return
        _, level, body = in_play
        beacons = beacons_of(self._dungeon.realm)
        fault = refuse_beacon(beacons, self._dungeon.campaign, body, request.depth)
        if not fault and self._scheduler.is_held(level, body):
            fault = _HELD_AT_BEGIN
        if fault:
            caller.send(Error("beacon", fault))
        else:
            self._loop.submit(level.partition, Leave(body.number))
            self._loop.submit(REALM_PARTITION, EnterPlay(player.account, player.name, beacon=request.depth))

    def _end_trade(self, in_play: PlayerInPlay) -> None:
        """End the trade of a player who joins on another connection: a cut ends it (rule F95)."""
        _, level, body = in_play
        if trade_of(level, body.number) is not None:
            self._loop.submit(level.partition, FreeAction(body.number, 0, EndTrade()))

    def _join_friend(self, player: Player, caller: Caller, request: JoinFriend) -> None:
        """Begin a life beside a friend, or take a young one there (rule F92); an `Error` says why it cannot be."""
        in_play = self._players.in_dungeon(player.account)
        if request.life != self._newest_life(player):
            if in_play is not None:  # it has begun already, perhaps on a lost connection
                self._commits.when_durable(lambda: self.enter_dungeon(player, caller))
            return
        beside = self._place_beside(player, request.friend)
        if isinstance(beside, str):
            caller.send(Error("friend", beside))
        elif in_play is None:
            self._enter(player, request.keepsake, beside=beside)
        else:
            self._move_to_friend(in_play, beside, caller)

    def _place_beside(self, player: Player, name: str) -> Beside | str:
        """Return where a life begins beside the friend of this name, the deepest for ""; or why it cannot."""
        if not self._dungeon.campaign.catch_up.levels_below:
            return "In this campaign every life begins at the entrance; begin there."
        friends = [
            in_play
            for in_play in self._players.in_play()
            if in_play[0] is not player and in_play[0].attendance.present.reported
        ]
        if name:
            friends = [each for each in friends if each[0].name.casefold() == name.casefold()]
        if not friends:
            who = f"{name} is not" if name else "No friend is"
            return f"{who} in the dungeon now; a life at the entrance can begin at any time."
        parties = parties_of(self._dungeon.realm)
        named = friends[0][0].name if name else ""
        friends = [each for each in friends if admits(each[0], player, parties)]
        if not friends:
            return refusal(named)
        # Their own party comes before all others.
        friends = [each for each in friends if parties.together(each[0].account, player.account)] or friends
        safe = [each for each in friends if not self._scheduler.is_held(each[1], each[2])]
        friend, level, body = max(
            safe or friends, key=lambda each: (each[1].partition, each[2].level, each[0].name)
        )
        if not safe:
            return f"{friend.name} is in danger now; wait until the fight is over, or begin at the entrance."
        return Beside(level.partition, body.cell, body.level)

    def _move_to_friend(self, in_play: PlayerInPlay, beside: Beside, caller: Caller) -> None:
        """Take a player with a young life out of play and in again beside a friend, unless a foe holds them."""
        player, level, body = in_play
        if not is_young(body):
            caller.send(
                Error(
                    "friend",
                    "Only a life that has just begun can go to a friend's side at once; take the stairs.",
                )
            )
        elif not may_go_beside(body):
            caller.send(Error("friend", _WENT))
        elif self._scheduler.is_held(level, body):
            caller.send(Error("friend", _HELD))
        else:
            self._loop.submit(level.partition, Leave(body.number))
            self._loop.submit(REALM_PARTITION, EnterPlay(player.account, player.name, beside=beside))

    def _missed(self, player: Player) -> list[str]:
        return missed_news(self._dungeon.realm, player.account)

    def _enter(
        self,
        player: Player,
        keepsake: int | None = None,
        missed: Sequence[str] = (),
        beside: Beside | None = None,
    ) -> None:
        """Bring a player's body into play, in a new life at the entrance or `beside` a friend.

        Once that is durable, they join, and get the news that they `missed`. `keepsake` is the index of an
        item among those offered to an heir; an invalid index means none.
        """
        number = player.connection
        fallen = self._dungeon.realm.fallen.get(player.account)
        offered = (
            [left.item for left in keepsakes(self._dungeon.campaign, fallen)] if fallen is not None else []
        )
        asked = offered[keepsake] if keepsake is not None and keepsake < len(offered) else 0
        entry = EnterPlay(player.account, player.name, asked, beside)

        def enter() -> None:
            if number and player.connection == number:
                attach = partial(self._attach_view, player, number, missed)  # then the batch publishes
                self._loop.submit(REALM_PARTITION, entry, attach)

        self._budget.when_paid(player, enter)  # a body that joins and leaves is written twice

    def _attach_view(self, player: Player, connection: int, missed: Sequence[str] = ()) -> None:
        """Let a player join, unless another connection has taken over in the meantime.

        The loop then has to send the first view.
        """
        in_play = self._players.in_dungeon(player.account)
        if in_play is None or player.connection != connection:
            return
        _, _, body = in_play
        player.turns.pending_choices.clear()
        player.turns.pending_consents.clear()
        life = self._newest_life(player)
        if player.life != life:
            player.life = life
            player.turns.begin_life()
            if older := older_client_words(self._dungeon.campaign, player.abilities):
                missed = (*missed, older)
        player.turns.answered = max(player.turns.answered, body.command)
        player.attached, player.turns.sent_pace = body.number, None
        kits = self._offered_kits(player, body) if "kits" in player.abilities else ()
        beacons = self._offered_beacons(body) if BEACONS in player.abilities else ()
        self._views.take(Attached(player.account, body.number, life, player.turns.answered, kits, beacons))
        self._send_missed(player, missed)

    def _offered_kits(self, player: Player, body: Creature) -> tuple[KitOffer, ...]:
        """Return the kits of which a player's body may choose one now."""
        campaign, realm = self._dungeon.campaign, self._dungeon.realm
        if not can_choose_kit(campaign, body):
            return ()
        last = last_kit_of(realm, player.account)
        offered = open_kits(campaign, deepest_of(realm, player.account))
        return tuple(KitOffer(kit.name, kit.words, at == last) for at, kit in enumerate(offered, start=1))

    def _offered_beacons(self, body: Creature) -> tuple[BeaconOffer, ...]:
        """Return the lit beacons where a player's body may begin now, by depth."""
        campaign, beacons = self._dungeon.campaign, beacons_of(self._dungeon.realm)
        return tuple(
            BeaconOffer(each.name, each.depth, each.level)
            for each in sorted(campaign.beacons.places, key=lambda place: place.depth)
            if not refuse_beacon(beacons, campaign, body, each.depth)
        )

    def _send_missed(self, player: Player, missed: Sequence[str]) -> None:
        for line in missed:
            self._views.take(Say(player.connection, ChatLine("", line)))

    def _newest_life(self, player: Player) -> int:
        """Return the number of a player's newest life."""
        return self._dungeon.realm.born.get(player.account, 0)


def _not_read(player: Player, caller: Caller, failure: Failure) -> None:
    """End the connection of a player whose archived life cannot be read now; it stays in its rows."""
    _log.error("the archived life of %s cannot be read now: %s", player.name, failure.getErrorMessage())
    busy = login_refusals.UNREADABLE
    caller.end(busy.code, busy.text)


def admits(friend: Player, newcomer: Player, parties: Parties) -> bool:
    """Return whether a player lets another begin beside them."""
    if friend.audience.blocks(newcomer.account):
        return False
    match friend.beside:
        case "all":
            return True
        case "none":
            return False
        case "party":
            return parties.of(friend.account) is None or parties.together(friend.account, newcomer.account)


def refusal(name: str) -> str:
    """Return why no life begins beside the friend of this name, or with "" beside any. A block reads as any other no."""
    who = f"{name} does not let" if name else "No friend in the dungeon lets"
    return f"{who} you begin at their side; a life at the entrance can begin at any time."
