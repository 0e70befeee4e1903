"""The door: names, devices and invites."""

from ipaddress import ip_network

import pytest

from gloam_server.gateway.login.authentication import Authenticator
from gloam_server.gateway.login.invites import invite, reset_password
from gloam_server.gateway.login.login_attempt import AccessRules
from gloam_shared import limits
from gloam_shared.protocol.messages.chat import ChatLine
from gloam_shared.protocol.messages.login import Bye, Error, Joined, PasswordStatus, SetPassword
from gloam_shared.view.view import CreatureFlag, Stat
from support.run.fault_seam import FaultSeam
from support.server import login_clients
from support.server.sim_server import SimClient, SimServer


def test_a_name_belongs_to_the_device_that_made_it() -> None:
    server = SimServer()
    server.join("Bert", login_clients.OWN, login_clients.HERE).leave()
    assert login_clients.code(login_clients.knock(server, "bert")) == "name"
    assert login_clients.code(login_clients.knock(server, "bert", token=login_clients.OWN)) == "joined"


def test_a_fault_in_a_login_is_answered_and_logged(seam: FaultSeam, caplog: pytest.LogCaptureFixture) -> None:
    """It would otherwise be in a Deferred that nothing reads, and the client would wait until it is late."""

    def fail(*_: object) -> None:
        raise AttributeError("planted")

    server = SimServer()
    seam.plant(Authenticator.let_in, fail)
    assert login_clients.code(login_clients.knock(server, "Bert")) == "busy"
    [record] = [each for each in caplog.records if "the login of Bert failed" in each.getMessage()]
    assert "Traceback" in record.getMessage()
    assert "AttributeError: planted" in record.getMessage()


def test_name_without_password_falls_free() -> None:
    """A name without a password falls free after 30 days without play."""
    server = SimServer()
    bert = server.join("Bert", login_clients.OWN, login_clients.HERE)
    server.wall_s += 3 * limits.NAME_FREE_S
    assert login_clients.code(login_clients.knock(server, "Bert")) == "name", "they play"
    bert.leave()
    server.advance(500)
    former = login_clients.account(server, "bert").number

    login_clients.pass_s(server, limits.NAME_FREE_S - 1)
    assert login_clients.code(login_clients.knock(server, "Bert")) == "name"
    login_clients.pass_s(server, 1)
    assert login_clients.code(login_clients.knock(server, "Bert")) == "joined"

    assert login_clients.account(server, "bert").number != former


def test_the_owner_of_a_freed_name_goes_on_as_another() -> None:
    """A returning owner reads that another has the name, and plays the same body under a free name."""
    server = SimServer()
    bert = server.join("Bert", login_clients.OWN, login_clients.HERE)
    body = bert.link.view.sheet[Stat.HANDLE]
    bert.leave()
    server.advance(500)
    former = login_clients.account(server, "bert").number
    login_clients.pass_s(server, limits.NAME_FREE_S)
    heir = login_clients.knock(server, "Bert")
    assert login_clients.code(heir) == "joined"

    back = login_clients.knock(server, "Bert", token=login_clients.OWN)
    server.advance(6_000)
    assert [each.name for each in back.of_kind(Joined)] == ["Bert2"]
    assert login_clients.account(server, "bert2").number == former
    assert any("another player has that name now" in each.text for each in back.of_kind(ChatLine))
    view = back.link.view
    assert view.sheet[Stat.HANDLE] == body
    assert [each.name for each in view.creatures if each.marks & CreatureFlag.SELF] == ["Bert2"]
    assert sorted(each.name for each in heir.link.view.party) == ["Bert", "Bert2"]
    assert login_clients.code(login_clients.knock(server, "Bert", token=login_clients.OWN)) == "name"
    assert login_clients.code(login_clients.knock(server, "Bert2", token=login_clients.OWN)) == "joined"


def test_a_freed_name_stays_with_its_new_owner() -> None:
    """A stranger, a password and an invite never lead to the account that had the name before."""
    server = SimServer()
    server.join("Bert", login_clients.OWN, login_clients.HERE).leave()
    server.advance(500)
    login_clients.pass_s(server, limits.NAME_FREE_S)
    assert login_clients.code(login_clients.knock(server, "Bert")) == "joined"
    third = b"a third device" + bytes(18)
    assert login_clients.code(login_clients.knock(server, "Bert", token=third)) == "name"
    assert login_clients.code(login_clients.knock(server, "Bert", "guess", token=login_clients.OWN)) == "auth"
    assert server.store.directory.account_by_name("bert2") is None


@pytest.mark.parametrize("made_s", [0, 1_000_000, limits.CLOCK_UNSET_S - 1])
def test_name_made_before_clock_set_kept_day(made_s: int) -> None:
    """bound: CLOCK_UNSET_S."""
    server = SimServer()
    now_s, server.wall_s = server.wall_s, made_s
    server.join("Bert", login_clients.OWN, login_clients.HERE).leave()
    server.advance(500)
    assert login_clients.code(login_clients.knock(server, "Bert")) == "name"
    server.crash()
    again = server.again()
    again.wall_s = now_s
    assert login_clients.code(login_clients.knock(again, "Bert")) == "name"
    login_clients.pass_s(again, limits.NAME_FREE_S - 60)
    assert login_clients.code(login_clients.knock(again, "Bert")) == "name"
    login_clients.pass_s(again, 61)
    assert login_clients.code(login_clients.knock(again, "Bert")) == "joined"


