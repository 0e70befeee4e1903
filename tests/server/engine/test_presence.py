"""Arrivals and departures: reported after a while, and limited for each name and address."""

from collections.abc import Callable

import pytest

from gloam_server.engine.player import DEBOUNCE_MS
from gloam_server.engine.timing.gather_time import PARTY_FEW, PARTY_GATHER_MS
from gloam_shared import limits
from gloam_shared.appearance import Terrain
from gloam_shared.narration.rendering import render_line
from gloam_shared.protocol.commands import Climb
from gloam_shared.protocol.messages.chat import ChatLine
from gloam_shared.protocol.messages.lives import Died, NewLife
from gloam_shared.protocol.messages.login import Error, Joined
from gloam_shared.protocol.messages.play import Away, Update
from gloam_shared.view.view import CreatureFlag
from support.server.parties import company, mark_of, noticed, threatened, turn, until
from support.server.sim_server import SimClient, SimServer

HERE, THERE = "192.0.2.7", "198.51.100.9"


def read_presence(client: SimClient) -> list[str]:
    """Return the server's own chat lines to a player since the last call."""
    return [message.text for message in client.hear() if isinstance(message, ChatLine) and not message.name]


def party(client: SimClient) -> list[str]:
    return [friend.name for friend in client.view.party]


def lines(client: SimClient) -> list[str]:
    return [render_line(line) for line in client.view.log.lines]


def test_those_who_come_together_share_a_line() -> None:
    """Each of them reads of the others only; of a crowd three have names."""
    server, (anna,) = company("Anna")
    noticed(server)
    anna.hear()
    crowd = [SimClient(server, f"Bert{at}", f"Bert{at}".encode().ljust(32, b".")) for at in "abcde"]
    server.clients += crowd
    server.advance(DEBOUNCE_MS + 300)
    assert read_presence(anna) == ["Berta, Bertb, Bertc and 2 others come into the dungeon."]
    assert read_presence(crowd[1]) == ["Berta, Bertc, Bertd and Berte come into the dungeon."]


def test_a_newcomer_reads_of_later_changes_alone() -> None:
    """Arrivals and departures from before their own are reported to those alone who were there."""
    server, (anna, bert) = company("Anna", "Bert")
    noticed(server)
    anna.hear(), bert.hear()
    server.join("Cora")
    bert.leave()
    server.advance(3_000)
    dora = server.join("Dora")
    server.advance(1_000)
    server.join("Emil")
    noticed(server)

    assert read_presence(anna) == [
        "Cora comes into the dungeon.",
        "Bert has left the dungeon.",
        "Dora comes into the dungeon.",
        "Emil comes into the dungeon.",
    ]
    assert read_presence(dora) == ["Emil comes into the dungeon."]


def test_a_short_cut_costs_no_line_about_others() -> None:
    """A player who was there before the cut reads of each arrival, also of one just before it."""
    server, (anna, bert) = company("Anna", "Bert")
    noticed(server)
    anna.hear(), bert.hear()
    server.join("Cora")
    server.advance(500)
    bert.cut()
    server.advance(500)
    bert.dial()
    noticed(server)
    assert read_presence(bert) == ["Cora comes into the dungeon."]


def test_the_line_follows_the_view_of_the_party() -> None:
    """So the lines to a crowd are sent with its views, in slices, and do not delay a command."""
    server, (anna,) = company("Anna")
    noticed(server)
    anna.hear()
    server.join("Bert")
    anna.hear()
    noticed(server)
    kinds = [type(each) for each in anna.hear() if isinstance(each, Update | ChatLine)]
    assert kinds[-2:] == [Update, ChatLine]
    assert party(anna) == ["Anna", "Bert"]


@pytest.mark.parametrize("leaves", [SimClient.leave, SimClient.cut])
def test_five_fast_comings(leaves: Callable[[SimClient], None]) -> None:
    """Five fast comings and goings tell the others nothing."""
    server, (anna,) = company("Anna")
    noticed(server)
    anna.hear()
    before, log = anna.view.party, lines(anna)
    bert = server.join("Bert")
    leaves(bert)
    for _ in range(limits.LOGINS_BURST - 1):
        bert.dial()
        server.advance(200)
        assert "Bert" not in party(anna)
        leaves(bert)
        server.advance(200)
    noticed(server)

    assert len(bert.of_kind(Joined)) == limits.LOGINS_BURST
    assert read_presence(anna) == []
    assert anna.view.party == before
    assert lines(anna) == log


