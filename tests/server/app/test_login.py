"""The door: names, devices, passwords, invites, and how often somebody may try."""

from ipaddress import ip_network

import pytest

from gloam_server.app.invites import invite, reset_password
from gloam_server.app.login import Rules
from gloam_server.storage.accounts import Account
from gloam_shared import limits
from gloam_shared.messages import Bye, Error, Guarded, Joined, Login, SetPassword
from support.realm import SimClient, SimServer

HERE, THERE = "192.0.2.7", "198.51.100.9"
OWN, OTHER = b"own device" + bytes(22), b"another device" + bytes(18)
SECRET = "correct horse"
PRIVATE = Rules()


def account(server: SimServer, name: str) -> Account:
    found = server.journal.account_by_name(name)
    assert found is not None
    return found


def settled(server: SimServer, name: str = "Bert", host: str = HERE) -> SimClient:
    """Return a player who has come from elsewhere and set a password."""
    client = server.join(name, OWN, host)
    client.send(SetPassword(SECRET))
    server.advance(20)
    return client


def knock(
    server: SimServer,
    name: str,
    password: str = "",
    *,
    invite: str = "",
    token: bytes = OTHER,
    host: str = THERE,
) -> SimClient:
    """Return what comes of a login from a new connection."""
    client = SimClient(server, "", token, host)
    client.link.name = name
    client.cut()
    server.clients.append(client)
    client.got.clear()
    client.link.login = Login(name, token, password, invite)
    client.dial()
    server.advance(30)
    return client


def pass_s(server: SimServer, seconds: int) -> None:
    """Let so much time pass while nobody is here."""
    server.wall_s += seconds
    server.clock.advance(seconds)
    server.settle()


def answer(client: SimClient) -> object:
    """Return how a login was answered: the last thing that was said about it."""
    told = [each for each in client.got if isinstance(each, Joined | Error | Bye)]
    return told[-1]


def code(client: SimClient) -> str:
    told = answer(client)
    return "joined" if isinstance(told, Joined) else told.code  # type: ignore[attr-defined]


def test_a_name_belongs_to_the_device_that_made_it() -> None:
    server = SimServer()
    server.join("Bert", OWN, HERE).leave()

    assert code(knock(server, "bert")) == "name"
    assert code(knock(server, "bert", token=OWN)) == "joined"


def test_a_name_without_a_password_falls_free_after_a_day_without_play() -> None:
    server = SimServer()
    bert = server.join("Bert", OWN, HERE)
    server.wall_s += 3 * limits.NAME_FREE_S
    assert code(knock(server, "Bert")) == "name", "he plays"
    bert.leave()
    server.advance(500)
    former = account(server, "bert").number

    pass_s(server, limits.NAME_FREE_S - 1)
    assert code(knock(server, "Bert")) == "name"
    pass_s(server, 1)
    assert code(knock(server, "Bert")) == "joined"

    assert account(server, "bert").number != former
    assert code(knock(server, "Bert", token=OWN)) == "name", "the former owner is too late"


@pytest.mark.parametrize("made_s", [0, 1_000_000, limits.CLOCK_UNSET_S - 1])
def test_a_name_made_before_the_clock_was_set_is_kept_for_a_day_from_then(made_s: int) -> None:
    """bound: CLOCK_UNSET_S."""
    server = SimServer()
    now_s, server.wall_s = server.wall_s, made_s
    server.join("Bert", OWN, HERE).leave()
    server.advance(500)
    assert code(knock(server, "Bert")) == "name"
    server.crash()
    again = server.again()
    again.wall_s = now_s

    assert code(knock(again, "Bert")) == "name"
    pass_s(again, limits.NAME_FREE_S - 60)
    assert code(knock(again, "Bert")) == "name"
    pass_s(again, 61)
    assert code(knock(again, "Bert")) == "joined"


def test_while_the_clock_is_not_set_no_name_falls_free() -> None:
    server = SimServer()
    server.wall_s = limits.CLOCK_UNSET_S - 2 * limits.NAME_FREE_S
    server.join("Bert", OWN, HERE).leave()
    server.advance(500)
    pass_s(server, 2 * limits.NAME_FREE_S - 1)
    assert code(knock(server, "Bert")) == "name"


