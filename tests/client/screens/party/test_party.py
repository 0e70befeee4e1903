"""The party in the client: invites, the bar with health, way and danger, the screen with its keys, client commands. U41."""

import pytest
from msgspec import structs
from msgspec.structs import replace

from gloam_client.render.frame import draw
from gloam_client.state.client_effects import SendCommand, SendMessage
from gloam_client.state.model import Model
from gloam_client.update import update
from gloam_shared.protocol.commands import Travel
from gloam_shared.protocol.messages import parties
from gloam_shared.protocol.messages.login import Welcome
from gloam_shared.protocol.registry import FromClient
from gloam_shared.text import cells
from gloam_shared.view.view import Friend
from support.client.fake_server import level_view
from support.client.model_in_play import heard, picture, playing, press

SHARES, LEADS = parties.MemberMark.SHARES, parties.MemberMark.LEADER | parties.MemberMark.SHARES
NAMES = ("Bob", "Cassandra", "Dora", "Emil", "Friedrich", "Gustav", "Hildegard")


def model(*members: parties.PartyMember, size: tuple[int, int] = (80, 24), patience: int = 0) -> Model:
    """Return a client in play in a party of these members and the player."""
    own = parties.PartyMember("Ann", 1, level_view().cell, 20, 20, 1, int(LEADS))
    state = parties.PartyState((own, *members), patience) if members else parties.PartyState()
    able = structs.replace(
        base := playing(),
        world=structs.replace(base.world, abilities=frozenset({"parties"})),
        surface=structs.replace(base.surface, size=size),
    )
    return update(able, heard(state), 0)[0]


def member(name: str, **numbers: int) -> parties.PartyMember:
    """Return a member two cells east of the player who is whole, except for these numbers."""
    known = parties.PartyMember(name, 1, level_view().cell + 2, 40, 40, 3, int(SHARES))
    return replace(known, **numbers)


def sent(model: Model, *keys: str) -> list[FromClient]:
    """Return what the keys send to the server."""
    return [each.message for each in press(model, *keys)[1] if isinstance(each, SendMessage)]


def typed(line: str) -> tuple[str, ...]:
    return (":", *line, "ENTER")


def bar(model: Model) -> str:
    """Return the line of the party bar."""
    [line] = [row for row in picture(model).split("\n") if row.startswith("Party ")]
    return line.rstrip()


@pytest.mark.parametrize("width", [60, 80, 109])
def test_the_bar_has_health_way_and_danger(width: int) -> None:
    """U41: name, health, direction and distance, and "needs help" in one line, who needs it first."""
    hurt = member("Cora", hp=19, marks=int(SHARES | parties.MemberMark.FOUGHT), cell=level_view().cell - 1)
    shown = bar(model(member("Bob"), hurt, size=(width, 24)))
    assert shown == "Party @Cora L3 19/40 help! W1 @Bob L3 40/40 E2"


def test_the_bar_speaks_of_who_is_elsewhere() -> None:
    """U41: another depth, no shared place, a cut line, a dead and an absent member."""
    there = (
        member("Bob", depth=3),
        member("Cora", cell=-1),
        member("Dora", marks=int(parties.MemberMark.CUT_OFF)),
        member("Emil", depth=0, marks=int(parties.MemberMark.DEAD)),
        member("Fred", depth=0, marks=int(parties.MemberMark.ABSENT)),
    )
    shown = bar(model(*there))
    assert shown == "Party @Bob 40/40 d3 @Cora 40/40 @Dora 40/40 cut off E2 @Emil dead @Fred absent"


def test_who_has_left_is_absent_and_not_cut_off() -> None:
    """U41: a member whose body is not in the dungeon has no line that could be cut; the server marks both."""
    gone = int(parties.MemberMark.ABSENT | parties.MemberMark.CUT_OFF)
    left = member("Bob", depth=0, cell=-1, hp=0, hp_max=0, marks=gone)
    died = replace(left, name="Cora", marks=int(parties.MemberMark.DEAD | parties.MemberMark.CUT_OFF))
    away = replace(left, name="Dora", marks=int(parties.MemberMark.ABSENT | parties.MemberMark.AWAY))
    assert bar(model(left, died, away)) == "Party @Bob absent @Cora dead, absent @Dora away"


