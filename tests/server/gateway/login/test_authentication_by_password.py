"""The door: passwords, and how often someone may try one."""

from ipaddress import ip_network

import pytest

from gloam_server.gateway.login.login_attempt import AccessRules
from gloam_shared import limits
from gloam_shared.protocol.messages.login import Error, Login, PasswordStatus, Resume, SetPassword
from support.server import login_clients
from support.server.resuming_clients import Caller, cut_off, logged_in
from support.server.resuming_clients import device as device_of
from support.server.sim_server import SimClient, SimServer


def test_password_opens_new_device_needs_none() -> None:
    """The password opens on a new device which then needs none."""
    server = SimServer()
    bert = login_clients.settled(server)
    assert [each for each in bert.got if isinstance(each, PasswordStatus)] == [
        PasswordStatus(password=False),
        PasswordStatus(password=True, fresh=True),
    ]
    bert.leave()
    assert login_clients.code(login_clients.knock(server, "bert")) == "password"
    opened = login_clients.knock(server, "bert", login_clients.SECRET)
    assert login_clients.code(opened) == "joined"
    opened.leave()
    assert login_clients.code(login_clients.knock(server, "bert")) == "joined"


def test_after_a_cut_the_client_still_sets_one() -> None:
    """After a cut the client shows its device's token with the first password."""
    server = SimServer()
    bert = server.join("Bert", login_clients.OWN, login_clients.HERE)
    bert.cut()
    bert.dial()
    server.advance(20)
    bert.send(SetPassword(login_clients.SECRET))
    server.advance(20)
    assert bert.of_kind(PasswordStatus)[-1] == PasswordStatus(password=True, fresh=True)


def test_local_players_hear_nothing_of_passwords() -> None:
    assert not SimServer().join("Bert").of_kind(PasswordStatus)


@pytest.mark.rule("A23")
def test_wrong_password_unknown_name_answer_alike() -> None:
    """A wrong password and an unknown name cost the same time and give the same answer."""
    server = SimServer()
    login_clients.settled(server).leave()
    answers, hashes = [], []
    for name in ("Bert", "Nessie"):
        before = server.hashing.run
        refused = login_clients.knock(server, name, "wrong password")
        answers.append(login_clients.answer(refused))
        hashes.append(server.hashing.run - before)
        assert refused.up, "the line stays open for another try"

    assert answers[0] == answers[1]
    assert isinstance(answers[0], Error)
    assert answers[0].code == "auth"
    assert hashes == [1, 1]
    assert server.store.directory.account_by_name("nessie") is None


@pytest.mark.rule("A23")
def test_name_without_password_not_reported() -> None:
    """A wrong password costs a hash and gets the same error for a name without a password."""
    server = SimServer()
    server.join("Bert", login_clients.OWN, login_clients.HERE).leave()
    before = server.hashing.run
    assert login_clients.code(login_clients.knock(server, "Bert", "any password")) == "auth"
    assert server.hashing.run == before + 1


@pytest.mark.rule("A24")
def test_sixth_wrong_password_waits() -> None:
    """bound: FAILURES_MAX."""
    server = SimServer()
    login_clients.settled(server).leave()
    for _ in range(limits.FAILURES_MAX):
        refused = login_clients.knock(server, "Bert", "wrong password")
        assert login_clients.code(refused) == "auth"
        refused.cut()
    hashes = server.hashing.run

    sixth = login_clients.knock(server, "Bert", login_clients.SECRET)

    reply = login_clients.answer(sixth)
    assert isinstance(reply, Error)
    assert reply.code == "wait"
    assert " s." in reply.text
    assert sixth.up, "another login may still be tried, until the deadline"
    assert server.hashing.run == hashes
    server.advance(limits.FAILURES_S * 1_000)
    assert login_clients.code(login_clients.knock(server, "Bert", login_clients.SECRET)) == "joined"


@pytest.mark.rule("A24")
def test_failures_count_by_address_and_name() -> None:
    """Failures count by address and name, and never against a known device."""
    server = SimServer()
    login_clients.settled(server).leave()
    login_clients.settled(server, "Ann", "203.0.113.5").leave()
    for _ in range(limits.FAILURES_MAX + 1):
        login_clients.knock(server, "Bert", "wrong password").cut()

    assert login_clients.code(login_clients.knock(server, "Bert", token=login_clients.OWN)) == "joined", (
        "the owner, from the same address"
    )
    assert (
        login_clients.code(login_clients.knock(server, "Bert", login_clients.SECRET, host="203.0.113.5"))
        == "joined"
    ), "from another address"
    assert login_clients.code(login_clients.knock(server, "Ann", login_clients.SECRET)) == "joined", (
        "another name"
    )