@pytest.mark.parametrize("jump_s", [30 * 86_400, -30 * 86_400, 20 * 365 * 86_400, -10 * 86_400])
def test_a_jump_of_the_clock_frees_no_name_that_the_server_has_seen(jump_s: int) -> None:
    server = SimServer()
    server.join("Bert", OWN, HERE).leave()
    server.advance(500)
    server.wall_s += jump_s

    assert code(knock(server, "Bert")) == "name"
    pass_s(server, limits.NAME_FREE_S - 60)
    assert code(knock(server, "Bert")) == "name"
    pass_s(server, 90)
    assert code(knock(server, "Bert")) == "joined"


@pytest.mark.parametrize("rules", [Rules(open=True), Rules(open=True, trusted=(ip_network(f"{HERE}/32"),))])
def test_new_names_from_exempt_addresses_are_bounded_too(rules: Rules) -> None:
    """bounds: CREATIONS_EXEMPT_BURST, CREATIONS_EXEMPT_EVERY_S."""
    server = SimServer(rules=rules, players_max=2)
    host = HERE if rules.trusted else "127.0.0.1"
    old = server.join("Anna", OWN, host)
    for number in range(limits.CREATIONS_EXEMPT_BURST - 1):
        visit(server, f"Guest{number}", host)
    assert visit(server, "OneMore", host) == "wait"
    assert server.journal.account_by_name("onemore") is None
    old.leave()
    server.advance(20)
    assert server.join("Anna", OWN, host).of_kind(Joined), "who is known need not wait"
    server.advance(limits.CREATIONS_EXEMPT_EVERY_S * 1_000)
    assert visit(server, "OneMore", host) == "joined"
    assert visit(server, "Another", host) == "wait"


def visit(server: SimServer, name: str, host: str) -> str:
    """Return how a newcomer is answered who hangs up at once, in no time."""
    client = SimClient(server, name, name.encode().ljust(32, b"."), host)
    server.clients.append(client)
    server.settle()
    told = answer(client)
    client.cut()
    server.clients.remove(client)
    server.settle()
    return "joined" if isinstance(told, Joined) else getattr(told, "code", "")


def test_logins_beyond_those_that_may_wait_are_told_to_come_again() -> None:
    """bound: LOGINS_WAITING_MAX."""
    server = SimServer(players_max=1)
    server.writer.delay_s = 1.0
    crowd = [SimClient(server, f"Guest{at}", OWN) for at in range(limits.LOGINS_WAITING_MAX + 1)]
    told = [
        [each.code for each in client.pump() + client.got if isinstance(each, Error | Bye)]
        for client in crowd
    ]

    assert told[:-1] == [[]] * limits.LOGINS_WAITING_MAX
    assert set(told[-1]) == {"busy"}


def test_an_account_that_was_never_played_goes_after_a_day() -> None:
    """bound: UNUSED_S."""
    server = SimServer(players_max=1)
    server.join("Anna", OWN, HERE)
    assert visit(server, "Idler", HERE) == "full"
    assert visit(server, "Second", HERE) == "full"
    server.wall_s += limits.UNUSED_S - 1
    visit(server, "Third", HERE)
    assert server.journal.account_by_name("idler") is not None
    server.wall_s += 1
    visit(server, "Fourth", HERE)
    names = [server.journal.account_by_name(name) for name in ("idler", "second", "third", "fourth")]
    assert [each is not None for each in names] == [False, False, True, True]
    assert server.journal.account_by_name("anna") is not None


def test_a_name_with_a_password_never_falls_free() -> None:
    server = SimServer()
    settled(server).leave()
    server.wall_s += 1_000 * limits.NAME_FREE_S

    assert code(knock(server, "Bert")) == "password"


def test_the_password_opens_on_a_new_device_which_then_needs_none() -> None:
    server = SimServer()
    bert = settled(server)
    assert [each for each in bert.got if isinstance(each, Guarded)] == [
        Guarded(password=False),
        Guarded(password=True, fresh=True),
    ]
    bert.leave()

    assert code(knock(server, "bert")) == "password"
    opened = knock(server, "bert", SECRET)
    assert code(opened) == "joined"
    opened.leave()
    assert code(knock(server, "bert")) == "joined"


