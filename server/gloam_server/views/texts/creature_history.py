"""The history of a monster in sight, as the answer to the client's request. Pure."""

from collections.abc import Iterator

from gloam_server.views.texts.power_words import power_words
from gloam_server.world.combat.companions import companion_of
from gloam_server.world.growth.beacons import kept_beacon
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.ids import partition_of_id
from gloam_server.world.model.level import Level
from gloam_server.world.model.modifiers import has_status
from gloam_shared.protocol.messages.records import History


def history_message(level: Level, viewer: Creature, handle: int) -> History:
    """Return what a viewer may know of a monster's history; empty for anything but a monster in sight."""
    body = level.creatures.get(level.taken_handles.get(handle, 0))
    if body is None or body.account or not _sees(level, viewer, body):
        return History(handle)
    campaign = level.campaign
    return History(
        handle=handle,
        level=body.level,
        born_level=body.born_level,
        born_depth=partition_of_id(body.number),
        born_turn=body.born_turn,
        kills=body.kills,
        victims=tuple(victim.name for victim in body.victims),
        victim_count=body.victim_count,
        learned=tuple(campaign.traits[key].name for key in body.learned),
        powers=(*_ties(level, viewer, body), *_powers(level, body)),
    )


def _ties(level: Level, viewer: Creature, body: Creature) -> Iterator[str]:
    """Yield that a creature is a captive, or the warden of a beacon."""
    if body.bond == "captive":
        has_one = companion_of(level, viewer) is not None
        yield "It is a captive: " + (
            "you have a companion already." if has_one else "step against it to free it."
        )
    if (beacon := kept_beacon(level, body)) is not None:
        yield f"It keeps {beacon.name} dark, which burns once a player slays it."


def _powers(level: Level, body: Creature) -> tuple[str, ...]:
    """Return what a look at a creature tells of its powers: of its body, not of what it carries."""
    campaign = level.campaign
    learned = [power for key in body.learned for power in campaign.traits[key].powers]
    words = [power_words(power, "it") for power in (*campaign.creatures[body.kind].powers, *learned)]
    return tuple([each for each in words if each])


def _sees(level: Level, viewer: Creature, body: Creature) -> bool:
    senses_all = has_status(level.campaign, viewer, "detect")
    return senses_all or (not body.hidden and bool(level.field_of_view(viewer)[body.cell]))
