"""The replica of a view process: it becomes what the dungeon is, or it shows nothing."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from gloam_lab.bots import Adventurer
from gloam_server.link.link_messages import DurableBatch, ToViewProcess, decode_to_views, encode
from gloam_server.world.transition import dungeon as dungeon_module
from gloam_shared.protocol.commands import Wait
from gloam_shared.protocol.messages.lives import Died
from gloam_shared.protocol.messages.play import Answer, Update
from support.content.campaigns import shipped
from support.link.sim_views import SimView
from support.run.effort import effort
from support.server.parties import SPACING_MS
from support.server.sim_server import SimClient, SimServer

ROUNDS = effort(40, 200)
ALIKE_EVERY = 20


def assert_alike(server: SimServer) -> None:
    """Each replica has the hash of the turn process's dungeon."""
    for view in server.views:
        if view.up.is_open:
            assert view.replica is not None
            assert view.replica.dungeon.state_hash() == server.dungeon.state_hash()


def tampered(view: SimView, change: Callable[[DurableBatch], ToViewProcess | None]) -> None:
    """Let each durable batch that this view process gets from now on be another one, or none."""
    send = view.down.send

    def send_changed(body: bytes) -> None:
        message = decode_to_views(body)
        changed = change(message) if isinstance(message, DurableBatch) else message
        if changed is not None:
            send(encode(changed))

    view.down.send = send_changed  # type: ignore[method-assign]


def with_other_digest(batch: DurableBatch) -> DurableBatch:
    *before, last = batch.records
    assert last.digest is not None, "the last record of a batch has a digest"
    return replace(batch, records=[*before, replace(last, digest=last.digest ^ 1)])


def two_players() -> tuple[SimServer, SimClient, SimClient]:
    server = SimServer(views=2)
    return server, server.join("Anna"), server.join("Bert")


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(effort(1, 2)))
def test_a_replica_becomes_what_the_dungeon_is(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots explore, fight and die; one view process begins late."""
    monkeypatch.setattr(dungeon_module, "HASH_EVERY", 25)
    server = SimServer(shipped("gloam"), seed, views=2)
    players = [(server.join(name), Adventurer()) for name in ("Anna", "Bert", "Carl")]
    for round_ in range(ROUNDS):
        if round_ == ROUNDS // 2:
            server.begin_view()
        for client, bot in players:
            if client.of_kind(Died):
                client.hear()
                client.begin_again()
            elif client.link.unanswered is None:
                for answer in [each for each in client.hear() if isinstance(each, Answer)]:
                    bot.hear(client.view, answer)
                client.command(bot.decide(client.view))
        server.advance(SPACING_MS)
        if round_ % ALIKE_EVERY == 0:
            assert_alike(server)
    assert_alike(server)
    assert [each.ended for each in server.views] == [[], [], []]
    assert server.dungeon.sequence(1) > ROUNDS


def test_a_batch_with_another_digest_is_not_shown() -> None:
    server, anna, bert = two_players()
    at_anna, at_bert = server.views
    tampered(at_anna, with_other_digest)
    anna.hear()
    position = server.dungeon.sequence(1) + 1
    anna.command(Wait())
    server.advance(SPACING_MS)
    assert [each for each in anna.hear() if isinstance(each, Update)] == []
    assert not anna.up, "its connections end with the view process"
    (why,) = at_anna.ended
    assert f"at input {position} of partition 1, seed 1: its digest differs" in why
    assert bert.up
    assert at_bert.ended == []


def test_a_player_goes_on_at_another_view_process() -> None:
    server, anna, _ = two_players()
    seen = anna.view.terrain
    tampered(server.views[0], with_other_digest)
    number = anna.command(Wait())
    server.advance(SPACING_MS)
    anna.dial()
    server.advance(SPACING_MS)
    assert anna.up
    assert anna.link.unanswered is None, "the command was carried out"
    assert server.body(anna).command == number
    assert anna.view.terrain == seen
    assert_alike(server)


def test_a_view_process_is_built_again() -> None:
    server, anna, _ = two_players()
    tampered(server.views[0], with_other_digest)
    anna.command(Wait())
    server.advance(SPACING_MS)
    again = server.begin_view()
    carl = SimClient(server, "Carl", b"c" * 32)
    server.clients.append(carl)
    server.advance(SPACING_MS)
    carl.command(Wait())
    server.advance(SPACING_MS)
    assert_alike(server)
    assert again.ended == []


def test_a_missing_batch_is_noticed() -> None:
    server, anna, _ = two_players()
    tampered(server.views[0], lambda _: None)
    anna.command(Wait())
    server.advance(SPACING_MS)
    assert server.views[0].ended == []
    del server.views[0].down.send
    anna.command_at_once(Wait())
    server.advance(SPACING_MS)
    (why,) = server.views[0].ended
    assert "the record does not follow" in why


def test_a_record_that_fails_ends_a_replica() -> None:
    server, anna, _ = two_players()
    tampered(
        server.views[0],
        lambda batch: replace(batch, records=[replace(each, body=b"\xc1") for each in batch.records]),
    )
    anna.command(Wait())
    server.advance(SPACING_MS)
    (why,) = server.views[0].ended
    assert "it cannot be applied" in why
