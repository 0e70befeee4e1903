"""A held key: one command under way, one behind it, none after danger."""

import pytest
from msgspec import structs
from msgspec.structs import replace

from gloam_client.input import keymap
from gloam_client.net.key_repeat import KeyRepeat
from gloam_client.render.panels.status_panel import UNANSWERED_MS
from gloam_client.state.client_effects import SendMessage
from gloam_server.sessions.token_bucket import TokenBucket
from gloam_shared import limits
from gloam_shared.protocol.commands import Move, Wait
from gloam_shared.protocol.messages.login import Error, Joined
from gloam_shared.protocol.messages.play import Answer, Pace, SubmitCommand
from gloam_shared.view.view import Stat, View
from support.client.aiming_views import ready
from support.client.fake_server import level_view
from support.client.joined_client import joined_link, sent, wire
from support.client.model_in_play import playing, press

EAST = Move(1, 0)


def commands(data: list[object]) -> list[object]:
    return [message.command for message in data if isinstance(message, SubmitCommand)]


def with_hp(view: View, hp: int) -> View:
    sheet = list(view.sheet)
    sheet[Stat.HP] = hp
    return replace(view, sheet=tuple(sheet))


def test_held_key_keeps_command_under_way() -> None:
    """A held key keeps one command under way and one behind it."""
    link = joined_link()
    repeats = KeyRepeat(link)
    for now_ms in range(10):
        repeats.press(EAST, now_ms)
    assert commands([*sent(link)]) == [EAST]

    link.receive(wire(Answer(1, "done")), 20)
    repeats.state_changed(level_view(), 20)
    assert commands([*sent(link)]) == [EAST]

    link.receive(wire(Answer(2, "done")), 40)
    repeats.state_changed(level_view(), 40)
    assert commands([*sent(link)]) == []


def test_another_command_goes_at_once() -> None:
    """Another command goes out immediately and replaces the repeat."""
    link = joined_link()
    repeats = KeyRepeat(link)
    repeats.press(EAST, 0)
    repeats.press(EAST, 1)
    repeats.press(Wait(), 2)
    assert [EAST, Wait()] == commands([*sent(link)])

    link.receive(wire(Answer(2, "done")), 20)
    repeats.state_changed(level_view(), 20)
    assert commands([*sent(link)]) == []


def test_lost_health_drops_the_repeat() -> None:
    link = joined_link()
    repeats = KeyRepeat(link)
    repeats.state_changed(with_hp(level_view(), 40), 0)
    repeats.press(EAST, 1)
    repeats.press(EAST, 2)
    sent(link)
    link.receive(wire(Answer(1, "done")), 20)
    repeats.state_changed(with_hp(level_view(), 39), 20)

    assert commands([*sent(link)]) == []


def test_being_held_drops_the_repeat() -> None:
    link = joined_link()
    repeats = KeyRepeat(link)
    repeats.state_changed(level_view(), 0)
    repeats.press(EAST, 1)
    repeats.press(EAST, 2)
    sent(link)
    link.receive(wire(Answer(1, "done"), Pace(held=True, waiting=False, plan=False)), 20)
    repeats.state_changed(level_view(), 20)

    assert commands([*sent(link)]) == []


def test_command_waits_others_not_repeated() -> None:
    """A command that waits for others is not repeated."""
    link = joined_link()
    repeats = KeyRepeat(link)
    repeats.press(EAST, 0)
    link.receive(wire(Pace(held=True, waiting=True, plan=False), Joined("Ann", 0, 1)), 1)
    sent(link)
    repeats.press(EAST, 2)
    link.receive(wire(Answer(1, "done")), 20)
    repeats.state_changed(level_view(), 20)

    assert commands([*sent(link)]) == []