def test_at_this_machine_nobody_is_told_of_passwords() -> None:
    assert not SimServer().join("Bert").of_kind(Guarded)


def test_a23_a_wrong_password_and_an_unknown_name_cost_and_say_the_same() -> None:
    server = SimServer()
    settled(server).leave()
    answers, hashes = [], []
    for name in ("Bert", "Nessie"):
        before = server.hashing.run
        refused = knock(server, name, "wrong password")
        answers.append(answer(refused))
        hashes.append(server.hashing.run - before)
        assert refused.up, "the line stays open for another try"

    assert answers[0] == answers[1]
    assert isinstance(answers[0], Error)
    assert answers[0].code == "auth"
    assert hashes == [1, 1]
    assert server.journal.account_by_name("nessie") is None


def test_a23_a_name_without_a_password_is_not_told_by_one_either() -> None:
    server = SimServer()
    server.join("Bert", OWN, HERE).leave()
    before = server.hashing.run

    assert code(knock(server, "Bert", "any password")) == "auth"
    assert server.hashing.run == before + 1


def test_a24_the_sixth_wrong_password_waits_and_costs_no_hash() -> None:
    """bound: FAILURES_MAX."""
    server = SimServer()
    settled(server).leave()
    for _ in range(limits.FAILURES_MAX):
        refused = knock(server, "Bert", "wrong password")
        assert code(refused) == "auth"
        refused.cut()
    hashes = server.hashing.run

    sixth = knock(server, "Bert", SECRET)

    told = answer(sixth)
    assert isinstance(told, Error)
    assert told.code == "wait"
    assert " s." in told.text
    assert sixth.up, "another login may still be tried, until the deadline"
    assert server.hashing.run == hashes
    server.advance(limits.FAILURES_S * 1_000)
    assert code(knock(server, "Bert", SECRET)) == "joined"


def test_a24_it_counts_by_address_and_name_and_never_against_a_known_device() -> None:
    server = SimServer()
    settled(server).leave()
    settled(server, "Ann", "203.0.113.5").leave()
    for _ in range(limits.FAILURES_MAX + 1):
        knock(server, "Bert", "wrong password").cut()

    assert code(knock(server, "Bert", token=OWN)) == "joined", "the owner, from the same address"
    assert code(knock(server, "Bert", SECRET, host="203.0.113.5")) == "joined", "from another address"
    assert code(knock(server, "Ann", SECRET)) == "joined", "another name"


def test_a24_many_at_once_are_counted_before_their_hashes_are_made() -> None:
    server = SimServer(write_s=0.001)
    settled(server).leave()
    before = server.hashing.run
    for _ in range(20):
        client = SimClient(server, "Bert", OTHER, THERE)
        client.cut()
        client.link.login = Login("Bert", OTHER, "wrong password")
        client.dial()
        client.send(Login("Bert", OTHER, "wrong password"))
    server.advance(200)

    assert server.hashing.run - before <= limits.FAILURES_MAX


def test_a24_right_ones_do_not_count() -> None:
    server = SimServer()
    settled(server).leave()
    for device in range(limits.FAILURES_MAX + 2):
        came = knock(server, "Bert", SECRET, token=bytes([device]) * 32)
        assert code(came) == "joined"
        came.leave()
        server.advance(limits.LOGINS_EVERY_S * 1_000)


@pytest.mark.parametrize("host", ["127.0.0.1", "10.1.2.3"])
def test_a24_a27_this_machine_and_trusted_networks_are_not_counted(host: str) -> None:
    server = SimServer(rules=Rules(open=True, trusted=(ip_network("10.0.0.0/8"),)))
    settled(server).leave()
    for number in range(limits.CREATIONS_MAX + 2):
        refused = knock(server, "Bert", "wrong password", host=host)
        assert code(refused) == "auth"
        refused.cut()
        came = knock(server, f"Guest{number}", host=host)
        assert code(came) == "joined"
        came.leave()


@pytest.mark.parametrize(("size", "told"), [(127, "auth"), (128, "auth"), (129, "length")])
def test_a25_a_password_up_to_its_limit(size: int, told: str) -> None:
    server = SimServer()
    settled(server).leave()
    client = knock(server, "Bert", "p" * size)

    assert code(client) == told
    assert client.up


