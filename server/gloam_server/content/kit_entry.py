"""The entries of a starting kit: an item's key, and a bonus if it scales, as in "knife+1" (rule RG.13)."""

from typing import NamedTuple


class KitEntry(NamedTuple):
    """An item of a starting kit: its kind's key, and the bonus in its name."""

    key: str
    bonus: int


def parse_kit_entry(text: str) -> KitEntry | None:
    """Return a parsed entry of a starting kit; None for an invalid one."""
    key, plus, bonus = text.partition("+")
    if not plus:
        return KitEntry(key, 0)
    return KitEntry(key, int(bonus)) if bonus.isascii() and bonus.isdigit() and len(bonus) < 3 else None
