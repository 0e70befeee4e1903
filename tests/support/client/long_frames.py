"""The screens of the client with the longest content that a server sends."""

from collections.abc import Callable, Mapping
from typing import Final

from msgspec import structs
from msgspec.structs import replace

from gloam_client.net.own_worlds import OwnWorld
from gloam_client.screens.title.friends import FriendsScreen
from gloam_client.screens.title.ladders import LadderChoiceScreen
from gloam_client.screens.title.servers import ServersScreen
from gloam_client.screens.title.title import Title
from gloam_client.screens.title.worlds import WorldsScreen
from gloam_client.state import client_events
from gloam_client.state.home import Home
from gloam_client.state.model import Model, Screen
from gloam_client.state.records import Guide
from gloam_client.update import update
from gloam_client.user_files.address import Address
from gloam_client.user_files.recent_servers import RecentServer
from gloam_shared import limits
from gloam_shared.protocol.messages.dungeons import DungeonRow, Dungeons
from gloam_shared.protocol.messages.lives import DamageTaken, Died, Forebear, KitOffer, Recap
from gloam_shared.protocol.messages.login import Error, Joined, Welcome
from gloam_shared.protocol.messages.parties import MemberMark, PartyInvite, PartyMember, PartyState
from gloam_shared.protocol.messages.play import Answer
from gloam_shared.protocol.messages.records import Chronicle, History, Ladder, LadderRow, PastLife, Wanted
from gloam_shared.protocol.messages.trade import TradeState
from gloam_shared.protocol.messages.watching import Watchable, WatchablePlayer, Watchers
from gloam_shared.protocol.registry import FromServer
from gloam_shared.view.choices import GainKind, LevelGain
from gloam_shared.view.view import (
    Creature,
    CreatureFlag,
    FloorItem,
    Friend,
    Hunger,
    InventoryItem,
    ItemFlag,
    Log,
    LogLine,
    Skill,
    Spell,
    Stat,
    StatusEffect,
    View,
)
from support.client.frames import SCREENS, narrowed, scene
from support.client.model_in_play import heard, playing, press

NAMES: Final = tuple(f"{name}thenorthern"[: limits.NAME_MAX] for name in (
    "Anna", "Bartholomew", "Constantine", "Dorothea", "Evangeline", "Ferdinand", "Gwendolyn", "Hildegard",
    "Ignatius", "Josephine", "Katherine", "Leopold",
))  # fmt: skip
"""Names as long as a name may be, the player's own first."""
_FOE: Final = "Grimmauld the ancient ogre of the drowned halls"
_THING: Final = "Skadru's double-edged great sword of the northern kings"
_WORDS: Final = (
    "It is said that the smiths of the drowned halls made three of these before the water came, and that one of them "
    "still wakes at night and asks for the hand that it was made for."
)
_STORY: Final = " ".join([_WORDS] * 5)


