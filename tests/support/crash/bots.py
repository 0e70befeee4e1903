"""Bots for a server that is killed: twenty real clients over real TCP in one loop. They keep what was acknowledged."""

import selectors
import socket
import time
from collections import deque
from collections.abc import Callable

from gloam_client.net.protocol_client import ProtocolClient
from gloam_lab.bots import Adventurer, Walker
from gloam_shared.protocol.commands import (
    AnyCommand,
    Choose,
    Climb,
    Drop,
    Duel,
    Explore,
    Give,
    Move,
    PickUp,
    Plan,
    Quaff,
    Stop,
    Throw,
    Wait,
    Wear,
    Wield,
)
from gloam_shared.protocol.messages.lives import Died, NewLife
from gloam_shared.protocol.messages.login import Joined
from gloam_shared.protocol.messages.play import Answer, Update
from gloam_shared.protocol.messages.trade import NO_TRADE, TradeState
from gloam_shared.protocol.registry import FromServer
from gloam_shared.view.view import CreatureFlag, InventoryItem, View
from support.simulation.players.traders import trade_word
from support.simulation.randomness import Chance

_TURN_S = 0.01
_HEIR_AFTER_S = 0.2
_STORY = 30
_LETTERS = "abcdefghjklmnopqrstuvwxyz"


def restless_mind(chance: Chance) -> Callable[[View], AnyCommand]:
    """Return a bot that keeps moving items: it picks up, drops, gives, throws, wields, quaffs, and walks."""

    def decide(view: View) -> AnyCommand:
        dx, dy = chance.randint(-1, 1), chance.randint(-1, 1)
        choices: list[AnyCommand] = [Explore(), Wait(), Move(dx, dy), Move(dx, dy), Move(dx, dy)]
        if view.choices:
            choices.append(Choose(0))
        if view.pile:
            choices += [PickUp(), PickUp((view.pile[-1].handle,))]
        if view.inventory:
            slot = chance.choice(view.inventory).slot
            cell = chance.randrange(max(1, len(view.terrain)))
            choices += [Drop(slot), Wield(slot), Wear(slot), Quaff(slot), Throw(slot, cell), Drop(slot)]
            choices += [Give(slot, friend) for friend in _beside(view)] * 2
        choices += [Duel(friend, agree=False) for friend in _beside(view)[:1]]
        return chance.choice(choices)

    return decide


