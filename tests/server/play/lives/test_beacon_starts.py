"""A new life begins at a lit beacon, by a message that is checked at the door and in the realm (rule F188)."""

import pytest

from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import EnterPlay, Leave, RecordBeacon
from gloam_server.world.realm.realm import beacons_of
from gloam_shared.protocol.commands import Wait
from gloam_shared.protocol.messages.lives import BeaconOffer, BeginAtBeacon, ChooseKit
from gloam_shared.protocol.messages.login import Error, Joined, Welcome
from gloam_shared.view.surfaces import surface_at
from support.content.beacon_campaign import beacon_arena
from support.content.campaigns import arena
from support.server.journal_checks import whole
from support.server.parties import SPACING_MS, clear, slain, turn
from support.server.sim_server import SimClient, SimServer

pytestmark = pytest.mark.rule("F188")

DEEP = BeaconOffer("the fire of the deep", 2, 4)


def lit(*names: str) -> tuple[SimServer, list[SimClient]]:
    """Return a server whose beacon on depth 2 burns, and players who have joined it since."""
    server = SimServer(campaign=beacon_arena())
    server.join("Zoe")
    server.advance(200)
    light(server)
    players = [server.join(name) for name in names]
    server.advance(200)
    return server, players


def light(server: SimServer) -> None:
    surfaces = server.dungeon.levels[2].state.surfaces
    assert surfaces, "the dark beacon lies there"
    [cell] = [cell for cell, kind in enumerate(surfaces.cells) if kind]
    server.engine.loop.submit(REALM_PARTITION, RecordBeacon(2, cell, 1, (99, 1, 0)))
    server.advance(200)
    assert list(beacons_of(server.dungeon.realm).lit) == [2]


def ask(server: SimServer, player: SimClient, depth: int, life: int = 1) -> list[str]:
    """Send the message by hand; return the codes of the errors that answer it."""
    before = len(player.of_kind(Error))
    player.send(BeginAtBeacon(life, depth))
    server.advance(SPACING_MS)
    return [error.code for error in player.of_kind(Error)[before:]]


def test_a_life_is_offered_lit_beacons() -> None:
    """`Joined` lists those that burn; the life goes there with its level and kit, and what it chose goes along."""
    server, (ann,) = lit("Ann")
    assert ann.of_kind(Joined)[-1].beacons == (DEEP,)
    assert ask(server, ann, 2) == []
    body = server.body(ann)
    assert server.level_of(ann).partition == 2
    assert (body.level, body.hp) == (4, body.hp_max)
    assert ann.view.place.depth == 2
    assert ann.view.place.name.endswith(", beacons 1/2")
    clear(server, ann)
    turn(server, ann, Wait())
    whole(server)


def test_foes_in_its_light_fall_asleep() -> None:
    """New lives began beside awake foes of depth 10, and died before their first command."""
    server, (ann,) = lit("Ann")
    level = server.dungeon.levels[2]
    surfaces = level.state.surfaces
    [cell] = [cell for cell, kind in enumerate(surfaces.cells if surfaces else ()) if kind]
    near = server.put("kobold", cell + 1, 2)
    assert not near.asleep
    assert ask(server, ann, 2) == []
    seen = level.field_of_view(server.body(ann))
    foes = [each for each in level.creatures.values() if not each.account and seen[each.cell]]
    assert near in foes
    assert all(each.asleep for each in foes)
    server.advance(2_000)
    assert near.asleep
    whole(server)


def test_a_beacon_is_chosen_once_and_at_the_start() -> None:
    """A dark or unknown beacon, twice, after a command, of another life: refused or ignored, and nothing moves."""
    server, (ann, bert, carl) = lit("Ann", "Bert", "Carl")
    assert ask(server, ann, 2) == []
    assert ask(server, ann, 2) == ["beacon"]
    clear(server, bert)
    turn(server, bert, Wait())
    assert ask(server, bert, 2) == ["beacon"]
    assert ask(server, carl, 1) == ["beacon"]
    assert ask(server, carl, 9) == ["beacon"]
    assert ask(server, carl, 2, life=2) == []
    assert [server.level_of(each).partition for each in (ann, bert, carl)] == [2, 1, 1]
    whole(server)


@pytest.mark.parametrize(
    ("depth", "acts", "goes_to"), [(2, False, 2), (2, True, 1), (1, False, 1), (9, False, 1)]
)
def test_the_realm_moves_no_life_that_has_begun(depth: int, acts: bool, goes_to: int) -> None:
    """The same inputs written by hand, past the door: only a life without a command goes, and only to a lit beacon."""
    server, (ann,) = lit("Ann")
    if acts:
        clear(server, ann)
        turn(server, ann, Wait())
    body = server.body(ann)
    server.engine.loop.submit(1, Leave(body.number))
    server.engine.loop.submit(REALM_PARTITION, EnterPlay(body.account, "Ann", beacon=depth))
    server.advance(200)
    assert server.level_of(ann).partition == goes_to
    whole(server)


def test_heirs_begin_at_beacons() -> None:
    server, (ann,) = lit("Ann")
    assert ask(server, ann, 2) == []
    slain(server, ann)
    ann.begin_again()
    server.advance(SPACING_MS)
    assert ann.of_kind(Joined)[-1].beacons == (DEEP,)
    assert ask(server, ann, 2, life=2) == []
    assert server.level_of(ann).partition == 2


def test_the_start_survives_a_crash() -> None:
    """The journal has the start once: after a restart the life is at the beacon, and none is offered."""
    server, (ann,) = lit("Ann")
    assert ask(server, ann, 2) == []
    carried = [item.number for item in server.body(ann).carried]
    server.crash()
    server = server.again()
    ann = server.join("Ann")
    server.advance(200)
    assert server.level_of(ann).partition == 2
    assert [item.number for item in server.body(ann).carried] == carried
    assert ann.of_kind(Joined)[-1].beacons == ()


def test_older_clients_begin_at_the_entrance() -> None:
    """A client without the ability gets no offer; a campaign without beacons has no such ability."""
    server, _ = lit()
    ann = server.join("Ann", lacks="beacons")
    server.advance(200)
    assert ann.of_kind(Joined)[-1].beacons == ()
    assert server.level_of(ann).partition == 1
    plain = SimServer(campaign=arena())
    bert = plain.join("Bert")
    plain.advance(200)
    assert "beacons" not in bert.of_kind(Welcome)[0].abilities
    assert ask(plain, bert, 1) == ["beacon"]


def test_a_kit_chosen_before_goes_along() -> None:
    """The kit is chosen before or after: both are free of time, and each counts once."""
    server = SimServer(campaign=beacon_arena())
    ann = server.join("Ann")
    server.advance(200)
    light(server)
    ann.send(ChooseKit(1, 0))
    server.advance(SPACING_MS)
    assert ask(server, ann, 2) == []
    assert server.level_of(ann).partition == 2


def test_the_beacon_is_seen_where_it_burns() -> None:
    """It lies on its cell as a surface, with words for a look, and gives light."""
    server, (ann,) = lit("Ann")
    assert ask(server, ann, 2) == []
    clear(server, ann)
    turn(server, ann, Wait())
    [cell] = [cell for cell, kind in enumerate(ann.view.surfaces) if kind]
    look = surface_at(ann.view.surface_looks, ann.view.surfaces, cell)
    assert look is not None
    assert look.name == "a beacon"
