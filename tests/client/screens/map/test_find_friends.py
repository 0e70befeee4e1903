"""`G`: to a friend, as far as any known way leads."""

from msgspec import structs
from msgspec.structs import replace

from gloam_client.render.frame import draw
from gloam_client.screens.map import find_friends
from gloam_client.screens.map.find_friends import leads_to_friend
from gloam_client.state import client_events
from gloam_client.state.client_effects import SendCommand
from gloam_client.state.map.friend_locations import KEPT_MAX, NO_LOCATIONS, LastSeen, locations_after_ping
from gloam_client.state.map.reachability import reaches, steps_to
from gloam_client.state.model import Model
from gloam_client.update import update
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Climb, Travel
from gloam_shared.protocol.messages.chat import MapPing, MapPinged
from gloam_shared.protocol.messages.parties import MemberMark, PartyMember, PartyState
from gloam_shared.view.surfaces import SurfaceLook
from gloam_shared.view.view import Creature, CreatureFlag, Friend, View
from support.client.fake_server import level_view
from support.client.model_in_play import heard, picture, playing, press
from support.run.fault_seam import FaultSeam
from support.server.sim_server import SimServer

HERE = level_view()
WIDTH = HERE.place.width
BARE = replace(HERE, terrain=bytes([Terrain.FLOOR]) * len(HERE.terrain))


def find_friend(model: Model) -> tuple[str, list[object]]:
    """Return what `G` says and orders."""
    after, wanted = press(model, "G")
    return after.flash.text, list(wanted)


def with_friends(view: View = BARE, **depths: int) -> View:
    """Return a view whose party has these friends."""
    friends = tuple(Friend(name, depth, 1, 4, CreatureFlag.PLAYER) for name, depth in depths.items())
    return replace(view, party=(*HERE.party, *friends))


def seeing(view: View, name: str, cell: int) -> View:
    return replace(
        view, creatures=(*view.creatures, Creature(9, cell, 5, 5, 1, CreatureFlag.PLAYER, "@", "cyan", name))
    )


def ground(view: View, cell: int, terrain: Terrain) -> View:
    known = bytearray(view.terrain)
    known[cell] = terrain
    return replace(view, terrain=bytes(known))


def at_depth(view: View, depth: int) -> View:
    return replace(view, place=replace(view.place, depth=depth))


def after(*views: View) -> Model:
    model = playing(views[0])
    for view in views[1:]:
        model = update(model, heard(view=view), 0)[0]
    return model


def test_one_in_sight_is_gone_to_and_that_is_said() -> None:
    words, wanted = find_friend(playing(seeing(with_friends(Bert=1), "Bert", HERE.cell + 4)))
    assert (words, wanted) == ("To Bert, 4 steps east.", [SendCommand(Travel(HERE.cell + 3 - WIDTH))])


def test_sight_looked_seen_last() -> None:
    """One out of sight is looked for where they were seen last."""
    seen = seeing(with_friends(Bert=1), "Bert", HERE.cell + 4)
    model = after(seen, with_friends(Bert=1))
    assert find_friend(model)[0] == "To where Bert was seen last, 4 steps east."
    assert leads_to_friend(model)


def test_stands_friend_goes_no_more() -> None:
    """A player who stands where a friend was goes there no more."""
    model = after(seeing(with_friends(Bert=1), "Bert", HERE.cell + 1), with_friends(Bert=1))
    assert find_friend(model) == (
        "Bert is on this level, but you do not know where: o explores, or ask for a ping (p).",
        [],
    )
    assert not leads_to_friend(model)


def test_call_leads_long_no_sight_says_otherwise() -> None:
    """A call leads for as long as no sight says otherwise."""
    model = update(
        playing(with_friends(Bert=1)),
        heard(MapPinged("Bert", "come", 1, HERE.cell + 4), view=with_friends(Bert=1)),
        0,
    )[0]
    late, wanted = press(model, "G", now_ms=10_000_000)
    assert (late.flash.text, len(wanted)) == ("To where Bert called, 4 steps east.", 1)


