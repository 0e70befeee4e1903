"""The seed of the day: one seed for everyone, made of the date in UTC, a world of its own for it, and the results.

The results are one small file. It is also what keeps a player from a second try; who wants to cheat can delete it.
"""

from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

from gloam_client.net import local_server
from gloam_client.user_files.json_list import read_list, write_list
from gloam_shared.narration.rendering import depth_text, end_of_life
from gloam_shared.protocol.messages.records import Ladder, LadderRow
from gloam_shared.text import clean

FILE: Final = "daily-results.json"
RESULTS_MAX: Final = 400
"""The newest results that are kept: more than a year of one campaign."""
_FOLDER: Final = "daily"
_DEFAULT_CAMPAIGN: Final = "gloam"
_SIZE_MAX: Final = 1 << 20
_TEXT_MAX: Final = 80
_SEED_BITS: Final = 62


class DailyResult(NamedTuple):
    """A life in a seed of the day, with everything that makes it comparable.

    `content` and `rules` are as in `Ladder`.
    """

    date: str
    campaign: str
    seed: int
    content: str
    rules: int
    name: str
    depth: int
    level: int
    kills: int
    turns: int
    won: bool
    by: str

    @property
    def words(self) -> str:
        """The result as a line for friends."""
        end = f"won by {self.by}" if self.won else end_of_life(self.by)
        terms = f"{self.campaign}, seed {self.seed}, rules {self.rules}, content {self.content}"
        life = f"depth {depth_text(self.depth)}, level {self.level}, {self.kills} kills, {self.turns} turns"
        return f"Gloam, seed of the day {self.date} ({terms}): {self.name}, {life}, {end}."


def today() -> str:
    """Return the date in UTC: the day begins everywhere at the same moment."""
    return datetime.now(UTC).strftime("%Y-%m-%d")


def daily_seed(date: str, campaign: str) -> int:
    """Return the seed of a day, the same for everyone."""
    digest = sha256(f"gloam seed of the day {date} {campaign or _DEFAULT_CAMPAIGN}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> (64 - _SEED_BITS)


def daily_folder(data: Path, date: str, campaign: str) -> Path:
    """Return the folder of the world of a day's seed."""
    return data / _FOLDER / f"{date}-{campaign or _DEFAULT_CAMPAIGN}"


def remove_old_worlds(data: Path, date: str) -> None:
    """Delete the worlds of other days, but those that a server has open."""
    import shutil  # noqa: PLC0415  # only where a seed of the day begins

    with suppress(OSError):
        for folder in sorted((data / _FOLDER).iterdir()):
            if not folder.name.startswith(date) and not local_server.is_open(folder):
                shutil.rmtree(folder, ignore_errors=True)


def result_of(date: str, campaign: str, board: Ladder) -> DailyResult | None:
    """Return the result from the ladder of the day's own world; None while the life is not over."""
    row = board.rows[0] if board.rows else None
    return None if row is None else _result(date, campaign or _DEFAULT_CAMPAIGN, board, row)


def _result(date: str, campaign: str, board: Ladder, row: LadderRow) -> DailyResult:
    return DailyResult(
        date=date,
        campaign=campaign,
        seed=daily_seed(date, campaign),
        content=clean(board.content)[:_TEXT_MAX],
        rules=board.rules,
        name=clean(row.name)[:_TEXT_MAX],
        depth=row.depth,
        level=row.level,
        kills=row.kills,
        turns=row.turns,
        won=row.won,
        by=clean(row.by)[:_TEXT_MAX],
    )


def read_results(data: Path) -> tuple[DailyResult, ...]:
    """Return the results in a folder, the newest first. A broken file is kept aside, and gives none."""
    return tuple(read_list(data / FILE, _SIZE_MAX, _checked)[:RESULTS_MAX])


def result_on(data: Path, date: str, campaign: str) -> DailyResult | None:
    """Return the result of a day in a campaign, None if there is none yet."""
    wanted = date, campaign or _DEFAULT_CAMPAIGN
    return next((each for each in read_results(data) if (each.date, each.campaign) == wanted), None)


def keep_result(data: Path, result: DailyResult) -> None:
    """Put a result first, unless that day has one: the first life counts. Write errors are ignored."""
    if result_on(data, result.date, result.campaign) is not None:
        return
    kept = [result, *read_results(data)][:RESULTS_MAX]
    write_list(data / FILE, (each._asdict() for each in kept))


def _checked(entry: Mapping[str, Any]) -> DailyResult:
    """Return an entry of the file. Raises TypeError, KeyError or ValueError for one that is none."""
    kinds = DailyResult.__annotations__
    values: dict[str, Any] = {}
    for name in DailyResult._fields:
        value = entry[name]
        if type(value) is not kinds[name] or (kinds[name] is int and not 0 <= value < 1 << 63):
            raise TypeError(name)
        values[name] = clean(value)[:_TEXT_MAX] if isinstance(value, str) else value
    return DailyResult(**values)