def longest_scene() -> View:
    """Return a view with as many and as long things in it as a level shows: foes, friends, items, effects."""
    view = scene()
    foes = tuple(
        Creature(40 + at, view.cell + 96 + 2 * at, 412, 498, 27, CreatureFlag.HOSTILE | CreatureFlag.HOLDS_YOU, "O",
                 "red", _FOE, 31, 22, 4)
        for at in range(3)
    )  # fmt: skip
    near = tuple(
        Creature(50 + at, view.cell - 97 + at, 9, 40, 3, int(CreatureFlag.PLAYER), "@", "cyan", name)
        for at, name in enumerate(NAMES[1:4])
    )
    own = replace(view.creatures[0], name=NAMES[0])
    friends = tuple(
        Friend(name, 27 if at > 5 else 1, 12 + at, at % 5, CreatureFlag.PLAYER | (CreatureFlag.AWAY if at % 2 else 0))
        for at, name in enumerate(NAMES[1:])
    )  # fmt: skip
    sheet = list(view.sheet)
    facts = {
        Stat.HP: 126, Stat.HP_MAX: 498, Stat.MANA: 140, Stat.MANA_MAX: 312, Stat.ATTACK: 108, Stat.DEFENCE: 97,
        Stat.LEVEL: 31, Stat.EXPERIENCE: 104_880, Stat.NEXT_LEVEL_AT: 112_000, Stat.POINTS: 3, Stat.KILLS: 1_204,
        Stat.HUNGER: Hunger.VERY_HUNGRY, Stat.FOOD_TURNS: 1_609, Stat.REACH: 7,
    }  # fmt: skip
    for stat, value in facts.items():
        sheet[stat] = value
    usable = ItemFlag.WIELDABLE | ItemFlag.READABLE
    pack = tuple(
        InventoryItem(at, "?", "white", f"{_THING} {at}", usable, 14, 3, 0, "cell", 6, 2, _WORDS, 9, 4, count=1 + at % 3)
        for at in range(26)
    )  # fmt: skip
    blows = tuple(LogLine("strikes", _FOE, "you", 104) for _ in range(4))
    return replace(
        view,
        creatures=(own, *view.creatures[1:], *foes, *near),
        party=(replace(view.party[0], name=NAMES[0]), *friends),
        sheet=tuple(sheet),
        inventory=(replace(pack[0], traits=usable | ItemFlag.WIELDED), *pack[1:]),
        spells=tuple(
            Spell(f"s{at}", f"greater conflagration of the {at} winds", 30 + at, "cell", 6, 2, _WORDS)
            for at in range(12)
        ),
        states=tuple(
            StatusEffect(word, word < "d") for word in ("confused", "regenerating", "silenced", "weakened")
        ),
        skills=tuple(
            Skill(kind, _THING, _WORDS) for kind in ("kit", "bent", *["trait"] * 9, *["trophy"] * 5)
        ),
        pile=tuple(FloorItem(90 + at, ")", "white", f"{_THING} {at}") for at in range(6)),
        log=Log(0, (*view.log.lines, *blows)),
    )


def _play() -> Model:
    able = frozenset(
        {"chronicle", "ladder", "parties", "beside", "watch", "history", "trade", "kits", "recap", "replay"}
    )
    goal = "Kill the Gloam on depth 27, and carry the light that it holds up to the day again"
    story = Welcome(1, "The drowned halls", 12, 50, story=_STORY, goal=goal, abilities=tuple(sorted(able)))
    model = structs.replace(
        base := playing(scene()),
        name=NAMES[0],
        world=structs.replace(base.world, abilities=able),
        guidance=structs.replace(base.guidance, guide=Guide(goal)),
        server=structs.replace(base.server, address="play.example.org:7373"),
    )
    model = update(model, from_server(story), 900)[0]
    return update(model, from_server(view=longest_scene()), 1_000)[0]


def from_server(*messages: FromServer, view: View | None = None) -> client_events.MessagesReceived:
    """Return the server's messages for the player with the long name."""
    return heard(*messages, view=view or longest_scene())._replace(name=NAMES[0])


def _told(*messages: FromServer, keys: tuple[str, ...] = ()) -> Callable[[], Model]:
    return lambda: press(update(_play(), from_server(*messages), 2_000)[0], *keys, now_ms=4_000)[0]


def _pressed(*keys: str) -> Callable[[], Model]:
    return lambda: press(_play(), *keys, now_ms=2_000)[0]


def _narrow(*keys: str) -> Callable[[], Model]:
    """Return play on a level that leaves room for the side panel at 80x24."""
    return lambda: press(
        update(_play(), from_server(view=narrowed(longest_scene())), 2_000)[0], *keys, now_ms=2_000
    )[0]


_MEMBERS: Final = tuple(
    PartyMember(name, 1, longest_scene().cell + 6, 126 if at else 9, 498, 27, int(MemberMark.SHARES), 2)
    for at, name in enumerate(NAMES[:8])
)


