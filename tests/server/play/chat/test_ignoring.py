"""Ignoring and blocking: whose words reach a player, and what else a block hides."""

import pytest

from gloam_shared import limits
from gloam_shared.protocol.commands import Duel, Explore, OfferTrade
from gloam_shared.protocol.messages import chat
from gloam_shared.protocol.messages.chat import Ignore as IgnoreRequest
from gloam_shared.protocol.messages.login import Error
from gloam_shared.protocol.messages.parties import AnswerInvite, InviteToParty, PartyInvite
from gloam_shared.protocol.messages.play import Answer
from gloam_shared.protocol.messages.trade import TradeState
from gloam_shared.protocol.messages.watching import SetWatchable, Watch, Watching
from gloam_shared.view.view import Stat
from support.server.parties import company
from support.server.sim_server import SimClient, SimServer
from support.storage.memory_store import MemoryStore


def ignore(client: SimClient, name: str, how: chat.IgnoreKind) -> chat.Ignored:
    """Let a player say what they want to hear of another; return the answer."""
    client.send(IgnoreRequest(name, how))
    client.server.advance(20)
    client.server.clock.advance(1)
    answer = client.of_kind(chat.Ignored)[-1]
    client.hear()
    assert isinstance(answer, chat.Ignored)
    return answer


def number(server: SimServer, folded: str) -> int:
    account = server.store.directory.account_by_name(folded)
    assert account is not None
    return account.number


def words(client: SimClient) -> list[str]:
    return [said.text for said in client.of_kind(chat.Spoken) if said.name]


@pytest.mark.rule("A79")
@pytest.mark.parametrize("how", ["ignore", "block"])
@pytest.mark.parametrize("channel", ["say", "emote", "whisper"])
def test_no_words_of_an_ignored_player_come(how: chat.IgnoreKind, channel: chat.SpokenChannel) -> None:
    """U44: and the speaker is not told of it, except that a whisper reaches no one, as if the player had left."""
    _, (anna, bert, carl) = company("Anna", "Bert", "Carl")
    ignore(anna, "bert", how)
    bert.send(chat.Speak(channel, "hello", "Anna"))
    bert.send(chat.SendChat("hello again"))
    assert words(anna) == []
    answers = [said.text for said in bert.of_kind(chat.Spoken) if said.channel == "server"]
    assert answers == (
        ["Anna is not here, or does not hear you; speak to all, or wait."] if channel == "whisper" else []
    )
    assert "hello again" in words(carl)


def test_lists_name_who_is_ignored_and_how() -> None:
    _, (anna, _, _) = company("Anna", "Bert", "Carl")
    assert ignore(anna, "bert", "ignore") == chat.Ignored(
        ("Bert",), (), "You ignore Bert, whose words reach you no longer. /unignore Bert ends it."
    )
    assert ignore(anna, "Carl", "block").blocked == ("Carl",)
    assert ignore(anna, "Bert", "block").blocked == ("Carl", "Bert")
    assert ignore(anna, "", "hear") == chat.Ignored((), ("Carl", "Bert"))
    assert ignore(anna, "Carl", "hear") == chat.Ignored((), ("Bert",), "You hear Carl again.")
    assert ignore(anna, "Carl", "hear").text == "You neither ignore nor block Carl."


@pytest.mark.parametrize("name", ["Dora", "\x1b[2J", "'; DROP TABLE shunned; --", "x" * 64, "anna", "Anna"])
def test_names_that_cannot_be_ignored_are_answered(name: str) -> None:
    _, (anna, _) = company("Anna", "Bert")
    answer = ignore(anna, name, "block")
    assert (answer.ignored, answer.blocked) == ((), ())
    assert answer.text
    assert "\x1b" not in answer.text


def test_hearing_again_brings_the_words_back() -> None:
    _, (anna, bert) = company("Anna", "Bert")
    ignore(anna, "Bert", "block")
    ignore(anna, "Bert", "hear")
    bert.send(chat.Speak("whisper", "psst", "Anna"))
    assert words(anna) == ["psst"]


def test_only_a_block_hides_pings_and_their_stop() -> None:
    server, (anna, bert, carl) = company("Anna", "Bert", "Carl")
    ignore(anna, "Bert", "block")
    ignore(carl, "Bert", "ignore")
    anna.command(Explore())
    server.advance(60)
    bert.send(chat.MapPing("danger", 1, server.body(bert).cell))
    assert anna.of_kind(chat.MapPinged) == []
    assert len(carl.of_kind(chat.MapPinged)) == 1
    assert [each.reason for each in anna.of_kind(Answer)] == []


def test_a_blocked_players_challenge_is_not_shown() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    server.advance(200)
    ignore(anna, "Bert", "block")
    handle = next(one.handle for one in bert.view.creatures if one.name == "Anna")
    bert.command(Duel(handle, True))
    server.advance(200)
    assert "challenges" in [line.kind for line in bert.view.log.lines]
    assert "challenges" not in [line.kind for line in anna.view.log.lines]