class Bot:
    """One player, over any number of connections. An answered command must never be undone."""

    def __init__(self, at: int, chance: Chance) -> None:
        self.name = f"Bot{_LETTERS[at % 25]}{_LETTERS[at // 25] if at >= 25 else ''}"
        self.link = ProtocolClient(self.name, self.name.encode().ljust(32, b"."), "crash")
        self.once: set[int] = set()
        """The numbers of commands that are carried out once at most; plans take a step after another."""
        self.deaths = 0
        self.dead_since_s: float | None = None
        self.carried_out = 0
        """The highest answered number of this life."""
        self.answered = 0
        """The number of commands that were answered in all."""
        self.holds: tuple[InventoryItem, ...] | None = None
        """The newest inventory in its view; None without news since the last call."""
        self.trade = NO_TRADE
        self._mourned = False
        self._life = 0
        self._chance = chance
        self._open: dict[int, AnyCommand] = {}
        self._story: deque[object] = deque(maxlen=_STORY)
        self._adventurer = Adventurer()
        minds = (restless_mind(chance), self._adventurer.decide, restless_mind(chance), Walker(at + 1).decide)
        self._decide = minds[at % len(minds)]
        self._socket: socket.socket | None = None

    @property
    def socket(self) -> socket.socket | None:
        """The connection, while it is open."""
        return self._socket

    def dial(self, port: int) -> None:
        """Open a line and log in (again)."""
        self.hang_up()
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.setblocking(False)
        self.link.connected(_now_ms())
        self._flush()

    def hang_up(self) -> None:
        """Cut the line."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def read(self) -> None:
        """Take what has arrived; a broken line is cut."""
        assert self._socket is not None
        try:
            data = self._socket.recv(262_144)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.hang_up()
            return
        for message in self.link.receive(data, _now_ms()):
            self._note(message)

    def act(self) -> None:
        """Send the next command, if none is under way."""
        link = self.link
        if self._socket is None or not link.joined:
            return
        if self.dead_since_s is not None:
            if time.monotonic() - self.dead_since_s > _HEIR_AFTER_S:
                self.dead_since_s = time.monotonic()
                link.send(NewLife(link.life, 0 if self._chance.random() < 0.5 else None))
        elif link.unanswered is None and link.view.place.depth:
            under_way = link.pace.plan
            if not under_way or self._chance.random() < 0.02:
                command = Stop() if under_way else self._wish(link.view)
                number = link.command(command, _now_ms())
                self._open[number] = command
                self._story.append((number, command))
                if not isinstance(command, Plan | Climb | Stop):
                    self.once.add(number)
        link.tick(_now_ms())
        self._flush()

    def _wish(self, view: View) -> AnyCommand:
        """Return a word of a trade where there is someone to trade with, else what the bot wants."""
        word = trade_word(view, self.trade, self._chance)
        return self._decide(view) if word is None else word

    def story(self) -> str:
        """Return the last that was said, for who looks into a failure."""
        return "; ".join(map(str, self._story))

    def looked_at(self) -> None:
        """The view so far has been compared; from here on only new updates count."""
        self.holds = None

    def _note(self, message: FromServer) -> None:
        self._story.append(f"done {message.done}" if isinstance(message, Update) else message)
        match message:
            case Joined(life=life):
                self.dead_since_s, self.trade = None, NO_TRADE
                if life != self._life:
                    self._life, self.carried_out, self._mourned = life, 0, False
            case Answer(number=number):
                self.answered += self._open.pop(number, None) is not None
                self._adventurer.hear(self.link.view, message)
            case TradeState():
                self.trade = message
            case Died():
                self.deaths += not self._mourned  # it is sent again at each login, until the next life
                self._mourned = True
                self.dead_since_s = time.monotonic()
                self.holds = None
            case Update(done=done):
                self._note_done(done)
                self.holds = self.link.view.inventory if self.dead_since_s is None else None

    def _note_done(self, done: int) -> None:
        """Every command that an update reports as done was carried out, unless an earlier answer refused it."""
        commands = {number: self._open.pop(number) for number in sorted(self._open) if number <= done}
        self.answered += len(commands)
        for number, command in commands.items():
            if not isinstance(command, Stop):
                self.carried_out = max(self.carried_out, number)

    def _flush(self) -> None:
        data = self.link.outgoing()
        if data and self._socket is not None:
            try:
                self._socket.sendall(data)
            except OSError:
                self.hang_up()


class Crowd:
    """All bots, in one loop."""

    def __init__(self, bots: list[Bot]) -> None:
        self.bots = bots

    def dial(self, port: int) -> None:
        """Connect all players, while the server lives."""
        for bot in self.bots:
            try:
                bot.dial(port)
            except OSError:
                bot.hang_up()

    def hang_up(self) -> None:
        """Cut every line."""
        for bot in self.bots:
            bot.hang_up()

    def are_in(self) -> bool:
        """Return whether all players are in play."""
        return all(bot.link.joined and bot.link.view.place.depth for bot in self.bots)

    def play(self, seconds: float, until: Callable[[], bool] = lambda: False) -> bool:
        """Play for so long, or until something holds; return whether it does."""
        end = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            for bot in self.bots:
                if bot.socket is not None:
                    selector.register(bot.socket, selectors.EVENT_READ, bot)
            while (left := end - time.monotonic()) > 0 and not until():
                for key, _ in selector.select(min(left, _TURN_S)):
                    bot = key.data
                    bot.read()
                    if bot.socket is None:
                        selector.unregister(key.fileobj)
                for bot in self.bots:
                    bot.act()
                if not selector.get_map():
                    return until()
        return until()


def _beside(view: View) -> list[int]:
    return [
        one.handle
        for one in view.creatures
        if one.marks & CreatureFlag.PLAYER
        and not one.marks & CreatureFlag.SELF
        and view.place.grid.distance(view.cell, one.cell) == 1
    ]


def _now_ms() -> int:
    return int(time.monotonic() * 1_000)
