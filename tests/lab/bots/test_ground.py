"""Bots that use ground: they leave what harms, keep off it, burn what foes stand on, and work devices; others do not."""

import pytest
from msgspec.structs import replace

from gloam_lab.balance.simulation import Simulation
from gloam_lab.bots import Adventurer, Style
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Cast, Climb, Move
from gloam_shared.view.menace import DamageKind
from gloam_shared.view.surfaces import SurfaceFlag, SurfaceLook
from gloam_shared.view.view import MagicEffect, Spell, Stat, View
from support.bots.drawn_views import view
from support.content.campaigns import shipped
from support.content.surface_campaign import tinder
from support.scenarios.device_scenario import machine
from support.scenarios.scenario import Scenario

pytestmark = pytest.mark.unchecked

BOLT = Spell(
    "bolt", "bolt", 3, "creature", 7, 0, "", effect=MagicEffect.HARM, damage=5, deals=DamageKind.FIRE
)
CHILL = replace(BOLT, key="chill", deals=DamageKind.COLD)
OIL = SurfaceLook("oil", "It burns.", ",", ",", "brown")
FIRE = SurfaceLook("fire", "It burns.", "^", "^", "orange", 5, 1, int(SurfaceFlag.SHINES))
LEVER = SurfaceLook("lever", "Pull it.", "/", "/", "yellow", marks=int(SurfaceFlag.STAYS))
FAR = 20


def burning(drawing: str, surfaces: str) -> View:
    """Return the view of a player among surfaces of the tinder campaign."""
    return Scenario(drawing, surfaces=surfaces, campaign=tinder(), k="kobold").view()


def facing(*spells: Spell, near: int = FAR, **laid: SurfaceLook) -> View:
    """Return the view of a weak foe some cells away, with a surface below it (`there`) or below the player (`here`)."""
    seen = view(near)
    sheet = list(seen.sheet)
    sheet[Stat.ATTACK], sheet[Stat.MANA] = 30, 9
    cells = bytearray(len(seen.terrain))
    for at, where in enumerate(laid, start=1):
        cells[near if where == "there" else seen.cell] = at
    own, foe = seen.creatures
    weak = replace(foe, attack=1, hp=3, hp_max=3)
    return replace(
        seen,
        sheet=tuple(sheet),
        spells=spells,
        creatures=(own, weak),
        surfaces=bytes(cells) if laid else b"",
        surface_looks=tuple(laid.values()),
    )


@pytest.mark.parametrize("drawing", ["#1..", "#1.k"])
def test_it_leaves_what_burns_it(drawing: str) -> None:
    """It does so in a fight, too; another one stays and fights, or lets it burn."""
    assert Adventurer(uses_ground=True).decide(burning(drawing, ".f..")) == Move(1, 0)


def test_it_waits_before_fire_in_the_only_way() -> None:
    fire = burning("#1.>", "..f.")
    assert Adventurer().decide(fire) == Move(1, 0)
    assert not isinstance(Adventurer(uses_ground=True).decide(fire), Move)
    ended = burning("#1.>", "....")
    assert Adventurer(uses_ground=True).decide(ended) == Move(1, 0)


def test_it_enters_no_web_before_a_foe() -> None:
    assert Adventurer().decide(burning("#1.k", "..w.")) != Move(1, 0)
    assert Adventurer(uses_ground=True).decide(burning("#1..k", "..w..")) != Move(1, 0)
    assert Adventurer(uses_ground=True).decide(burning("#1.>", "..w.")) == Move(1, 0)


def test_it_burns_a_foe_on_oil() -> None:
    """It does so with fire alone, from three cells away on, and not while it stands on oil itself."""
    fighter = Style.FIGHTER
    assert Adventurer(fighter, uses_ground=True).decide(facing(BOLT, there=OIL)) == Cast("bolt", FAR)
    for other in (
        facing(CHILL, there=OIL),
        facing(BOLT),
        facing(BOLT, there=FIRE),
        facing(BOLT, there=LEVER),
        facing(BOLT, there=OIL, here=OIL),
        facing(BOLT, near=18, there=OIL),
    ):
        assert not isinstance(Adventurer(fighter, uses_ground=True).decide(other), Cast)
    assert not isinstance(Adventurer(fighter).decide(facing(BOLT, there=OIL)), Cast)


def test_it_burns_a_foe_on_grass() -> None:
    seen = facing(BOLT)
    terrain = bytearray(seen.terrain)
    terrain[FAR] = Terrain.GRASS
    assert Adventurer(uses_ground=True).decide(replace(seen, terrain=bytes(terrain))) == Cast("bolt", FAR)


@pytest.mark.rule("F176")
def test_it_works_levers_before_it_goes_down() -> None:
    room, lever = "#####\n#1.>#\n#####", ".....\n.....\n###l#".replace("#", ".")
    scenario = machine(room, lever)
    assert Adventurer().decide(scenario.view()) in (Move(1, 0), Climb(down=True))
    bot, pulled = Adventurer(uses_ground=True), False
    for _ in range(6):
        command = bot.decide(scenario.view())
        pulled = pulled or command in (Move(1, 1), Move(0, 1))
        if isinstance(command, Climb):
            break
        scenario.turn(("1", command))  # type: ignore[arg-type]  # steps and waits
    assert pulled
    assert isinstance(command, Climb)


def test_the_same_seed_gives_the_same_lives() -> None:
    """The same seed gives the same lives again; without the option the lives are as before."""
    gloam = shipped("gloam")
    plain, ground, again = (
        Simulation(gloam, 5, 1, turns_max=500, ground=uses).play() for uses in (False, True, True)
    )
    assert ground == again
    assert plain == Simulation(gloam, 5, 1, turns_max=500).play()
