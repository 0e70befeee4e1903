"""A listener that remembers what a connection of the client reports."""

from gloam_shared.protocol.registry import FromServer


class Ear:
    """Records the events of a connection."""

    def __init__(self) -> None:
        self.messages: list[FromServer] = []
        self.cuts: list[str] = []
        self.pauses_ms: list[int] = []
        self.away: list[int] = []

    def on_messages(self, messages: list[FromServer]) -> None:
        self.messages += messages

    def on_connected(self) -> None:
        pass

    def on_cut(self, text: str, since_ms: int, retry_ms: int) -> None:
        assert retry_ms >= since_ms
        self.cuts.append(text)
        self.pauses_ms.append(retry_ms - since_ms)

    def on_back(self, away_ms: int) -> None:
        self.away.append(away_ms)
