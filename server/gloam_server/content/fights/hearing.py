"""Hearing: which noise players make, and what creatures do about it. Data only."""

from typing import Annotated

from msgspec import Meta, Struct

from gloam_server.content.field_types import Percent, Radius, Turns


class HearingRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The noise of players that creatures hear.

    A hurt player who waits is heard: after every `rest_every` such turns a creature goes to look with a chance of
    `rest_percent`, at most `rest_draws` until the player is whole: the nearest within `rest_cells` cells, or a new one
    if the level lacks creatures. On depth 1 none appears in the first `spared_turns` turns of a life. With 0 no rest is
    heard. See rule F121.

    `sleepers_percent` of the creatures that a level is made with sleep, but no boss, and none that guards, lies in wait
    or lives in water; of those that have grown before anyone saw them (veterans) `grown_percent`, if that is more. A sleeper hears a `step`, a `blow`, a `door` or a `dig` of a player, or an item that `lands`,
    within this number of cells, at half the distance if the player does not see it. It wakes by a chance of `wakes_percent`
    for each cell that it is nearer than it needs to be. See rules F122, F123.
    """

    sleepers_percent: Percent = 0
    grown_percent: Percent = 0
    wakes_percent: Percent = 0
    step: Radius = 0
    blow: Radius = 0
    door: Radius = 0
    dig: Radius = 0
    lands: Radius = 0
    rest_every: Turns = 0
    rest_percent: Percent = 0
    rest_draws: Annotated[int, Meta(ge=0, le=100)] = 1
    rest_cells: Annotated[int, Meta(ge=0, le=100)] = 16
    spared_turns: Turns = 100
