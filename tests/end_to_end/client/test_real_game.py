"""The real client against the real server, without a terminal or on one: what players do in an evening."""

import time
from collections.abc import Callable, Iterator
from itertools import cycle, pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

from gloam_client.__main__ import cli
from support.client.headless_client import HeadlessClient
from support.content.campaigns import arena_files
from support.processes.screen import around, attentive, entered, place, walk
from support.processes.server_process import ServerProcess

pytestmark = pytest.mark.end_to_end

Keys = str | Callable[[HeadlessClient], str]


def campaign(folder: Path, *changes: tuple[str, str], monsters: int = 0) -> str:
    """Write the small campaign, with some of its words changed, and return its name."""
    folder.mkdir()
    for name, raw in arena_files(monsters=monsters).items():
        text = raw.decode()
        for before, after in changes:
            text = text.replace(before, after)
        (folder / name).write_text(text, encoding="utf-8")
    return f"{folder}/"


def enter(
    server: ServerProcess, home: Path, name: str = "Ann", rows: int = 24, cols: int = 80
) -> HeadlessClient:
    """Start the client without a terminal, and wait until its player stands in the dungeon."""
    return entered(HeadlessClient(home, server.port, name, rows=rows, cols=cols))


def friend_at(pty: HeadlessClient) -> tuple[int, int] | None:
    """Return where the other player stands on the map; the panel has a name behind its sign."""
    for row, line in enumerate(pty.screen()[1:16], start=1):
        for column, char in enumerate(line):
            listed = line[column + 2 : column + 3].isupper()
            if char == "@" and not listed and not pty.cell(row, column).reverse:
                return row, column
    return None


def press_until(pty: HeadlessClient, keys: Keys, wanted: Callable[[], object], presses: int = 150) -> None:
    """Press keys again and again, each time waiting until the screen has changed or a moment has passed."""
    for _ in range(presses):
        pty.pump(0)
        if wanted():
            return
        pty.type(keys if isinstance(keys, str) else keys(pty))
        pty.pump(0.25)
        while pty.pump(0.04):
            pass
    raise AssertionError("pressed in vain; now:\n" + pty.text())


def anywhere() -> Keys:
    """Return the keys of someone who tries one direction after the other."""
    ways = cycle("hkjl")
    return lambda _: next(ways)


