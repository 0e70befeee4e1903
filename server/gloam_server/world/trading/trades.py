"""The trades of a level: asking, offering, confirming, the exchange, and every end of one (rule F95).

Both players change hands in the input that carries the second confirmation. A confirmation is for one revision: the
number of the input that changed the offer last. What a later input takes from an offer makes another revision.
"""

from collections.abc import Sequence
from typing import Final

from gloam_server.world.combat.hostility import is_held, is_hostile
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.item_names import item_name
from gloam_server.world.model.level import Level
from gloam_server.world.model.level_state import Trade, TradeSide
from gloam_server.world.model.outcome import Impossible
from gloam_server.world.trading.pack_exchange import Pack, choose_items, is_offerable, packs_after
from gloam_shared.narration.rendering import list_names, with_article, with_count
from gloam_shared.protocol.commands import ConfirmTrade, OfferTrade

NO_PARTNER: Final = Impossible("There is no player beside you to trade with.", "gone")
"""The same refusal for a foe, and for a player who is out of reach, hidden, gone, or never existed."""
NO_TRADE: Final = Impossible("You have no trade to end.", "gone")
_CHANGED: Final = Impossible(
    "That offer is gone: it has changed since. Look at it and confirm again.", "gone"
)
_NAMES_MAX: Final = 6
"""The most names of items in one sentence of the log."""


def trade_of(level: Level, number: int) -> Trade | None:
    """Return the trade of a player: one that they take part in, else the request of another to them."""
    asked = None
    for trade in level.trades():
        if trade.first.number == number or (trade.answered and trade.second.number == number):
            return trade
        if trade.second.number == number:
            asked = trade
    return asked


def sides(trade: Trade, number: int) -> tuple[TradeSide, TradeSide]:
    """Return a player's side of a trade, and the other."""
    return (trade.first, trade.second) if trade.first.number == number else (trade.second, trade.first)


def plan_offer(level: Level, player: Creature, command: OfferTrade) -> tuple[int, ...] | Impossible:
    """Return the items of an offer, by number, or the refusal. Changes nothing."""
    other = level.creatures.get(level.taken_handles.get(command.handle, 0))
    if other is None or not _are_together(level, player, other):
        return NO_PARTNER
    if is_held(level, player) or is_held(level, other):
        return Impossible("Not in a fight: get away from the foe first.", "foes_near")
    if _between(level, player, other) is None:
        if (player.number, other.number) in level.turned_down():
            return Impossible(
                f"Your last trade with {other.name} was ended: wait until they ask, or step apart first.",
                "turned_down",
            )
        for one, words in ((player, "You already trade"), (other, f"{other.name} already trades")):
            if _takes_part(level, one):
                return Impossible(f"{words} with another player.", "trading")
    return choose_items(player, command.pairs)


def offer(context: TurnContext, player: Creature, command: OfferTrade) -> Impossible | None:
    """Set a player's offer, and begin the trade if there is none; return the refusal if that is impossible."""
    level = context.level
    items = plan_offer(level, player, command)
    if isinstance(items, Impossible):
        return items
    other = level.creatures[level.taken_handles[command.handle]]
    trade = _between(level, player, other)
    if trade is None:
        for former in (trade_of(level, player.number), trade_of(level, other.number)):
            if former is not None:  # a request that no one answered
                _close(context, former, "Another trade has taken the place of that request.")
        trade = Trade(TradeSide(player.number), TradeSide(other.number), level.sequence)
        level.set_trades([*level.trades(), trade])
    trade.answered = trade.answered or trade.second.number == player.number
    mine, _ = sides(trade, player.number)
    if mine.items != list(items):
        mine.items = list(items)
        _revise(level, trade)
    return None


def plan_confirmation(
    level: Level, player: Creature, command: ConfirmTrade
) -> tuple[Trade, Pack, Pack] | Impossible:
    """Return the confirmed trade with both packs after it, or the refusal. Changes nothing."""
    trade = trade_of(level, player.number)
    if trade is None:
        return Impossible("That trade is gone.", "gone")
    mine, theirs = sides(trade, player.number)
    if trade.revision != command.revision or level.taken_handles.get(command.handle) != theirs.number:
        return _CHANGED
    if not (mine.items or theirs.items):
        return Impossible("Nothing is offered yet: there is nothing to confirm.", "gone")
    packs = packs_after(level.campaign, player, mine.items, level.creatures[theirs.number], theirs.items)
    return packs if isinstance(packs, Impossible) else (trade, *packs)


def confirm(context: TurnContext, player: Creature, command: ConfirmTrade) -> Impossible | None:
    """Confirm an offer; with the second confirmation both packs change. Return the refusal if that is impossible."""
    planned = plan_confirmation(context.level, player, command)
    if isinstance(planned, Impossible):
        return planned
    trade, pack, other_pack = planned
    mine, theirs = sides(trade, player.number)
    mine.confirmed = trade.answered = True
    if theirs.confirmed:
        _exchange(context, trade, player, pack, other_pack)
    return None


def end_trade(context: TurnContext, player: Creature, *, cut: bool = False) -> Impossible | None:
    """End the trade of a player, by their word or because their connection was cut; return the refusal without one."""
    level = context.level
    trade = trade_of(level, player.number)
    if trade is None:
        return NO_TRADE
    if not cut:  # who asked may not ask again immediately
        level.set_turned_down([*level.turned_down(), (trade.first.number, trade.second.number)])
        _note(context, player.number, "You end the trade.")
    words = "has lost the connection: the trade is off" if cut else "ends the trade"
    _close(context, trade, f"{player.name} {words}.", but=player)
    return None


