"""After a cut: the token that brings a player back to their conversation, whose it is, and how long it is good."""

import pytest

from gloam_server.gateway.login.session_resume import ResumedSession, ResumeTokens, hash_of
from gloam_server.net.connection_counts import AdmissionStatus
from gloam_server.storage.accounts import Resumption
from gloam_server.storage.errors import StorageFault
from gloam_shared import limits
from gloam_shared.protocol.messages import login
from gloam_shared.protocol.messages.play import Acknowledge
from gloam_shared.protocol.messages.watching import WatchLogin
from gloam_shared.protocol.registry import PROTOCOL_VERSION
from support.run.fault_seam import FaultSeam
from support.server.hand_reactor import HandReactor
from support.server.raw_client import RawClient
from support.server.resuming_clients import Caller, cut_off, device, logged_in
from support.server.sim_server import SimServer
from support.storage.busy_writer import BusyWriter

NOBODYS = b"?" * limits.TOKEN_SIZE
HERE = "192.0.2.7"


def test_token_reported_after_login_and_kept_hash() -> None:
    """The server sends a token after the login, and keeps only its hash."""
    server = SimServer()
    token = logged_in(server).token
    kept = server.store.directory.resumption_of(1)
    assert kept == Resumption(1, hash_of(token), hash_of(device("Anna")))
    assert token not in repr(kept).encode()


def test_leads_back_same_body_and_another() -> None:
    """It leads back to the same body and is another from then on."""
    server = SimServer()
    token = cut_off(server)
    again = Caller(server, login.Resume("anna", token))
    assert again.refusals == []
    assert [each.name for each in again.came if isinstance(each, login.Joined)] == ["Anna"]
    assert [body.name for body in server.dungeon.levels[1].players()] == ["Anna"]
    assert again.token != token


@pytest.mark.rule("A28")
def test_the_former_token_lives_until_the_first_ack() -> None:
    """The former token is good until the first acknowledgement, and dead from then on."""
    server = SimServer()
    first = cut_off(server)
    lost = Caller(server, login.Resume("Anna", first))  # its answer never arrives
    lost.vanish()
    again = Caller(server, login.Resume("Anna", first))
    assert again.joined
    assert Caller(server, login.Resume("Anna", lost.token)).refusals == ["auth"], "the token is unknown"
    again.acknowledge()
    assert Caller(server, login.Resume("Anna", first)).refusals == ["auth"]
    again.vanish()
    assert Caller(server, login.Resume("Anna", first)).refusals == ["auth"]
    assert Caller(server, login.Resume("Anna", again.token)).joined


@pytest.mark.rule("A28")
def test_an_acknowledgement_of_nothing_proves_nothing() -> None:
    server = SimServer()
    first = cut_off(server)
    again = Caller(server, login.Resume("Anna", first))
    again.say(Acknowledge(0))
    again.vanish()
    assert Caller(server, login.Resume("Anna", first)).joined


@pytest.mark.rule("A28")
@pytest.mark.parametrize("name", ["Bert", "Nobody", "", "admin"])
def test_a_token_is_of_no_use_under_another_name(name: str) -> None:
    server = SimServer()
    logged_in(server, "Bert")
    token = cut_off(server)
    assert Caller(server, login.Resume(name, token)).refusals == ["auth"]
    assert Caller(server, login.Resume("Anna", token)).joined


@pytest.mark.rule("A28")
def test_what_is_on_disk_opens_nothing() -> None:
    server = SimServer()
    cut_off(server)
    kept = server.store.directory.resumption_of(1)
    assert kept is not None
    for stolen in (kept.token_hash, kept.device_hash, NOBODYS):
        assert Caller(server, login.Resume("Anna", stolen)).refusals == ["auth"]


@pytest.mark.rule("A28")
def test_who_never_logged_in_has_nothing_to_go_on_with() -> None:
    assert Caller(SimServer(), login.Resume("Anna", NOBODYS)).refusals == ["auth"]


@pytest.mark.rule("A28")
def test_a_newer_login_ends_the_former_session() -> None:
    """A newer login ends the former session and its token."""
    server = SimServer()
    former = logged_in(server)
    newer = logged_in(server)
    former.came += former.heard()
    assert former.refusals == ["replaced"]
    assert Caller(server, login.Resume("Anna", former.token)).refusals == ["auth"]
    assert not newer.wire.closed


def test_line_seems_stand_taken_over_resume() -> None:
    """A line that seems to stand is taken over by a resume."""
    server = SimServer()
    half_open = logged_in(server)
    again = Caller(server, login.Resume("Anna", half_open.token))
    half_open.came += half_open.heard()
    assert again.joined
    assert half_open.refusals == ["replaced"]
    assert half_open.wire.closed
    assert len(server.dungeon.levels[1].players()) == 1


