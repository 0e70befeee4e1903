"""The stored chat, in memory."""

from collections.abc import Mapping, Sequence

from gloam_server.storage.accounts import Account
from gloam_server.storage.chat_store import IgnoredPlayer, StoredChat, StoredReport
from gloam_shared import limits


class MemoryChat:
    """An implementation of `ChatStore` in dictionaries."""

    _accounts: dict[int, Account]

    def __init__(self) -> None:
        self._ignored: dict[int, dict[int, bool]] = {}
        self._words: dict[int, StoredChat] = {}
        self._heard: dict[int, int] = {}
        self._reports: list[StoredReport] = []

    def _forget_chat(self, account: int) -> None:
        self._ignored.pop(account, None)
        self._heard.pop(account, None)
        for others in self._ignored.values():
            others.pop(account, None)

    def ignoring(self) -> set[int]:
        """Return the accounts that ignore or block any other."""
        return {account for account in self._ignored if self.ignored_by(account)}

    def ignored_by(self, account: int) -> list[IgnoredPlayer]:
        """Return the players that an account ignores or blocks, the newest last."""
        return [
            IgnoredPlayer(other, self._accounts[other].name, blocked)
            for other, blocked in self._ignored.get(account, {}).items()
            if other in self._accounts
        ]

    def ignore(self, account: int, other: int, blocked: bool | None) -> None:  # a column's value
        """Store that an account blocks or ignores (False) another, or neither (None)."""
        ignored = self._ignored.setdefault(account, {})
        ignored.pop(other, None)
        if blocked is not None:
            ignored[other] = blocked

    def stored_chat(self) -> list[StoredChat]:
        """Return the kept words, the newest last."""
        return [self._words[number] for number in sorted(self._words)]

    def listeners(self) -> dict[int, int]:
        """Return for each account that was ever there the number of the newest words that it was there for."""
        return dict(self._heard)

    def store_chat(self, said: Sequence[StoredChat], heard: Mapping[int, int], oldest: int) -> None:
        """Store words and up to which number accounts were there; delete all words before number `oldest`."""
        self._words = {n: each for n, each in self._words.items() if n >= oldest}
        self._words = {each.number: each for each in said} | self._words
        self._heard |= {account: number for account, number in heard.items() if account in self._accounts}

    def add_report(self, report: StoredReport) -> None:
        """Store a report; the oldest of its reporter, and of all, beyond their bounds go."""
        own = [each for each in self._reports if each.account == report.account]
        gone = own[: max(len(own) + 1 - limits.REPORTS_PER_PLAYER_MAX, 0)]
        kept = [each for each in self._reports if not any(each is one for one in gone)]
        self._reports = [*kept, report][-limits.REPORTS_KEPT_MAX :]

    def reports(self) -> list[StoredReport]:
        """Return the kept reports, the newest first."""
        return self._reports[::-1]