@pytest.mark.rule("A56")
def test_a_blocked_watcher_sees_the_player_offline() -> None:
    """The watching ends at the block with the words of a departure, and the list no longer has the player."""
    server = SimServer()
    anna = server.join("Anna")
    anna.send(SetWatchable(True))
    bert = SimClient(server, "Bert", b"Bert".ljust(32, b"."), watches=True)
    server.clients.append(bert)
    server.advance(60)
    bert.link.watch("Anna")
    server.advance(60)
    assert bert.of_kind(Watching)[-1].name == "Anna"
    ignore(anna, "Bert", "block")
    assert bert.of_kind(Watching)[-1] == Watching("", 0, "That player has left.")
    bert.send(Watch("Anna"))
    assert bert.of_kind(Error)[-1].code == "watching"


def test_lists_survive_a_restart_and_come_at_login() -> None:
    store = MemoryStore()
    server = SimServer(store=store)
    anna, bert = server.join("Anna"), server.join("Bert")
    ignore(anna, "Bert", "block")
    server = SimServer(store=store)
    anna, bert = server.join("Anna"), server.join("Bert")
    server.advance(200)
    bert.send(chat.SendChat("hello"))
    assert anna.of_kind(chat.Ignored) == [chat.Ignored((), ("Bert",))]
    assert bert.of_kind(chat.Ignored) == []
    assert words(anna) == []


def test_a_name_given_away_leaves_the_list() -> None:
    """An account whose name another has now is found in the list by the name that it had."""
    server, (anna, bert) = company("Anna", "Bert")
    ignore(anna, "Bert", "block")
    bert.leave()
    server.store.directory.release_name(number(server, "bert"))
    server.store.directory.create_account("Bert", b"another device".ljust(32), 0)
    assert ignore(anna, "bert", "block").blocked == ("Bert", "Bert")
    assert ignore(anna, "bert", "hear") == chat.Ignored((), (), "You hear Bert again.")
    assert server.store.directory.ignored_by(number(server, "anna")) == []


@pytest.mark.rule("A78")
def test_a_list_has_a_bound() -> None:
    """bound: IGNORED_MAX."""
    server, (anna,) = company("Anna")
    for count in range(limits.IGNORED_MAX + 1):
        server.store.directory.create_account(f"Foe{count}", bytes([count]) * 32, 0)
    for count in range(limits.IGNORED_MAX):
        assert len(ignore(anna, f"Foe{count}", "block").blocked) == count + 1
    full = ignore(anna, f"Foe{limits.IGNORED_MAX}", "ignore")
    assert len(full.blocked) == limits.IGNORED_MAX
    assert not full.ignored
    assert "100 players already" in full.text
    assert ignore(anna, "Foe0", "ignore").ignored == ("Foe0",)


def test_a_player_does_not_whisper_to_an_ignored_one() -> None:
    _, (anna, bert) = company("Anna", "Bert")
    ignore(anna, "Bert", "ignore")
    anna.send(chat.Speak("whisper", "psst", "bert"))
    assert words(bert) == []
    assert "/unignore Bert" in anna.of_kind(chat.Spoken)[-1].text


@pytest.mark.rule("A67")
def test_a_blocked_players_invites_do_not_come() -> None:
    """One that is open is closed by the block, and another gets the answer of a player who is not here."""
    server, (anna, bert) = company("Anna", "Bert")
    bert.send(InviteToParty("Anna"))
    server.advance(20)
    assert anna.of_kind(PartyInvite)[-1].seconds
    anna.send(IgnoreRequest("Bert", "block"))
    server.advance(20)
    assert anna.of_kind(PartyInvite)[-1] == PartyInvite("Bert", 0)
    anna.hear(), bert.hear()
    bert.send(InviteToParty("Anna"))
    server.advance(20)

    assert anna.of_kind(PartyInvite) == []
    assert "That player is not here; wait until they come." in [
        getattr(each, "text", "") for each in bert.got
    ]


def test_a_blocked_player_cannot_ask_for_a_trade() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    ignore(anna, "Bert", "block")
    number = bert.command(OfferTrade(anna.view.fact(Stat.HANDLE), ()))
    server.advance(100)
    answers = [each for each in bert.of_kind(Answer) if each.number == number]
    assert [each.text for each in answers] == ["Anna is cut off and cannot trade now."]
    assert anna.of_kind(TradeState) == []


def test_party_words_reach_members_who_hear_them() -> None:
    """And members who are away read them at their next login, others do not."""
    server, (anna, bert, carl, dora) = company("Anna", "Bert", "Carl", "Dora")
    for client in (bert, carl):
        anna.send(InviteToParty(client.link.name))
        server.advance(20)
        client.send(AnswerInvite("Anna", True))
        server.advance(100)
    ignore(bert, "Anna", "ignore")
    for client in (carl, dora):
        client.leave()
    anna.send(chat.Speak("party", "to the stairs"))
    carl, dora = server.join("Carl"), server.join("Dora")
    server.advance(100)

    assert words(anna) == words(carl) == ["to the stairs"]
    assert words(bert) == words(dora) == []