def test_while_the_clock_is_not_set_no_name_falls_free() -> None:
    server = SimServer()
    server.wall_s = limits.CLOCK_UNSET_S - 2 * limits.NAME_FREE_S
    server.join("Bert", login_clients.OWN, login_clients.HERE).leave()
    server.advance(500)
    login_clients.pass_s(server, 2 * limits.NAME_FREE_S - 1)
    assert login_clients.code(login_clients.knock(server, "Bert")) == "name"


@pytest.mark.parametrize("jump_s", [30 * 86_400, -30 * 86_400, 20 * 365 * 86_400, -10 * 86_400])
def test_jump_clock_frees_no_name_server_seen(jump_s: int) -> None:
    """A jump of the clock frees no name that the server has seen."""
    server = SimServer()
    server.join("Bert", login_clients.OWN, login_clients.HERE).leave()
    server.advance(500)
    server.wall_s += jump_s
    assert login_clients.code(login_clients.knock(server, "Bert")) == "name"
    login_clients.pass_s(server, limits.NAME_FREE_S - 60)
    assert login_clients.code(login_clients.knock(server, "Bert")) == "name"
    login_clients.pass_s(server, 90)
    assert login_clients.code(login_clients.knock(server, "Bert")) == "joined"


@pytest.mark.thorough
@pytest.mark.parametrize(
    "rules",
    [AccessRules(open=True), AccessRules(open=True, trusted=(ip_network(f"{login_clients.HERE}/32"),))],
)
def test_new_names_exempt_addresses_bounded(rules: AccessRules) -> None:
    """bounds: CREATIONS_EXEMPT_BURST, CREATIONS_EXEMPT_EVERY_S."""
    server = SimServer(rules=rules, players_max=2)
    host = login_clients.HERE if rules.trusted else "127.0.0.1"
    old = server.join("Anna", login_clients.OWN, host)
    names, began_ms = 1, server.now_ms
    while login_clients.visit(server, f"Guest{names}", host) == "joined":
        names += 1
    regained = (server.now_ms - began_ms) // (1_000 * limits.CREATIONS_EXEMPT_EVERY_S)
    assert names == limits.CREATIONS_EXEMPT_BURST + regained
    assert server.store.directory.account_by_name(f"guest{names}") is None
    old.leave()
    server.advance(20)
    assert server.join("Anna", login_clients.OWN, host).of_kind(Joined), "who is known need not wait"
    server.advance(limits.CREATIONS_EXEMPT_EVERY_S * 1_000)
    assert login_clients.visit(server, "OneMore", host) == "joined"
    assert login_clients.visit(server, "Another", host) == "wait"


def test_logins_beyond_wait_reported_come() -> None:
    """bound: LOGINS_WAITING_MAX."""
    server = SimServer()
    server.writer.delay_s = 1_000.0
    crowd = [slowly(server, f"Guest{at}") for at in range(limits.LOGINS_WAITING_MAX + 1)]
    assert codes(crowd) == [[]] * limits.LOGINS_WAITING_MAX + [["busy"]]


@pytest.mark.rule("A81")
def test_logins_beyond_the_queue_are_refused() -> None:
    """bound: LOGINS_WAITING_MAX. The first login has its turn immediately, the others wait."""
    server = SimServer()
    crowd = [
        SimClient(server, f"Guest{at}", login_clients.OWN) for at in range(limits.LOGINS_WAITING_MAX + 2)
    ]
    assert codes(crowd) == [[]] * (limits.LOGINS_WAITING_MAX + 1) + [["busy"]]


def slowly(server: SimServer, name: str) -> SimClient:
    """Return a client that logs in; then time passes until the next login has its turn immediately."""
    client = SimClient(server, name, login_clients.OWN)
    server.clock.advance(limits.LOGIN_GAP_MS / 1_000)
    return client


def codes(crowd: list[SimClient]) -> list[list[str]]:
    """Return the codes of the refusals that each client got so far."""
    for client in crowd:
        client.pump()
    return [[each.code for each in client.of_kind(Bye)] for client in crowd]


def test_account_never_played_goes_after_day() -> None:
    """bound: UNUSED_S."""
    server = SimServer()
    server.join("Anna", login_clients.OWN, login_clients.HERE)
    hang_up_early(server, "Idler")
    hang_up_early(server, "Second")
    server.wall_s += limits.UNUSED_S - 1
    hang_up_early(server, "Third")
    assert server.store.directory.account_by_name("idler") is not None
    server.wall_s += 1
    hang_up_early(server, "Fourth")
    names = [server.store.directory.account_by_name(name) for name in ("idler", "second", "third", "fourth")]
    assert [each is not None for each in names] == [False, False, True, True]
    assert server.store.directory.account_by_name("anna") is not None


