"""From the bytes of a campaign's files to a checked campaign. It opens nothing: the application reads the files."""

import tomllib
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Protocol, TypeVar

from msgspec.structs import asdict, replace

from gloam_server.content import shipped
from gloam_server.content.campaign import Campaign
from gloam_server.content.campaign_schema import CampaignSchema, Kit
from gloam_server.content.checks.campaign_checks import check_campaign
from gloam_server.content.content_errors import CampaignError, alternatives, convert_or_explain, unknown_key
from gloam_server.content.creatures import CreatureKind
from gloam_server.content.growth.bents import Bent
from gloam_server.content.growth.learning import People, Trait
from gloam_server.content.growth.trophies import Trophy
from gloam_server.content.items import ItemKind
from gloam_server.content.levels import LevelKind
from gloam_server.content.places.devices import DeviceKind
from gloam_server.content.places.drawn_rooms import DrawnRoom, LegendEntry
from gloam_server.content.spells import Spell
from gloam_server.content.surfaces import SurfaceKind

__all__ = ["CampaignError", "load"]


class _Keyed(Protocol):
    @property
    def key(self) -> str: ...


K = TypeVar("K", bound=_Keyed)


def load(files: Mapping[str, bytes]) -> Campaign:
    """Return the campaign that these files (name to bytes) describe.

    Raises CampaignError with one sentence (file, key, what is expected, the solution) for a file too many
    or too few, what is no TOML, an unknown or missing key, a wrong type (every number is whole), a number out of its
    range, or a name that refers to nothing.
    """
    _check_names(files)
    outline = convert_or_explain(
        shipped.OUTLINE_FILE, "", _parse_file(files, shipped.OUTLINE_FILE), CampaignSchema
    )
    items = _kinds(files, shipped.ITEMS_FILE, ItemKind)
    trophies = _kinds(files, shipped.TROPHIES_FILE, Trophy) if shipped.TROPHIES_FILE in files else {}
    for key in trophies:
        if key in items:
            raise unknown_key(shipped.TROPHIES_FILE, "", key, [f"{key}_trophy"])
    campaign = Campaign(
        **{**asdict(outline), "kits": (*outline.kits, *_kinds(files, shipped.KITS_FILE, Kit).values())},
        levels=_kinds(files, shipped.LEVELS_FILE, LevelKind),
        creatures=_kinds(files, shipped.CREATURES_FILE, CreatureKind),
        items=items | {key: trophy.item for key, trophy in trophies.items()},
        trophies=trophies,
        spells=_kinds(files, shipped.SPELLS_FILE, Spell),
        peoples=_kinds(files, shipped.PEOPLES_FILE, People),
        traits=_traits(files),
        bents=_kinds(files, shipped.BENTS_FILE, Bent),
        rooms=_rooms(files),
        surfaces=_kinds(files, shipped.SURFACES_FILE, SurfaceKind),
        devices=_kinds(files, shipped.DEVICES_FILE, DeviceKind),
        digest=digest(files),
    )
    check_campaign(campaign)
    return replace(campaign, creatures=_with_feuds(campaign))


def _traits(files: Mapping[str, bytes]) -> dict[str, Trait]:
    """Return the traits of creatures, then those that only players learn: the cards."""
    traits, cards = _kinds(files, shipped.TRAITS_FILE, Trait), _kinds(files, shipped.CARDS_FILE, Trait)
    for key in cards:
        if key in traits:
            raise CampaignError(
                f"In {shipped.CARDS_FILE}, {key} is also in {shipped.TRAITS_FILE}: rename one of them."
            )
    return traits | cards


def _rooms(files: Mapping[str, bytes]) -> dict[str, DrawnRoom]:
    """Return the drawn rooms. Each entry of a legend is checked first, so that a fault names its letter."""
    if shipped.ROOMS_FILE in files:
        for key, table in _parse_file(files, shipped.ROOMS_FILE).items():
            legend = table.get("legend") if isinstance(table, dict) else None
            for sign, entry in legend.items() if isinstance(legend, dict) else ():
                convert_or_explain(shipped.ROOMS_FILE, f"{key}.legend.{sign}", entry, LegendEntry)
    return _kinds(files, shipped.ROOMS_FILE, DrawnRoom)


def _with_feuds(campaign: Campaign) -> dict[str, CreatureKind]:
    """Return the kinds of creatures, each hating also the kinds of the peoples that its own people hates."""
    members: dict[str, list[str]] = {key: [] for key in campaign.peoples}
    for kind in campaign.creatures.values():
        if kind.people:
            members[kind.people].append(kind.key)
    hated = {
        key: tuple(kind for foes in people.hates for kind in members[foes])
        for key, people in campaign.peoples.items()
    }
    return {
        key: replace(kind, hates=tuple(dict.fromkeys((*kind.hates, *hated.get(kind.people, ())))))
        for key, kind in campaign.creatures.items()
    }


def digest(files: Mapping[str, bytes]) -> str:
    """Return the hash of a campaign's files, as 64 hex digits: another name, byte or file gives another."""
    whole = sha256()
    for name in sorted(files):
        whole.update(f"{name}\n{len(files[name])}\n".encode())
        whole.update(files[name])
    return whole.hexdigest()


def _check_names(files: Mapping[str, bytes]) -> None:
    for name in sorted(files):
        known = (*shipped.FILES, *shipped.OPTIONAL_FILES)
        if name not in known:
            raise CampaignError(f"The file {name} is not known: remove it, or {alternatives(name, known)}")
    for name in shipped.FILES:
        if name not in files:
            raise CampaignError(
                f"The file {name} is missing: add it; it may be empty of all but what it must say."
            )


def _parse_file(files: Mapping[str, bytes], name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(files[name].decode("utf-8-sig"))
    except UnicodeDecodeError as fault:
        raise CampaignError(f"In {name}, byte {fault.start} is not UTF-8: save the file as UTF-8.") from None
    except tomllib.TOMLDecodeError as fault:
        raise CampaignError(f"{name} is not TOML: {fault}; mend that place.") from None


def _kinds(files: Mapping[str, bytes], name: str, kind: type[K]) -> dict[str, K]:
    """Return the kinds of a file, one from each table, in its order; none without the file. A table's name is its key."""
    found: dict[str, K] = {}
    if name not in files:
        return found
    for key, table in _parse_file(files, name).items():
        if not isinstance(table, dict):
            raise CampaignError(
                f"In {name}, {key} stands outside of a table: put it below a line [its_kind]."
            )
        if "key" in table:
            raise unknown_key(name, key, "key", [field for field in kind.__annotations__ if field != "key"])
        found[key] = convert_or_explain(name, key, {"key": key, **table}, kind)
    return found
