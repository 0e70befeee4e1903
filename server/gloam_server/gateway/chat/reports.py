"""Reports of players about others: into the log, and kept where the host lists them."""

import logging
from dataclasses import replace
from functools import partial
from typing import Final

from twisted.python.failure import Failure

from gloam_server.engine.game_clock import GameClock
from gloam_server.engine.player import Player
from gloam_server.gateway.chat.delivery import Delivery
from gloam_server.logs import fields
from gloam_server.sessions.rate_limits import RateLimiter
from gloam_server.storage.chat_store import StoredReport
from gloam_server.storage.writer import Writer
from gloam_shared import limits
from gloam_shared.protocol.messages.chat import Report, Spoken
from gloam_shared.text import clean, fold

_log: Final = logging.getLogger(__name__)


class Reports:
    """Takes reports, a few of each player."""

    def __init__(self, clock: GameClock, writer: Writer, delivery: Delivery) -> None:
        self._clock = clock
        self._writer = writer
        self._delivery = delivery
        self._rate = RateLimiter(limits.REPORTS_BURST, limits.REPORTS_EVERY_S)

    def take(self, player: Player, request: Report) -> None:
        """Keep a report with the last lines that were sent to its player, and send the result."""
        key, now_ms = (str(player.account),), self._clock.now_ms()
        if wait_s := self._rate.wait_s(key, now_ms):
            self._delivery.tell(player, f"You have reported several times; report again in {wait_s} s.")
            return
        self._rate.count(key, now_ms)
        lines = tuple(line_of(said) for said in player.audience.lines if concerns(said, request.name))
        report = StoredReport(
            self._clock.wall_s(), player.account, player.name, "", clean(request.why), lines
        )
        kept = self._writer.call(self._keep, report, request.name)
        kept.addCallback(partial(self._kept, player, request.name))
        kept.addErrback(partial(self._failed, player))

    def _keep(self, report: StoredReport, name: str) -> StoredReport | None:
        """Keep a report about a name, if there is an account of it; runs in the writer's thread."""
        account = self._writer.directory.account_by_name(fold(name))
        if account is None:
            return None
        report = replace(report, about=account.name)
        self._writer.directory.add_report(report)
        return report

    def _kept(self, player: Player, name: str, report: StoredReport | None) -> None:
        if report is None:
            self._rate.take_back((str(player.account),))
            self._delivery.tell(player, f'No player has the name "{clean(name)}" here; check its spelling.')
            return
        _log.warning(
            "%s", "\n".join(describe(report)), extra=fields("report", name=report.name, about=report.about)
        )
        count = len(report.lines)
        said = f" with the last {count} line{'' if count == 1 else 's'} that you read" if count else ""
        self._delivery.tell(player, f"Your report about {report.about} is with the host{said}.")

    def _failed(self, player: Player, failure: Failure) -> None:
        _log.warning("a report of %s is not kept: %s", player.name, failure.getErrorMessage())
        self._delivery.tell(player, "The server's disk does not answer now; report again later.")


def concerns(said: Spoken, name: str) -> bool:
    """Return whether a report about a name may hold words: whispers only if that player spoke or was spoken to."""
    return said.channel != "whisper" or fold(name) in (fold(said.name), fold(said.target))


def describe(report: StoredReport) -> list[str]:
    """Return a report as lines for the host; the first one names its two players."""
    why = f": {report.why}" if report.why else ""
    return [f"{report.name} reports {report.about}{why}", *report.lines]


def line_of(said: Spoken) -> str:
    """Return words as a line of a report, with their channel."""
    to = f" to {said.target}" if said.target else ""
    return f"[{said.channel}{to}] {said.name}: {said.text}"