def settle_trades(context: TurnContext) -> None:
    """Bring the trades in line with the level at the end of an input: some end, some offers lose items."""
    level = context.level
    for trade in level.trades():
        reason = _reason_to_end(level, trade)
        if reason:
            _close(context, trade, reason)
        elif _drop_lost(level, trade):
            _revise(level, trade)
            for side in (trade.first, trade.second):
                _note(context, side.number, "An item of the offer is gone: look at the trade again.")
    if level.turned_down():
        level.set_turned_down([pair for pair in level.turned_down() if _are_beside(level, *pair)])


def note_refusal(context: TurnContext, player: Creature, refusal: Impossible | None) -> None:
    """Tell a player why a command that was accepted could not be carried out in the end."""
    if refusal is not None and refusal is not NO_TRADE:
        _note(context, player.number, refusal.text)


def _are_together(level: Level, player: Creature, other: Creature) -> bool:
    """Return whether two bodies are players beside each other who see each other and are no enemies."""
    if not (player.account and other.account) or level.distance(player, other) != 1:
        return False
    if is_hostile(level, player, other) or is_hostile(level, other, player):
        return False
    return bool(level.field_of_view(player)[other.cell])


def _are_beside(level: Level, one: int, other: int) -> bool:
    bodies = level.creatures.get(one), level.creatures.get(other)
    return bodies[0] is not None and bodies[1] is not None and level.distance(bodies[0], bodies[1]) == 1


def _between(level: Level, one: Creature, other: Creature) -> Trade | None:
    pair = {one.number, other.number}
    return next((each for each in level.trades() if {each.first.number, each.second.number} == pair), None)


def _takes_part(level: Level, body: Creature) -> bool:
    """Return whether a player has asked for a trade, or answered in one."""
    trade = trade_of(level, body.number)
    return trade is not None and (trade.answered or trade.first.number == body.number)


def _revise(level: Level, trade: Trade) -> None:
    trade.revision = level.sequence
    trade.first.confirmed = trade.second.confirmed = False


def _exchange(context: TurnContext, trade: Trade, player: Creature, pack: Pack, other_pack: Pack) -> None:
    """Let the items of a confirmed trade change hands, and tell both what they gave and got."""
    level = context.level
    mine, theirs = sides(trade, player.number)
    other = level.creatures[theirs.number]
    given = _items(player, mine)
    got = _items(other, theirs)
    player.slots, player.stacks = pack
    other.slots, other.stacks = other_pack
    for body in (player, other):
        level.sight.note_gear(body.number)
    level.set_trades([each for each in level.trades() if each is not trade])
    context.emit("trades", player, other)
    for body, gives, gets in ((player, given, got), (other, got, given)):
        _note(context, body.number, _exchange_words(level, body, gives, gets))


def _items(body: Creature, side: TradeSide) -> list[Item]:
    return [item for item in body.carried if item.number in side.items]


def _exchange_words(level: Level, viewer: Creature, gives: Sequence[Item], gets: Sequence[Item]) -> str:
    gave, got = _listed(level, viewer, gives), _listed(level, viewer, gets)
    if not got:
        return f"You give {gave}."
    return f"You give {gave} and get {got}." if gave else f"You get {got}."


def _listed(level: Level, viewer: Creature, items: Sequence[Item]) -> str:
    """Return items by name and number as a sentence lists them, for a viewer; many are counted."""
    counts: dict[str, int] = {}
    for item in items:
        name = item_name(level, item, viewer)
        counts[name] = counts.get(name, 0) + 1
    names = [with_article(name) if count == 1 else with_count(name, count) for name, count in counts.items()]
    if len(names) > _NAMES_MAX:
        names = [*names[: _NAMES_MAX - 1], f"{len(names) - _NAMES_MAX + 1} other things"]
    return list_names(names)


def _reason_to_end(level: Level, trade: Trade) -> str:
    """Return why a trade cannot go on, as a sentence; "" if it can."""
    one, other = (level.creatures.get(side.number) for side in (trade.first, trade.second))
    if one is None or other is None:
        return "The other player is gone: the trade is off."
    if not _are_together(level, one, other):
        return "You are no longer beside each other: the trade is off."
    if is_held(level, one) or is_held(level, other):
        return "A foe is near: the trade is off."
    return ""


def _drop_lost(level: Level, trade: Trade) -> bool:
    """Take out of the offers what can no longer be given; return whether that changed them."""
    changed = False
    for side in (trade.first, trade.second):
        body = level.creatures[side.number]
        free = {item.number for item in body.carried if is_offerable(body, item)}
        kept = [number for number in side.items if number in free]
        changed = changed or kept != side.items
        side.items = kept
    return changed


def _close(context: TurnContext, trade: Trade, words: str, but: Creature | None = None) -> None:
    """End a trade, and tell the two of it, or all but one of them."""
    level = context.level
    level.set_trades([each for each in level.trades() if each is not trade])
    for side in (trade.first, trade.second):
        if but is None or side.number != but.number:
            _note(context, side.number, words)


def _note(context: TurnContext, number: int, words: str) -> None:
    body = context.level.creatures.get(number)
    if body is not None:
        context.emit_private("trade_note", body, source=words)
