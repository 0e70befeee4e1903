"""The real client, without a terminal, against the stand-in server: aiming, casting, finding, and a death with a keepsake."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from gloam_shared.protocol.commands import AnyCommand, Cast, Fire, Travel
from gloam_shared.protocol.messages.chat import MapPing, MapPinged, SendChat
from gloam_shared.protocol.messages.lives import Died, NewLife
from gloam_shared.protocol.messages.play import SubmitCommand
from gloam_shared.view.view import Creature, CreatureFlag, Friend, InventoryItem, Item, ItemFlag, Spell, Stat
from support.client.fake_dungeon import ServerThread, join
from support.client.fake_server import FakeServer
from support.processes.screen import attentive

pytestmark = pytest.mark.end_to_end

BOW = InventoryItem(0, ")", "brown", "bow", ItemFlag.WIELDABLE | ItemFlag.WIELDED | ItemFlag.SHOOTS, 1, 0, 0)
FIREBALL = Spell("fireball", "fireball", 5, "cell", 6, 2, "Fire for all around there.")


def arm(server: FakeServer) -> int:
    """Give the player a bow and a spell, and put a rat and a friend beside it before them; return the rat's cell."""
    cell = server.view.cell
    server.view = replace(
        server.view,
        creatures=(
            *server.view.creatures,
            Creature(
                20, cell + 4, 3, 5, 1, CreatureFlag.HOSTILE | CreatureFlag.HOLDS_YOU, "r", "brown", "rat", 2
            ),
            Creature(21, cell + 5, 30, 40, 2, CreatureFlag.PLAYER, "@", "cyan", "Bert"),
        ),
        inventory=(BOW,),
        spells=(FIREBALL,),
    )
    for fact, value in ((Stat.REACH, 6), (Stat.MANA, 12), (Stat.MANA_MAX, 20)):
        server.change_fact(fact, value)
    server.push()
    return cell + 4


def orders(dungeon: ServerThread) -> list[AnyCommand]:
    return [message.command for message in dungeon.server.heard if isinstance(message, SubmitCommand)]


@pytest.mark.rule("TG.28", "RG.26")
def test_the_only_foe_in_reach_is_shot(dungeon: ServerThread, tmp_path: Path) -> None:
    with join(dungeon, tmp_path) as ann:
        ann.wait_for("HP 40/40")
        rat = dungeon.do(lambda: arm(dungeon.server))
        ann.wait_for("Reach 6")
        ann.type("f")
        ann.wait_for(lambda _: orders(dungeon) == [Fire(rat)])


@pytest.mark.rule("RG.26")
def test_a_spell_names_friends_in_its_blast(dungeon: ServerThread, tmp_path: Path) -> None:
    """A spell is listed, aimed and cast, and the friends in its blast are named."""
    with join(dungeon, tmp_path) as ann:
        ann.wait_for("HP 40/40")
        rat = dungeon.do(lambda: arm(dungeon.server))
        ann.wait_for("MP 12/20")
        ann.type("c")
        ann.wait_for("a - fireball  5 mana, at a cell within 6, blast 2")
        ann.type("a")
        ann.wait_for("Bert stands in the blast.")
        ann.type("@\r")
        ann.wait_for("Really target yourself?")
        ann.type("\r")
        ann.wait_for(lambda rows: "Really target yourself?" not in "".join(rows))
        assert orders(dungeon) == []
        ann.type("ca\r")
        ann.wait_for(lambda _: orders(dungeon) == [Cast("fireball", rat)])


def lay(server: FakeServer, *, lit: bool) -> int:
    """Let an apple lie before the player, in sight or in the dark; return its cell."""
    cell = server.view.cell + 3
    apple = Item(30, cell, 1, "%", "red", "apple")
    sight = server.view.sight if lit else bytes(len(server.view.sight))
    server.view = replace(server.view, items=(apple,) if lit else (), sight=sight)
    server.push()
    return cell


