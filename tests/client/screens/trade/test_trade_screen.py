"""The trade in the client: a request, both sides at any size, offers by letter and number, and what cannot be confirmed."""

import pytest
from msgspec import structs
from msgspec.structs import replace

from gloam_client.linear.spoken_screen import read_screen
from gloam_client.screens.suggested_actions import suggested_actions
from gloam_client.state.client_effects import ClientEffect, SendCommand
from gloam_client.state.client_events import CommandSent
from gloam_client.state.model import Model
from gloam_client.state.options import Options
from gloam_client.update import update
from gloam_shared.protocol.commands import ConfirmTrade, EndTrade, OfferTrade
from gloam_shared.protocol.messages.login import Joined
from gloam_shared.protocol.messages.trade import TradeState
from gloam_shared.protocol.registry import FromServer
from gloam_shared.text import cells
from gloam_shared.view.view import Creature, CreatureFlag, InventoryItem, ItemFlag, View
from support.client.fake_server import level_view
from support.client.model_in_play import heard, picture, playing, press

RATIONS = InventoryItem(0, "%", "white", "ration", int(ItemFlag.EDIBLE), 0, 0, 50, count=3)
SWORD = InventoryItem(2, "(", "white", "sword", int(ItemFlag.WIELDABLE | ItemFlag.WIELDED), 5, 0, 0)
BREAD = InventoryItem(3, "%", "white", "bread", int(ItemFlag.BOUND), 0, 0, 9)
MACE = InventoryItem(4, "(", "white", "mace", int(ItemFlag.WIELDABLE), 3, 0, 0)
SHIELD = InventoryItem(7, "[", "white", "shield", int(ItemFlag.WEARABLE), 0, 2, 0)
BERT = 30
LATER_MS = 60_000


def beside(*names: str) -> View:
    view = level_view()
    friends = [
        Creature(
            BERT + at,
            view.cell + 1 + at * view.place.width,
            30,
            40,
            2,
            CreatureFlag.PLAYER,
            "@",
            "cyan",
            name,
        )
        for at, name in enumerate(names)
    ]
    return replace(view, creatures=(*view.creatures, *friends), inventory=(RATIONS, SWORD, BREAD, MACE))


def company(*names: str) -> Model:
    """Return a client beside these players, of a server that knows trades."""
    return structs.replace(
        base := playing(beside(*names)), world=structs.replace(base.world, abilities=frozenset({"trade"}))
    )


def told(model: Model, *messages: FromServer, now_ms: int = 0) -> Model:
    return update(model, heard(*messages, view=model.view), now_ms)[0]


def trading(**fields: object) -> Model:
    """Return a client with an open trade: one ration for a shield, unless said otherwise."""
    state = TradeState("Bert", BERT, 7, answered=True, gives=(replace(RATIONS, count=1),), gets=(SHIELD,))
    return told(company("Bert"), replace(state, **fields))


def keyed(model: Model, *keys: str) -> tuple[Model, list[ClientEffect]]:
    """Press keys long after the newest change."""
    return press(model, *keys, now_ms=LATER_MS)


def test_the_key_asks_the_only_player_beside() -> None:
    model, wanted = press(company("Bert"), "$")
    assert wanted == [SendCommand(OfferTrade(BERT))]
    assert model.top.state == "play"
    model = told(model, TradeState("Bert", BERT, 5))
    assert model.top.state == "trade"
    assert "Bert has not answered yet." in picture(model)


def test_of_several_players_one_is_chosen() -> None:
    model, _ = press(company("Bert", "Cleo"), "$")
    assert "b - Cleo" in picture(model)
    assert press(model, "b")[1] == [SendCommand(OfferTrade(BERT + 1))]


def test_by_name_only_who_stands_beside_is_asked() -> None:
    model = company("Bert")
    assert press(model, ":", *"/trade bert", "ENTER")[1] == [SendCommand(OfferTrade(BERT))]
    assert (
        "Cleo does not stand beside you; go there first."
        in press(model, ":", *"/trade Cleo", "ENTER")[0].flash.text
    )
    assert "/trade NAME" in press(model, ":", *"/trade", "ENTER")[0].flash.text


def test_without_anyone_or_with_an_old_server() -> None:
    assert press(company(), "$")[0].flash.text == "No player stands beside you to trade with; G goes to one."
    older = press(
        structs.replace(base := company("Bert"), world=structs.replace(base.world, abilities=frozenset())),
        "$",
    )[0]
    assert older.flash.text == "This server is older and does not know this command; its host can upgrade it."