def test_coming_reported_after_five_seconds_and_going() -> None:
    """bound: STANDS_MS."""
    server, (anna,) = company("Anna")
    noticed(server)
    anna.hear()
    bert = SimClient(server, "Bert", b"Bert".ljust(32, b"."))
    server.clients.append(bert)
    server.advance(DEBOUNCE_MS - 10)
    assert (read_presence(anna), party(anna), party(bert)) == ([], ["Anna"], ["Anna", "Bert"])
    server.advance(70)
    assert read_presence(anna) == ["Bert comes into the dungeon."]
    assert (party(anna), party(bert)) == (["Anna", "Bert"], ["Anna", "Bert"])
    assert read_presence(bert) == []

    bert.leave()
    server.advance(DEBOUNCE_MS - 10)
    assert (read_presence(anna), party(anna)) == ([], ["Anna", "Bert"])
    server.advance(70)
    assert (read_presence(anna), party(anna)) == (["Bert has left the dungeon."], ["Anna"])


def test_a_short_cut_is_not_seen_in_the_party() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    noticed(server)
    anna.hear()
    bert.cut()
    server.advance(DEBOUNCE_MS - 500)
    bert.dial()
    server.advance(20_000)
    assert read_presence(anna) == []
    assert mark_of(anna, "Bert") == 0


def test_body_guard_marked_when_line_cut() -> None:
    """A body on guard is marked when its line was cut for five seconds and leaves later."""
    server, (anna, bert) = company("Anna", "Bert")
    statue = threatened(server, anna, bert)
    noticed(server)
    anna.hear()
    bert.cut()
    server.advance(DEBOUNCE_MS - 60)
    assert mark_of(anna, "Bert") == 0
    server.advance(120)
    assert mark_of(anna, "Bert") == CreatureFlag.CUT_OFF
    assert read_presence(anna) == []
    server.banish(statue)
    server.advance(100)
    assert read_presence(anna) == ["Bert has left the dungeon."]
    assert party(anna) == ["Anna"]


def test_comes_back_body_guard_sees_themselves() -> None:
    """A player who returns to a body on guard sees themselves there immediately and the others later."""
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)
    noticed(server)
    bert.cut()
    noticed(server)
    bert.dial()
    server.advance(100)
    assert mark_of(bert, "Bert") == 0
    assert [
        each.marks & CreatureFlag.CUT_OFF for each in bert.view.creatures if each.marks & CreatureFlag.SELF
    ] == [0]
    assert mark_of(anna, "Bert") == CreatureFlag.CUT_OFF
    noticed(server)
    assert mark_of(anna, "Bert") == 0


def test_marking_oneself_away() -> None:
    """Marking oneself away again and again costs the others nothing."""
    server, (anna, bert) = company("Anna", "Bert")
    noticed(server)
    anna.hear()
    for _ in range(20):
        bert.send(Away())
        server.advance(100)
        bert.send(NewLife(99))  # anything but an acknowledgement: the mark goes
        server.advance(100)
    assert anna.of_kind(Update) == []


def test_a_login_of_the_dead_is_announced() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    noticed(server)
    turn(server, bert)  # who has acted can be hurt
    server.body(bert).hp = 1
    ogre = server.put("ogre", server.body(bert).cell)
    until(lambda: bert.of_kind(Died), lambda: (turn(server, bert), turn(server, anna)))
    server.banish(ogre)
    server.advance(100)
    assert party(anna) == ["Anna"], "of the dead no party is shown"
    bert.leave()
    anna.hear(), bert.hear()
    noticed(server)
    assert read_presence(anna) == ["Bert has left the dungeon."]
    bert.dial()
    server.advance(100)
    assert [type(each) for each in bert.hear() if isinstance(each, Joined | Died)] == [Joined, Died]
    assert read_presence(anna) == []
    noticed(server)
    assert read_presence(anna) == ["Bert comes into the dungeon."]
    bert.begin_again()
    server.advance(200)
    assert party(anna) == ["Anna", "Bert"]


def test_alone_no_timer_waits_to_tell_anybody() -> None:
    server = SimServer()
    before = server.timers()
    anna = server.join("Anna")
    server.advance(200)
    anna.leave()
    server.advance(2_000)
    assert server.timers() == before


