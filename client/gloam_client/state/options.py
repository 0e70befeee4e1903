"""The options of a player for screen and keys, and their file. Nothing here changes the game."""

from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from gloam_client.input.keymap import PRESETS
from gloam_client.input.own_keys import KeyChoice, bound_of, choice_of, preset_of
from gloam_client.state.settings.kept_aside import Broken, keep_aside, read_table
from gloam_client.terminal.terrain_glyphs import GlyphSet
from gloam_client.terminal.themes import THEMES
from gloam_shared.protocol.messages.lives import WhoBeside
from gloam_shared.protocol.messages.watching import SetWatchable


class Choice(NamedTuple):
    """One option: section and label on the screen, name in the file, possible values, and what it does."""

    section: str
    name: str
    words: str
    values: tuple[str, ...]
    help: str


_OFF_ON: Final = ("off", "on")
_ON_OFF: Final = ("on", "off")
_BESIDE: Final[dict[str, WhoBeside]] = {"party": "party", "all": "all", "no one": "none"}
"""The players who may begin a life beside the player: the value on the screen and the one in the message."""
_WATCH: Final = {
    "friends": SetWatchable(allowed=True),
    "everyone": SetWatchable(allowed=True, guests=True),
    "no one": SetWatchable(allowed=False),
}
"""The people who may watch the player: the value on the screen, and the message that says it."""
_FORMER: Final = {"watch": {"on": "friends", "off": "no one"}}
"""Values of older files, and those that mean the same now."""

CHOICES: Final = (
    Choice("Screen", "theme", "Theme", tuple(THEMES), "The colors."),
    Choice(
        "Screen", "colours", "Colors", ("auto", "true", "256", "16", "none"), "How many the terminal has."
    ),
    Choice("Screen", "glyphs", "Glyphs", ("auto", *GlyphSet), "The signs of the map."),
    Choice("Screen", "motion", "Motion", ("full", "reduced"), "Reduced: nothing flashes or counts seconds."),
    Choice("Screen", "screen_reader", "Screen reader", _OFF_ON, "From the next start on, lines of text."),
    Choice("Bell", "bell_health", "Your health is low", _OFF_ON, "It rings when health falls below a half."),
    Choice(
        "Bell", "bell_friends", "A friend calls or whispers", _OFF_ON, "It rings when a friend needs you."
    ),
    Choice("Bell", "bell_turn", "Others wait for your turn", _OFF_ON, "It rings when you hold up others."),
    Choice("Keys", "keys", "Keys", PRESETS, "The keys for walking; single keys can be changed."),
    Choice("Keys", "hints", "Hints", _ON_OFF, "Advice for the first life."),
    Choice(
        "Keys", "mouse", "Mouse", ("auto", "on", "off"), "Click to travel, hover to look, wheel in lists."
    ),
    Choice("Play", "pick_up", "Pick up useful items", _ON_OFF, "By walking over them."),
    Choice("Play", "ask_stairs", "Ask before stairs", _OFF_ON, "A question before you go down."),
    Choice(
        "Play", "beside", "Who may begin beside you", tuple(_BESIDE), "Party: everyone while you have none."
    ),
    Choice(
        "Play",
        "watch",
        "Who may watch you",
        tuple(_WATCH),
        "10 s late. Everyone: without a name, too, by a link.",
    ),
    Choice("Play", "replays", "Keep replays of your lives", _ON_OFF, "The newest 20, on the title."),
)
"""All options, in the order of the screen; options of a section are neighbors. At most 25."""


class Options(Struct, frozen=True):
    """The chosen values, each from its Choice."""

    glyphs: str = "auto"
    colours: str = "auto"
    keys: KeyChoice = "vi"
    hints: str = "on"
    pick_up: str = "on"
    watch: str = "friends"
    """The people who may watch; guests of a door are among "everyone"."""
    beside: str = "party"
    """The players who may begin a life beside the player (rule F92)."""
    replays: str = "on"
    ask_stairs: str = "off"
    """Whether stairs down are asked about before they are taken (rule RG.33)."""
    theme: str = "gloam"
    """The colors, by the name of a theme."""
    motion: str = "full"
    """Whether things may move or flash by time alone; "reduced" for players who cannot bear it."""
    mouse: str = "auto"
    """Whether the mouse acts in the game; "auto": where the terminal says that it reports it."""
    screen_reader: str = "off"
    """Whether lines of text stand in place of the drawn screen."""
    bell_health: str = "off"
    bell_friends: str = "off"
    bell_turn: str = "off"

    def value(self, choice: Choice) -> str:
        """Return the chosen value; for the keys, their preset."""
        chosen = getattr(self, choice.name)
        return preset_of(chosen) if choice.name == "keys" else str(chosen)

    @property
    def who_beside(self) -> WhoBeside:
        """Return who may begin a life beside the player, as the server takes it."""
        return _BESIDE[self.beside]

    @property
    def who_watches(self) -> SetWatchable:
        """Return who may watch the player, as the server takes it."""
        return _WATCH[self.watch]

    def turned(self, choice: Choice, by: int) -> "Options":
        """Return the options with one moved `by` places along its values, with wrap-around."""
        at = choice.values.index(self.value(choice))
        chosen = choice.values[(at + by) % len(choice.values)]
        if choice.name == "keys":
            return replace(self, keys=choice_of(chosen, bound_of(self.keys)))
        return replace(self, **{choice.name: chosen})


DEFAULTS: Final = Options()


def load(path: Path) -> tuple[Options, str]:
    """Return the options stored in `path`, and a sentence about what was wrong with the file, "" for nothing.

    A missing option has its default. A broken file is kept under another name; what can be read of it counts.
    """
    try:
        table = read_table(path)
    except Broken as error:
        return DEFAULTS, keep_aside(path, str(error), "The default options are used.")
    known = {choice.name: choice for choice in CHOICES}
    found = {
        name: _FORMER.get(name, {}).get(value, value) if isinstance(value, str) else value
        for name, value in table.items()
        if name in known
    }
    wrong = {name: value for name, value in found.items() if value not in known[name].values}
    options = Options(**{name: value for name, value in found.items() if name not in wrong})
    if not wrong:
        return options, ""
    why = "; ".join(
        f'"{name}" is {value!r}, not one of {", ".join(known[name].values)}' for name, value in wrong.items()
    )
    said = keep_aside(path, why, "The default is used there.")
    with suppress(OSError, ValueError):
        save(options, path)
    return options, said


def save(options: Options, path: Path) -> None:
    """Write the options into `path`, keeping comments and keys that are not ours."""
    import tomlkit  # noqa: PLC0415  # heavy, and seldom needed

    document = tomlkit.parse(path.read_text(encoding="utf-8-sig")) if path.exists() else tomlkit.document()
    for choice in CHOICES:
        document[choice.name] = options.value(choice)
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".new")
    draft.write_text(tomlkit.dumps(document), encoding="utf-8")
    draft.replace(path)