def test_call_from_unknown_ground_leads_nearer() -> None:
    """A friend who pinged from unknown ground is not to be asked for a ping: the way leads to the nearest known cell."""
    goal = HERE.cell + 8
    dark = with_friends(Bert=1)
    for x in range(5, 13):
        for row in range(-4, 5):
            dark = ground(dark, HERE.cell + x + row * WIDTH, Terrain.UNKNOWN)
    called = update(playing(dark), heard(MapPinged("Bert", "danger", 1, goal), view=dark), 0)[0]

    words, [sent] = find_friend(called)
    assert words == "Nearer to where Bert called, 8 steps east."
    assert isinstance(sent, SendCommand)
    assert isinstance(sent.command, Travel)
    assert dark.place.grid.distance(sent.command.cell, goal) == 4, "the edge of what is known"


def test_known_cell_without_known_way_leads_nearer() -> None:
    """A party shares what its members see from now on: a friend's cell may be known, and the ground between not."""
    view, at = with_friends(Bert=1), HERE.cell % WIDTH
    for cell in range(len(view.terrain)):
        if at + 5 <= cell % WIDTH <= at + 6:
            view = ground(view, cell, Terrain.UNKNOWN)
    called = update(playing(view), heard(MapPinged("Bert", "come", 1, HERE.cell + 8), view=view), 0)[0]

    assert find_friend(called)[0] == "Nearer to where Bert called, 8 steps east."


def test_no_nearer_known_cell_says_what_would_help() -> None:
    dark = with_friends(Bert=1)
    for cell in range(len(dark.terrain)):
        if cell != HERE.cell:
            dark = ground(dark, cell, Terrain.UNKNOWN)
    called = update(playing(dark), heard(MapPinged("Bert", "come", 1, HERE.cell + 8), view=dark), 0)[0]

    words, wanted = find_friend(called)
    assert words.startswith("You know of no way to where Bert called: o explores")
    assert wanted == []


def test_earlier_run_kept_leads_friend() -> None:
    """Knowledge that an earlier run kept leads to a friend and newer knowledge goes first."""
    kept = {"Bert": LastSeen(1, HERE.cell + 4), "Cyd": LastSeen(1, HERE.cell)}
    again = client_events.MemoryLoaded({}, kept)
    model = update(playing(with_friends(Bert=1)), again, 0)[0]
    assert find_friend(model)[0] == "To where Bert was seen last, 4 steps east."
    assert "Cyd" not in model.memory.whereabouts, "there is no friend where the player stands"
    seen = after(seeing(with_friends(Bert=1), "Bert", HERE.cell + 6), with_friends(Bert=1))
    assert find_friend(update(seen, again, 0)[0])[0] == "To where Bert was seen last, 6 steps east."


def test_stands_no_known_way_leads_not_gone() -> None:
    """A friend that no known way leads to is not gone to."""
    walled = seeing(with_friends(Bert=1), "Bert", HERE.cell + 5)
    for step in (-1, 0, 1):
        for cell in range(HERE.cell + 3 + step * WIDTH, HERE.cell + 8 + step * WIDTH):
            if abs(cell - step * WIDTH - HERE.cell - 5) == 2:
                walled = ground(walled, cell, Terrain.WALL)
    for cell in range(HERE.cell + 3, HERE.cell + 8):
        for row in (-2, 2):
            walled = ground(walled, cell + row * WIDTH, Terrain.WALL)
    words, wanted = find_friend(playing(walled))
    assert words.startswith("You know of no way to Bert")
    assert wanted == []


