"""Lineages: the full name of a life among those with the same name before it. Pure."""

from typing import Final

_NUMERALS: Final = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
    (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip


def lineage_name(name: str, generation: int) -> str:
    """Return the full name of a life in its lineage: "" for the first, "Ann II" for the next."""
    return f"{name} {roman_numeral(generation)}" if generation > 1 else ""


def roman_numeral(number: int) -> str:
    """Return a number from 1 as a Roman numeral."""
    written = ""
    for value, sign in _NUMERALS:
        times, number = divmod(number, value)
        written += sign * times
    return written
