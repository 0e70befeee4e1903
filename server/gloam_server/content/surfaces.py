"""Surfaces: the format of `surfaces.toml`. Fire, ice, webs and other states of a cell beside its terrain. Data only."""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from gloam_server.content.field_types import Amount, Glyph, Key, Percent, Radius, Sentence, Short
from gloam_server.content.powers import DamageType
from gloam_shared.appearance import Terrain

FUEL_TERRAIN: Final[dict[str, Terrain]] = {
    "grass": Terrain.GRASS,
    "door_closed": Terrain.DOOR_CLOSED,
    "door_open": Terrain.DOOR_OPEN,
}
"""The terrain that can burn, by its word: floor is left of it."""

WHOLE_LEVEL: Final = "level"
"""The reach of a light that no wall and no distance stops."""

LASTS_MAX: Final = 200
"""The most turns for which a surface lasts that ends at all."""


class SurfaceKind(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of surface: what it does to bodies, and how it begins, spreads, moves and ends.

    A cell has one surface at most. Players see `sign` where their client has only ASCII, else `unicode`, in `colour`, and
    read `words` when they look at it; `begins` is the line when something brings it about, `made` the word for that ("fire
    that Ann lit"). At the end of a turn it takes `harm` health from each body on it, as damage of its `damage_type`.
    With `over_water` it lies on deep water and bears all bodies; its harm strikes the body under which it breaks.

    It lasts for half of `lasts` turns to all of them, by chance, and then `leaves` another surface, or none; with `lasts`
    of 0 it stays. In each turn it goes over to the cells beside that have what it `burns`: terrain or other surfaces, each
    with its chance in percent. In each turn it moves to a free cell beside with a chance of `drifts_percent`. Damage of the
    type `kindled_by` brings it about: on what it `burns`, or with `over_water` on deep water without a body; damage of the
    type `ended_by` ends it.

    A body on it needs an action to get free before it leaves the cell if it `holds`. A step onto it takes `slows` percent of
    an action more. It lights the cells within `lights`, or with "level" all of its level, and `hides` what is behind it. It `spares` kinds of
    creatures, and peoples. A step of a player onto it wakes the sleepers within `wakes` cells.
    """

    key: Key
    name: Short
    words: Sentence
    begins: Sentence | Literal[""] = ""
    made: Short = "made"
    sign: Glyph
    unicode: Glyph
    colour: str
    harm: Amount = 0
    damage_type: DamageType = "blow"
    over_water: bool = False
    lasts: Annotated[int, Meta(ge=0, le=LASTS_MAX)] = 0
    leaves: str = ""
    burns: dict[str, Percent] = {}
    drifts_percent: Percent = 0
    kindled_by: DamageType | Literal[""] = ""
    ended_by: DamageType | Literal[""] = ""
    holds: bool = False
    slows: Percent = 0
    lights: Radius | Literal["level"] = 0
    hides: bool = False
    wakes: Radius = 0
    spares: tuple[str, ...] = ()

    @property
    def is_active(self) -> bool:
        """Whether turns change it, or it changes what stands on it."""
        return bool(self.lasts or self.burns or self.drifts_percent or (self.harm and not self.over_water))
