"""A board of the ladder as lines of text, for the screen and for the shell. Pure."""

from datetime import UTC, datetime
from typing import Final

from gloam_client.terminal.canvas import fit_text
from gloam_shared.narration.rendering import depth_text, end_of_life
from gloam_shared.protocol.messages.records import Ladder, LadderRow
from gloam_shared.text import cells, clean, pad

SPAN_WORDS: Final[dict[str, str]] = {
    "all": "all time",
    "season": "season",
    "day": "today",
    "party": "party",
}
ORDER_WORDS: Final[dict[str, str]] = {
    "depth": "depth",
    "level": "level",
    "kills": "kills",
    "victory": "victories",
    "turns": "turns",
    "beacons": "beacons lit",
}
HEAD: Final = ("#", "Name", "Dungeon", "Level", "Depth", "Kills", "Turns", "Wins", "Lit", "Day", "End")
_NAME_MAX: Final = 24
_DUNGEON_MAX: Final = 16
_END_MAX: Final = 60


_TEXTS: Final = frozenset({"Name", "Dungeon", "Day", "End"})
_FIRST_OUT: Final = ("Day", "Lit", "Wins", "Turns", "Kills", "Dungeon")
"""The columns that a narrow window does without, the first to go first."""
_END_WHOLE: Final = 20
"""The cells of the end of a life for which another column gives way."""
_END_MIN: Final = 12
"""The cells below which the end of a life is left out: too little of it would be read."""


def table(board: Ladder, room: int | None = None) -> tuple[str, list[str]]:
    """Return the head and a line for each life, in columns as wide as their longest entry; in `room` cells with fewer columns."""
    name_max = _NAME_MAX if room is None else min(_NAME_MAX, room // 3)
    columns = list(zip(*board_cells(board, name_max), strict=True))
    if not any(row.beacons for row in board.rows):
        columns = [column for column in columns if column[0] != "Lit"]
    columns = columns if room is None else _fitting(columns, room)
    lines = ["  ".join(row).rstrip() for row in zip(*map(_aligned, columns), strict=True)]
    return lines[0], lines[1:]


def _fitting(columns: list[tuple[str, ...]], room: int) -> list[tuple[str, ...]]:
    """Return the columns that fit in a room: others give way to the end of a life, and without room for it, it to them."""
    end = _width(columns[-1])
    with_end = _without_first(columns, room - min(end, _END_WHOLE))
    if _taken(with_end) + min(end, _END_MIN) <= room:
        return with_end
    return [column for column in _without_first(columns, room + 2) if column[0] != "End"]


def _without_first(columns: list[tuple[str, ...]], room: int) -> list[tuple[str, ...]]:
    """Return the columns without the first ones to go, until all but the last fit in a room."""
    for name in _FIRST_OUT:
        if _taken(columns) <= room:
            break
        columns = [column for column in columns if column[0] != name]
    return columns


def _taken(columns: list[tuple[str, ...]]) -> int:
    """Return the cells of all columns but the last, and the blanks behind them."""
    return sum(_width(column) + 2 for column in columns[:-1])


def board_cells(board: Ladder, name_max: int = _NAME_MAX) -> list[tuple[str, ...]]:
    """Return the heads of the columns, and the entries of each life; the dungeons only on a board of several."""
    lines = [HEAD, *(_row_cells(row, name_max) for row in board.rows)]
    left_out = None if board.dungeons else HEAD.index("Dungeon")
    return [tuple(cell for at, cell in enumerate(line) if at != left_out) for line in lines]


def _width(column: tuple[str, ...]) -> int:
    return max(map(cells, column))


def _aligned(column: tuple[str, ...]) -> list[str]:
    """Return the entries of a column in its width: texts to the left, numbers to the right."""
    width = _width(column)
    return [
        pad(text, width) if column[0] in _TEXTS else " " * (width - cells(text)) + text for text in column
    ]


def own_line(board: Ladder, name: str) -> str:
    """Return where a player's best life stands on the board."""
    own = board.own
    if own is None:
        return f"No life of {clean(name)} is on this board ({_lives(board.lives)})."
    return (
        f"{fit_text(clean(own.name), _NAME_MAX)}: rank {own.rank} of {board.lives}, level {own.level}, "
        f"depth {depth_text(own.depth)}, {own.kills} kills, {own.turns} turns."
    )


def board_words(board: Ladder) -> str:
    """Return what the board ranks, and since when."""
    since = f" since {day(board.since_s)} (UTC)" if board.since_s else ""
    span = SPAN_WORDS.get(board.span, clean(board.span))
    order = ORDER_WORDS.get(board.order, clean(board.order))
    terms = f"rules {board.rules}, content {clean(board.content)[:12]}"
    of_all = f" of {len(board.dungeons)} dungeons" if board.dungeons else ""
    return f"{clean(board.campaign)[:24]}, {span}{since}, by {order}: {_lives(board.lives)}{of_all}; {terms}"


def day(at_s: int) -> str:
    """Return a moment's day in UTC; "?" for one that no calendar has."""
    try:
        return datetime.fromtimestamp(at_s, UTC).strftime("%Y-%m-%d")
    except (OverflowError, ValueError, OSError):
        return "?"


def _row_cells(row: LadderRow, name_max: int) -> tuple[str, ...]:
    """Return the entries of a life, in the order of `HEAD`."""
    ending = f"won by {row.by}" if row.won else end_of_life(row.by)
    numbers = row.level, depth_text(row.depth), row.kills, row.turns, row.wins, row.beacons
    return (
        str(row.rank),
        fit_text(clean(row.name), name_max),
        fit_text(clean(row.dungeon), _DUNGEON_MAX),
        *map(str, numbers),
        day(row.at_s),
        fit_text(clean(ending).removeprefix("was "), _END_MAX),
    )


def _lives(count: int) -> str:
    return "1 life" if count == 1 else f"{count} lives"
