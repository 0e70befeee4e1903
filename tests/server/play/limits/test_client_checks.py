"""The refusals of the client before it sends anything, and the server's own check of each: the message is sent by hand.

A rule that only the shipped client keeps is no rule. The list of the client's checks is made from its code: a new check
needs a row here, and behind the row a message by hand, or the reason why the check keeps no rule.
"""

import ast
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import pytest

import gloam_client
from gloam_shared.appearance import Terrain
from gloam_shared.protocol import commands
from gloam_shared.protocol.messages.chat import MapPing, MapPinged
from gloam_shared.protocol.messages.lives import JoinFriend
from gloam_shared.protocol.messages.login import Error
from gloam_shared.protocol.messages.parties import AnswerInvite, InviteToParty, LeadParty, LeaveParty
from gloam_shared.protocol.messages.play import Answer
from gloam_shared.protocol.messages.watching import EndWatching
from gloam_shared.protocol.registry import FromClient
from gloam_shared.view.view import Stat
from support.server.parties import actions, carrying, company
from support.server.sim_server import SimClient, SimServer

SCREEN: Final = "moves only what the screen shows; no message follows"
OWN: Final = "a notice about the player's own typing or connection, which keeps no rule of the game"
ABILITY: Final = "what a server without the ability would not understand"
MACHINE: Final = "about files and servers of the player's own machine"

CHECKS: Final[Mapping[str, str]] = {
    "actions._back": OWN,
    "actions._choose": "choose",
    "actions._say": SCREEN,
    "actions.press": SCREEN,
    "chat_line._complete": OWN,
    "chat_line._recall": OWN,
    "chat_line._send": OWN,
    "chat_line.run_chat_line": OWN,
    "chronicle.open_chronicle": ABILITY,
    "command_effects._send": ABILITY,
    "command_effects.command_effect": ABILITY,
    "command_effects.early_notice": OWN,
    "command_effects.message": OWN,
    "command_effects.offline_notice": OWN,
    "cursor._jump": SCREEN,
    "dead._marking": SCREEN,
    "direction.ask_close_direction": "close",
    "direction.ask_dig_direction": "dig",
    "direction.help_downed": "a downed friend beside: tests/scenarios/party/test_friends.py",
    "direction.on_key": "close",
    "duel_requests.duel_effect": "duel",
    "dungeons._go": MACHINE,
    "exploration.explore_effect": SCREEN,
    "find._towards": "climb",
    "find.on_key": SCREEN,
    "find.open_find": SCREEN,
    "find_friends._beside": "travel",
    "find_friends._by_stairs": "climb",
    "find_friends._no_way": "travel",
    "find_friends._said": SCREEN,
    "find_friends.go_to_friend": "join a friend",
    "find_friends._travel_towards": "join a friend",
    "item_list.open_list": "empty slots",
    "item_uses._give": "give",
    "item_uses.fire": "fire",
    "keep_name.ask_link": ABILITY,
    "keys_screen.on_key": MACHINE,
    "beacon_screen._take": OWN,
    "kit_screen._take": OWN,
    "kit_screen.on_key": OWN,
    "ladder.open_ladder": ABILITY,
    "level_up.on_key": OWN,
    "message_history._about_speaker": OWN,
    "party_requests.ask": ABILITY,
    "party_requests.run_party_command": OWN,
    "party_screen._invite": "party",
    "party_screen._of_member": "party",
    "party_screen._of_own": "party",
    "party_screen.on_key": "party",
    "party_screen.open_party": ABILITY,
    "ping._call": "ping",
    "ping.ask_ping": OWN,
    "pointing._go": "travel",
    "pointing._left": SCREEN,
    "pointing.paste_into": OWN,
    "replay_view._type": MACHINE,
    "secret_line._set": "a password's length: tests/server/sessions/test_session.py",
    "servers._go": MACHINE,
    "spell_list.cast": "cast",
    "spell_list.open_list": "cast",
    "start_trade.open_trade": "trade",
    "start_trade.trade_with": "trade",
    "target._done": "aim",
    "target.on_key": "aim",
    "trade_screen._confirmed": "confirm",
    "trade_screen._counted": "trade",
    "trade_screen.on_key": "confirm",
    "watch_list.on_key": OWN,
    "watch_view.on_key": OWN,
    "watchers_screen.open_watchers": "watchers",
    "window.wrong_key": SCREEN,
    "word_commands._answer": OWN,
    "word_commands._lists": OWN,
    "word_commands._log": OWN,
    "word_commands._report": OWN,
    "word_commands._spoken": OWN,
    "word_commands._whisper": OWN,
    "worlds._ask_delete": MACHINE,
    "worlds._seeded": MACHINE,
}
"""By function of the client that refuses: the messages by hand in `BY_HAND`, or why none is needed."""