@pytest.mark.parametrize("preset", ["vi", "wasd"])
def test_a_request_is_one_line_with_the_key(preset: str) -> None:
    model = structs.replace(company("Bert"), options=Options(keys=preset))
    model = told(model, TradeState("Bert", BERT, 5, asked=True))
    assert model.messages.entries[-1].text == "Bert wants to trade; $ answers."
    assert model.top.state == "play"
    assert suggested_actions(model)[0] == "trade"
    model, wanted = press(model, "$")
    assert wanted == [SendCommand(OfferTrade(BERT))]
    assert model.top.state == "trade"


def test_a_request_makes_one_line_whatever_follows() -> None:
    """A player who asks, and offers and confirms again and again, fills no log."""
    model = told(company("Bert"), TradeState("Bert", BERT, 5, asked=True))
    lines = len(model.messages.entries)
    for revision in range(6, 12):
        model = told(model, TradeState("Bert", BERT, revision, asked=True, gets=(SHIELD,)))
        model = told(model, TradeState("Bert", BERT, revision, asked=True, other_confirmed=True))
    assert len(model.messages.entries) == lines


def test_both_sides_and_who_confirmed_are_shown() -> None:
    screen = picture(trading(other_confirmed=True))
    for words in ("Trade with Bert", "a + 1 of 3 rations", "e - mace  Atk +3", "shield  Def +2"):
        assert words in screen
    assert "Bert has confirmed this offer; you have not yet." in screen
    assert "sword" not in screen.split("Trade with")[1].split("\n")[4]
    assert "You have confirmed; Bert has not yet." in picture(trading(confirmed=True))


@pytest.mark.parametrize("size", [(60, 20), (79, 24), (80, 24), (120, 40), (250, 100)])
def test_a_full_trade_fits_every_window(size: tuple[int, int]) -> None:
    """U29: the top line, the log and the status stay visible."""
    pack = tuple(replace(MACE, slot=at, name=f"mace {at}") for at in range(26))
    full = structs.replace(base := company("Bert"), surface=structs.replace(base.surface, size=size))
    full = structs.replace(full, view=replace(full.view, inventory=pack))
    model = told(full, TradeState("Bert", BERT, 7, answered=True, gives=pack[:3], gets=pack))
    rows = picture(model).split("\n")
    assert [cells(row) for row in rows] == [size[0]] * size[1]
    assert size[1] >= 30 or " more " in picture(model)
    plain = picture(structs.replace(model, screens=model.screens[:1])).split("\n")
    assert (rows[0], rows[-2]) == (plain[0], plain[-2])
    assert "Not confirmed yet." in "\n".join(rows)
    assert "Enter confirm" in rows[-1]


def test_side_by_side_or_one_above_the_other() -> None:
    def rows_of(width: int, height: int) -> tuple[int, int]:
        rows = picture(
            structs.replace(base := trading(), surface=structs.replace(base.surface, size=(width, height)))
        ).split("\n")
        return tuple(
            next(at for at, row in enumerate(rows) if words in row) for words in ("You get", "You give")
        )  # type: ignore[return-value]

    wide, narrow = rows_of(80, 24), rows_of(60, 20)
    assert wide[0] == wide[1]
    assert narrow[0] < narrow[1]


@pytest.mark.parametrize(
    ("keys", "pairs"),
    [
        ("a", ()),
        ("e", (0, 1, 4, 1)),
        ("+", (0, 2)),
        ("-", ()),
        (" ", ()),
    ],
)
def test_each_key_sends_the_whole_offer(keys: str, pairs: tuple[int, ...]) -> None:
    _, wanted = keyed(trading(), *keys)
    assert wanted == [SendCommand(OfferTrade(BERT, pairs))]


def test_quick_keys_add_up_before_the_answer() -> None:
    """The second key is pressed before the server has answered the first: the offer holds both."""
    model, wanted = keyed(trading(gives=()), "a")
    for effect in wanted:
        assert isinstance(effect, SendCommand)
        model, _ = update(model, CommandSent(effect.command, LATER_MS), LATER_MS)
    assert keyed(model, "e")[1] == [SendCommand(OfferTrade(BERT, (0, 3, 4, 1)))]


