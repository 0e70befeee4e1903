"""Kinds of levels: what `levels.toml` may say, and in which bounds. Data only."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from gloam_server.content.field_types import Depth, Key, Percent

Generator: TypeAlias = Literal["caves", "old_caves", "rooms", "halls", "warren", "mixed", "cavern"]
PopulationScheme: TypeAlias = Literal["uniform", "counts", "rooms", "levelled", "none"]
Goods: TypeAlias = Literal["uniform", "counts", "rooms", "levelled", "none"]
Feature: TypeAlias = Literal["lair", "vault", "shrine", "flood", "graveyard", "library", "garden", "crossing"]


class Quota(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """So many of a kind on a level: `base` and `per_depth` more for each depth below the first (rules TG.13, TG.14).

    `kind` is a creature's or an item's key; of an item's `group` instead each is drawn anew.
    """

    kind: str = ""
    group: str = ""
    base: Annotated[int, Meta(ge=0, le=500)] = 1
    per_depth: Annotated[int, Meta(ge=0, le=50)] = 0


class LevelKind(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of level: on which depths it may be, how its terrain is made, who lives there and what lies about.

    `depths` are the first and the last depth where it may be; where several kinds may, the seed draws one by `weight`.
    Sizes are in cells. "caves" (rules J7.4-J7.6): `fill_percent` of the cells begin as floor, `passes` smooth them, a
    region of fewer than `region_min` cells is filled up, and where `joined` says so tunnels join those that are left, so
    that a way on foot leads from each cell to each other (rule F02); "old_caves" are those of rule TG.1, "rooms" those of rule RG.1,
    "halls" larger rooms with pillars, a "warren" many small ones with winding tunnels, "mixed" rooms among caves, and
    a "cavern" is the boss's (rule JG.2). It is entered by a hole on the depth above it if `hole` says so, else by
    stairs. `stairs_share` is the number of common cells of two regions for each
    staircase between them, 0 for exactly one (rules J7.7, TG.2). `exit` puts a way out on it (rule TG.2).

    `populace` is who lives there: "uniform" `monsters` of all kinds alike, each `levels_per_depth` levels higher on each
    depth (rule J14.14); "counts" as `creatures` say (rule TG.13); "rooms" in rooms by the tracker's difficulty (rules
    RG.10, RG.11); "levelled" `monsters` by the tracker's difficulty, kinds by their `levels` and `weight`, in groups.
    Shares of `creatures` come besides, whatever the populace. `goods` is what lies about: "uniform" `items` of the
    common kinds (rule JG.18), "counts" as `things` say (rule TG.14), "rooms" as rules RG.10-RG.13 say; "levelled"
    `items` by the tracker's difficulty, kinds by their `levels` and `weight`, and a food for each `monsters_per_food`
    monsters, 0 for none. Shares of `things` come besides.
    Where `creatures_max` creatures stand, nothing spreads or comes new; a level whose population fell is filled up
    again, one creature in `respawn_turns` turns that players take there, 0 for never. Each player but the first brings
    `monsters_per_guest` creatures and `items_per_guest` things by the tracker's difficulty when he first comes (rules
    F41, F43). Who fills up a level teaches less, by the campaign's `generation_percent`, as does who comes with the
    second player (rule F35).

    `lit_percent` of its rooms, or of the whole level where it has none, are lit; `doors_percent` of the entrances of
    rooms have doors; `traps` are hidden there, each one of the spells in `springs`; `features` are special places that
    may be there, at most `features_max`.
    """

    key: Key
    name: str = ""
    depths: tuple[Depth, Depth]
    weight: Annotated[int, Meta(ge=1, le=1_000)] = 10
    generator: Generator
    width: Annotated[int, Meta(ge=20, le=255)]
    height: Annotated[int, Meta(ge=10, le=255)]
    fill_percent: Annotated[int, Meta(ge=40, le=80)] = 50
    passes: Annotated[int, Meta(ge=0, le=20)] = 3
    region_min: Annotated[int, Meta(ge=1, le=200)] = 21
    joined: bool = False
    stairs_share: Annotated[int, Meta(ge=0, le=10_000)] = 0
    hole: bool = False
    exit: bool = False
    populace: PopulationScheme = "uniform"
    monsters: Annotated[int, Meta(ge=0, le=500)] = 0
    monsters_per_guest: Annotated[int, Meta(ge=0, le=500)] = 0
    levels_per_depth: Annotated[int, Meta(ge=0, le=10)] = 0
    creatures: tuple[Quota, ...] = ()
    goods: Goods = "uniform"
    items: Annotated[int, Meta(ge=0, le=500)] = 0
    items_per_guest: Annotated[int, Meta(ge=0, le=500)] = 0
    things: tuple[Quota, ...] = ()
    monsters_per_food: Annotated[int, Meta(ge=0, le=100)] = 4
    creatures_max: Annotated[int, Meta(ge=1, le=2_000)] = 60
    respawn_turns: Annotated[int, Meta(ge=0, le=100_000)] = 0
    lit_percent: Percent = 100
    doors_percent: Percent = 0
    traps: Annotated[int, Meta(ge=0, le=100)] = 0
    springs: tuple[str, ...] = ()
    features: tuple[Feature, ...] = ()
    features_max: Annotated[int, Meta(ge=0, le=10)] = 0
