"""Over real TCP: two players trade, and a line that breaks inside a confirmation neither doubles nor loses an item."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gloam_shared.appearance import WALKABLE
from gloam_shared.narration.rendering import inventory_name, with_article
from gloam_shared.protocol.commands import ConfirmTrade, OfferTrade, PickUp, Travel
from gloam_shared.protocol.messages.login import Joined
from gloam_shared.protocol.messages.trade import NO_TRADE, TradeState
from gloam_shared.view.view import Stat
from support.client.cutting_proxy import WAY, CuttingProxy, dialled_until
from support.client.fake_client import FakeClient
from support.client.headless_client import HeadlessClient
from support.content.campaigns import arena_files
from support.processes.server_process import ServerProcess

TRIES = 40

pytestmark = [pytest.mark.end_to_end, pytest.mark.rule("F95", "A45")]


@pytest.fixture(name="server")
def strewn_server(tmp_path: Path) -> Iterator[ServerProcess]:
    """Run a server with a small level where apples and the like lie about, and nothing is dangerous."""
    folder = tmp_path / "strewn"
    folder.mkdir()
    for name, raw in arena_files().items():
        (folder / name).write_bytes(raw.replace(b"monsters = 0", b"monsters = 0\nitems = 60"))
    with ServerProcess(tmp_path / "realm", campaign=f"{folder}/") as server:
        yield server


def trade_of(client: FakeClient) -> TradeState:
    """Return the newest trade on the present line."""
    trade = NO_TRADE
    for message in client.got:
        if isinstance(message, Joined):
            trade = NO_TRADE
        elif isinstance(message, TradeState):
            trade = message
    return trade


def pack(client: FakeClient) -> list[str]:
    return [inventory_name(thing) for thing in client.view.inventory]


def fetch(client: FakeClient) -> None:
    """Walk to an item in sight, and pick it up, until there is one in the pack: another player may be first."""
    for _ in range(TRIES):
        client.read(0.05)
        view = client.view
        if view.inventory:
            return
        if view.pile:
            client.do(PickUp())
            continue
        at = min(
            (thing.cell for thing in view.items if thing.cell != view.cell),
            key=lambda cell: (view.place.grid.distance(view.cell, cell), cell),
        )
        client.do(Travel(at))
        client.wait_for(lambda: not client.link.pace.plan)
    raise AssertionError("nothing was picked up")


def go_beside(client: FakeClient, goal: int) -> None:
    """Walk to a cell beside another player's."""
    view = client.view
    near = [
        cell
        for cell in view.place.grid.neighbors(goal)
        if view.terrain[cell] in WALKABLE and view.at(cell) is None
    ]
    if view.place.grid.distance(view.cell, goal) > 1:
        client.do(Travel(near[0]))
    client.wait_for(lambda: client.view.place.grid.distance(client.view.cell, goal) == 1)


def handle(client: FakeClient) -> int:
    return client.view.fact(Stat.HANDLE)


def offered(anna: FakeClient, bert: FakeClient) -> None:
    """Let both offer the item that they have, and wait until both see both."""
    for one, other in ((anna, bert), (bert, anna)):
        number = handle(other)
        wait_until_seen(one, number)
        one.do(OfferTrade(number, (one.view.inventory[0].slot, 1)))
    for client in (anna, bert):
        wait_for_both_sides(client)


def wait_until_seen(client: FakeClient, number: int) -> None:
    client.wait_for(lambda: any(each.handle == number for each in client.view.creatures))


def wait_for_both_sides(client: FakeClient) -> None:
    client.wait_for(lambda: trade_of(client).gives and trade_of(client).gets)


def confirm(client: FakeClient, *, answered: bool = True) -> int:
    trade = trade_of(client)
    return client.do(ConfirmTrade(trade.handle, trade.revision), answered=answered)


def ready(anna: FakeClient, bert: FakeClient) -> tuple[list[str], list[str]]:
    """Let both fetch an item and meet; return their packs."""
    for client in (anna, bert):
        fetch(client)
    anna.wait_for(lambda: not anna.link.pace.plan)
    go_beside(bert, anna.view.cell)
    return pack(anna), pack(bert)


def test_two_real_clients_trade(server: ServerProcess) -> None:
    with FakeClient(server.port, "Anna") as anna, FakeClient(server.port, "Bert") as bert:
        mine, theirs = ready(anna, bert)
        offered(anna, bert)
        confirm(anna)
        bert.wait_for(lambda: trade_of(bert).other_confirmed)
        confirm(bert)
        anna.wait_for(lambda: not trade_of(anna).name)
        assert (pack(anna), pack(bert)) == (theirs, mine)


@pytest.mark.thorough
@pytest.mark.parametrize("way", ["up", "down"])
def test_a_line_cut_inside_a_confirmation(server: ServerProcess, way: WAY) -> None:
    """The second confirmation is cut on its way, or its answer is. The client sends it again over the next line."""
    proxy = CuttingProxy(server.port, "up", 1 << 30)
    with FakeClient(server.port, "Anna") as anna:
        bert = FakeClient(proxy.port, "Bert")
        bert.wait_for(lambda: bert.view.place.depth > 0)
        mine, theirs = ready(anna, bert)
        offered(anna, bert)
        confirm(anna)
        bert.wait_for(lambda: trade_of(bert).other_confirmed)
        proxy.cut_after(way, 2)
        number = confirm(bert, answered=False)
        dialled_until(bert, lambda: bert.link.joined and not bert.closed and bert.link.done >= number)
        bert.wait_for(lambda: not trade_of(bert).name)
        anna.wait_for(lambda: not trade_of(anna).name)
        bert.wait_for(lambda: bert.link.unanswered is None)
        assert proxy.cuts == 1
        assert (pack(anna), pack(bert)) == ((mine, theirs) if way == "up" else (theirs, mine))
        bert.leave()
    proxy.close()


@pytest.mark.parametrize("size", [(80, 24), (60, 20)], ids=["80x24", "60x20"])
def test_a_gift_with_the_real_client(server: ServerProcess, tmp_path: Path, size: tuple[int, int]) -> None:
    """The real client asks with its key, shows the offer, confirms it, and gets the item."""
    home, (cols, rows) = tmp_path / "home", size
    with HeadlessClient(home, server.port, "Ann", rows=rows, cols=cols) as ann:
        ann.wait_for("HP 40/40")
        with FakeClient(server.port, "Bert") as bert:
            fetch(bert)
            item = bert.view.inventory[0].name
            body = next(each for each in bert.view.creatures if each.name == "Ann")
            go_beside(bert, body.cell)
            ann.type("$")
            ann.wait_for("Trade with Bert")
            ann.wait_for("Bert has not answered yet.")
            bert.wait_for(lambda: trade_of(bert).asked)
            bert.do(OfferTrade(body.handle, (bert.view.inventory[0].slot, 1)))
            ann.wait_for(item)
            bert.wait_for(lambda: bool(trade_of(bert).gives))  # comes after the answer to the command
            confirm(bert)
            ann.wait_for("Bert has confirmed this offer; you have not yet.")
            while trade_of(bert).name:
                ann.type("\r")
                ann.pump(0.3)
                bert.read(0.2)
            ann.wait_for(f"You get {with_article(item)}.")
            assert not bert.view.inventory
