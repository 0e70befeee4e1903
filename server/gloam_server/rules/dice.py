"""Keyed randomness: every roll is a hash of its purpose, so a new roll changes none elsewhere.

There is no generator and no state to save. Integers only; no clock, and never Python's own `hash`. A roll takes about
1.3 us.
"""

from collections.abc import Callable, Sequence
from hashlib import blake2b, shake_256
from typing import Final, TypeVar

from gloam_shared.level_numbers import PartitionId

T = TypeVar("T")

_WORD: Final = 8  # bytes in a drawn number


class Dice:
    """The dice of one input: for a realm's seed, a place (its level) and the number of the input there.

    A roll's key is its purpose, these three, who it is for, and how many rolls for the same purpose and creature came
    before it in this input. So neither another creature nor another purpose can shift it.
    """

    __slots__ = ("_counters", "_of_all")

    def __init__(self, realm_seed: int, partition: PartitionId, number: int) -> None:
        self._of_all = f"{realm_seed} {partition} {number}"
        self._counters: dict[tuple[str, int], int] = {}

    def roll(self, purpose: str, who: int, sides: int) -> int:
        """Return one of 0 to sides - 1, all equally likely except for one part in 2^64 / sides.

        Raises ValueError when `sides` is below 1.
        """
        if sides < 1:
            raise ValueError(f"a die for {purpose!r} needs at least one side, not {sides}")
        return _scale(blake2b(self._key(purpose, who), digest_size=_WORD).digest(), sides)

    def chance(self, purpose: str, who: int, percent: int) -> bool:
        """Return True in `percent` of 100 cases: never at 0 or below, always at 100 or above."""
        return self.roll(purpose, who, 100) < percent

    def pick(self, purpose: str, who: int, sequence: Sequence[T]) -> T:
        """Return one of a sequence, all equally likely. Raises ValueError when there is none."""
        return sequence[self.roll(purpose, who, len(sequence))]

    def weighted(self, purpose: str, who: int, sequence: Sequence[T], weight: Callable[[T], int]) -> T:
        """Return one of a sequence, each as likely as its weight says. Raises ValueError when there is no weight."""
        drawn = self.roll(purpose, who, sum(map(weight, sequence)))
        for each in sequence:
            drawn -= weight(each)
            if drawn < 0:
                return each
        raise AssertionError("a roll is below the sum of the weights")

    def shuffle(self, purpose: str, who: int, sequence: Sequence[T], count: int | None = None) -> list[T]:
        """Return a sequence in random order, or only the first `count` of that order: a draw without replacement."""
        deck = list(sequence)
        drawn = len(deck) if count is None else min(max(count, 0), len(deck))
        words = shake_256(self._key(purpose, who)).digest(drawn * _WORD)
        for at in range(drawn):
            other = at + _scale(words[at * _WORD : (at + 1) * _WORD], len(deck) - at)
            deck[at], deck[other] = deck[other], deck[at]
        return deck[:drawn]

    def rolls(self, purpose: str, who: int, sides: int, count: int) -> list[int]:
        """Return `count` numbers of 0 to sides - 1 by one hash, all equally likely except for one part in 2^16 / sides."""
        words = shake_256(self._key(purpose, who)).digest(2 * count)
        return [(high << 8 | low) * sides >> 16 for high, low in zip(words[::2], words[1::2], strict=True)]

    def _key(self, purpose: str, who: int) -> bytes:
        key = purpose, who
        counter = self._counters.get(key, 0)
        self._counters[key] = counter + 1
        return f"{purpose} {self._of_all} {who} {counter}".encode()


def stream(purpose: str, seed: int, *numbers: int, size: int) -> bytes:
    """Return `size` random bytes for a purpose, a seed and other parts of a key: terrain is made of them."""
    return shake_256(_name(purpose, seed, *numbers)).digest(size)


def _name(purpose: str, *numbers: int) -> bytes:
    """Return a key that no other purpose or numbers share: numbers hold no blanks, and their count is the purpose's own."""
    return f"{purpose} {_words(*numbers)}".encode()


def _words(*numbers: int) -> str:
    return " ".join(map(str, numbers))


def _scale(word: bytes, sides: int) -> int:
    """Scale a drawn word to 0 to sides - 1: a multiplication and a shift, no division."""
    return (int.from_bytes(word, "big") * sides) >> (8 * _WORD)