FAR: Final = 25
NO_HANDLE: Final = 9_999


def slots_of(server: SimServer, anna: SimClient, *kinds: str) -> list[int]:
    """Return the slots of items that the player now carries."""
    numbers = carrying(server, anna, *kinds)
    at = {item.number: slot for slot, item in enumerate(server.body(anna).slots) if item}
    return [at[number] for number in numbers]


_BY_SLOT: Final = (
    commands.Drop,
    commands.Eat,
    commands.Wield,
    commands.Wear,
    commands.Quaff,
    commands.Read,
    commands.Zap,
    commands.PutOn,
    commands.Use,
)


def use_of_nothing(*_: object) -> list[commands.AnyCommand]:
    """Return each use of an empty slot, and of an item that does not lie here."""
    return [*(kind(FAR) for kind in _BY_SLOT), commands.PickUp((NO_HANDLE,))]


def wrongly_used(server: SimServer, anna: SimClient) -> list[commands.AnyCommand]:
    """Return the uses that a sword and a rock are not made for."""
    sword, rock = slots_of(server, anna, "sword", "rock")
    return [
        *(
            kind(sword)
            for kind in (
                commands.Eat,
                commands.Quaff,
                commands.Read,
                commands.Zap,
                commands.PutOn,
                commands.Use,
                commands.Wear,
            )
        ),
        *(
            kind(rock)
            for kind in (commands.Wield, commands.Wear, commands.PutOn, commands.Zap, commands.Read)
        ),
    ]


def aims(server: SimServer, anna: SimClient) -> list[commands.AnyCommand]:
    """Return throws at places that cannot be aimed at."""
    [sword] = slots_of(server, anna, "sword")
    body, level = server.body(anna), server.level_of(anna)
    unseen = level.grid.size - 1 if body.cell < level.grid.size // 2 else 0
    return [commands.Throw(sword, body.cell), commands.Throw(sword, unseen), commands.Throw(sword, 65_535)]


def trades(server: SimServer, anna: SimClient) -> list[commands.AnyCommand]:
    [sword] = slots_of(server, anna, "sword")
    own = server.body(anna)
    handle = anna.view.fact(Stat.HANDLE)
    assert own.number
    return [
        commands.OfferTrade(NO_HANDLE),
        commands.OfferTrade(handle),
        commands.OfferTrade(NO_HANDLE, (sword, 1)),
        commands.EndTrade(),
    ]


def gifts(server: SimServer, anna: SimClient) -> list[commands.AnyCommand]:
    [sword] = slots_of(server, anna, "sword")
    return [
        commands.Give(sword, NO_HANDLE),
        commands.Give(sword, anna.view.fact(Stat.HANDLE)),
        commands.Give(FAR, NO_HANDLE),
    ]


COMMANDS: Final[Mapping[str, Callable[[SimServer, SimClient], list[commands.AnyCommand]]]] = {
    "choose": lambda *_: [commands.Choose(0), commands.Choose(15)],
    "close": lambda *_: [commands.Close(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy],
    "dig": lambda *_: [commands.Dig(0, 0), commands.Dig(1, 0)],
    "duel": lambda _, anna: [
        commands.Duel(NO_HANDLE),
        commands.Duel(anna.view.fact(Stat.HANDLE)),
        commands.Duel(NO_HANDLE, agree=False),
    ],
    "climb": lambda *_: [commands.Climb(down=True), commands.Climb(down=False)],
    "travel": lambda server, anna: [
        commands.Travel(server.level_of(anna).terrain.index(Terrain.WALL)),
        commands.Travel(65_535),
    ],
    "empty slots": use_of_nothing,
    "wrong uses": wrongly_used,
    "give": gifts,
    "fire": lambda _, anna: [
        commands.Fire(anna.view.cell),
        commands.Fire(0),
        *(commands.Fire(one.cell) for one in anna.view.creatures),
    ],
    "cast": lambda _, anna: [
        commands.Cast("no such spell"),
        commands.Cast("fireball", anna.view.cell),
        commands.Cast(""),
    ],
    "trade": trades,
    "confirm": lambda *_: [commands.ConfirmTrade(NO_HANDLE, 0), commands.ConfirmTrade(NO_HANDLE, 7)],
    "aim": aims,
    "no command here": lambda *_: [commands.Shout()],
}
MESSAGES: Final[Mapping[str, tuple[FromClient, ...]]] = {
    "party": (
        InviteToParty("Nobody99"),
        InviteToParty("Anna"),
        AnswerInvite("Bert"),
        AnswerInvite("", accept=False),
        LeaveParty(),
        LeaveParty("Bert"),
        LeadParty("Bert"),
        LeadParty(),
    ),
    "join a friend": (JoinFriend(1, None, "Nobody99"), JoinFriend(1, None, "Anna")),
}


def refusing_functions() -> set[str]:
    """Return the functions of the client that show a message of its own in place of what was asked."""
    found = set()
    for path in sorted(Path(gloam_client.__file__ or "").parent.rglob("*.py")):
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef) and any(map(_shows_message, ast.walk(function))):
                found.add(f"{path.stem}.{function.name}")
    return found


