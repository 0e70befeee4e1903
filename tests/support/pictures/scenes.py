"""Play the real client on a real server by a fixed script and a fixed seed, and draw its screens into `client/docs`.

`make screenshots` runs this. A picture notes what it was drawn from: the frames of its screen and this script. A test
compares that with the frames of today, so that it needs neither a server nor a clock.
"""

import hashlib
import re
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, NamedTuple

from support.client.frames import FRAMES
from support.pictures.animation import Frame, animated
from support.pictures.svg import Look, svg
from support.processes.pty import PtyTerminal
from support.processes.screen import attentive, close_story, gloam
from support.processes.server_process import ServerProcess

FOLDER: Final = Path(__file__).parents[3] / "client" / "docs"
_SEED: Final = 18
_RECORDED_SEED: Final = 3
"""A realm whose first fight is near, and is won."""
_STEPS_MAX: Final = 2_000
_WAIT_S: Final = 0.25
_ROUND_TRIP: Final = re.compile(r"\d+ ms\b")
_NAMED: Final = {
    "black": "#000000", "red": "#e14b46", "green": "#4ba34b", "brown": "#f09632", "blue": "#6f8fff",
    "magenta": "#c864c8", "cyan": "#5ac8c8", "white": "#ebebeb",
}  # fmt: skip


class Picture(NamedTuple):
    """One picture: its title for people who do not see it, the frame of its screen, and its size."""

    title: str
    frame: str
    rows: int
    cols: int


PICTURES: Final = {
    "solo": Picture("A player alone in the first caves, with a foe in sight", "side_panel", 28, 100),
    "party": Picture("Two friends in a party, with the panel beside the map", "party", 32, 120),
    "recap": Picture("The recap of a life that is over", "death_recap", 28, 100),
    "ladder": Picture("The ladder of the lives that ended on a server", "ladder", 28, 100),
}
"""The pictures, by the name of their file."""
RECORDING: Final = "recording"
RECORDED: Final = Picture(
    "The first minute of a life: exploring the first caves, and a fight", "side_panel", 28, 100
)
"""The animated picture, and the name of its file."""
_KEY_MS: Final = 350
"""The time for which the recording shows what a key has done; the last picture stays longer."""
_LAST_MS: Final = 3_000
_FRAMES_MIN: Final = 40
_FRAMES_MAX: Final = 120
"""The recording ends after the first dead foe and these pictures."""


def origin(name: str) -> str:
    """Return what a picture was drawn from today, as a digest: the frames of its screen, and the scripts."""
    picture = RECORDED if name == RECORDING else PICTURES[name]
    scripts = sorted(Path(__file__).parent.glob("*.py"))
    parts = [path.read_bytes() for path in (FRAMES / f"{picture.frame}.txt", *scripts)]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:32]


def note(name: str) -> str:
    """Return the note inside a picture."""
    return f"Drawn by `make screenshots` from {origin(name)}"


_KITS: Final = "Choose your kit"


def draw(pty: PtyTerminal, name: str) -> None:
    """Write what a terminal shows into the picture's file, without the round trip: it differs from run to run."""
    pty.wait_for(lambda _: True)
    _write(name, svg(_rows(pty), PICTURES[name].title, note(name)))


def _write(name: str, picture: str) -> None:
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.svg").write_text(picture, encoding="utf-8")


def _rows(pty: PtyTerminal) -> list[list[Look]]:
    return [_looks(pty, y, line) for y, line in enumerate(pty.screen())]


def _looks(pty: PtyTerminal, y: int, line: str) -> list[Look]:
    hidden = [range(*found.span()) for found in _ROUND_TRIP.finditer(line)]
    return [
        Look() if any(x in cells for cells in hidden) else _look(pty.cell(y, x)) for x in range(len(line))
    ]


def _look(cell: Any) -> Look:
    return Look(cell.data, _colour(cell.fg), _colour(cell.bg), cell.bold, cell.underscore, cell.reverse)


def _colour(name: str) -> str:
    """Return pyte's name of a color as "#rrggbb", "" for the terminal's own."""
    if name == "default":
        return ""
    return _NAMED.get(name, f"#{name}")


