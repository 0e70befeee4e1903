"""Tempers of depths: what makes one visit to a kind of level unlike the next. Data only."""

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from gloam_server.content.field_types import Depth, Key, Percent, Sentence
from gloam_server.content.levels import Feature, LevelKind


class Temper(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A temper that the seed may draw for a depth, by `weight`, among those for it.

    A player who arrives for the first time reads `words`. `monsters_percent` and `items_percent` are of the numbers of
    the kind of level. `lit_percent`, `sleepers_percent` and `feud_percent` replace those numbers, if set. `features`
    are special places besides the level's own. `traps` more traps have the spells of `springs`. `rest_percent` is of
    the chance that a rest draws a creature. See rule F124.
    """

    key: Key
    words: Sentence
    weight: Annotated[int, Meta(ge=1, le=1_000)] = 10
    depths: tuple[Depth, Depth]
    monsters_percent: Annotated[int, Meta(ge=0, le=300)] = 100
    items_percent: Annotated[int, Meta(ge=0, le=300)] = 100
    lit_percent: Percent | None = None
    sleepers_percent: Percent | None = None
    feud_percent: Percent | None = None
    rest_percent: Annotated[int, Meta(ge=0, le=300)] = 100
    features: tuple[Feature, ...] = ()
    traps: Annotated[int, Meta(ge=0, le=100)] = 0
    springs: tuple[str, ...] = ()

    def applied_to(self, kind: LevelKind) -> LevelKind:
        """Return a kind of level as it is made under this temper."""
        return replace(
            kind,
            monsters=kind.monsters * self.monsters_percent // 100,
            items=kind.items * self.items_percent // 100,
            lit_percent=kind.lit_percent if self.lit_percent is None else self.lit_percent,
            features=(*self.features, *(each for each in kind.features if each not in self.features)),
            traps=kind.traps + self.traps,
            springs=kind.springs + self.springs * max(1, len(kind.springs)),
        )
