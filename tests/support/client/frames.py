"""The screens of the client whose frames are kept: each as a model that is drawn at the usual sizes of a terminal."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from msgspec import structs
from msgspec.structs import replace

from gloam_client.net.own_worlds import OwnWorld
from gloam_client.screens.title.title import Title
from gloam_client.state.home import Home
from gloam_client.state.model import Model
from gloam_client.state.records import Guide, SurfaceFacts
from gloam_client.update import update
from gloam_client.user_files.address import Address
from gloam_client.user_files.recent_servers import RecentServer
from gloam_server.views.level_options import trait_words
from gloam_shared.protocol.messages.chat import HEAL_PING
from gloam_shared.protocol.messages.lives import BeaconOffer, DamageTaken, Died, KitOffer, Recap
from gloam_shared.protocol.messages.login import Joined
from gloam_shared.protocol.messages.parties import MemberMark, PartyMember, PartyState
from gloam_shared.protocol.messages.records import Ladder, LadderRow
from gloam_shared.protocol.registry import FromServer
from gloam_shared.view.choices import GainKind, LevelGain
from gloam_shared.view.downed import marks_of_downed
from gloam_shared.view.view import (
    Creature,
    CreatureFlag,
    FloorItem,
    Friend,
    Log,
    LogLine,
    Skill,
    Stat,
    StatusEffect,
    View,
)
from support.client.aiming_views import ready
from support.client.model_in_play import heard, picture, playing, press
from support.content.campaigns import shipped

WINDOW_SIZES: Final = (
    (44, 20), (44, 24), (60, 20), (61, 37), (79, 24), (80, 24), (109, 24), (110, 20), (111, 60), (200, 60), (250, 100),
)  # fmt: skip
"""The columns and rows of windows at which screens are drawn whole: the smallest, and both sides of each layout's bound."""

FRAMES: Final = Path(__file__).parents[2] / "golden" / "frames"
"""The folder of the frames, one file for each screen."""
SIZES: Final = ((44, 24), (60, 20), (80, 24), (120, 40))
_NARROW: Final = 52
"""The width of a level that leaves room for the side panel at 80x24."""


def frames(make: Callable[[], Model]) -> str:
    """Return a screen at each size, each below a line with the size."""
    return "".join(
        f"--- {width}x{height}\n{_without_ends(picture(structs.replace(base := make(), surface=structs.replace(base.surface, size=(width, height)))))}\n"
        for width, height in SIZES
    )


def _without_ends(frame: str) -> str:
    return "\n".join(row.rstrip() for row in frame.split("\n"))


def scene() -> View:
    """Return a view with a foe beside the player, a friend, a pile, and a fight in the log."""
    view = ready()
    orc = Creature(
        30, view.cell + 1, 12, 24, 3, CreatureFlag.HOSTILE | CreatureFlag.HOLDS_YOU, "o", "green", "orc", 8, 1
    )
    blows = (LogLine("strikes", "orc", "you", 4), LogLine("strikes", "you", "orc", 6))
    return replace(
        view,
        creatures=(*view.creatures, orc),
        pile=(FloorItem(90, "%", "red", "apple"), FloorItem(91, ")", "white", "mace")),
        sheet=(*view.sheet[: Stat.HP], 26, *view.sheet[Stat.HP + 1 :]),
        log=Log(0, (*view.log.lines, *blows)),
    )


def _play() -> Model:
    able = frozenset({"chronicle", "ladder", "parties"})
    model = structs.replace(
        base := playing(ready()),
        world=structs.replace(base.world, abilities=able),
        guidance=structs.replace(base.guidance, guide=Guide("Kill the Gloam on depth 27")),
    )
    return update(model, heard(view=scene()), 1_000)[0]


