"""Consents between players who stand side by side: to a trade, or to take a gift.

A player takes gifts of their party, and of others after agreeing once: by a trade with the giver, or by a gift to them.
Until then a gift is offered as a trade, which the other accepts or declines (A84).
"""

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from gloam_server.engine.player import Player, PlayerCommand
from gloam_server.engine.players import Players
from gloam_server.world.actions import plan
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.inputs import FreeAction
from gloam_server.world.model.level import Level
from gloam_server.world.model.outcome import Impossible
from gloam_server.world.realm.realm import parties_of
from gloam_server.world.trading.trades import plan_offer, trade_of
from gloam_server.world.transition.dungeon import Dungeon
from gloam_shared.protocol.commands import AnyCommand, ConfirmTrade, Give, OfferTrade
from gloam_shared.protocol.messages.play import Answer

CommandReply: TypeAlias = Answer | FreeAction | None
"""An answer to send, an input that takes no time, or None: the command waits."""


class Consents:
    """Decides whether the other player of a trade or a gift agrees, or can be asked."""

    def __init__(self, players: Players, dungeon: Dungeon) -> None:
        self._players = players
        self._dungeon = dungeon

    def refusal(self, player: Player, level: Level, body: Creature, command: AnyCommand) -> Impossible | None:
        """Return why the other player prevents a command that the level allows."""
        match command:
            case OfferTrade() if not isinstance(plan_offer(level, body, command), Impossible):
                return self._cannot_answer(player, level, command.handle)
            case Give() if not isinstance(plan(level, body, command), Impossible):
                return self._asks_first(player, level, body, command)
            case _:
                return None

    def consequences(
        self,
        player: Player,
        level: Level,
        body: Creature,
        sent: PlayerCommand,
        replies: Iterable[CommandReply],
    ) -> Iterator[FreeAction]:
        """Yield the offer that asks the other player to take a gift, if that is why it was refused.

        A player who deals with another agrees to gifts of the other from then on, until they ignore or block them.
        """
        number, command = sent
        if not isinstance(command, OfferTrade | ConfirmTrade | Give):
            return
        refused = next((each for each in replies if isinstance(each, Answer) and each.number == number), None)
        other = self._players.on_level(level).get(level.taken_handles.get(command.handle, 0))
        if refused is None and other is not None:
            player.audience.takes_gifts_of.add(other.account)
        elif refused is not None and refused.reason == "asked" and isinstance(command, Give):
            yield FreeAction(body.number, 0, _as_offer(command))

    def _asks_first(self, player: Player, level: Level, body: Creature, command: Give) -> Impossible | None:
        """Return why a gift is not handed over immediately; a companion takes it if its player does."""
        other = level.creatures[level.taken_handles[command.handle]]
        taker = self._players.on_level(level).get(other.number if other.account else other.owner)
        if taker is player or (taker is not None and self._agrees(taker, player)):
            return None
        if taker is None or not other.account:
            return Impossible("Give it to its player: that companion takes things only of friends.", "gone")
        trade = trade_of(level, body.number)
        if trade is not None and other.number in (trade.first.number, trade.second.number):
            return Impossible(f"You already trade with {taker.name}, who takes gifts after that.", "trading")
        offer = plan_offer(level, body, _as_offer(command))
        if isinstance(offer, Impossible) and offer.reason == "foes_near":
            words = f"{taker.name} has not agreed to your gifts, and cannot in a fight: be of one party, or get away."
            return Impossible(words, "foes_near")
        if isinstance(offer, Impossible):
            return offer
        return self._cannot_answer(player, level, command.handle) or _ask(player, taker)

    def _agrees(self, taker: Player, giver: Player) -> bool:
        if not taker.audience.hears(giver.account):
            return False
        together = parties_of(self._dungeon.realm).together(taker.account, giver.account)
        return together or giver.account in taker.audience.takes_gifts_of

    def _cannot_answer(self, player: Player, level: Level, handle: int) -> Impossible | None:
        """Return why the other player could not answer an offer of a trade: cut off, or with an older client.

        A player who blocks the asking one looks cut off to them.
        """
        other = self._players.on_level(level).get(level.taken_handles.get(handle, 0))
        if other is None:
            return None
        if not other.connection or other.audience.blocks(player.account):
            return Impossible(f"{other.name} is cut off and cannot trade now.", "trading")
        if "trade" not in other.abilities:
            return Impossible(f"{other.name} plays with an older client, which cannot trade.", "trading")
        return None


def _as_offer(gift: Give) -> OfferTrade:
    return OfferTrade(gift.handle, (gift.slot, 1))


def _ask(giver: Player, taker: Player) -> Impossible:
    """Return the refusal of a gift that becomes an offer."""
    if not giver.connection or "trade" not in giver.abilities:
        return Impossible(f"{taker.name} has to agree in a trade first: use a newer client.", "trading")
    return Impossible(
        f"{taker.name} has to agree first: you offer it in a trade, for both to confirm.", "asked"
    )
