"""The small types that all parts of a campaign are made of: keys, texts, and whole numbers in their bounds.

The texts in `Meta` say what is expected, in the words of the error messages.
"""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta

from gloam_shared.limits import DEPTHS_MAX

SIGHT_MAX: Final = 20
"""The largest sight radius of a creature, in cells."""

SLOTS_MAX: Final = 26
"""The largest inventory: one letter for each item."""

Key: TypeAlias = Annotated[
    str, Meta(pattern=r"^[a-z][a-z0-9_]{0,31}$", description="a key of small letters, digits and underscores")
]
Words: TypeAlias = Annotated[
    str, Meta(min_length=1, max_length=4_000, description="a text of 1 to 4000 letters")
]
Short: TypeAlias = Annotated[str, Meta(min_length=1, max_length=60, description="a text of 1 to 60 letters")]
Sentence: TypeAlias = Annotated[
    str, Meta(min_length=1, max_length=200, description="a text of 1 to 200 letters")
]
Glyph: TypeAlias = Annotated[str, Meta(min_length=1, max_length=1, description="one character")]
Percent: TypeAlias = Annotated[int, Meta(ge=0, le=100)]
Amount: TypeAlias = Annotated[int, Meta(ge=0, le=100_000)]
Signed: TypeAlias = Annotated[int, Meta(ge=-100_000, le=100_000)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=1_000)]
Turns: TypeAlias = Annotated[int, Meta(ge=0, le=10_000)]
Depth: TypeAlias = Annotated[int, Meta(ge=1, le=DEPTHS_MAX)]
Radius: TypeAlias = Annotated[int, Meta(ge=0, le=SIGHT_MAX)]
Group: TypeAlias = Literal["", "weapon", "armour", "potion", "scroll", "book", "food", "tool", "wand", "ring"]
"""The groups of items, from which populations draw; "" for what is in none."""