@pytest.mark.rule("A24")
def test_many_at_once_counted_before_hashes_made() -> None:
    """Many together are counted before their hashes are made."""
    server = SimServer(write_s=0.001)
    login_clients.settled(server).leave()
    before = server.hashing.run
    for _ in range(20):
        client = SimClient(server, "Bert", login_clients.OTHER, login_clients.THERE)
        client.cut()
        client.link.login = Login("Bert", login_clients.OTHER, "wrong password")
        client.dial()
        client.send(Login("Bert", login_clients.OTHER, "wrong password"))
    server.advance(200)
    assert server.hashing.run - before <= limits.FAILURES_MAX


@pytest.mark.rule("A24")
def test_right_ones_do_not_count() -> None:
    server = SimServer()
    login_clients.settled(server).leave()
    for device in range(limits.FAILURES_MAX + 2):
        came = login_clients.knock(server, "Bert", login_clients.SECRET, token=bytes([device]) * 32)
        assert login_clients.code(came) == "joined"
        came.leave()
        server.advance(limits.LOGINS_EVERY_S * 1_000)


@pytest.mark.rule("A24", "A27")
@pytest.mark.parametrize("host", ["127.0.0.1", "10.1.2.3"])
def test_machine_and_trusted_networks_not_counted(host: str) -> None:
    """This machine and trusted networks are not counted."""
    server = SimServer(rules=AccessRules(open=True, trusted=(ip_network("10.0.0.0/8"),)))
    login_clients.settled(server).leave()
    for number in range(limits.CREATIONS_MAX + 2):
        refused = login_clients.knock(server, "Bert", "wrong password", host=host)
        assert login_clients.code(refused) == "auth"
        refused.cut()
        came = login_clients.knock(server, f"Guest{number}", host=host)
        assert login_clients.code(came) == "joined"
        came.leave()


@pytest.mark.rule("A25")
@pytest.mark.parametrize(("size", "expected"), [(127, "auth"), (128, "auth"), (129, "length")])
def test_a_password_up_to_its_limit(size: int, expected: str) -> None:
    server = SimServer()
    login_clients.settled(server).leave()
    client = login_clients.knock(server, "Bert", "p" * size)
    assert login_clients.code(client) == expected
    assert client.up


@pytest.mark.rule("A25")
def test_password_megabyte_cut_off_frames_limit() -> None:
    """A password of a megabyte is cut off by the frames limit."""
    server = SimServer()
    before = server.hashing.run
    client = SimClient(server, "Bert", login_clients.OTHER, login_clients.THERE)
    client.cut()
    client.link.login = Login("Bert", login_clients.OTHER, "p" * 1_000_000)
    client.dial()
    assert not client.up
    assert server.hashing.run == before


@pytest.mark.rule("A25")
@pytest.mark.parametrize(
    ("size", "fits"), [(7, False), (8, True), (9, True), (127, True), (128, True), (129, False)]
)
def test_a_password_that_is_set_has_its_limits_too(size: int, *, fits: bool) -> None:
    """bounds: PASSWORD_MIN, PASSWORD_MAX."""
    server = SimServer()
    bert = server.join("Bert", login_clients.OWN, login_clients.HERE)
    bert.send(SetPassword("p" * size))
    server.advance(20)
    assert [each.code for each in bert.of_kind(Error)] == ([] if fits else ["length"])
    assert (login_clients.account(server, "bert").password_hash is not None) is fits


@pytest.mark.rule("A53", "A55")
def test_a_password_is_only_ever_compared() -> None:
    server = SimServer()
    odd = "{0.__class__} %s '; DROP TABLE accounts; --"
    bert = server.join("Bert", login_clients.OWN, login_clients.HERE)
    bert.send(SetPassword(odd))
    server.advance(20)
    bert.leave()
    kept = login_clients.account(server, "bert").password_hash
    assert kept is not None
    assert odd not in kept
    assert login_clients.code(login_clients.knock(server, "Bert", odd + " ")) == "auth"
    assert login_clients.code(login_clients.knock(server, "Bert", odd)) == "joined"


def test_password_changed_knows() -> None:
    """A password is changed by who knows it and other devices are forgotten."""
    server = SimServer()
    bert = login_clients.settled(server)
    server.store.directory.add_device(login_clients.account(server, "bert").number, b"x" * 32, 5)
    bert.send(SetPassword("new password", "not the old one"))
    server.advance(20)
    assert login_clients.code(bert) == "auth"
    bert.send(SetPassword("new password", login_clients.SECRET))
    server.advance(20)
    bert.leave()
    assert not server.store.directory.knows_device(login_clients.account(server, "bert").number, b"x" * 32)
    assert login_clients.code(login_clients.knock(server, "Bert", login_clients.SECRET)) == "auth"
    assert login_clients.code(login_clients.knock(server, "Bert", "new password")) == "joined"


