"""The client's memory of chat and of the players who speak. Pure."""

from typing import Final, NamedTuple

_SPEAKERS_MAX: Final = 16
_SAID_MAX: Final = 50


class WordsState(NamedTuple):
    """The players that this one ignores or blocks, and the players who spoke lately."""

    ignored: tuple[str, ...] = ()
    """The names of the players that are ignored, the newest last."""
    blocked: tuple[str, ...] = ()
    """The names of the players that are blocked, the newest last."""
    whispered_by: str = ""
    """The player who whispered last, for an answer; "" for none."""
    speakers: tuple[str, ...] = ()
    """The players who spoke lately, the newest first."""
    said: tuple[str, ...] = ()
    """The lines that the player finished, the newest last."""

    def finished(self, line: str) -> "WordsState":
        """Return the state after a line of the player; a repeated line moves to the end."""
        others = tuple(each for each in self.said if each != line)
        return self._replace(said=(*others, line)[-_SAID_MAX:])

    def heard(self, name: str, *, whisper: bool = False) -> "WordsState":
        """Return the state after words of another player."""
        others = tuple(each for each in self.speakers if each != name)
        return self._replace(
            speakers=(name, *others)[:_SPEAKERS_MAX],
            whispered_by=name if whisper else self.whispered_by,
        )


NO_WORDS: Final = WordsState()