@pytest.mark.parametrize("size", [(44, 20), (60, 20), (80, 24), (109, 40)])
def test_a_party_of_eight_fits_its_bar(size: tuple[int, int]) -> None:
    """U41: seven others in one line: shorter names and per cent, the endangered first, the rest as a number."""
    others = [member(name, hp=40 - at) for at, name in enumerate(NAMES)]
    others[-1] = replace(others[-1], hp=3)
    shown = bar(model(*others, size=size))
    assert len(shown) <= size[0]
    assert shown.startswith("Party @Hil")
    assert "7%! E2" in shown
    assert shown.count("%") == 7 or "+" in shown.split()[-1]


def test_arrows_show_the_way_in_unicode() -> None:
    base = model(member("Bob"))
    assert bar(structs.replace(base, surface=structs.replace(base.surface, unicode=True))).endswith(
        "Bob L3 40/40 \u21922"
    )


def test_who_needs_help_is_marked_without_color() -> None:
    """U41: the one in danger is drawn in reverse, so that no color is needed."""
    shown = model(member("Bob", hp=5))
    canvas = draw(shown)
    row = next(at for at, text in enumerate(canvas.rows()) if text.startswith("Party "))
    assert canvas.cells[row][7][1].reverse


def test_the_side_panel_has_the_party_as_bars() -> None:
    """U41: where there is a side panel, the party stands there, and the log keeps its room."""
    screen = picture(model(member("Bob", hp=12), size=(120, 40)))
    assert "Your party" in screen
    assert "Bob L3 12/40 E2" in screen
    assert "Party " not in screen


def test_members_are_not_named_twice() -> None:
    """The top line names the other players in the dungeon who are not in the party."""
    view = replace(level_view(), party=(Friend("Bob", 1, 3, 4, 0), Friend("Zoe", 1, 3, 4, 0)))
    both = update(model(member("Bob")), heard(view=view), 0)[0]
    top = picture(both).split("\n")[0]
    assert "Zoe" in top
    assert "Bob" not in top


def test_an_invite_is_shown_and_accepted() -> None:
    """An invite stands in the log and on the bottom line; F lists it, Enter joins, x declines; it ends with its time."""
    invited, _ = update(model(), heard(parties.PartyInvite("Zoe", 300)), 1_000)
    screen = picture(invited)
    assert "Zoe invites you to a party" in screen
    assert "F lists it: there Enter joins, x declines." in invited.messages.entries[-1].text
    assert "F party" in screen.split("\n")[-1]
    assert "Zoe invites you" in picture(press(invited, "F", now_ms=1_000)[0])
    assert sent(invited, "F", "ENTER") == [parties.AnswerInvite("Zoe", True)]
    assert sent(invited, "F", "x") == [parties.AnswerInvite("Zoe", False)]
    assert sent(invited, *typed("/join")) == [parties.AnswerInvite("", True)]
    assert not invited.company.party.open_invites(301_000)
    closed, _ = update(invited, heard(parties.PartyInvite("Zoe", 0)), 2_000)
    assert not closed.company.party.open_invites(2_000)


def test_the_screen_asks_for_what_its_keys_say() -> None:
    here = model(member("Bob"), member("Cora"))
    screen = picture(press(here, "F")[0])
    assert "Bob, level 3, 40/40 HP, 2 cells east" in screen
    assert "Ann, level 1, 20/20 HP (leads, you)" in screen
    assert sent(here, "F", "m") == [parties.SetPartyChoices(False, 0)]
    assert sent(here, "F", "p") == [parties.SetPartyChoices(True, 1)]
    assert sent(here, "F", "L") == [parties.LeaveParty()]
    assert sent(here, "F", "DOWN", "l") == [parties.LeadParty("Bob")]
    assert sent(here, "F", "l") == [parties.LeadParty()]
    assert sent(here, "F", "DOWN", "DOWN", "D") == [parties.LeaveParty("Cora")]