def changes(client: SimClient, *requests: SetPassword) -> list[str]:
    """Return how changes of a password are answered that are sent together."""
    client.hear()
    for request in requests:
        client.link.send(request)
    client.server.advance(30)
    messages = [each for each in client.hear() if isinstance(each, PasswordStatus | Error)]
    return [each.code if isinstance(each, Error) else "guarded" for each in messages]


def test_two_changes_old_password_succeeds() -> None:
    """Of two changes with one old password one succeeds."""
    server = SimServer()
    bert = login_clients.settled(server)
    assert changes(
        bert,
        SetPassword("new password 1", login_clients.SECRET),
        SetPassword("new password 2", login_clients.SECRET),
    ) == [
        "guarded",
        "auth",
    ]
    bert.leave()
    assert login_clients.code(login_clients.knock(server, "Bert", "new password 2")) == "auth"
    assert login_clients.code(login_clients.knock(server, "Bert", "new password 1")) == "joined"


def test_many_first_passwords_at_once_set() -> None:
    """bound: PASSWORD_CHANGES_WAITING_MAX."""
    server = SimServer()
    bert = server.join("Bert", login_clients.OWN, login_clients.HERE)
    answered = changes(bert, *(SetPassword(f"password {number}") for number in range(5)))
    assert sorted(answered) == ["auth", "busy", "busy", "busy", "guarded"]
    assert server.hashing.run == 2, "one is made, and one is looked at"
    bert.leave()
    assert login_clients.code(login_clients.knock(server, "Bert", "password 0")) == "joined"


def test_password_changed_five_times_at_once() -> None:
    """bound: PASSWORD_CHANGES_BURST, PASSWORD_CHANGES_EVERY_S."""
    server = SimServer()
    bert = server.join("Bert", login_clients.OWN)
    passwords = [f"password {number}" for number in range(limits.PASSWORD_CHANGES_BURST + 3)]
    requests = [SetPassword(new, old) for old, new in zip(["", *passwords], passwords, strict=False)]
    for request in requests[: limits.PASSWORD_CHANGES_BURST]:
        assert changes(bert, request) == ["guarded"]
    hashed = server.hashing.run
    late = requests[limits.PASSWORD_CHANGES_BURST]
    server.advance(limits.PASSWORD_CHANGES_EVERY_S * 1_000 - 500)

    assert changes(bert, late) == ["wait"]
    assert server.hashing.run == hashed
    server.advance(500)
    assert changes(bert, late) == ["guarded"]
    assert changes(bert, requests[limits.PASSWORD_CHANGES_BURST + 1]) == ["wait"]


def test_more_passwords_wait_reported_come() -> None:
    """More passwords than may wait are asked to try again."""
    server = SimServer()
    login_clients.settled(server).leave()
    server.passwords.waiting = limits.PASSWORD_JOBS_MAX
    assert login_clients.code(login_clients.knock(server, "Bert", login_clients.SECRET)) == "busy"
    server.passwords.waiting = 0
    assert login_clients.code(login_clients.knock(server, "Bert", login_clients.SECRET)) == "joined"


@pytest.mark.parametrize("old", ["", "anything", login_clients.OTHER.hex(), "zz" * limits.TOKEN_SIZE])
def test_a_stolen_token_sets_no_first_password(old: str) -> None:
    """Resuming with a token does not prove the device: the first password of the name stays the owner's."""
    server = SimServer()
    thief = Caller(server, Resume("Anna", cut_off(server)))
    thief.say(SetPassword("correct horse", old))
    server.advance(100)
    thief.came += thief.heard()
    assert thief.joined
    assert thief.refusals == ["auth"]
    anna = server.store.directory.account_by_name("anna")
    assert anna is not None
    assert anna.password_hash is None


def test_a_stolen_token_sets_none_after_the_session() -> None:
    """A thief who logs in elsewhere, or resumes again and again, does not get there either."""
    server = SimServer()
    token = cut_off(server)
    for _ in range(3):
        thief = Caller(server, Resume("Anna", token))
        thief.acknowledge()
        token = thief.token
        thief.say(Login("Anna", login_clients.OTHER), SetPassword("correct horse"))
        thief.vanish()
    anna = server.store.directory.account_by_name("anna")
    assert anna is not None
    assert anna.password_hash is None


@pytest.mark.parametrize("resumes", [False, True])
def test_the_own_device_sets_a_first_password(resumes: bool) -> None:
    """After a login nothing more is needed, as from older clients; after a cut, the device's own token."""
    server = SimServer()
    token = cut_off(server)
    wire = Caller(server, Resume("Anna", token)) if resumes else logged_in(server)
    wire.say(SetPassword("correct horse", device_of("Anna").hex() if resumes else ""))
    server.advance(100)
    wire.came += wire.heard()
    assert PasswordStatus(password=True, fresh=True) in wire.came
