"""The options of a player for screen and keys, and their file. Nothing here changes the game."""

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Final, NamedTuple

from gloam_client.terminal.themes import THEMES


class Choice(NamedTuple):
    """One option: its section and label on the screen, its name in the file, and its possible values."""

    section: str
    name: str
    words: str
    values: tuple[str, ...]


_OFF_ON: Final = ("off", "on")
_ON_OFF: Final = ("on", "off")

CHOICES: Final = (
    Choice("Screen", "theme", "Theme", tuple(THEMES)),
    Choice("Screen", "colours", "Colors", ("auto", "true", "256", "16", "none")),
    Choice("Screen", "glyphs", "Glyphs", ("auto", "ascii", "cp437", "unicode")),
    Choice("Screen", "motion", "Motion", ("full", "reduced")),
    Choice("Screen", "screen_reader", "Screen reader", _OFF_ON),
    Choice("Bell", "bell_health", "Your health is low", _OFF_ON),
    Choice("Bell", "bell_friends", "A friend calls or whispers", _OFF_ON),
    Choice("Bell", "bell_turn", "Others wait for your turn", _OFF_ON),
    Choice("Keys", "keys", "Keys", ("vi", "wasd")),
    Choice("Keys", "hints", "Hints", _ON_OFF),
    Choice("Play", "pick_up", "Pick up useful items", _ON_OFF),
    Choice("Play", "ask_stairs", "Ask before stairs", _OFF_ON),
    Choice("Play", "watch", "Others may watch you", _ON_OFF),
)
"""All options, in the order of the screen; those of a section are neighbors. At most 25."""


@dataclass(frozen=True, slots=True)
class Options:
    """The chosen values, each from its Choice."""

    glyphs: str = "auto"
    colours: str = "auto"
    keys: str = "vi"
    hints: str = "on"
    pick_up: str = "on"
    watch: str = "on"
    ask_stairs: str = "off"
    """Whether stairs down are asked about before they are taken (rule RG.33)."""
    theme: str = "gloam"
    """The colors, by the name of a theme."""
    motion: str = "full"
    """Whether things may move or flash by time alone; "reduced" for players who cannot bear it."""
    screen_reader: str = "off"
    """Whether lines of text stand in place of the drawn screen."""
    bell_health: str = "off"
    bell_friends: str = "off"
    bell_turn: str = "off"

    def turned(self, choice: Choice, by: int) -> "Options":
        """Return the options with one moved `by` places along its values, with wrap-around."""
        at = choice.values.index(getattr(self, choice.name))
        return replace(self, **{choice.name: choice.values[(at + by) % len(choice.values)]})


DEFAULTS: Final = Options()


class BadOptions(ValueError):
    """The options file cannot be read; the text names file, key and what was expected."""


def load(path: Path) -> Options:
    """Return the options stored in `path`; a missing one has its default. Raises BadOptions."""
    if not path.exists():
        return DEFAULTS
    import tomllib  # noqa: PLC0415  # only where there is a file to read

    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadOptions(
            f"The options in {path} cannot be read ({error}); correct or delete that file."
        ) from error
    known = {choice.name: choice for choice in CHOICES}
    chosen: dict[str, str] = {}
    for name, value in table.items():
        if name in known:
            if value not in known[name].values:
                raise BadOptions(
                    f'{path}: "{name}" is {value!r}; it can be one of: {", ".join(known[name].values)}.'
                )
            chosen[name] = value
    return Options(**chosen)


def save(options: Options, path: Path) -> None:
    """Write the options into `path`, keeping comments and keys that are not ours."""
    import tomlkit  # noqa: PLC0415  # heavy, and seldom needed

    document = tomlkit.parse(path.read_text(encoding="utf-8")) if path.exists() else tomlkit.document()
    for field in fields(options):
        document[field.name] = getattr(options, field.name)
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".new")
    draft.write_text(tomlkit.dumps(document), encoding="utf-8")
    draft.replace(path)