def _narrow_party() -> Model:
    view = narrowed(longest_scene())
    return update(_narrow()(), from_server(PartyState(_MEMBERS, 2), view=view), 2_500)[0]


def _level_up() -> Model:
    gains = tuple(LevelGain(kind, 300) for kind in GainKind)
    words = tuple(f"Greater endurance of the northern kings (+{at}0)" for at in range(8))
    view = replace(longest_scene(), choices=words, gains=gains)
    return press(update(_play(), from_server(view=view), 2_000)[0], "+", now_ms=2_000)[0]


def _kits() -> Model:
    kits = tuple(KitOffer(f"Wanderer of the {at} drowned halls", _WORDS, at == 3) for at in range(9))
    return update(
        structs.replace(base := _play(), login=structs.replace(base.login, life=0)),
        from_server(Joined(NAMES[0], 1, 1, kits)),
        2_000,
    )[0]


def _first_life(view: Callable[[], View]) -> Callable[[], Model]:
    """Return the start of the first life, with the story over the map."""

    def begun() -> Model:
        blank = playing(scene())
        model = structs.replace(blank, view=replace(blank.view, place=replace(blank.view.place, width=0)))
        model = structs.replace(
            model,
            screens=model.screens[:1],
            name=NAMES[0],
            world=structs.replace(model.world, story=" ".join([_WORDS] * 2)),
            messages=structs.replace(model.messages, entries=()),
        )
        return update(model, from_server(Joined(NAMES[0], 0, 1), view=view()), 0)[0]

    return begun


_LIFE: Final = (f"{NAMES[0]} was the seventh of her line, and the heir of a ranger.", *[_WORDS] * 4)
_RECAP: Final = Recap(
    10,
    tuple(DamageTaken(f"{_FOE} {at}", 1_047, 14) for at in range(6)),
    tuple(f"{at} potions of greater healing" for at in range(2, 8)),
    _WORDS,
    tuple(Forebear(f"{name} the seventh", False, _FOE, 27, 31, 104_880) for name in NAMES),
)


def _died(*, won: bool = False, kept: int = 9, recap: bool = True) -> Callable[[], Model]:
    died = Died(
        _FOE, 27, 31, 104_880, 88_120, 1_204, 5, won, _LIFE, tuple(f"{_THING} {n}" for n in range(kept))
    )
    return _told(died, *((_RECAP,) if recap else ()))


def _ladder() -> Model:
    rows = tuple(
        LadderRow(at + 1, f"{name} the seventh", 31, 127, 12_004, 904_880, 3, False, _FOE, 1_795_521_600)
        for at, name in enumerate(NAMES)
    )
    board = Ladder("all", "depth", "gloam", "a1b2c3d4e5f6", 12, 0, 212, rows, rows[-1])
    return update(press(_play(), "#", now_ms=2_000)[0], from_server(board), 2_000)[0]


def _trade() -> Model:
    pack = longest_scene().inventory
    return _told(TradeState(NAMES[1], 50, 3, True, False, False, True, pack[1:5], pack[5:20]))()


_CHRONICLE: Final = Chronicle(
    tuple(PastLife(f"{name} the seventh", False, _FOE, 27, 31, 104_880) for name in NAMES),
    tuple(f"{_FOE}, level 27, killed {at} players" for at in range(12)),
    tuple(_WORDS for _ in range(12)),
    (Wanted(_FOE, 1, 0),),
)


def _titled(*screens: Screen) -> Callable[[], Model]:
    servers = tuple(
        RecentServer(
            f"a-rather-long-name-of-a-server-{at}.play.example.org:17373", name, "level 31, depth 27"
        )
        for at, name in enumerate(NAMES)
    )
    worlds = tuple(OwnWorld(name, True, False) for name in ("gloam", "jsrogue", "rltut", "classics"))
    home = Home("", worlds, servers, invite="gloam a-rather-long-name.example.org:17373#" + "A1b2" * 14)
    return lambda: Model(screens=(Title(NAMES[0]), *screens), name=NAMES[0], home=home)