def test_a_player_is_invited_from_the_screen() -> None:
    view = replace(level_view(), party=(Friend("Bob", 1, 3, 4, 0), Friend("Zoe", 1, 3, 4, 0)))
    both = update(model(member("Bob")), heard(view=view), 0)[0]
    assert sent(both, "F", "i", "a") == [parties.InviteToParty("Zoe")]
    alone = press(model(), "F", "i")[0]
    assert "No other player" in picture(alone)


@pytest.mark.parametrize(
    ("line", "request_"),
    [
        ("/invite Zoe", parties.InviteToParty("zoe")),
        ("/join zoe", parties.AnswerInvite("zoe", True)),
        ("/decline", parties.AnswerInvite("", False)),
        ("/leave", parties.LeaveParty()),
        ("/lead bob", parties.LeadParty("bob")),
        ("/share off", parties.SetPartyChoices(False, 0)),
        ("/patience very patient", parties.SetPartyChoices(True, 2)),
    ],
)
def test_a_client_command_asks_the_same(line: str, request_: FromClient) -> None:
    here = model(member("Bob"))
    assert sent(here, *typed(line)) == [request_]
    assert press(here, *typed(line))[0].top.state == "play"


@pytest.mark.parametrize("line", ["/invite", "/share", "/patience slow"])
def test_an_incomplete_command_says_what_is_missing(line: str) -> None:
    here = model(member("Bob"))
    assert sent(here, *typed(line)) == []
    assert line.split(maxsplit=1)[0] in picture(press(here, *typed(line))[0])


def test_the_party_opens_by_its_command() -> None:
    assert press(model(member("Bob")), *typed("/party"))[0].top.state == "party"


@pytest.mark.parametrize("keys", [("F",), typed("/party"), typed("/invite bob")])
def test_an_older_server_knows_no_parties(keys: tuple[str, ...]) -> None:
    older = structs.replace(base := playing(), world=structs.replace(base.world, abilities=frozenset()))
    assert sent(older, *keys) == []
    assert "This server is older and knows no parties; its host can upgrade it." in picture(
        press(older, *keys)[0]
    )


def test_a_new_connection_forgets_the_party() -> None:
    """A party that ended during a cut is not shown any more; the server sends again what there is."""
    welcome = Welcome(2, "Caves", 1, 8, abilities=("parties",))
    again, _ = update(model(member("Bob")), heard(welcome), 0)
    assert not again.company.party.members


def test_the_way_to_a_member_needs_no_sight() -> None:
    """`G` leads to where a member of the party is now, not to where they were seen last."""
    view = replace(level_view(), party=(Friend("Bob", 1, 3, 4, 0),))
    far = level_view().cell + 5
    here = update(model(member("Bob", cell=far)), heard(view=view), 0)[0]
    after, effects = press(here, "G")
    [travel] = [each.command for each in effects if isinstance(each, SendCommand)]
    assert isinstance(travel, Travel)
    assert view.place.grid.distance(travel.cell, far) == 1
    assert "To where Bob is, " in picture(after)


def test_hostile_names_are_made_safe() -> None:
    """Names with control characters, wide and long ones leave the screen whole."""
    names = ("\x1b[2J", "\u4e16" * 30, "Z" * 900)
    for size in ((60, 20), (80, 24), (120, 40)):
        for keys in ((), ("F",)):
            shown = press(model(*(member(name, hp=1) for name in names), size=size), *keys)[0]
            rows = picture(shown).split("\n")
            assert [cells(row) for row in rows] == [size[0]] * size[1]
            assert "\x1b" not in picture(shown)
