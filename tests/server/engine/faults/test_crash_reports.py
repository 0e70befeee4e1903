"""Reports of faults: what they tell, how many and how long they may be, and what happens when they cannot be written."""

import logging
import os
from pathlib import Path

import pytest

from gloam_server.engine.faults import crash_reports
from gloam_server.engine.faults.crash_reports import CrashReports
from gloam_server.storage.file_thread import WAITING_MAX, FileThread
from gloam_server.world.effects.upkeep import end_action
from gloam_server.world.transition import turn as turns_of_the_world
from support.server.failing_rules import Poison
from support.server.hand_reactor import HandReactor
from support.server.parties import company, turn


def test_report_tells_seed_position_input_version(
    poison: Poison, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A report tells seed position input version and where it failed."""
    server, (anna,) = company("Anna")
    server.engine.reporter.reports = CrashReports(tmp_path / "faults", lambda: 1_800_000_000)
    kobold = server.put("kobold", server.body(anna).cell)
    poison.spoil(turns_of_the_world, end_action, server.level_of(anna), kobold)
    position = server.level_of(anna).sequence
    turn(server, anna)

    [path] = (tmp_path / "faults").iterdir()
    assert path.name == "20270115T080000Z-000001.txt"
    output = path.read_text()
    assert "seed 1, partition 0 at input" in output
    assert f"partition 1 at input {position}," in output
    assert f"acting: creature {kobold.number}, kobold 'kobold'" in output
    assert "input: of partition 1, not carried out: Turn(acts=(PlayerAction(" in output
    assert "bytes: 92" in output
    assert "campaign: arena" in output
    assert "version: " in output
    assert "Broken: end_action of creature" in output
    assert "Traceback" in output
    faults = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    assert [str(path) in fault for fault in faults] == [True]


def test_reports_few_and_small(tmp_path: Path) -> None:
    """Reports are few and small and one line of the code fills none of their room."""
    written = CrashReports(tmp_path / "faults", lambda: 0)
    for at in range(crash_reports.KEPT_MAX + 5):
        written.write("a test", raised(at, "short"), list)
    written.write("a test", raised(at + 1, "x" * 100_000), lambda: ["é" * 100_000])
    kept = sorted((tmp_path / "faults").iterdir())
    assert [path.name[-10:-4] for path in kept] == [f"{at:06d}" for at in range(7, 107)]
    assert crash_reports.BYTES_MAX // 4 < kept[-1].stat().st_size <= crash_reports.BYTES_MAX
    for _ in range(crash_reports.SAME_MAX * 2):
        written.write("a test", ValueError("always the same"), list)
    assert written.written == 106 + crash_reports.SAME_MAX


def raised(line: int, words: str) -> ValueError:
    """Return an error that was raised on some line of a file that there is not."""
    try:
        exec(compile("\n" * line + "raise ValueError(words)", "nowhere", "exec"), {"words": words})
    except ValueError as error:
        return error
    raise AssertionError


def test_report_cannot_written_reported_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The log says that a report could not be written."""
    (tmp_path / "faults").write_text("no folder")
    CrashReports(tmp_path / "faults", lambda: 0).write("a test", ValueError("\x1b[2J"), list)
    assert "could not be written" in caplog.text
    assert "\x1b" not in caplog.records[0].getMessage()


def hung_reports(folder: Path) -> tuple[HandReactor, Path, CrashReports]:
    """Return the reports of a folder whose first file is a pipe without a reader, with that pipe and their reactor."""
    reactor, pipe = HandReactor(), folder / "19700101T000000Z-000001.txt"
    folder.mkdir()
    os.mkfifo(pipe)
    return reactor, pipe, CrashReports(folder, lambda: 0, FileThread(reactor).call)


def test_a_slow_folder_delays_only_the_report(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The file is a pipe without a reader: the server goes on, and the report is written when the pipe is read."""
    reactor, pipe, reports = hung_reports(tmp_path / "faults")
    reports.write("a test", ValueError("slow"), lambda: ["a fact of that moment"])
    assert (caplog.records, reports.written) == ([], 1)
    text = pipe.read_text()
    reactor.turn()
    assert "a fact of that moment" in text
    assert "ValueError: slow" in text
    assert [str(pipe) in record.getMessage() for record in caplog.records] == [True]


def test_reports_to_a_hung_folder_are_bounded(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """No more reports wait than the thread takes: for the others a line in the log says so."""
    reactor, pipe, reports = hung_reports(tmp_path / "faults")
    for at in range(WAITING_MAX + 2):
        reports.write("a test", raised(at, "short"), list)
    assert [record.getMessage().count("could not be written") for record in caplog.records] == [1, 1]
    assert pipe.read_text()
    reactor.turn(WAITING_MAX)
    assert len(list(pipe.parent.iterdir())) == WAITING_MAX