def test_what_is_bound_or_in_use_has_no_row() -> None:
    model = trading()
    assert "bread" not in picture(model)
    assert keyed(model, "c")[1] == []
    assert (
        "You offer all of it that is free; - takes one back."
        in keyed(trading(gives=(RATIONS,)), "+")[0].flash.text
    )


def test_bound_items_alone_say_why_none_can_be_given() -> None:
    bound, empty = (
        structs.replace(base := trading(), view=replace(base.view, inventory=items))
        for items in ((BREAD,), ())
    )
    assert "all of yours is bound to you" in picture(bound)
    assert "nothing to give" in picture(empty)


def test_enter_confirms_exactly_what_stands_there() -> None:
    assert keyed(trading(), "ENTER")[1] == [SendCommand(ConfirmTrade(BERT, 7))]
    again, wanted = keyed(trading(confirmed=True), "ENTER")
    assert (wanted, again.flash.text) == ([], "You have confirmed; Bert has not yet.")
    nothing, wanted = keyed(trading(gives=(), gets=()), "ENTER")
    assert (wanted, nothing.flash.text) == ([], "Nothing is offered yet: there is nothing to confirm.")


def test_an_offer_that_just_changed_is_read_first() -> None:
    """A player who takes the shield back in the last moment gets no confirmation by the key that is under way."""
    state = trading().company.trade.state
    model = told(trading(), replace(state, revision=9, gets=()), now_ms=LATER_MS)
    model, wanted = press(model, "ENTER", now_ms=LATER_MS + 400)
    assert (wanted, model.flash.text) == ([], "Bert has just changed the offer: read it first.")
    assert press(model, "ENTER", now_ms=LATER_MS + 2_000)[1] == [SendCommand(ConfirmTrade(BERT, 9))]


def test_escape_ends_it_and_the_key_only_closes() -> None:
    _, wanted = keyed(trading(), "ESC")
    assert wanted == [SendCommand(EndTrade())]
    closed, wanted = keyed(trading(), "$")
    assert (closed.top.state, wanted) == ("play", [])
    closed = told(closed, replace(closed.company.trade.state, other_confirmed=True))
    assert closed.messages.entries[-1].text == "Bert has confirmed the trade; $ shows it."
    assert keyed(closed, "$")[0].top.state == "trade"


@pytest.mark.parametrize("ending", [TradeState(), Joined("Ann", 4, 1)], ids=["over", "after a cut"])
def test_a_trade_that_is_over_closes_its_screen(ending: FromServer) -> None:
    model = told(trading(), ending)
    assert model.top.state == "play"
    assert not model.company.trade.name


def test_hostile_names_do_not_reach_the_screen() -> None:
    evil = replace(SHIELD, name="\x1b[2Jshield" + "x" * 900)
    screen = picture(trading(name="B\x1b]0;ert", gets=(evil,)))
    assert "\x1b" not in screen
    assert {cells(row) for row in screen.split("\n")} == {80}


@pytest.mark.rule("A73")
@pytest.mark.parametrize("size", [(44, 20), (60, 20), (80, 24), (250, 100)])
def test_a_hostile_trade_is_drawn_and_answered(size: tuple[int, int]) -> None:
    """Slots and counts that no pack has, hundreds of items, and long, wide and unsafe names: each key has its answer."""
    odd = InventoryItem(
        10**6,
        "\x1b[2J",
        "no colour",
        "\u6f22\u202e\x07" * 300,
        2**31 - 1,
        10**9,
        -(10**9),
        0,
        count=2**31 - 1,
    )
    many = tuple(replace(odd, slot=at) for at in range(200))
    model = structs.replace(
        base := trading(name="\u6f22" * 1_000, gives=many, gets=many),
        surface=structs.replace(base.surface, size=size),
    )
    for key in ("a", "z", " ", "+", "-", "UP", "DOWN", "ENTER", "F5"):
        after, _ = keyed(model, key)
        screen = picture(after)
        assert "\x1b" not in screen
        assert [cells(row) for row in screen.split("\n")] == [size[0]] * size[1]


def test_lines_of_text_say_both_sides() -> None:
    model = trading()
    spoken = read_screen(model, model.top)
    assert spoken.title == "Trade with Bert"
    assert "You get: shield Def +2." in spoken.lines
    assert "You give: ration." in spoken.lines
    assert spoken.marked_line == "a + 1 of 3 rations"