def play(pty: PtyTerminal, keys: str, done: Callable[[list[str]], bool]) -> None:
    """Press keys in turn until the screen is as it should be. Raises AssertionError if it never is."""
    for at in range(_STEPS_MAX):
        if done(pty.screen()):
            return
        pty.type(keys[at % len(keys)])
        pty.pump(_WAIT_S)
    raise AssertionError("the scene did not come:\n" + pty.text())


def _shows(*words: str) -> Callable[[list[str]], bool]:
    return lambda rows: all(word in "\n".join(rows) for word in words)


def _without_answers(rows: list[str]) -> bool:
    """Return whether the message line has gone."""
    return not any("No command on" in row or "already" in row or "Pause for" in row for row in rows)


def _enter(stack: ExitStack, home: Path, server: ServerProcess, player: str, name: str) -> PtyTerminal:
    picture = RECORDED if name == RECORDING else PICTURES[name]
    pty = stack.enter_context(
        gloam(
            home / player, f"127.0.0.1:{server.port}", "--name", player, rows=picture.rows, cols=picture.cols
        )
    )
    _take_usual_kit(pty)
    close_story(pty)
    return pty


def _take_usual_kit(pty: PtyTerminal) -> None:
    pty.wait_for(_without_answers)
    attentive(pty, _KITS)
    pty.type("\x1b")
    pty.wait_for(lambda rows: not any(_KITS in row for row in rows))


def solo(stack: ExitStack, home: Path) -> None:
    """Explore the first level until a foe is in sight."""
    server = stack.enter_context(ServerProcess(home / "solo", campaign="gloam", seed=_SEED))
    anna = _enter(stack, home, server, "Anna", "solo")
    play(anna, "o", _shows("into view", "In sight"))
    anna.wait_for("your move")
    draw(anna, "solo")


def party(stack: ExitStack, home: Path) -> None:
    """Invite a friend into the party, who accepts, and look at both."""
    server = stack.enter_context(ServerProcess(home / "party", campaign="gloam", seed=_SEED))
    anna = _enter(stack, home, server, "Anna", "party")
    bert = _enter(stack, home, server, "Bert", "party")
    anna.wait_for("Bert")
    anna.type(":/invite Bert\r")
    bert.wait_for("Anna invites you")
    bert.type(":/join\r")
    anna.wait_for(_shows("joins the party", "Your party"))
    anna.type(":Shall we?\r")
    bert.wait_for("Shall we?")
    bert.type(":Lead on.\r")
    anna.wait_for("Lead on.")
    draw(anna, "party")


def recording(stack: ExitStack, home: Path) -> None:
    """Explore and fight, and keep what each key has done."""
    server = stack.enter_context(ServerProcess(home / "recording", campaign="gloam", seed=_RECORDED_SEED))
    dora = _enter(stack, home, server, "Dora", RECORDING)
    frames = [Frame(0, _rows(dora))]
    won = False
    while len(frames) < _FRAMES_MIN or not won:
        assert len(frames) < _FRAMES_MAX, "the fight did not come"
        won = won or _shows("Kills 1")(dora.screen())
        dora.type("\t" if "Tab fight" in dora.screen()[-1] else "o")
        dora.pump(_WAIT_S)
        if (rows := _rows(dora)) != frames[-1].rows:
            frames.append(Frame(len(frames) * _KEY_MS, rows))
    total_ms = frames[-1].at_ms + _LAST_MS
    _write(RECORDING, animated(frames, total_ms, RECORDED.title, note(RECORDING)))


def recap_and_ladder(stack: ExitStack, home: Path) -> None:
    """Fight on until the life ends, look at its recap, begin another, and look at the ladder."""
    server = stack.enter_context(ServerProcess(home / "recap", campaign="gloam", seed=_SEED))
    cyd = _enter(stack, home, server, "Cyd", "recap")
    play(cyd, "o\t.>", _shows("You are dead"))
    cyd.wait_for(_without_answers)
    draw(cyd, "recap")
    attentive(cyd, "You are dead")
    cyd.type("\r")
    _take_usual_kit(cyd)
    cyd.type("#")
    cyd.wait_for("rank")
    cyd.wait_for(_without_answers)
    draw(cyd, "ladder")


def main() -> None:
    """Make all pictures again."""
    for scene in (solo, party, recap_and_ladder, recording):
        with tempfile.TemporaryDirectory() as home, ExitStack() as stack:
            scene(stack, Path(home))
            sys.stdout.write(f"{scene.__name__}: done\n")


if __name__ == "__main__":
    main()