def hang_up_early(server: SimServer, name: str) -> None:
    """Log in with a new name, and hang up before the answer arrives: the account is made, and gets no body."""
    server.writer.delay_s = 0.1
    SimClient(server, name, login_clients.OWN, login_clients.HERE).cut()
    server.advance(200)
    server.writer.delay_s = 0.0


def test_a_name_with_a_password_never_falls_free() -> None:
    server = SimServer()
    login_clients.settled(server).leave()
    server.wall_s += 1_000 * limits.NAME_FREE_S
    assert login_clients.code(login_clients.knock(server, "Bert")) == "password"


@pytest.mark.rule("A26")
@pytest.mark.parametrize("name", ["admin", "server", "System", "Вert"])
def test_reserved_names_are_refused(name: str) -> None:
    server = SimServer()
    assert login_clients.code(login_clients.knock(server, name)) == "name"


@pytest.mark.rule("A26")
def test_a_name_in_another_case_is_the_same() -> None:
    server = SimServer()
    server.join("Bert", login_clients.OWN, login_clients.HERE)
    assert login_clients.code(login_clients.knock(server, "BERT")) == "name"


@pytest.mark.thorough
@pytest.mark.rule("A27")
def test_the_eleventh_new_name_from_an_address_waits() -> None:
    """bound: CREATIONS_MAX."""
    server = SimServer()
    for number in range(limits.CREATIONS_MAX):
        came = login_clients.knock(server, f"Guest{number}", token=bytes([number]) * 32)
        assert login_clients.code(came) == "joined"
        came.leave()

    refused = login_clients.knock(server, "Onemore")
    reply = login_clients.answer(refused)
    assert isinstance(reply, Error)
    assert reply.code == "wait"
    assert server.store.directory.account_by_name("onemore") is None
    assert login_clients.code(login_clients.knock(server, "Onemore", host=login_clients.HERE)) == "joined", (
        "from another address"
    )
    assert login_clients.code(login_clients.knock(server, "Guest1", token=b"\1" * 32)) == "joined", (
        "a name that exists"
    )
    server.advance(limits.CREATIONS_S * 1_000)
    assert login_clients.code(login_clients.knock(server, "Another")) == "joined"


@pytest.mark.rule("A54")
@pytest.mark.parametrize("name", ["..", "/etc/passwd", "CON", "a\0b", ""])
def test_names_that_are_none_never_reach_the_accounts(name: str) -> None:
    server = SimServer()
    assert login_clients.code(login_clients.knock(server, name, login_clients.SECRET)) == "name"


def test_private_realm_asks_newcomer_once_invite() -> None:
    """A private realm asks a newcomer once for its invite."""
    server = SimServer(rules=login_clients.PRIVATE)
    key = invite(server.store.directory, 1, 0)
    assert login_clients.code(login_clients.knock(server, "Bert")) == "invite"
    assert login_clients.code(login_clients.knock(server, "Bert", invite="a" * 16)) == "invite"
    assert server.store.directory.account_by_name("bert") is None
    came = login_clients.knock(server, "Bert", invite=key)
    assert login_clients.code(came) == "joined"
    came.leave()
    assert login_clients.code(login_clients.knock(server, "Bert")) == "joined", "the device is known now"
    assert login_clients.code(login_clients.knock(server, "Ann", invite=key)) == "invite", "it was for one"


def test_an_open_realm_needs_no_invite() -> None:
    """At this machine and in an open realm no one needs an invite."""
    assert (
        login_clients.code(
            login_clients.knock(SimServer(rules=login_clients.PRIVATE), "Bert", host="127.0.0.1")
        )
        == "joined"
    )
    assert (
        login_clients.code(login_clients.knock(SimServer(rules=AccessRules(open=True)), "Bert")) == "joined"
    )


@pytest.mark.parametrize("secured", [True, False])
def test_a_reset_gives_a_name_to_one_new_device(secured: bool) -> None:
    server = SimServer(rules=login_clients.PRIVATE)
    bert = server.join("Bert", login_clients.OWN)
    if secured:
        bert.send(SetPassword(login_clients.SECRET))
        server.advance(20)
    bert.leave()
    server.advance(500)
    _, key = reset_password(server.store.directory, "BERT", 0)
    number = login_clients.account(server, "bert").number

    assert login_clients.code(login_clients.knock(server, "Ann", invite=key)) == "invite", (
        "it lets no newcomer in"
    )
    came = login_clients.knock(server, "Bert", invite=key)
    assert login_clients.code(came) == "joined"
    assert came.connection.player == number
    came.send(SetPassword("a new password"))
    server.advance(20)
    assert came.of_kind(PasswordStatus) == [
        PasswordStatus(password=False),
        PasswordStatus(password=True, fresh=True),
    ]
    came.leave()
    assert (
        login_clients.code(login_clients.knock(server, "Bert", invite=key, token=login_clients.OWN))
        == "password"
    ), "once, and the old device is out"
