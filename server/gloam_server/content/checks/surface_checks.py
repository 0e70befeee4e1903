"""Checks of surfaces: each names what exists, ends if it burns or drifts, and cannot bring itself about again."""

from collections.abc import Iterator
from typing import Final

from gloam_server.content.campaign import Campaign
from gloam_server.content.checks.look_checks import check_signs
from gloam_server.content.content_errors import alternatives, invalid_value
from gloam_server.content.shipped import SURFACES_FILE
from gloam_server.content.surfaces import FUEL_TERRAIN, SurfaceKind

_NOT_ENDING: Final = "write a whole number from 1 to 200, for what burns or drifts must end"
_CIRCLE: Final = "name another, for so it would come back for ever"


def check_surfaces(campaign: Campaign) -> None:
    """Raise CampaignError for the first surface that names nothing, never ends, or brings itself about again."""
    for kind in campaign.surfaces.values():
        check_signs(SURFACES_FILE, kind.key, kind.sign, kind.unicode, kind.colour)
        _check_names(campaign, kind)
        _check_end(kind)
        if kind.leaves and kind.key in _following(campaign, kind.leaves):
            raise invalid_value(SURFACES_FILE, f"{kind.key}.leaves", kind.leaves, _CIRCLE)


def _check_names(campaign: Campaign, kind: SurfaceKind) -> None:
    others = [key for key in campaign.surfaces if key != kind.key]
    if kind.leaves and kind.leaves not in others:
        mend = alternatives(kind.leaves, others)
        raise invalid_value(SURFACES_FILE, f"{kind.key}.leaves", kind.leaves, mend)
    for fuel in kind.burns:
        if fuel not in (*others, *FUEL_TERRAIN):
            mend = alternatives(fuel, (*others, *FUEL_TERRAIN))
            raise invalid_value(SURFACES_FILE, f"{kind.key}.burns", fuel, mend)
    known = (*campaign.creatures, *campaign.peoples)
    for at, spared in enumerate(kind.spares):
        if spared not in known:
            raise invalid_value(
                SURFACES_FILE, f"{kind.key}.spares[{at}]", spared, alternatives(spared, known)
            )


def _check_end(kind: SurfaceKind) -> None:
    if (kind.burns or kind.drifts_percent or kind.over_water) and not kind.lasts:
        raise invalid_value(SURFACES_FILE, f"{kind.key}.lasts", kind.lasts, _NOT_ENDING)
    if kind.leaves and not kind.lasts:
        raise invalid_value(
            SURFACES_FILE,
            f"{kind.key}.leaves",
            kind.leaves,
            "remove it, for it leaves nothing while it stays",
        )
    if kind.kindled_by and not (kind.burns or kind.over_water):
        mend = "remove it, or write what it burns, or over_water = true"
        raise invalid_value(SURFACES_FILE, f"{kind.key}.kindled_by", kind.kindled_by, mend)
    if kind.over_water and (kind.burns or kind.drifts_percent):
        mend = "write false, for what lies on water neither burns anything nor drifts"
        raise invalid_value(SURFACES_FILE, f"{kind.key}.over_water", value=True, mend=mend)


def _following(campaign: Campaign, key: str) -> set[str]:
    """Return a surface and each that may follow it on its cell: the one that it leaves, and those that burn it."""
    found: set[str] = set()
    waiting = [key]
    while waiting:
        here = waiting.pop()
        if here not in found:
            found.add(here)
            waiting += _successors(campaign, here)
    return found


def _successors(campaign: Campaign, key: str) -> Iterator[str]:
    leaves = campaign.surfaces[key].leaves if key in campaign.surfaces else ""
    if leaves:
        yield leaves
    yield from (kind.key for kind in campaign.surfaces.values() if key in kind.burns)
