"""The players that each player ignores or blocks: read at a login, changed at a word, kept with the accounts."""

import logging
from collections.abc import Callable
from functools import partial
from typing import Final

from twisted.python.failure import Failure

from gloam_server.engine.messages import Say, Views
from gloam_server.engine.player import Player
from gloam_server.gateway.chat.delivery import Delivery
from gloam_server.storage.accounts import Account
from gloam_server.storage.chat_store import IgnoredPlayer
from gloam_server.storage.writer import Writer
from gloam_shared import limits
from gloam_shared.protocol.messages.chat import Ignore, Ignored
from gloam_shared.text import clean, fold

_log: Final = logging.getLogger(__name__)
_FULL: Final = f"You ignore or block {limits.IGNORED_MAX} players already; /unignore one of them first."
_NOT_KEPT: Final = "The server's disk does not answer now; try again later."


class IgnoreLists:
    """Changes the lists. `on_block` hears of each block, to end what already goes on between the two."""

    def __init__(
        self, writer: Writer, views: Views, delivery: Delivery, on_block: Callable[[Player, int], None]
    ) -> None:
        self._writer = writer
        self._views = views
        self._delivery = delivery
        self._on_block = on_block

    def begin(self, player: Player, listed: list[IgnoredPlayer]) -> None:
        """Take up a player's list after their first login since the start, and send it if it has any names."""
        player.audience.ignored = {each.account: each for each in listed}
        for each in listed:
            if each.blocked:
                self._on_block(player, each.account)

    def send(self, player: Player, text: str = "") -> None:
        """Send a player their list, and the result of a request; nothing to a client that knows no lists."""
        if "channels" not in player.abilities:
            return
        listed = player.audience.ignored.values()
        ignored = tuple(each.name for each in listed if not each.blocked)
        blocked = tuple(each.name for each in listed if each.blocked)
        self._views.take(Say(player.connection, Ignored(ignored, blocked, text)))

    def change(self, player: Player, request: Ignore) -> None:
        """Carry out what a player wants to hear of another; an empty name only asks for the list."""
        if not request.name:
            self.send(player)
            return
        if request.how == "hear" and (known := _listed(player, request.name)):
            self.send(player, self._hear_again(player, known))
            return
        found = self._writer.call(self._writer.directory.account_by_name, fold(request.name))
        found.addCallback(partial(self._found, player, request))
        found.addErrback(partial(self._failed, player))

    def _found(self, player: Player, request: Ignore, account: Account | None) -> None:
        if account is None:
            text = f'No player has the name "{clean(request.name)}" here; check its spelling.'
        elif account.number == player.account:
            text = "You always hear yourself."
        elif request.how == "hear":
            text = f"You neither ignore nor block {account.name}."
        else:
            text = self._ignore(player, account, blocked=request.how == "block")
        self.send(player, text)

    def _hear_again(self, player: Player, listed: list[IgnoredPlayer]) -> str:
        for each in listed:
            del player.audience.ignored[each.account]
            self._keep(player, each.account, None)
        return f"You hear {listed[0].name} again."

    def _ignore(self, player: Player, account: Account, *, blocked: bool) -> str:
        listed = player.audience.ignored
        if account.number not in listed and len(listed) >= limits.IGNORED_MAX:
            return _FULL
        listed.pop(account.number, None)
        player.audience.takes_gifts_of.discard(account.number)
        listed[account.number] = IgnoredPlayer(account.number, account.name, blocked)
        self._keep(player, account.number, blocked)
        if not blocked:
            return f"You ignore {account.name}, whose words reach you no longer. /unignore {account.name} ends it."
        self._on_block(player, account.number)
        return f"You block {account.name}: nothing of theirs reaches you. /unblock {account.name} ends it."

    def _keep(self, player: Player, other: int, blocked: bool | None) -> None:  # noqa: FBT001  # a column's value
        kept = self._writer.call(self._writer.directory.ignore, player.account, other, blocked)
        kept.addErrback(partial(self._failed, player))

    def _failed(self, player: Player, failure: Failure) -> None:
        _log.warning("a player's list is not kept: %s", failure.getErrorMessage())
        self._delivery.tell(player, _NOT_KEPT)


def _listed(player: Player, name: str) -> list[IgnoredPlayer]:
    """Return the listed players of a name: more than one if the name was given to another account meanwhile."""
    return [each for each in player.audience.ignored.values() if fold(each.name) == fold(name)]
