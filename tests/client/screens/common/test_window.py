"""The common parts of lists."""

import pytest

from gloam_client.screens.common.window import with_letters


@pytest.mark.parametrize(
    ("letters", "shown"),
    [("a", "a"), ("ab", "a b"), ("abc", "a-c"), ("fjm", "f j m"), ("abcfjm", "a-m"), ("123", "1-3")],
)
def test_letters_with_gaps_are_spelled(letters: str, shown: str) -> None:
    assert with_letters(letters, "take") == [(shown, "take")]
    assert with_letters("", "take") == []