def _shows_message(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) in (
        "message",
        "ShowMessage",
        "client_effects.ShowMessage",
    )


@pytest.mark.thorough
def test_each_check_of_the_client_has_a_row() -> None:
    assert refusing_functions() == set(CHECKS)


def test_each_row_has_its_message_or_its_reason() -> None:
    sent = {*COMMANDS, *MESSAGES, "ping", "watchers"}
    reasons = {SCREEN, OWN, ABILITY, MACHINE}
    assert all(row in sent or row in reasons or "tests/" in row for row in CHECKS.values())


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_by_hand_is_refused(name: str) -> None:
    """The server answers with a reason; no turn passes, and nothing about the body changes."""
    server, (anna, bert) = company("Anna", "Bert")
    for command in COMMANDS[name](server, anna):
        server.advance(1_000)
        anna.hear()
        before = _state(server, anna), _state(server, bert)
        number = anna.command_at_once(command)
        server.advance(1_000)
        found = [each for each in anna.of_kind(Answer) if each.number == number]
        assert len(found) == 1, (command, anna.got)
        [answer] = found
        assert answer.text, command
        assert answer.code in ("cannot", "gone", "rock", "state", "choice", "ended", "foe"), command
        assert answer.reason or answer.code in ("gone", "rock", "state", "choice", "foe"), command
        assert (_state(server, anna), _state(server, bert)) == before, command


def test_a_throw_at_a_friend_by_hand_harms_no_friend() -> None:
    """The client asks before it; by hand it is a gift that lies at the friend's feet. A shot is refused without a turn."""
    server, (anna, bert) = company("Anna", "Bert")
    body, friend = server.body(anna), server.body(bert)
    sword, rock = slots_of(server, anna, "sword", "rock")
    hp, before = friend.hp, actions(server, anna)
    for slot in (sword, rock):
        anna.command_at_once(commands.Throw(slot, friend.cell))
        server.advance(1_000)
    assert actions(server, anna) == before + 2
    assert body.slots[sword] is body.slots[rock] is None
    assert (friend.hp, bert.view.fact(Stat.HP)) == (hp, hp)
    assert [thing.name for thing in bert.view.pile] == ["sword", "rock"]
    assert not friend.contacts


@pytest.mark.parametrize("name", MESSAGES)
def test_a_message_by_hand_is_refused(name: str) -> None:
    server, (anna, bert) = company("Anna", "Bert")
    for message in MESSAGES[name]:
        anna.hear()
        before = _state(server, anna), _state(server, bert)
        anna.send(message)
        server.advance(1_000)
        assert [error.text for error in anna.of_kind(Error)], message
        assert (_state(server, anna), _state(server, bert)) == before, message


@pytest.mark.parametrize(
    "ping", [MapPing("come", 7, 0), MapPing("mine", 1, 65_535), MapPing("thanks", 1_000, 1)]
)
def test_a_ping_for_another_level_reaches_no_player(ping: MapPing) -> None:
    server, (anna, bert) = company("Anna", "Bert")
    anna.send(ping)
    server.advance(1_000)
    assert not bert.of_kind(MapPinged)
    assert not anna.of_kind(MapPinged)


def test_ending_a_strangers_watching_changes_nothing() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    before = _state(server, anna), _state(server, bert)
    for name in ("Bert", "Nobody99", ""):
        anna.send(EndWatching(name))
        server.advance(1_000)
    assert (_state(server, anna), _state(server, bert)) == before


def _state(server: SimServer, player: SimClient) -> object:
    """Return what an action of a player could change about a body."""
    body = server.body(player)
    things = tuple((item.number, item.bites) if item else None for item in body.slots)
    return actions(server, player), body.cell, body.hp, body.points, things