def test_a25_a_password_of_a_megabyte_is_cut_off_by_the_frames_limit() -> None:
    server = SimServer()
    before = server.hashing.run
    client = SimClient(server, "Bert", OTHER, THERE)
    client.cut()
    client.link.login = Login("Bert", OTHER, "p" * 1_000_000)
    client.dial()

    assert not client.up
    assert server.hashing.run == before


@pytest.mark.parametrize(
    ("size", "fits"), [(7, False), (8, True), (9, True), (127, True), (128, True), (129, False)]
)
def test_a25_a_password_that_is_set_has_its_limits_too(size: int, *, fits: bool) -> None:
    """bounds: PASSWORD_MIN, PASSWORD_MAX."""
    server = SimServer()
    bert = server.join("Bert", OWN, HERE)
    bert.send(SetPassword("p" * size))
    server.advance(20)

    assert [each.code for each in bert.of_kind(Error)] == ([] if fits else ["length"])
    assert (account(server, "bert").password_hash is not None) is fits


@pytest.mark.parametrize("name", ["admin", "server", "System", "Вert"])
def test_a26_names_that_nobody_may_have(name: str) -> None:
    server = SimServer()
    assert code(knock(server, name)) == "name"


def test_a26_a_name_in_another_case_is_the_same() -> None:
    server = SimServer()
    server.join("Bert", OWN, HERE)
    assert code(knock(server, "BERT")) == "name"


def test_a27_the_eleventh_new_name_from_an_address_waits() -> None:
    """bound: CREATIONS_MAX."""
    server = SimServer()
    for number in range(limits.CREATIONS_MAX):
        came = knock(server, f"Guest{number}", token=bytes([number]) * 32)
        assert code(came) == "joined"
        came.leave()

    refused = knock(server, "Onemore")
    told = answer(refused)
    assert isinstance(told, Error)
    assert told.code == "wait"
    assert server.journal.account_by_name("onemore") is None
    assert code(knock(server, "Onemore", host=HERE)) == "joined", "from another address"
    assert code(knock(server, "Guest1", token=b"\1" * 32)) == "joined", "a name that exists"
    server.advance(limits.CREATIONS_S * 1_000)
    assert code(knock(server, "Another")) == "joined"


def test_a53_a55_a_password_is_only_ever_compared() -> None:
    server = SimServer()
    odd = "{0.__class__} %s '; DROP TABLE accounts; --"
    bert = server.join("Bert", OWN, HERE)
    bert.send(SetPassword(odd))
    server.advance(20)
    bert.leave()

    kept = account(server, "bert").password_hash
    assert kept is not None
    assert odd not in kept
    assert code(knock(server, "Bert", odd + " ")) == "auth"
    assert code(knock(server, "Bert", odd)) == "joined"


@pytest.mark.parametrize("name", ["..", "/etc/passwd", "CON", "a\0b", ""])
def test_a54_names_that_are_none_never_reach_the_accounts(name: str) -> None:
    server = SimServer()
    assert code(knock(server, name, SECRET)) == "name"


def test_a_password_is_changed_by_who_knows_it_and_other_devices_are_forgotten() -> None:
    server = SimServer()
    bert = settled(server)
    server.journal.add_device(account(server, "bert").number, b"x" * 32, 5)

    bert.send(SetPassword("new password", "not the old one"))
    server.advance(20)
    assert code(bert) == "auth"
    bert.send(SetPassword("new password", SECRET))
    server.advance(20)
    bert.leave()

    assert not server.journal.knows_device(account(server, "bert").number, b"x" * 32)
    assert code(knock(server, "Bert", SECRET)) == "auth"
    assert code(knock(server, "Bert", "new password")) == "joined"


def changes(client: SimClient, *wishes: SetPassword) -> list[str]:
    """Return how changes of a password are answered that are sent together."""
    client.hear()
    for wish in wishes:
        client.link.send(wish)
    client.server.advance(30)
    told = [each for each in client.hear() if isinstance(each, Guarded | Error)]
    return [each.code if isinstance(each, Error) else "guarded" for each in told]


