"""Channels: who hears words, what an older client gets of them, and the plans that they end."""

import pytest

from gloam_shared.protocol.commands import Explore
from gloam_shared.protocol.messages.chat import ChatLine, SendChat, Speak, Spoken, SpokenChannel
from gloam_shared.protocol.messages.login import Error
from gloam_shared.protocol.messages.play import Answer
from gloam_shared.protocol.registry import ABILITIES
from support.server.parties import company
from support.server.sim_server import SimClient, SimServer


def heard(client: SimClient) -> list[Spoken]:
    return client.of_kind(Spoken)


def older(server: SimServer, name: str) -> SimClient:
    """Let a player join whose client knows no channels."""
    client = server.join(name)
    client.cut()
    client.link._abilities = tuple(each for each in ABILITIES if each != "channels")
    client.dial()
    server.advance(200)
    client.hear()
    return client


@pytest.mark.thorough
@pytest.mark.parametrize("channel", ["say", "emote"])
def test_all_hear_words_to_all_with_their_channel(channel: SpokenChannel) -> None:
    _, (anna, bert) = company("Anna", "Bert")
    bert.send(Speak(channel, "waves"))
    assert heard(anna) == heard(bert) == [Spoken(channel, "Bert", "waves")]


def test_an_older_clients_words_are_said_to_all() -> None:
    _, (anna, bert) = company("Anna", "Bert")
    bert.send(SendChat("hello"))
    assert heard(anna) == [Spoken("say", "Bert", "hello")]


def test_only_two_hear_a_whisper_in_any_case() -> None:
    _, (anna, bert, carl) = company("Anna", "Bert", "Carl")
    bert.send(Speak("whisper", "psst", "ANNA"))
    assert heard(anna) == heard(bert) == [Spoken("whisper", "Bert", "psst", "Anna")]
    assert heard(carl) == []


@pytest.mark.parametrize("target", ["Dora", "", "Bert", "\x1b[2J", "x" * 64])
def test_a_whisper_to_no_other_is_answered(target: str) -> None:
    _, (anna, bert) = company("Anna", "Bert")
    bert.send(Speak("whisper", "psst", target))
    assert heard(anna) == []
    (answer,) = heard(bert)
    assert (answer.channel, answer.name) == ("server", "")
    assert "\x1b" not in answer.text


def test_without_a_party_no_one_hears_its_words() -> None:
    _, (anna, bert) = company("Anna", "Bert")
    bert.send(Speak("party", "come"))
    assert heard(anna) == []
    assert heard(bert) == [Spoken("server", "", "You are in no party; these words reach no one.")]


@pytest.mark.rule("A52")
def test_an_older_client_reads_channels_behind_names() -> None:
    server, (anna,) = company("Anna")
    bert = older(server, "Bert")
    anna.send(Speak("say", "hello"))
    anna.send(Speak("emote", "The host says: go"))
    anna.send(Speak("whisper", "psst", "bert"))
    assert bert.of_kind(ChatLine) == [
        ChatLine("Anna", "hello"),
        ChatLine("Anna", "*The host says: go*"),
        ChatLine("Anna", "(whispers) psst"),
    ]
    assert heard(bert) == []


@pytest.mark.rule("A51")
def test_channels_share_one_limit() -> None:
    _, (anna, bert) = company("Anna", "Bert")
    channels: tuple[SpokenChannel, ...] = ("say", "emote", "whisper", "say", "party")
    for count, channel in enumerate(channels):
        bert.send(Speak(channel, f"hello {count}", "Anna"))
    bert.send(Speak("whisper", "one more", "Anna"))
    assert len(heard(anna)) == 4
    assert [error.code for error in bert.of_kind(Error)] == ["slow"]


def explores(channel: SpokenChannel, words: str, target: str = "") -> list[Answer]:
    """Return what ends the plan of Anna, who explores, when Bert speaks."""
    server, (anna, bert) = company("Anna", "Bert")
    anna.command(Explore())
    server.advance(60)
    anna.hear()
    bert.send(Speak(channel, words, target))
    server.advance(20)
    return [each for each in anna.of_kind(Answer) if each.reason == "called"]


def test_a_whisper_ends_a_plan_and_says_why() -> None:
    (answer,) = explores("whisper", "psst", "anna")
    assert answer.text == "You stop: Bert whispers to you."


@pytest.mark.parametrize(("words", "ends"), [("looks at Anna", 1), ("looks around", 0)])
def test_an_emote_ends_the_plan_of_a_named_player(words: str, ends: int) -> None:
    assert len(explores("emote", words)) == ends


def test_words_that_are_not_heard_end_no_plan() -> None:
    assert explores("party", "Anna, come") == []