def narrowed(view: View) -> View:
    """Return a view of a level that leaves room for the side panel at 80x24."""
    width, height = view.place.width, view.place.height
    cut = [view.terrain[at : at + _NARROW] for at in range(0, width * height, width)]
    lit = [view.sight[at : at + _NARROW] for at in range(0, width * height, width)]
    moved = [
        replace(one, cell=one.cell // width * _NARROW + one.cell % width)
        for one in view.creatures
        if one.cell % width < _NARROW
    ]
    place = replace(view.place, width=_NARROW)
    return replace(view, place=place, terrain=b"".join(cut), sight=b"".join(lit), creatures=tuple(moved))


def _narrow_level() -> Model:
    return update(_play(), heard(view=narrowed(scene())), 2_000)[0]


def _told(*messages: FromServer) -> Model:
    return update(_play(), heard(*messages, view=scene()), 2_000)[0]


def _pressed(*keys: str) -> Callable[[], Model]:
    return lambda: press(_play(), *keys, now_ms=2_000)[0]


def _sheet() -> Model:
    """Return the sheet of a digger of the flagship who has chosen a bent and a card, and won a trophy."""
    gloam = shipped("gloam")
    kit = next(kit for kit in gloam.kits if kit.key == "digger")
    skills = (
        Skill("kit", kit.name, kit.words),
        Skill("bent", gloam.bents["fighter"].name, "Strikes hard, and stands what comes back."),
        *(
            Skill("trait", gloam.traits[key].name, trait_words(gloam.traits[key]))
            for key in ("tunneler", "cleave")
        ),
        Skill("trophy", "Skarn's wolf collar", "The wolves hurt you a quarter less."),
    )
    view = replace(scene(), skills=skills)
    return press(update(_play(), heard(view=view), 2_000)[0], "@", now_ms=2_000)[0]


def _level_up() -> Model:
    gains = (LevelGain(GainKind.ATTACK, 300), LevelGain(GainKind.DEFENCE, 200))
    view = replace(scene(), choices=("Attack (+3)", "Defense (+2)"), gains=gains)
    return press(update(_play(), heard(view=view), 2_000)[0], "+", now_ms=2_000)[0]


def downed(view: View, *, oneself: bool = False) -> View:
    """Return a view beside the friend Bert who is down for six turns, or in which one lies down oneself, with Bert near."""
    own = next(one for one in view.creatures if one.marks & CreatureFlag.SELF)
    others = [one for one in view.creatures if one is not own and one.name != "Bert"]
    lying = marks_of_downed(6)
    bert = Creature(
        9, view.cell - 1, 21 if oneself else 1, 40, 2, int(CreatureFlag.PLAYER), "@", "cyan", "Bert"
    )
    if not oneself:
        bert = replace(bert, marks=bert.marks | lying)
    friends = [one for one in view.party if one.name not in (own.name, "Bert")]
    party = (*friends, Friend("Bert", 1, 2, 2 if oneself else 0, bert.marks))
    view = replace(view, creatures=(own, *others, bert), party=party)
    if not oneself:
        return view
    sheet = (*view.sheet[: Stat.HP], 1, *view.sheet[Stat.HP + 1 :])
    lies = Friend(own.name, 1, own.level, 1, int(CreatureFlag.PLAYER) | lying)
    return replace(view, sheet=sheet, party=(lies, *party), states=(StatusEffect("down: 6 turns"),))


def _downed(*, oneself: bool) -> Callable[[], Model]:
    def made() -> Model:
        view = downed(scene(), oneself=oneself)
        model = update(_play(), heard(view=view), 2_000)[0]
        return structs.replace(
            model, world=structs.replace(model.world, abilities=frozenset({"rescue", HEAL_PING}))
        )

    return made


def _ladder() -> Model:
    cyd = LadderRow(1, "Cyd", 31, 28, 900, 90_000, 1, True, "slaying the Gloam", 1_795_521_600)
    ann = LadderRow(2, "Ann", 4, 3, 12, 800, 0, False, "kobold", 1_795_521_600)
    board = Ladder("all", "depth", "gloam", "a1b2c3d4e5f6", 12, 0, 2, (cyd, ann), ann)
    return update(press(_play(), "#", now_ms=2_000)[0], heard(board, view=scene()), 2_000)[0]


def _party() -> Model:
    own = PartyMember("Ann", 1, scene().cell, 26, 40, 1, int(MemberMark.LEADER | MemberMark.SHARES))
    bert = PartyMember("Bert", 1, scene().cell + 6, 9, 40, 2, int(MemberMark.SHARES))
    return _told(PartyState((own, bert), 0))


def _recap() -> Model:
    life = ("Ann was the first of her line.", "Went down to depth 3 and rose to level 4 in 812 turns.")
    died = Died("Grim the ogre", 3, 4, 57, 812, 12, 5, False, life, ("sword", "apple"))
    lesson = "You carried what heals. Use it at half of your health, not at the last blow."
    return _told(died, Recap(10, (DamageTaken("Grim the ogre", 47, 4),), ("2 healing potions",), lesson, ()))


def _kits() -> Model:
    """Return the choice of an heir between the first kits of the flagship."""
    kits = tuple(KitOffer(kit.name, kit.words, kit.key == "digger") for kit in shipped("gloam").kits[:6])
    return update(
        structs.replace(base := _play(), login=structs.replace(base.login, life=1)),
        heard(Joined("Ann", 0, 2, kits)),
        2_000,
    )[0]


def _beacons() -> Model:
    """Return the choice of an heir between the beacons of the flagship that burn."""
    places = shipped("gloam").beacons.places[:2]
    beacons = tuple(BeaconOffer(each.name, each.depth, each.level) for each in places)
    joined = Joined("Ann", 0, 2, (KitOffer("digger", "Walls in two turns."),), beacons)
    model = update(
        structs.replace(base := _play(), login=structs.replace(base.login, life=1)), heard(joined), 2_000
    )[0]
    return press(model, "TAB")[0]


def _keep_name() -> Model:
    """Return the question of a visitor by browser who has gained a level."""
    base = _play()
    model = structs.replace(
        base,
        surface=structs.replace(base.surface, kind="browser"),
        login=structs.replace(base.login, means="link", guarded=False, offer="due"),
    )
    return update(model, heard(), 2_000)[0]


def _title() -> Model:
    servers = (RecentServer("play.example.org:7373", "Ann", "level 4, depth 3"),)
    return Model(
        screens=(Title("Ann"),), name="Ann", home=Home("", (OwnWorld("gloam", True, False),), servers)
    )


def _title_of_a_visitor() -> Model:
    home = Home(visits=Address("play.example.org", 7373))
    return Model(screens=(Title("Ann"),), name="Ann", home=home, surface=SurfaceFacts(kind="browser"))


SCREENS: Final[Mapping[str, Callable[[], Model]]] = {
    "title": _title,
    "title_of_a_visitor": _title_of_a_visitor,
    "play": _play,
    "kits": _kits,
    "beacons": _beacons,
    "keep_name": _keep_name,
    "downed_friend": _downed(oneself=False),
    "downed": _downed(oneself=True),
    "side_panel": _narrow_level,
    "party": _party,
    "inventory": _pressed("i"),
    "item": _pressed("i", "a"),
    "look": _pressed("x"),
    "aim": _pressed("f"),
    "spells": _pressed("c"),
    "menu": _pressed("ENTER"),
    "help": _pressed("?"),
    "log": _pressed("m"),
    "sheet": _sheet,
    "find": _pressed("/"),
    "options": _pressed("O"),
    "chat": _pressed(":"),
    "level_up": _level_up,
    "ladder": _ladder,
    "death_recap": _recap,
    "quit": _pressed("Q"),
}
"""The screens, by the name of their file."""
