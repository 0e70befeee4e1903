"""The key table under a player's choice: dispatch, help, the menu of actions and the bottom line are all made from it.

Where a preset walks with a letter that a command has, the command takes its capital.
"""

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Final, NamedTuple

from gloam_client.input.key_table import ROWS, KeyBinding
from gloam_client.input.own_keys import KeyChoice, apply_own, preset_of, walking_letters
from gloam_shared.geometry import DIRECTIONS, Direction
from gloam_shared.protocol.commands import AnyCommand

PRESETS: Final = ("vi", "wasd")

_WAYS: Final = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
_STEP_KEYS: Final[dict[str, tuple[str, ...]]] = {
    "north": ("k", "UP", "8", "KP_8"),
    "north-east": ("u", "9", "KP_9", "PGUP"),
    "east": ("l", "RIGHT", "6", "KP_6"),
    "south-east": ("n", "3", "KP_3", "PGDN"),
    "south": ("j", "DOWN", "2", "KP_2"),
    "south-west": ("b", "1", "KP_1", "END"),
    "west": ("h", "LEFT", "4", "KP_4"),
    "north-west": ("y", "7", "KP_7", "HOME"),
}
_RUN_KEYS: Final[dict[str, tuple[str, ...]]] = {
    "north": ("K", "SHIFT_UP"),
    "north-east": ("U", "SHIFT_PGUP"),
    "east": ("L", "SHIFT_RIGHT"),
    "south-east": ("N", "SHIFT_PGDN"),
    "south": ("J", "SHIFT_DOWN"),
    "south-west": ("B", "SHIFT_END"),
    "west": ("H", "SHIFT_LEFT"),
    "north-west": ("Y", "SHIFT_HOME"),
}
_WASD_KEYS: Final = {"north": "w", "west": "a", "south": "s", "east": "d"}


class _Moves(NamedTuple):
    """The meaning of the direction keys in a state; `taken` are those with another meaning there."""

    step: str
    run: str = ""
    taken: tuple[str, ...] = ()


_MOVES: Final = {
    "play": _Moves("step {}; into a foe: attack", "run {}"),
    "cursor": _Moves("move the cursor {}", "move the cursor eight cells {}", ("HOME",)),
    "target": _Moves("aim further {}", "aim eight cells further {}", ("HOME",)),
    "direction": _Moves("{}"),
}

DIRECTION_OF: Final[dict[str, Direction]] = {
    f"{verb} {way}": direction
    for verb in ("step", "run")
    for way, direction in zip(_WAYS, DIRECTIONS, strict=True)
}
"""The direction of each intent with one, such as "step north" or "run south-east"."""

USES: Final = ("drop", "eat", "wield", "take off", "quaff", "read", "zap", "put on", "throw", "give", "use")
"""The intents of play that use an item; they have the same keys in the description of an item."""
_USES: Final = frozenset(("play", use) for use in USES)


@lru_cache(maxsize=256)
def table(choice: KeyChoice) -> tuple[KeyBinding, ...]:
    """Return every row of the key table under a preset, or with keys of the player's own."""
    if not isinstance(choice, str):
        return apply_own(table(choice.preset), choice)
    steps = [row for state in _MOVES for row in _ways(state, choice)]
    acting = [_beside_walking(row, choice) for row in ROWS]
    uses = [
        row._replace(state="examine", section="An item") for row in acting if (row.state, row.intent) in _USES
    ]
    return (*steps, *acting, *uses)


@lru_cache(maxsize=4_096)
def rows(choice: KeyChoice, state: str) -> tuple[KeyBinding, ...]:
    """Return the rows of one state of the screen."""
    return tuple(row for row in table(choice) if row.state == state)


def walking_words(choice: KeyChoice) -> tuple[str, str]:
    """Return the letters for walking and for running, as they follow "arrows" in a sentence."""
    steps, runs = (walking_letters(rows(choice, "play"), verb) for verb in ("step", "run"))
    if preset_of(choice) == "wasd" and steps[:4] == "aswd":
        return ", wasd or hjklyubn", f" or {runs}"  # the letters of vi still walk
    return (f" or {steps}" if steps else ""), (f" or {runs}" if runs else "")


def intent(choice: KeyChoice, state: str, key: str) -> str | None:
    """Return the intent of a key in a state, or None if it has none."""
    return _dispatch(choice, state).get(key)


@cache
def command_of(intent: str) -> AnyCommand | None:
    """Return the command that an intent of play always sends.

    None if it asks a question or needs the model first.
    """
    return next((row.command for row in ROWS if (row.state, row.intent) == ("play", intent)), None)


def key_for(choice: KeyChoice, state: str, intent: str) -> str:
    """Return the first key of an intent in readable form."""
    return next(key_label(row.keys[0]) for row in rows(choice, state) if row.intent == intent)


def hints(choice: KeyChoice, state: str, intents: Iterable[str] | None = None) -> list[tuple[str, str]]:
    """Return (key, word) pairs for the bottom line: of these intents, or all with a word; equal words share a pair."""
    return list(_hints(choice, state, None if intents is None else tuple(intents)))


@lru_cache(maxsize=1_024)
def _hints(choice: KeyChoice, state: str, intents: tuple[str, ...] | None) -> tuple[tuple[str, str], ...]:
    known = {row.intent: row for row in rows(choice, state) if row.short}
    chosen = known.values() if intents is None else [known[intent] for intent in intents]
    keys: dict[str, list[str]] = {}
    for row in chosen:
        keys.setdefault(row.short, []).append(key_label(row.keys[0]))
    return tuple(("/".join(labels), word) for word, labels in keys.items())


def key_label(key: str) -> str:
    """Return a key in readable form: UP as Up, KP_7 as Keypad 7, CTRL_C as Ctrl-C."""
    if len(key) == 1:
        return "Space" if key == " " else key
    if key.startswith("KP_"):
        return f"Keypad {key[3:]}"
    words = {"PGUP": "PgUp", "PGDN": "PgDn"}
    return "-".join(words.get(part, part.capitalize()) for part in key.split("_"))


@lru_cache(maxsize=4_096)
def _dispatch(choice: KeyChoice, state: str) -> dict[str, str]:
    return {key: row.intent for row in rows(choice, state) for key in row.keys}


def _beside_walking(row: KeyBinding, preset: str) -> KeyBinding:
    """Return a row of play with capitals in place of the letters for walking under this preset."""
    if preset != "wasd" or row.state != "play":
        return row
    walking = _WASD_KEYS.values()
    capitals = {key.upper() for key in walking}
    return row._replace(
        keys=tuple(key.upper() if key in walking else key for key in row.keys if key not in capitals)
    )


def _ways(state: str, preset: str) -> Iterable[KeyBinding]:
    moves = _MOVES[state]
    for way in _WAYS:
        keys = tuple(key for key in _STEP_KEYS[way] if key not in moves.taken)
        if preset == "wasd" and way in _WASD_KEYS:
            keys = (_WASD_KEYS[way], *keys)
        short = "step" if state == "play" else ""
        yield KeyBinding(f"step {way}", keys, moves.step.format(way), short, None, "Moving", state)
    for way in _WAYS if moves.run else ():
        yield KeyBinding(f"run {way}", _RUN_KEYS[way], moves.run.format(way), "", None, "Running", state)
