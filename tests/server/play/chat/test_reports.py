"""Reports: what players send to the host about others, and what the host reads."""

import logging

import pytest

from gloam_server.gateway.chat.reports import describe
from gloam_shared import limits
from gloam_shared.protocol.messages.chat import Report, SendChat, Speak, Spoken
from gloam_shared.protocol.messages.login import Error
from support.server.parties import company, seconds_pass
from support.server.sim_server import SimClient


def answers(client: SimClient) -> list[str]:
    client.server.advance(20)
    return [said.text for said in client.hear() if isinstance(said, Spoken) and said.channel == "server"]


def test_a_report_has_the_last_fifty_lines_and_names(caplog: pytest.LogCaptureFixture) -> None:
    """U44: as the server sent them to its player, whispers among them; bound: REPORT_LINES."""
    server, (anna, bert, carl) = company("Anna", "Bert", "Carl")
    carl.send(Speak("whisper", "not for Anna", "Bert"))
    for count in range(limits.REPORT_LINES):
        bert.send(SendChat(f"line {count}"))
        seconds_pass(server, 2)
    bert.send(Speak("whisper", "boo", "Anna"))
    anna.hear()
    with caplog.at_level(logging.WARNING):
        anna.send(Report("bert", "he says boo"))
        assert answers(anna) == [
            "Your report about Bert is with the host with the last 50 lines that you read."
        ]

    (report,) = server.store.directory.reports()
    assert (report.name, report.about, report.why, report.at_s) == (
        "Anna",
        "Bert",
        "he says boo",
        server.wall_s,
    )
    assert report.lines == (
        *(f"[say] Bert: line {count}" for count in range(1, 50)),
        "[whisper to Anna] Bert: boo",
    )
    (record,) = [each for each in caplog.records if "reports" in each.getMessage()]
    assert record.getMessage().split("\n") == ["Anna reports Bert: he says boo", *report.lines]


def test_a_report_has_no_whispers_with_others() -> None:
    """Neither the words of the reporter to a third player nor the words of the third: the host needs none of them."""
    server, (anna, bert, carl) = company("Anna", "Bert", "Carl")
    for speaker, words, target in (
        (anna, "mine to Carl", "Carl"),
        (carl, "mine to Anna", "Anna"),
        (anna, "stop it", "Bert"),
        (bert, "boo", "Anna"),
    ):
        speaker.send(Speak("whisper", words, target))
        seconds_pass(server, 2)
    anna.send(Report("BERT"))
    answers(anna)
    (report,) = server.store.directory.reports()
    assert report.lines == ("[whisper to Bert] Anna: stop it", "[whisper to Anna] Bert: boo")


def test_without_words_a_report_has_a_reason_alone() -> None:
    server, (anna, _) = company("Anna", "Bert")
    anna.send(Report("Bert"))
    assert answers(anna) == ["Your report about Bert is with the host."]
    assert describe(server.store.directory.reports()[0]) == ["Anna reports Bert"]


@pytest.mark.parametrize("name", ["Dora", "", "\x1b[2J", "x" * 64, "'; DROP TABLE reports; --"])
def test_a_report_about_no_player_is_not_kept(name: str) -> None:
    """And it does not count: a mistyped name costs nothing."""
    server, (anna,) = company("Anna")
    for _ in range(limits.REPORTS_BURST + 1):
        anna.send(Report(name, "why"))
        (answer,) = answers(anna)
        assert "No player has the name" in answer
        assert "\x1b" not in answer
    assert server.store.directory.reports() == []


@pytest.mark.rule("A78")
def test_reports_are_few() -> None:
    """bounds: REPORTS_BURST, REPORTS_EVERY_S."""
    server, (anna, _) = company("Anna", "Bert")
    said = []
    for _ in range(limits.REPORTS_BURST + 1):
        anna.send(Report("Bert", "spam"))
        said += answers(anna)
    assert len(server.store.directory.reports()) == limits.REPORTS_BURST
    assert said[-1].startswith("You have reported several times")
    seconds_pass(server, limits.REPORTS_EVERY_S)
    anna.send(Report("Bert", "spam"))
    assert answers(anna) == ["Your report about Bert is with the host."]


@pytest.mark.rule("A47", "A51", "A53")
@pytest.mark.parametrize(("cells", "kept"), [(199, 1), (200, 1), (201, 0)])
def test_a_reason_is_clean_and_bounded(cells: int, kept: int) -> None:
    server, (anna, _) = company("Anna", "Bert")
    evil, shown = "\x1b[2J\u202e{0.__class__}%s\ue000", "[2J{0.__class__}%s"
    anna.send(Report("Bert", evil + "x" * (cells - len(shown))))
    server.advance(20)
    assert len(server.store.directory.reports()) == kept
    assert [error.code for error in anna.of_kind(Error)] == ["length"] * (1 - kept)
    if kept:
        assert server.store.directory.reports()[0].why == shown.ljust(cells, "x")