def test_sight_stays_map_and_found_name(dungeon: ServerThread, tmp_path: Path) -> None:
    """A thing out of sight stays on the map and is found by its name."""
    with join(dungeon, tmp_path) as ann:
        ann.wait_for("HP 40/40")
        dungeon.do(lambda: lay(dungeon.server, lit=True))
        ann.wait_for("@··%")
        apple = dungeon.do(lambda: lay(dungeon.server, lit=False))
        ann.type("x")
        ann.wait_for(lambda rows: any("@}.%" in row for row in rows))
        ann.type("\x1b")
        ann.type("/")
        ann.wait_for("3 steps east         % - An apple.")
        ann.type("appl\r")
        ann.wait_for(lambda _: orders(dungeon) == [Travel(apple, pick_up=True)])


def test_friends_call_to_each_other_in_one_key(dungeon: ServerThread, tmp_path: Path) -> None:
    def company(server: FakeServer) -> int:
        server.view = replace(server.view, party=(Friend("Bert", 1, 2, 4, 0),))
        server.push()
        server.send(MapPinged("Bert", "danger", 1, server.view.cell + 4))
        return server.view.cell

    with join(dungeon, tmp_path) as ann:
        ann.wait_for("HP 40/40")
        here = dungeon.do(lambda: company(dungeon.server))
        rows = ann.wait_for("Bert pings: danger! 4 steps east.")
        y, x = next((y, row.index("@")) for y, row in enumerate(rows) if "@" in row)
        assert (rows[y][x + 3], rows[y][x + 5]) == ("X", "X")
        ann.type("p")
        ann.wait_for("Ping what to the others?")
        ann.type("c")
        ann.wait_for(lambda _: MapPing("come", 1, here) in dungeon.server.heard)


def test_death_offers_keepsakes_and_heir_begins(dungeon: ServerThread, tmp_path: Path) -> None:
    """A death offers keepsakes and the heir begins with the chosen one."""
    with join(dungeon, tmp_path) as ann:
        ann.wait_for("HP 40/40")
        died = Died(
            "rat", 2, 3, 45, 678, 9, 5, life=("Ann, the first of the line.",), keepsakes=("bow", "apple")
        )
        dungeon.do(lambda: dungeon.server.send(died))
        attentive(ann, "You are dead")
        for words in ("Ann was killed by a rat.", "Ann, the first of the line.", "a > bow", "b - apple"):
            assert words in ann.text()
        ann.type("b")
        ann.wait_for("b > apple")
        ann.type("\r")
        ann.wait_for(lambda rows: "You are dead" not in "".join(rows))
        assert NewLife(1, 1) in dungeon.server.heard


def test_a_line_typed_at_death_is_said(dungeon: ServerThread, tmp_path: Path) -> None:
    """P19: the line stays; its Enter says it, and one more Enter directly after it begins no life."""
    with join(dungeon, tmp_path) as ann:
        ann.wait_for("HP 40/40")
        ann.type(":hel")
        ann.wait_for("Say: hel")
        dungeon.do(lambda: dungeon.server.send(Died("rat", 2, 3, 45, 678, 9, 5)))
        ann.wait_for("You are dead")
        ann.type("p")
        ann.wait_for("Say: help")
        ann.type(" me\r\r")
        dungeon.wait_for(lambda: SendChat("help me") in dungeon.server.heard)
        ann.wait_for("no key counted")
        attentive(ann, "You are dead")
        assert not [each for each in dungeon.server.heard if isinstance(each, NewLife)]
        ann.type("\r")
        dungeon.wait_for(lambda: NewLife(1, None) in dungeon.server.heard)


def test_keys_at_the_moment_of_death_do_nothing(dungeon: ServerThread, tmp_path: Path) -> None:
    """Letters and Enter that follow a death immediately write no dump, open no list and begin no life."""
    with join(dungeon, tmp_path) as ann:
        ann.wait_for("HP 40/40")
        dungeon.do(lambda: dungeon.server.send(Died("rat", 2, 3, 45, 678, 9, 5)))
        ann.wait_for("You are dead")
        ann.type("oDm:\r")
        ann.wait_for("no key counted")
        attentive(ann, "You are dead")
        assert not (tmp_path / "dumps").exists()
        assert not [each for each in dungeon.server.heard if isinstance(each, NewLife)]
