"""Chat as lines of the log: the words and the mark of each channel."""

from typing import Any, cast

import pytest

from gloam_client.render.frame import draw
from gloam_client.state.model import Model
from gloam_client.update import update
from gloam_shared.protocol.messages.chat import ChatLine, Spoken
from support.client.model_in_play import heard, playing


def after(*said: Spoken | ChatLine) -> Model:
    return update(playing(), heard(*said), 0)[0]


@pytest.mark.parametrize(
    ("said", "line", "mark"),
    [
        (Spoken("say", "Bert", "hello"), "Bert: hello", ":"),
        (Spoken("party", "Bert", "come"), "Bert (party): come", "&"),
        (Spoken("whisper", "Bert", "psst", "Ann"), "Bert whispers: psst", "<"),
        (Spoken("whisper", "Ann", "psst", "Bert"), "You whisper to Bert: psst", "<"),
        (Spoken("emote", "Bert", "waves"), "Bert waves", "~"),
        (Spoken("server", "", "Bert is not here."), "Bert is not here.", "="),
        (Spoken(cast(Any, "shout"), "Bert", "of a later server"), "Bert: of a later server", ":"),
        (Spoken("say", "Bert", "hello", ago_s=59), "(just now) Bert: hello", ":"),
        (Spoken("say", "Bert", "hello", ago_s=119), "(1 min ago) Bert: hello", ":"),
        (Spoken("say", "Bert", "hello", ago_s=7_200), "(2 h ago) Bert: hello", ":"),
        (Spoken("emote", "Bert", "waves", ago_s=200_000), "(2 d ago) Bert waves", ":"),
    ],
)
def test_each_channel_has_words_and_a_mark(said: Spoken, line: str, mark: str) -> None:
    """Also without colors its mark and its words show the channel: U35."""
    model = after(said)
    (row,) = [row for row in draw(model).rows() if line in row]

    assert model.messages.entries[-1].text == line
    assert row.strip().startswith(mark if "waves" not in line else "~")


@pytest.mark.rule("A47", "A53", "A73")
def test_a_hostile_servers_words_are_cleaned() -> None:
    evil = "\x1b[2J{0.__class__} %s\u202e\u4f60"
    for channel in ("say", "whisper", "party", "emote", "server", evil):
        for name in (evil, ""):
            text = after(Spoken(cast(Any, channel), name, evil, evil, 2**31 - 1)).messages.entries[-1].text
            assert "{0.__class__} %s\u4f60" in text
            assert "\x1b" not in text


def test_a_line_of_an_older_server_is_shown() -> None:
    assert after(ChatLine("Bert", "hello")).messages.entries[-1][:2] == ("Bert: hello", "chat")
    assert after(ChatLine("", "Carl arrives.")).messages.entries[-1][:2] == ("Carl arrives.", "urgent")
