"""What the client remembers of words and of the players who say them. Pure."""

from typing import Final, NamedTuple

_SPEAKERS_MAX: Final = 16


class WordsState(NamedTuple):
    """The players that this one ignores or blocks, and those who spoke lately."""

    ignored: tuple[str, ...] = ()
    """The names of the players that are ignored, the newest last."""
    blocked: tuple[str, ...] = ()
    """The names of the players that are blocked, the newest last."""
    whispered_by: str = ""
    """The player who whispered last, for an answer; "" for none."""
    speakers: tuple[str, ...] = ()
    """Those who spoke lately, the newest first."""

    def heard(self, name: str, *, whisper: bool = False) -> "WordsState":
        """Return the state after words of another player."""
        others = tuple(each for each in self.speakers if each != name)
        return self._replace(
            speakers=(name, *others)[:_SPEAKERS_MAX],
            whispered_by=name if whisper else self.whispered_by,
        )


NO_WORDS: Final = WordsState()
