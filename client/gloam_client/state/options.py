"""The options of a player for screen and keys, and their file. Nothing here changes the game."""

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Final, NamedTuple


class Choice(NamedTuple):
    """One option: its name in the file, its label on the screen, and its possible values."""

    name: str
    words: str
    values: tuple[str, ...]


CHOICES: Final = (
    Choice("glyphs", "Glyphs", ("auto", "ascii", "unicode")),
    Choice("colours", "Colors", ("auto", "true", "256", "16", "none")),
    Choice("keys", "Keys", ("vi", "wasd")),
    Choice("hints", "Hints", ("on", "off")),
    Choice("pick_up", "Pick up useful items", ("on", "off")),
    Choice("watch", "Others may watch you", ("on", "off")),
    Choice("ask_stairs", "Ask before stairs", ("off", "on")),
)


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