@pytest.mark.rule("A29")
@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(limits.RESUME_S - 1, []), (limits.RESUME_S, ["expired"]), (limits.RESUME_S + 1, ["expired"])],
)
def test_it_is_good_for_ten_minutes_after_the_cut(seconds: int, expected: list[str]) -> None:
    """bound: RESUME_S."""
    server = SimServer()
    caller = logged_in(server)
    server.wall_s += 100_000  # played for long
    caller.vanish()
    server.settle()
    server.wall_s += seconds
    assert Caller(server, login.Resume("Anna", caller.token)).refusals == expected


@pytest.mark.rule("A29")
def test_an_expired_session_offers_a_login() -> None:
    """After a logout the session is expired, and a login is offered on the same connection."""
    server = SimServer()
    caller = logged_in(server)
    caller.say(login.Goodbye())
    caller.vanish()
    server.settle()
    again = Caller(server, login.Resume("Anna", caller.token))
    assert again.refusals == ["expired"]
    assert not again.wire.closed
    again.say(login.Login("Anna", device("Anna")))
    assert again.joined


@pytest.mark.rule("A28")
def test_after_refusal_login_offered_same_line() -> None:
    """After a refusal too a login is offered on the same line."""
    server = SimServer()
    cut_off(server)
    again = Caller(server, login.Resume("Anna", NOBODYS))
    again.say(login.Login("Anna", device("Anna")))
    assert again.refusals == ["auth"]
    assert again.joined


@pytest.mark.rule("A29")
def test_sent_away_not_come_back_token() -> None:
    """A player who was sent away does not return by their token."""
    server = SimServer()
    caller = logged_in(server)
    player = server.engine.players.by_account(1)
    assert player is not None
    server.host.expel(player, "kicked", "Out.")
    server.settle()
    assert Caller(server, login.Resume("Anna", caller.token)).refusals == ["expired"]


def test_a_newly_banned_player_learns_of_the_ban() -> None:
    server = SimServer()
    token = cut_off(server)
    server.store.directory.ban(1, server.wall_s + 60)
    refused = Caller(server, login.Resume("Anna", token))
    assert refused.refusals == ["banned"]
    assert refused.wire.closed


def test_a_password_that_was_changed_elsewhere_ends_it() -> None:
    server = SimServer()
    token = cut_off(server)
    server.store.directory.set_password(1, "hash", b"other device", None)
    server.store.directory.set_password(1, "hash", b"other device", "hash")
    assert Caller(server, login.Resume("Anna", token)).refusals == ["auth"]


def test_full_dungeon_no_place_and_stays_good() -> None:
    """In a full dungeon there is no place for it and it stays good."""
    server = SimServer(players_max=1)
    token = cut_off(server)
    bert = logged_in(server, "Bert")
    assert Caller(server, login.Resume("Anna", token)).refusals == ["full"]
    bert.vanish()
    assert Caller(server, login.Resume("Anna", token)).joined


@pytest.mark.parametrize(("seconds", "expected"), [(limits.RESUME_S - 1, []), (limits.RESUME_S, ["expired"])])
def test_line_breaks_token_looked_cut_like_any(seconds: int, expected: list[str]) -> None:
    """A line that breaks while a token is looked at is a cut like any other."""
    server = SimServer()
    token = cut_off(server)
    server.writer.delay_s = 0.02
    hasty = RawClient(server)
    hasty.say(login.Hello(PROTOCOL_VERSION), login.Resume("Anna", token))
    hasty.vanish()
    server.advance(200)
    server.writer.delay_s = 0
    server.wall_s += seconds
    assert Caller(server, login.Resume("Anna", token)).refusals == expected


def test_brings_back_after_server_killed() -> None:
    """It brings back after the server was killed too."""
    server = SimServer()
    caller = logged_in(server)
    server.crash()
    later = server.again()
    again = Caller(later, login.Resume("Anna", caller.token))
    assert again.joined
    later.crash()
    latest = later.again()
    latest.wall_s += limits.RESUME_S
    assert Caller(latest, login.Resume("Anna", again.token)).refusals == ["expired"], (
        "ten minutes from its start"
    )


def test_clock_jumps_back_makes_no_token_good() -> None:
    """A clock that jumps back makes no token good for longer."""
    server = SimServer()
    token = cut_off(server)
    server.wall_s -= 1
    assert Caller(server, login.Resume("Anna", token)).refusals == ["expired"]


@pytest.mark.rule("A34")
def test_counts_no_limit_logins_or_coming() -> None:
    """It counts for no limit of logins or of connections."""
    server = SimServer()
    caller = logged_in(server, host=HERE)
    for _ in range(max(limits.CREATIONS_MAX, limits.FAILURES_MAX, limits.FLAPS_MAX) + 1):
        token = caller.token
        caller.vanish()
        server.advance(limits.LOGINS_EVERY_S * 1_000)
        caller = Caller(server, login.Resume("Anna", token), host=HERE)
        assert caller.joined
        caller.acknowledge()


