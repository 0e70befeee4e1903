"""What a kit says: the key of a thing, and a bonus for one that scales, as in "knife+1" (rule RG.13)."""

from typing import NamedTuple


class KitEntry(NamedTuple):
    """A thing that a new life begins with: its kind's key, and the bonus that stands in its name."""

    key: str
    bonus: int


def parse_kit_entry(text: str) -> KitEntry | None:
    """Return what an entry of a kit says; None for one that cannot be read."""
    key, plus, bonus = text.partition("+")
    if not plus:
        return KitEntry(key, 0)
    return KitEntry(key, int(bonus)) if bonus.isascii() and bonus.isdigit() and len(bonus) < 3 else None