@pytest.mark.parametrize("host", [HERE, "127.0.0.1"])
def test_five_logins_at_once_and_ten_seconds(host: str) -> None:
    """bound: LOGINS_BURST, LOGINS_EVERY_S."""
    server = SimServer()
    came = []
    for _ in range(limits.LOGINS_BURST + 1):
        client = server.join("Anna", host=host)
        came.append(bool(client.of_kind(Joined)))
        client.leave()
    assert came == [True] * limits.LOGINS_BURST + [False]
    assert client.of_kind(Error) == []
    late = SimClient(server, "Anna", b"Anna".ljust(32, b"."), host)
    server.clients.append(late)
    server.advance(limits.LOGINS_REFUSED_S * 1_000 + 10)
    (message,) = late.of_kind(Error)
    assert (message.code, message.text) == ("wait", "You come and go too often; try again in 9 s.")
    assert server.front.refusals.counts["wait"] == 1
    assert server.join("Bert", host=host).of_kind(Joined), "a limit for each name"
    server.advance(limits.LOGINS_EVERY_S * 1_000 - 2_500)
    early = server.join("Anna", host=host)
    server.advance(1_000)
    assert early.of_kind(Error)
    early.leave()
    server.advance(100)
    late = server.join("Anna", host=host)
    assert late.of_kind(Joined)
    late.leave()
    assert server.join("Anna", host=host).of_kind(Joined) == []


def test_another_address_has_a_limit_of_its_own() -> None:
    server = SimServer()
    for _ in range(limits.LOGINS_BURST):
        server.join("Anna", host=HERE).leave()
    assert server.join("Anna", host=HERE).of_kind(Joined) == []
    assert server.join("Anna", host=THERE).of_kind(Joined)


def test_a_stranger_uses_up_nothing_of_an_owners() -> None:
    server = SimServer()
    server.join("Anna", host=HERE).leave()
    for _ in range(2 * limits.LOGINS_BURST):
        server.join("Anna", b"another".ljust(32, b"."), host=HERE).leave()
    assert server.join("Anna", host=HERE).of_kind(Joined)


def test_cut_once_ten_seconds_plays_ever() -> None:
    """A player who is cut once in ten seconds plays on for ever."""
    server, (anna,) = company("Anna")
    for cuts in range(1, 41):
        server.advance(limits.LOGINS_EVERY_S * 1_000 - 200)
        anna.cut()
        server.advance(200)
        anna.dial()
        server.advance(200)
        assert len(anna.of_kind(Joined)) == 1 + cuts
    assert anna.of_kind(Error) == []


def test_a_resume_that_must_wait_keeps_its_token() -> None:
    server, (anna,) = company("Anna")
    for _ in range(limits.LOGINS_BURST):
        anna.cut()
        server.advance(20)
        anna.dial()
        server.advance(60)
    server.advance(1_000)
    assert [each.code for each in anna.of_kind(Error)] == ["wait"]
    joined = len(anna.of_kind(Joined))
    anna.cut()
    server.advance(limits.LOGINS_EVERY_S * 1_000)
    anna.dial()
    server.advance(60)

    assert anna.link._resume
    assert len(anna.of_kind(Joined)) == joined + 1
    assert [each.code for each in anna.of_kind(Error)] == ["wait"]


def test_changes_of_a_large_party_are_gathered() -> None:
    """A friend on another level who changes is shown immediately to few players, and to many within a second."""
    for others in (2, PARTY_FEW):
        server, (anna,) = company("Anna")
        server.walk_to(anna, Terrain.STAIRS_DOWN)
        turn(server, anna, Climb(down=True))
        friends = [server.join(f"Friend{letter}") for letter in "abcdefghjklmnopq"[:others]]
        noticed(server)
        server.advance(2_000)
        anna.hear()
        server.body(friends[0]).level += 1
        turn(server, friends[0])
        server.advance(200)
        shown = [friend.level for friend in anna.view.party if friend.name == "Frienda"]
        assert shown == ([2] if others == 2 else [1])
        server.advance(PARTY_GATHER_MS)
        assert len(anna.of_kind(Update)) == 1
        assert [friend.level for friend in anna.view.party if friend.name == "Frienda"] == [2]