def test_of_two_changes_with_one_old_password_one_succeeds() -> None:
    server = SimServer()
    bert = settled(server)

    assert changes(bert, SetPassword("new password 1", SECRET), SetPassword("new password 2", SECRET)) == [
        "guarded",
        "auth",
    ]
    bert.leave()
    assert code(knock(server, "Bert", "new password 2")) == "auth"
    assert code(knock(server, "Bert", "new password 1")) == "joined"


def test_of_many_first_passwords_at_once_one_is_set_and_one_waits() -> None:
    """bound: PASSWORD_CHANGES_WAITING_MAX."""
    server = SimServer()
    bert = server.join("Bert", OWN, HERE)
    answered = changes(bert, *(SetPassword(f"password {number}") for number in range(5)))

    assert sorted(answered) == ["auth", "busy", "busy", "busy", "guarded"]
    assert server.hashing.run == 2, "one is made, and one is looked at"
    bert.leave()
    assert code(knock(server, "Bert", "password 0")) == "joined"


def test_a_password_is_changed_five_times_at_once_and_then_once_in_ten_seconds() -> None:
    """bound: PASSWORD_CHANGES_BURST, PASSWORD_CHANGES_EVERY_S."""
    server = SimServer()
    bert = server.join("Bert", OWN)
    passwords = [f"password {number}" for number in range(limits.PASSWORD_CHANGES_BURST + 3)]
    wishes = [SetPassword(new, old) for old, new in zip(["", *passwords], passwords, strict=False)]
    for wish in wishes[: limits.PASSWORD_CHANGES_BURST]:
        assert changes(bert, wish) == ["guarded"]
    hashed = server.hashing.run
    late = wishes[limits.PASSWORD_CHANGES_BURST]
    server.advance(limits.PASSWORD_CHANGES_EVERY_S * 1_000 - 500)

    assert changes(bert, late) == ["wait"]
    assert server.hashing.run == hashed
    server.advance(500)
    assert changes(bert, late) == ["guarded"]
    assert changes(bert, wishes[limits.PASSWORD_CHANGES_BURST + 1]) == ["wait"]


def test_more_passwords_than_may_wait_are_told_to_come_again() -> None:
    server = SimServer()
    settled(server).leave()
    server.passwords.waiting = limits.PASSWORD_JOBS_MAX

    assert code(knock(server, "Bert", SECRET)) == "busy"
    server.passwords.waiting = 0
    assert code(knock(server, "Bert", SECRET)) == "joined"


def test_a_private_realm_asks_a_newcomer_once_for_its_invite() -> None:
    server = SimServer(rules=PRIVATE)
    key = invite(server.journal, 1, 0)

    assert code(knock(server, "Bert")) == "invite"
    assert code(knock(server, "Bert", invite="a" * 16)) == "invite"
    assert server.journal.account_by_name("bert") is None
    came = knock(server, "Bert", invite=key)
    assert code(came) == "joined"
    came.leave()
    assert code(knock(server, "Bert")) == "joined", "he is known now"
    assert code(knock(server, "Ann", invite=key)) == "invite", "it was for one"


def test_at_this_machine_and_in_an_open_realm_nobody_needs_an_invite() -> None:
    assert code(knock(SimServer(rules=PRIVATE), "Bert", host="127.0.0.1")) == "joined"
    assert code(knock(SimServer(rules=Rules(open=True)), "Bert")) == "joined"


@pytest.mark.parametrize("secured", [True, False])
def test_a_reset_gives_a_name_to_one_new_device(secured: bool) -> None:
    server = SimServer(rules=PRIVATE)
    bert = server.join("Bert", OWN)
    if secured:
        bert.send(SetPassword(SECRET))
        server.advance(20)
    bert.leave()
    server.advance(500)
    _, key = reset_password(server.journal, "BERT", 0)
    number = account(server, "bert").number

    assert code(knock(server, "Ann", invite=key)) == "invite", "it lets no newcomer in"
    came = knock(server, "Bert", invite=key)
    assert code(came) == "joined"
    assert came.connection.player == number
    came.send(SetPassword("a new password"))
    server.advance(20)
    assert came.of_kind(Guarded) == [Guarded(password=False), Guarded(password=True, fresh=True)]
    came.leave()
    assert code(knock(server, "Bert", invite=key, token=OWN)) == "password", "once, and the old device is out"
