"""The roster: its questions change nothing."""

from copy import copy

from support.server.parties import company


def test_asking_enlists_no_player_and_changes_none() -> None:
    server, (anna,) = company("Anna")
    anna.cut()
    again = type(server)(server.campaign, store=server.store)
    roster = again.engine.players
    known = {name: copy(roster.by_account(1)) for name in roster.names()}
    [(player, level, body)] = roster.in_play()
    assert roster.in_dungeon(1) == (player, level, body)
    assert roster.on_level(level) == {body.number: player}
    assert not roster.is_idle()
    assert known == {"Anna": player}


def test_only_open_connections_are_counted() -> None:
    server, (anna, _) = company("Anna", "Bert")
    players = server.engine.players
    assert players.count_connected() == 2
    anna.cut()
    assert players.count_connected() == len(players.connected()) == 1