def test_fire_between_friends_is_named() -> None:
    fire = SurfaceLook("fire", "It burns.", "^", "^", "red", harm=3)
    cells = bytearray(len(HERE.terrain))
    for column in range(-2, 3):
        for row in range(-2, 3):
            if max(abs(column), abs(row)) == 2:
                cells[HERE.cell + 5 + column + row * WIDTH] = 1
    ringed = seeing(with_friends(Bert=1), "Bert", HERE.cell + 5)
    words, wanted = find_friend(playing(replace(ringed, surfaces=bytes(cells), surface_looks=(fire,))))
    assert words == "Fire lies in the way to Bert: wait, or step through by hand."
    assert wanted == []


def test_friend_below_gone_nearest_stairs_reached() -> None:
    """A friend below is gone to by the nearest stairs that can be reached."""
    down = ground(with_friends(Bert=2), HERE.cell + 14, Terrain.STAIRS_DOWN)
    walled = ground(down, HERE.cell + 3, Terrain.STAIRS_DOWN)
    for cell in range(len(BARE.terrain)):
        if max(abs(cell % WIDTH - (HERE.cell + 3) % WIDTH), abs(cell // WIDTH - HERE.cell // WIDTH)) == 1:
            walled = ground(walled, cell, Terrain.WALL)
    for view in (down, walled):
        words, wanted = find_friend(playing(view))
        assert words == "To Bert on depth 2, by the stairs 14 steps east."
        assert wanted == [SendCommand(Travel(HERE.cell + 14))]


def test_on_the_stairs_the_next_g_takes_them() -> None:
    down = playing(ground(with_friends(Bert=2), HERE.cell, Terrain.STAIRS_DOWN))
    assert find_friend(down) == ("To Bert on depth 2, down these stairs.", [SendCommand(Climb(down=True))])
    up = playing(at_depth(ground(with_friends(Bert=1), HERE.cell, Terrain.STAIRS_UP), 3))
    assert find_friend(up) == ("To Bert on depth 1, up these stairs.", [SendCommand(Climb(down=False))])


def test_without_known_stairs_says_find_way() -> None:
    """Without known stairs it says what would find a way."""
    model = playing(with_friends(Bert=2))
    assert find_friend(model) == (
        "You know of no stairs down to Bert on depth 2: o explores, or ask for a ping (p).",
        [],
    )
    assert not leads_to_friend(model)


def test_no_stairs_lead_to_another_round() -> None:
    model = playing(ground(with_friends(Bert=101), HERE.cell + 3, Terrain.STAIRS_DOWN))
    assert find_friend(model)[1] == []


def test_several_chosen_letter_or_last_enter() -> None:
    """Of several one is chosen by letter or the last one again by enter."""
    view = ground(with_friends(Bert=2, Cyd=1, Dee=1), HERE.cell + 14, Terrain.STAIRS_DOWN)
    model = playing(seeing(view, "Dee", HERE.cell + 4))
    shown = picture(press(model, "G")[0])
    for line in (
        "a - Bert  depth 2, by known stairs",
        "b - Cyd   depth 1, not seen yet",
        "c - Dee   depth 1, 4 steps east",
    ):
        assert line in shown
    chosen, wanted = press(model, "G", "a")
    assert (chosen.top.state, wanted) == ("play", [SendCommand(Travel(HERE.cell + 14))])
    assert press(chosen, "G", "ENTER")[1] == wanted
    assert press(model, "G", "DOWN", "DOWN", "ENTER")[1] == [SendCommand(Travel(HERE.cell + 3 - WIDTH))]
    assert press(model, "G", "ESC")[0].top.state == "play"
    assert "you do not know where" in press(model, "G", "b")[0].flash.text


def test_only_so_many_whereabouts_are_kept() -> None:
    traces = NO_LOCATIONS
    for at in range(KEPT_MAX + 5):
        traces = locations_after_ping(traces, f"N{at}", 1, at)
    assert (len(traces), "N0" in traces) == (KEPT_MAX, False)


def test_two_players_find_each_other_by_a_call() -> None:
    """Real links on a real server: Bert calls from where Ann has been, and G brings Ann beside Bert."""
    server = SimServer()
    ann, bert = server.join("Ann"), server.join("Bert")
    server.advance(6_000)
    home = ann.view.cell
    walkable = [cell for cell in steps_to(ann.view) if ann.view.at(cell) is None]
    far = max(walkable, key=lambda cell: (steps_to(ann.view)[cell], cell))
    server.walk(bert, far)
    server.advance(1_000)
    model = playing(ann.view)
    ann.hear()
    bert.send(MapPing("come", 1, bert.view.cell))
    model = update(model, heard(*ann.hear(), view=ann.view), 0)[0]
    words, wanted = find_friend(model)
    assert "Bert" in words
    [going] = wanted
    assert isinstance(going, SendCommand)
    ann.command(going.command)
    server.advance(20_000)
    assert ann.view.cell != home
    assert find_friend(update(model, heard(view=ann.view), 0)[0]) == ("You are beside Bert.", [])


def test_frames_of_one_view_search_once(seam: FaultSeam) -> None:
    """However many frames show a view, its bottom line looks for ways once; a new view is looked at again."""
    searches = []

    def search(view: View, goals: int, *, past_friends: bool = False) -> bool:
        searches.append(view)
        return reaches(view, goals, past_friends=past_friends)

    seam.plant(reaches, search, within=find_friends)
    near = seeing(with_friends(Bert=1), "Bert", HERE.cell + 4)
    model = playing(near)
    for now_ms in range(0, 5_000, 100):
        model, _ = update(model, client_events.TimerFired(), now_ms)
        draw(model)
    assert searches == [near]
    farther = seeing(with_friends(Bert=1), "Bert", HERE.cell + 5)
    model = after(near, farther)
    for _ in range(20):
        draw(model)
    assert searches == [near, farther]


def test_a_kept_way_follows_all_that_it_depends_on() -> None:
    """The same view with another party, connection or place where a friend was seen is searched again."""
    model = playing(with_friends(Bert=1))
    assert not leads_to_friend(model)
    trace = {"Bert": LastSeen(1, HERE.cell + 4)}
    assert leads_to_friend(structs.replace(model, memory=structs.replace(model.memory, whereabouts=trace)))
    assert not leads_to_friend(model)
    down = structs.replace(
        model,
        connection=model.connection._replace(state="down"),
        memory=structs.replace(model.memory, whereabouts=trace),
    )
    assert not leads_to_friend(down)
    member = PartyMember("Bert", 1, HERE.cell + 4, 9, 40, 2, int(MemberMark.SHARES))
    shared = update(model, heard(PartyState((member,), 0), view=model.view), 0)[0]
    assert leads_to_friend(shared)


def test_a_dead_friend_of_the_party_is_named() -> None:
    """The dead are not among the players in the dungeon, but the party knows them."""

    def said(*marks: MemberMark) -> str:
        members = [
            PartyMember(name, 0, -1, 0, 0, 0, int(mark))
            for name, mark in zip(("Bert", "Cleo"), marks, strict=False)
        ]
        own = PartyMember("Ann", 1, HERE.cell, 20, 20, 1, 0)
        model = update(playing(BARE), heard(PartyState((own, *members)), view=BARE), 0)[0]
        return find_friend(model)[0]

    assert said() == "No other player is alive in the dungeon; wait until one comes."
    assert (
        said(MemberMark.ABSENT | MemberMark.CUT_OFF)
        == "No other player is alive in the dungeon; wait until one comes."
    )
    assert said(MemberMark.DEAD) == "Bert is dead; wait until a new life of theirs begins."
    assert (
        said(MemberMark.DEAD, MemberMark.DEAD)
        == "Bert and Cleo are dead; wait until a new life of theirs begins."
    )
    assert "No other" in said(MemberMark.DEAD | MemberMark.CUT_OFF)