@pytest.mark.rule("A30")
def test_when_places_taken_reserved_left() -> None:
    """A reserved place is left for it when all places are taken."""
    server = SimServer(connections_max=1)
    token = cut_off(server)
    RawClient(server)
    again = Caller(server, login.Resume("Anna", token))
    assert again.joined
    assert server.connections.admission_of(again.connection) is AdmissionStatus.ADMITTED, (
        "no other player takes it"
    )


def test_resume_set_password_keeps_device() -> None:
    """A resume of who may set a password keeps their device."""
    server = SimServer()
    caller = logged_in(server, host=HERE)
    caller.vanish()
    again = Caller(server, login.Resume("Anna", caller.token), host=HERE)
    again.say(login.SetPassword("correct horse", device("Anna").hex()))
    again.say(login.SetPassword("battery staple", "correct horse"))
    assert again.came.count(login.PasswordStatus(password=True, fresh=True)) == 2
    assert server.store.directory.knows_device(1, hash_of(device("Anna")))


def test_disk_refuses_costs_way_back_and_not_play(caplog: pytest.LogCaptureFixture, seam: FaultSeam) -> None:
    """A disk that refuses costs the way back and not the play."""
    server = SimServer()

    def refuse(_: Resumption) -> None:
        raise StorageFault("Broken.")

    seam.plant(server.store.directory.keep_resumption, refuse)
    caller = logged_in(server)

    assert not [each for each in caller.came if isinstance(each, login.ResumeToken)]
    assert "a resume token is not kept: Broken." in caplog.text


def test_server_stops_everybodys_ten_minutes() -> None:
    """The ten minutes of all players begin when the server stops."""
    server = SimServer()
    caller = logged_in(server)
    server.host.close("stopping", "All is kept.")
    server.stop()
    caller.vanish()
    caller.came += caller.heard()
    kept = server.store.directory.resumption_of(1)
    assert caller.refusals == ["stopping"]
    assert kept is not None
    assert kept.left_s == server.wall_s
    assert len(server.dungeon.levels[1].players()) == 1, "the body stays"
    assert Caller(server.again(), login.Resume("Anna", caller.token)).joined


def test_a_watching_login_ends_no_token() -> None:
    """A player watches from a second connection under their own name: the token of the one that plays stays good."""
    server = SimServer()
    anna = Caller(server, login.Login("Anna", device("Anna")))
    RawClient(server).say(login.Hello(PROTOCOL_VERSION), WatchLogin("Anna", device("Anna")))
    server.advance(30)
    kept = server.store.directory.resumption_of(1)
    assert kept is not None
    assert kept.token_hash == hash_of(anna.token)


def test_a_login_writes_its_token_with_its_account() -> None:
    """One job of the writer looks for the account and writes the token."""
    server = SimServer()
    server.writer.delay_s = 0.1
    anna = Caller(server, login.Login("Anna", device("Anna")))
    server.advance(95)
    anna.say()
    assert anna.token
    assert not anna.joined, "the body is not durable yet"


def test_returning_players_share_a_transaction() -> None:
    """After the end of their view process: each was cut, and each exchanges a token, before the writer gets to any of it."""
    reactor = HandReactor()
    writer = BusyWriter(reactor)
    tokens = ResumeTokens(writer, lambda: 1_000, lambda: b"next")
    answers: list[object] = []
    for name in ("Emma", "Dora", "Anna", "Carl"):
        account = writer.directory.create_account(name, device(name), 0).number
        writer.directory.keep_resumption(Resumption(account, hash_of(name.encode()), device(name)))
        tokens.cut(account, hash_of(name.encode()))
        tokens.resume(login.Resume(name, name.encode()), answers.append)
    writer.go_on.set()
    reactor.turn(2 + 8)
    assert [each.account.name for each in answers if isinstance(each, ResumedSession)] == [
        *("Anna", "Carl", "Dora", "Emma")
    ]
    assert writer.transactions == 1
    writer.stop()


def test_a_player_is_noted_once_in_ten_minutes(seam: FaultSeam) -> None:
    """A player with a bad line, long after the login: each note is a write."""
    server, noted = SimServer(), list[int]()
    seam.plant(server.store.directory.record_seen, lambda _, now_s: noted.append(now_s - began_s))
    began_s, caller = server.wall_s, logged_in(server)
    noted.clear()
    for _ in range(4):
        server.wall_s += 400
        caller.vanish()
        server.settle()
        caller = Caller(server, login.Resume("Anna", caller.token))
        caller.acknowledge()
    assert noted == [800, 1_600]