@pytest.mark.thorough
@pytest.mark.parametrize("apart_ms", [20, 10])
@pytest.mark.parametrize("keys", [(EAST,), (EAST, Wait())])
def test_key_held_and_refused_never_sends_more(apart_ms: int, keys: tuple[Move | Wait, ...]) -> None:
    """A key that is held and refused never sends more than the server takes."""
    link, taken = joined_link(), 0
    sent(link)
    repeats, server = KeyRepeat(link), TokenBucket(limits.COMMANDS_PER_S, limits.COMMANDS_BURST)
    for now_ms in range(0, 30_000, apart_ms):
        repeats.press(keys[now_ms // apart_ms % len(keys)], now_ms)
        due_ms = repeats.due_ms(now_ms)
        if due_ms is not None and due_ms <= now_ms:
            repeats.tick(now_ms)
        for message in sent(link):
            assert server.take(now_ms), f"too many messages after {now_ms} ms"
            if isinstance(message, SubmitCommand):
                taken += 1
                link.receive(wire(Answer(message.number, "cannot", "A wall.")), now_ms)
        repeats.state_changed(level_view(), now_ms)
    assert taken > 30 * limits.COMMANDS_PER_S // 2


def test_wait_limit_goes_and_newest_replaces() -> None:
    """A command that had to wait for the limit goes out by itself and the newest replaces it."""
    link = joined_link()
    repeats, now_ms, out = KeyRepeat(link), 0, 0
    while repeats.due_ms(now_ms) is None:
        repeats.press((EAST, Wait())[out % 2], now_ms)
        out += 1
    sent(link)
    repeats.press(Move(0, 1), now_ms)
    due_ms = repeats.due_ms(now_ms)
    assert due_ms is not None
    repeats.tick(due_ms - 1)
    assert not commands([*sent(link)])
    repeats.tick(due_ms)
    assert commands([*sent(link)]) == [Move(0, 1)]
    assert repeats.due_ms(due_ms) is None


def test_command_server_dropped_no_lost_answer() -> None:
    """A command that the server dropped is no lost answer."""
    link = joined_link()
    link.command(EAST, 0)
    assert link.unanswered_since_ms == 0
    link.receive(wire(Error("rate", "Too many messages; some were dropped.")), 10)
    assert link.unanswered_since_ms is None


def test_repeats_step_dig_go() -> None:
    """The repeats of a step that may dig go on with it."""
    link = joined_link()
    repeats = KeyRepeat(link)
    held = Move(1, 0, digs=False)
    repeats.press(EAST, 0)
    repeats.press(held, 40)
    assert commands([*sent(link)]) == [EAST]

    link.receive(wire(Answer(1, "done")), 60)
    repeats.state_changed(level_view(), 60)
    assert commands([*sent(link)]) == [held]


def test_a_held_key_sends_little_beside_commands() -> None:
    """Commands are spaced. Other messages are not: a held key sends at most one."""
    able = structs.replace(
        base := playing(ready()),
        world=structs.replace(base.world, abilities=frozenset({"chronicle", "history"})),
    )
    for key in sorted({key for row in keymap.rows("vi", "play") for key in row.keys}):
        model, other = able, 0
        for now_ms in range(0, 1_000, 40):
            model, wanted = press(model, key, now_ms=now_ms)
            other += sum(isinstance(each, SendMessage) for each in wanted)
        assert other <= 1, key


class SlowServer:
    """A server at the end of a slow line: it carries out one command after another, and answers each."""

    def __init__(self, round_trip_ms: int) -> None:
        self.link = joined_link()
        self.repeats = KeyRepeat(self.link)
        self.steps_ms: list[int] = []
        self.late_ms = 0
        self._round_trip_ms = round_trip_ms
        self._answers: list[tuple[int, int]] = []
        sent(self.link)

    def pass_ms(self, now_ms: int) -> None:
        """Let one millisecond pass: send what is queued, and hear the answers that are due."""
        for message in sent(self.link):
            if isinstance(message, SubmitCommand):
                self._answers.append((now_ms + self._round_trip_ms, message.number))
        while self._answers and self._answers[0][0] <= now_ms:
            _, number = self._answers.pop(0)
            self.steps_ms.append(now_ms)
            self.link.receive(wire(Answer(number, "done")), now_ms)
            self.repeats.state_changed(level_view(), now_ms)
        due_ms = self.repeats.due_ms(now_ms)
        if due_ms is not None and due_ms <= now_ms:
            self.repeats.tick(now_ms)
        since_ms = self.link.unanswered_since_ms
        self.late_ms = max(self.late_ms, now_ms - since_ms if since_ms is not None else 0)


@pytest.mark.parametrize("round_trip_ms", [1, 50, 100, 200, 300])
@pytest.mark.parametrize("apart_ms", [20, 33, 50])
def test_a_body_stops_within_a_step_of_release(round_trip_ms: int, apart_ms: int) -> None:
    """U12: at any round trip up to 300 ms a held key brings at most one step after its release."""
    for release_ms in range(1_500, 1_500 + 2 * round_trip_ms + apart_ms, 29):
        server = SlowServer(round_trip_ms)
        presses = {0, *range(400, release_ms + 1, apart_ms)}
        for now_ms in range(release_ms + 1_000):
            if now_ms in presses:
                server.repeats.press(EAST, now_ms)
            server.pass_ms(now_ms)
        assert len([at for at in server.steps_ms if at > max(presses)]) <= 1
        held_ms = release_ms - 400
        assert len(server.steps_ms) >= held_ms // (round_trip_ms + apart_ms + 1)


def test_a_held_key_on_a_slow_line_shows_no_banner() -> None:
    """U15: at a round trip of 300 ms no command of a held key waits for its answer long enough for a banner."""
    server = SlowServer(300)
    for now_ms in range(20_000):
        if now_ms % 33 == 0:
            server.repeats.press(EAST, now_ms)
        server.pass_ms(now_ms)
    assert len(server.steps_ms) > 50
    assert server.late_ms <= 300 < UNANSWERED_MS


def test_two_presses_on_purpose_are_two_steps() -> None:
    """U12: a second press waits behind the first, and is carried out after it."""
    server = SlowServer(300)
    for now_ms in range(1_500):
        if now_ms in (0, 120):
            server.repeats.press(EAST, now_ms)
        server.pass_ms(now_ms)
    assert len(server.steps_ms) == 2