def _dungeons() -> Model:
    rows = tuple(
        DungeonRow(
            f"realm_of_{name.lower()}_and_the_others", "The Long Night of the Gloam", 7373 + at, at != 2
        )
        for at, name in enumerate(NAMES)
    )
    came = client_events.DungeonsReceived(
        Address("a-rather-long-name.example.org"), Dungeons(rows[0].name, rows), watches=False
    )
    model = Model(screens=(Title(NAMES[0]),), name=NAMES[0], home=_titled()().home)
    started = update(model, client_events.JoinStarted(NAMES[0], str(came.address)), 0)[0]
    return update(started, came, 0)[0]


def _watched() -> Model:
    players = tuple(WatchablePlayer(name, 31, 27, 7_199, 12, 3_600) for name in NAMES)
    model, _ = update(
        Model(screens=(Title(NAMES[0]),), name=NAMES[0]),
        client_events.JoinStarted(NAMES[0], "a-rather-long-name.example.org:17373", watches=True),
        0,
    )
    return update(model, from_server(Watchable(players)), 0)[0]


_REFUSED: Final = Answer(1, "cannot", f"{_WORDS} {_WORDS}", "no_line")

LONG_SCREENS: Final[Mapping[str, Callable[[], Model]]] = {
    "long_play": _play,
    "long_panel": _narrow(),
    "long_panel_list": _narrow("i"),
    "long_panel_question": _narrow("Q"),
    "long_panel_party": _narrow_party,
    "long_party_bar": _told(PartyState(_MEMBERS, 2)),
    "long_party": _told(PartyState(_MEMBERS, 2), PartyInvite(NAMES[9], 60), keys=("F",)),
    "long_refusal": _told(_REFUSED),
    "long_error": _told(Error("friend", _WORDS)),
    "long_inventory": _pressed("i"),
    "long_item": _pressed("i", "a"),
    "long_look": _told(History(30, 31, 1, 1, 7, 1_204, NAMES, 12, (_WORDS,)), keys=("x",)),
    "long_aim": _pressed("f"),
    "long_spells": _pressed("c"),
    "long_log": _pressed("m"),
    "long_sheet": _pressed("@"),
    "long_find": _pressed("/"),
    "long_friends": _pressed("G"),
    "long_menu": _pressed("ENTER"),
    "long_chat": _pressed(
        ":", *"it is said that the smiths of the drowned halls made three of these before " * 2
    ),
    "long_level_up": _level_up,
    "long_kits": _kits,
    "long_story": _first_life(longest_scene),
    "long_story_panel": _first_life(lambda: narrowed(longest_scene())),
    "long_trade": _trade,
    "long_ladder": _ladder,
    "long_chronicle": _told(_CHRONICLE, keys=("V",)),
    "long_watchers": _told(Watchers(NAMES), keys=("CTRL_E",)),
    "long_death": _died(),
    "long_death_without_keepsakes": _died(kept=0),
    "long_death_life": lambda: press(_died()(), "TAB", now_ms=5_000)[0],
    "long_death_older_server": _died(recap=False, kept=0),
    "long_victory": _died(won=True),
    "long_title": _titled(),
    "long_servers": _titled(ServersScreen(NAMES[0], watches=False)),
    "long_dungeons": _dungeons,
    "long_worlds": _titled(WorldsScreen(NAMES[0])),
    "long_let_in": _titled(FriendsScreen(NAMES[0])),
    "long_ladders": _titled(LadderChoiceScreen(NAMES[0])),
    "long_watch": _watched,
}
"""The screens with long content, by the name of their file."""
ALL_SCREENS: Final = {**SCREENS, **LONG_SCREENS}
