"""Chat while a player was away: they read it after the login, within bounds, also after a restart."""

from collections.abc import Mapping, Sequence

import pytest

from gloam_server.storage.chat_store import StoredChat
from gloam_server.storage.errors import StorageFault
from gloam_shared import limits
from gloam_shared.protocol.messages.chat import Ignore, SendChat, Speak, Spoken
from support.server.parties import company, seconds_pass
from support.server.sim_server import SimClient, SimServer
from support.storage.memory_store import MemoryStore


def read(client: SimClient) -> list[tuple[str, str, int]]:
    """Return the words of before that a player read since the last time: speaker, text, seconds ago."""
    client.server.advance(100)
    return [
        (each.name, each.text, each.ago_s)
        for each in client.hear()
        if isinstance(each, Spoken) and each.ago_s
    ]


def test_who_comes_back_reads_what_was_said() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    bert.send(SendChat("before"))
    anna.leave()
    bert.send(SendChat("hello?"))
    server.wall_s += 90
    bert.send(Speak("emote", "waits"))
    bert.send(Speak("whisper", "for no one", "Anna"))
    server.wall_s += 10
    anna = server.join("Anna")
    heads = [said.text for said in anna.of_kind(Spoken) if said.channel == "server"]

    assert heads == ["While you were away, players said:"]
    assert read(anna) == [("Bert", "hello?", 100), ("Bert", "waits", 10)]
    anna.leave()
    anna = server.join("Anna")
    assert read(anna) == []


def test_a_newcomer_and_a_speaker_have_missed_nothing() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    bert.send(SendChat("hello"))
    bert.leave()
    bert, carl = server.join("Bert"), server.join("Carl")
    assert read(bert) == read(carl) == []
    anna.send(SendChat("hi"))
    assert not [each for each in (anna, bert, carl) if read(each)]


def test_words_of_ignored_players_are_not_missed() -> None:
    server, (anna, bert, carl) = company("Anna", "Bert", "Carl")
    anna.send(Ignore("Bert", "ignore"))
    server.advance(20)
    anna.leave()
    bert.send(SendChat("hidden"))
    carl.send(SendChat("shown"))
    assert [text for _, text, _ in read(server.join("Anna"))] == ["shown"]


@pytest.mark.rule("A78")
def test_only_the_newest_are_read_and_kept() -> None:
    """bounds: SAID_MISSED_MAX, SAID_KEPT_MAX."""
    store = MemoryStore()
    server = SimServer(store=store)
    anna, bert = server.join("Anna"), server.join("Bert")
    server.advance(100)
    anna.leave()
    for count in range(limits.SAID_KEPT_MAX + 30):
        bert.send(SendChat(f"line {count}"))
        seconds_pass(server, 2)
    seconds_pass(server, limits.SAID_WRITTEN_S)

    assert [text for _, text, _ in read(server.join("Anna"))] == [
        f"line {count}" for count in range(210, 230)
    ]
    assert store.directory.stored_chat()[0].text == "line 30"
    assert len(store.directory.stored_chat()) == limits.SAID_KEPT_MAX


def test_what_is_a_week_old_is_forgotten() -> None:
    """bound: SAID_KEPT_S."""
    store = MemoryStore()
    server = SimServer(store=store)
    anna, bert = server.join("Anna"), server.join("Bert")
    server.advance(100)
    anna.leave()
    bert.send(SendChat("old"))
    server.wall_s += 1
    bert.send(SendChat("new"))
    server.wall_s += limits.SAID_KEPT_S
    assert [text for _, text, _ in read(server.join("Anna"))] == ["new"]
    seconds_pass(server, limits.SAID_WRITTEN_S)
    assert [each.text for each in store.directory.stored_chat()] == ["new"]


@pytest.mark.parametrize("stopped", [True, False], ids=["stopped", "killed"])
def test_they_outlive_the_server(*, stopped: bool) -> None:
    """A server that stops writes all; one that is killed has written them after a pause; bound: SAID_WRITTEN_S."""
    store = MemoryStore()
    server = SimServer(store=store)
    anna, bert = server.join("Anna"), server.join("Bert")
    server.advance(100)
    anna.send(SendChat("heard"))
    seconds_pass(server, limits.SAID_WRITTEN_S)
    anna.leave()
    bert.send(SendChat("missed"))
    if stopped:
        server.host.close("stopping", "The server stops.")
        server.advance(20)
    else:
        seconds_pass(server, limits.SAID_WRITTEN_S)
    again = SimServer(store=store)

    assert [text for _, text, _ in read(again.join("Anna"))] == ["missed"]
    assert read(again.join("Bert")) == []
    again.clients[1].send(SendChat("more"))
    assert [said.text for said in again.clients[0].of_kind(Spoken)] == ["more"]


class FullDisk(MemoryStore):
    """A store that takes no chat while it is full."""

    full = True

    def __init__(self) -> None:
        super().__init__()
        self._store_chat = self.directory.store_chat
        setattr(self.directory, "store_chat", self._refuse)  # noqa: B010  # a method is replaced

    def _refuse(self, said: Sequence[StoredChat], heard: Mapping[int, int], oldest: int) -> None:
        if self.full:
            raise StorageFault("The disk is full.")
        self._store_chat(said, heard, oldest)


def test_a_disk_that_fails_costs_no_words() -> None:
    """They are written with the next ones."""
    store = FullDisk()
    server = SimServer(store=store)
    anna = server.join("Anna")
    anna.send(SendChat("first"))
    seconds_pass(server, limits.SAID_WRITTEN_S + 1)
    assert store.directory.stored_chat() == []
    store.full = False
    anna.send(SendChat("second"))
    seconds_pass(server, limits.SAID_WRITTEN_S + 1)
    assert [each.text for each in store.directory.stored_chat()] == ["first", "second"]
    assert list(store.directory.listeners().values()) == [2]


def test_a_stop_writes_what_a_full_disk_refused() -> None:
    store = FullDisk()
    server = SimServer(store=store)
    anna = server.join("Anna")
    anna.send(SendChat("first"))
    seconds_pass(server, limits.SAID_WRITTEN_S + 1)
    store.full = False
    server.host.close("stopping", "The server stops.")
    server.advance(20)
    assert [each.text for each in store.directory.stored_chat()] == ["first"]
