"""The report of `gloam-server check-campaign`: a campaign's levels made and walked, and a census of new realms.

A module of its own, because it imports the whole game, and the command line starts without that.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from gloam_server.app.campaign_files import read_campaign
from gloam_server.app.census import Census, count_late, find_rare, find_unreachable, take_census
from gloam_server.app.room_drawing import draw_room
from gloam_server.cli.output import exit_with_error, print_bare_line, print_line
from gloam_server.content.campaign import Campaign
from gloam_server.content.checks.people_checks import one_sided_hates
from gloam_server.content.loader import CampaignError
from gloam_server.content.shipped import SHIPPED
from gloam_server.world.generation import LevelMap, NoDungeon, arrival_cell, generate_round
from gloam_shared import bitboard
from gloam_shared.appearance import WALKABLE, Terrain

SEEDS: Final = (1, 2, 3)
"""The seeds from which a campaign's levels are made."""

_OPEN: Final = WALKABLE | {Terrain.DOOR_CLOSED}
_DOWN: Final = frozenset({Terrain.STAIRS_DOWN, Terrain.HOLE})


def report_campaign(campaign: str, realms: int, *, strict: bool) -> None:
    """Print what a campaign contains, or end the command with its first fault.

    The census makes this number of realms. With `strict`, an entry that no realm can hold ends the command with an error.
    """
    try:
        checked = read_campaign(_as_folder(campaign))
        print_line(examine(checked))
        census = take_census(checked, range(1, realms + 1))
    except (CampaignError, NoDungeon) as error:
        exit_with_error(str(error))
    print_line(_second_half(census))
    for one, other in one_sided_hates(checked):
        print_line(f"In peoples.toml, {one} hates {other}, but not the reverse: {other} only defends itself.")
    unreachable = find_unreachable(checked, census)
    for sentence in (*find_rare(census), *unreachable):
        print_line(sentence)
    if unreachable and strict:
        exit_with_error(
            f"Campaign {checked.key} has {_with_plural(len(unreachable), 'entry', 'entries')} that no realm can hold: "
            "correct or remove the entries above."
        )


def show_room(campaign: str, room: str) -> None:
    """Print a drawn room of a campaign, or end the command with its first fault."""
    try:
        lines = draw_room(read_campaign(_as_folder(campaign)), room)
    except CampaignError as error:
        exit_with_error(str(error))
    for line in lines:
        print_bare_line(line)


def examine(campaign: Campaign) -> str:
    """Make a campaign's levels from several seeds, check that all depths can be reached, return its contents.

    Raises CampaignError or NoDungeon with one sentence.
    """
    depths = [_count_depths(campaign, seed) for seed in SEEDS]
    least, most = min(depths), max(depths)
    rooms = f"{_with_plural(len(campaign.rooms), 'drawn room')}, " if campaign.rooms else ""
    return (
        f"{campaign.key} is whole: {_with_plural(len(campaign.creatures), 'creature')}, "
        f"{_with_plural(len(campaign.items), 'item')}, {_with_plural(len(campaign.spells), 'spell')}, {rooms}"
        f"{least if least == most else f'{least} to {most}'} depths, "
        f"made and walked from {len(SEEDS)} seeds"
    )


def _count_depths(campaign: Campaign, seed: int) -> int:
    """Return the number of depths of a seed. Raises CampaignError for one that cannot be reached on foot."""
    maps = generate_round(campaign, seed)
    entered = {arrival_cell(campaign, seed, maps[0])}
    for at, level in enumerate(maps):
        if not entered:
            raise CampaignError(
                f"With seed {seed} no player can reach depth {level.depth} of campaign {campaign.key} on foot: "
                f"raise fill_percent of the kind of level above it in levels.toml, or lower its region_min."
            )
        entered = _below(maps, at, entered)
    return len(maps)


def _below(maps: Sequence[LevelMap], at: int, entered: set[int]) -> set[int]:
    """Return the arrival cells on the level below for a player who enters a level at one of these cells."""
    level = maps[at]
    ground = bitboard.cells_where(level.terrain, frozenset(_OPEN))
    reached = bitboard.bits_of(entered) & ground
    ring = reached
    while ring:
        ring = bitboard.neighbor_bits(ring, level.grid) & ground & ~reached
        reached |= ring
    links = dict(level.links)
    ways = bitboard.cells_where(level.terrain, _DOWN) & reached
    return {links.get(cell, cell) for cell in bitboard.cells_of(ways)}


def _as_folder(name: str) -> str:
    """Return the name of a campaign as `read_campaign` takes it: a folder needs a slash only if a shipped campaign has the same name."""
    return f"./{name}" if "/" not in name and name not in SHIPPED and Path(name).is_dir() else name


def _second_half(census: Census) -> str:
    """Return how the second half of the depths differs from the first."""
    counts = [
        _with_plural(count, what, "kinds of level" if what == "kind of level" else "")
        for what, count in count_late(census).items()
    ]
    return f"Most realms show below the middle of their depths for the first time: {', '.join(counts)}"


def _with_plural(count: int, word: str, words: str = "") -> str:
    return f"{count} {word}" if count == 1 else f"{count} {words or f'{word}s'}"