def fight_or_explore(pty: HeadlessClient) -> str:
    """Return the key of someone who looks for a fight."""
    return "\t" if "Tab fight" in pty.text() else "o"


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A small realm without monsters, for all tests of this file: each has players of its own."""
    folder = tmp_path_factory.mktemp("quiet")
    with ServerProcess(folder / "realm", campaign=campaign(folder / "quiet")) as server:
        yield server


@pytest.fixture
def pit(tmp_path: Path) -> Iterator[ServerProcess]:
    """A small realm full of kobolds and rats."""
    with ServerProcess(
        tmp_path / "realm", campaign=campaign(tmp_path / "pit", monsters=12), seed=3
    ) as server:
        yield server


def test_key_moves_body_and_map_scrolls(tmp_path: Path) -> None:
    """A key moves the body and the map scrolls before the edge."""
    wide = campaign(tmp_path / "wide", ("width = 30", "width = 120"))
    with (
        ServerProcess(tmp_path / "realm", campaign=wide) as server,
        enter(server, tmp_path / "home", rows=20, cols=60) as pty,
    ):
        assert "Move with the arrows" in pty.text()
        columns = [place(pty)[1]]

        def jumped_back() -> bool:
            columns.append(place(pty)[1])
            return columns[-1] < columns[-2] - 5

        press_until(pty, "\x0cl", jumped_back)  # a key between: a key that is held does not dig
        assert any(after == before + 1 for before, after in pairwise(columns))


@pytest.mark.thorough
def test_fight_reported_and_brings_level_choice_wait(pit: ServerProcess, tmp_path: Path) -> None:
    """The client shows a fight. It brings a level, whose choice can wait."""
    with enter(pit, tmp_path / "home") as pty:
        press_until(pty, "o", lambda: "Tab fight" in pty.text())
        press_until(pty, "\t", lambda: "You strike" in pty.text() or "You kill" in pty.text())
        press_until(pty, fight_or_explore, lambda: "Level up" in pty.text() and "Tab fight" in pty.text())
        assert "XP 0/" not in pty.text()
        badge = next(row for row in pty.screen() if "Level up" in row)
        assert pty.cell(22, badge.index("Level up")).reverse

        pty.type("+")
        pty.wait_for(lambda rows: "Choose" in "\n".join(rows) and "your move" in rows[0])
        pty.type("\x1b")
        pty.wait_for("You can choose at any")
        assert "Level up" in pty.text()
        attack = next(word for word in pty.text().split("Atk ")[1].split())
        pty.type("+a")
        pty.wait_for(f"Atk {int(attack) + 2}")


@pytest.mark.thorough
def test_two_players_see_each_other_move_and_speak(quiet: ServerProcess, tmp_path: Path) -> None:
    with enter(quiet, tmp_path / "a") as ann, enter(quiet, tmp_path / "b", "Bert") as bert:
        ann.wait_for("with 1 other")
        bert.wait_for("with 1 other")
        ann.wait_for(lambda _: friend_at(ann) is not None)
        before = friend_at(ann)

        press_until(bert, anywhere(), lambda: friend_at(ann) not in (before, None))

        bert.type(":over here\r")
        ann.wait_for(": Bert: over here")
        ann.type(":/who\r")
        ann.wait_for("Bert (depth 1, L 1, unhurt)")


@pytest.mark.thorough
def test_common_fight_reported_waits(tmp_path: Path) -> None:
    """In a common fight each player sees which players the turn waits for."""
    tough = campaign(tmp_path / "tough", ("hp = 6\nattack = 4", "hp = 900\nattack = 1"), monsters=12)
    with (
        ServerProcess(tmp_path / "realm", campaign=tough, seed=3) as server,
        enter(server, tmp_path / "a") as ann,
        enter(server, tmp_path / "b", "Bert") as bert,
    ):
        press_until(ann, ".", lambda: "waiting for Bert, at most " in ann.screen()[0])
        press_until(ann, ".", lambda: "they wait for you: " in bert.screen()[0])
        bert.type("x")
        bert.wait_for("Look")
        bert.type("\x1b.")
        ann.wait_for(lambda rows: "your move" in rows[0])


@pytest.mark.thorough
def test_size_shows_and_small_say(quiet: ServerProcess, tmp_path: Path) -> None:
    """Every size shows what it can and too small ones say so."""
    with enter(quiet, tmp_path / "home", "Cora") as pty:
        pty.resize(20, 60)
        pty.wait_for(lambda rows: len(rows) == 20 and "HP 40/40" in rows[18])
        pty.resize(18, 40)
        pty.wait_for("needs 44x20, now 40x18")
        pty.resize(40, 120)
        pty.wait_for(
            lambda rows: len(rows) == 40 and "HP 40/40" in rows[38] and "Nothing in sight" in "".join(rows)
        )
        before = place(pty)
        press_until(pty, anywhere(), lambda: place(pty) != before)


@pytest.mark.thorough
def test_one_key_leads_to_the_stairs_and_down(quiet: ServerProcess, tmp_path: Path) -> None:
    with enter(quiet, tmp_path / "home", "Dora") as pty:
        press_until(
            pty, "o", lambda: "stairs down" in pty.text() or any(">" in row for row in pty.screen()[1:20])
        )
        press_until(pty, ">", lambda: "Depth 2" in pty.text(), presses=20)
        pty.wait_for("You descend to level 2!")


@pytest.mark.thorough
def test_killed_server_reported(tmp_path: Path) -> None:
    """The client reports a killed server. Play continues in the same place."""
    name = campaign(tmp_path / "quiet")
    with (
        ServerProcess(tmp_path / "realm", campaign=name) as server,
        enter(server, tmp_path / "home") as pty,
    ):
        walk(pty)
        before = around(pty)
        server.kill()
        pty.wait_for("No connection for")
        pty.type("l")
        pty.wait_for("The connection is lost")
        with ServerProcess(tmp_path / "realm", "--port", str(server.port), campaign=name):
            pty.wait_for("You were away")
            assert around(pty) == before
            walk(pty)


@pytest.mark.thorough
def test_death_is_reported_and_enter_begins_a_new_life(tmp_path: Path) -> None:
    """U47, U48: the recap and its dump appear with the death.

    One key and less than 5 s later the next life is in play.
    """
    deadly = campaign(
        tmp_path / "deadly", ("attack = 4", "attack = 90"), ("attack = 1\n", "attack = 90\n"), monsters=12
    )
    with (
        ServerProcess(tmp_path / "realm", campaign=deadly, seed=3) as server,
        enter(server, tmp_path / "home") as pty,
    ):
        press_until(
            pty, lambda _: "." if "your move" in pty.text() else "o", lambda: "You are dead" in pty.text()
        )
        rows = pty.wait_for("Ann was killed by a")
        attentive(pty, "Ann was killed by a")
        assert "new life" in rows[-1]
        pty.wait_for("Damage in the last 10 turns: ")
        pty.wait_for("Next time: ")
        pty.type("D")
        pty.wait_for("This life is written:")
        assert (
            "Damage in the last 10 turns"
            in next((tmp_path / "home/dumps").glob("Ann-life-1-*.txt")).read_text()
        )
        pty.type("\t\t")
        pty.wait_for("this is where, on depth 1.")
        began_s = time.monotonic()
        pty.type("\r")
        pty.wait_for(lambda rows: "You are dead" not in "".join(rows) and "HP 40/40" in "".join(rows))
        place(pty)
        assert time.monotonic() - began_s < 5


@pytest.mark.thorough
def test_a_mistake_is_one_sentence_and_an_exit_code(quiet: ServerProcess, tmp_path: Path) -> None:
    here = f"127.0.0.1:{quiet.port}"
    with enter(quiet, tmp_path / "home", "Emma") as pty:
        pty.type("Qy")
        assert pty.wait_exit() == 0
    nothing = "Nothing listens at 127.0.0.1:1; is the server running there?"
    taken = f'The name "Emma" belongs to another device; choose another name. The option --name gives one: gloam {here} --name NAME'
    for port, sentence in ((1, nothing), (quiet.port, taken)):
        with HeadlessClient(tmp_path / "other", port, "Emma") as other:
            assert other.wait_exit() == 1
            assert other.text() == sentence
    mistakes = [
        (("--name", "B"), 2, "A name has 2 to 16 characters; choose another."),
        (("127.0.0.1:http", "--name", "Bert"), 2, '"http" is no port; a port is a number from 1 to 65535.'),
    ]
    for arguments, code, words in mistakes:
        told = CliRunner().invoke(cli, [*arguments, "--data", str(tmp_path / "other")])
        assert told.exit_code == code
        assert told.stderr == f"gloam: {words}\n"
