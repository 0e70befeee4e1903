"""Players and their programs: the client's real protocol and connection, with a bot instead of a screen."""

import asyncio
from collections.abc import Callable
from typing import Any

from gloam_client.net.connection import Connection
from gloam_client.net.protocol_client import ProtocolClient
from gloam_client.net.tls_connect import ConnectFailed
from gloam_client.user_files.address import Address
from gloam_lab.bots import Adventurer
from gloam_shared.protocol import commands
from gloam_shared.protocol.messages import parties
from gloam_shared.protocol.messages.chat import Ignore, Report, SendChat, Speak
from gloam_shared.protocol.messages.lives import BeginAtBeacon, ChooseKit, Died, NewLife
from gloam_shared.protocol.messages.login import Bye, Goodbye, Joined
from gloam_shared.protocol.messages.play import Answer, Away, Refresh, Thinking
from gloam_shared.protocol.messages.records import AskMapMemory
from gloam_shared.protocol.messages.trade import NO_TRADE, TradeState
from gloam_shared.protocol.registry import FromClient, FromServer
from gloam_shared.view.view import View
from support.fuzz.forger import Forger
from support.simulation.machine import Machine
from support.simulation.network import Line
from support.simulation.players.companies import Company
from support.simulation.players.traders import trade_word
from support.simulation.randomness import Chance
from support.simulation.virtual_time import VirtualLoop


class Person:
    """Someone with a name, who runs the client again whenever it has ended, and at times twice at the same time.

    `sent` are their commands by number, `meant_for` the lives that their programs had when they gave them.
    """

    def __init__(
        self,
        at: int,
        loop: VirtualLoop,
        chance: Chance,
        machine: Machine,
        company: Company,
        forger: Forger | None = None,
    ) -> None:
        self.name = f"Player{at}"
        self.token = self.name.encode().ljust(32, b".")
        self.loop = loop
        self.chance = chance
        self.machine = machine
        self.sent: dict[int, set[commands.AnyCommand]] = {}
        self.meant_for: dict[int, set[int]] = {}
        self.programs: list[Program] = []
        self.byes: list[str] = []
        self.forger = forger
        self.rests = False
        bot = Adventurer()
        self.hear: Callable[[View, Answer], None] = bot.hear
        self.decide = company.mind(at, chance, bot)
        self.sociable = company.sociable
        self.come_back(chance.uniform(0.1, 5))

    def come_back(self, seconds: float) -> None:
        """Run the client some time from now, unless it runs by then."""
        self.loop.call_later(seconds, self._come_back)

    def run_program(self) -> "Program":
        """Run the client (once more)."""
        program = Program(self)
        self.programs.append(program)
        return program

    def ended(self, program: "Program") -> None:
        """One of the player's programs has ended."""
        self.programs.remove(program)
        if not self.programs:
            self.come_back(0.5 if self.rests else self.chance.choice((0.3, 2, 5, 25)))

    def _come_back(self) -> None:
        if not self.programs:
            self.run_program()


class Program:
    """One run of the client. `line` is the line that it has now, if it has one."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.line: Line | None = None
        self.lines = 0
        self.dead = False
        self.trade = NO_TRADE
        self.kits = 0
        self.beacons: tuple[int, ...] = ()
        self._busy_until_ms = 0
        self._idle_until_ms = 0
        loop = person.loop
        self.link = ProtocolClient(person.name, person.token, "simulation")
        self.connection = Connection(self.link, Address("127.0.0.1"), self, lambda: loop.now_ms)
        self.task = loop.create_task(self._run())
        self._thinking = loop.call_later(0.1, self._think)

    async def dial(self, protocol_factory: Callable[[], Any]) -> Any:
        """Open a line, as the client's system would."""
        await asyncio.sleep(0.001)
        protocol = protocol_factory()
        self.line = self.person.machine.accept(protocol)
        self.lines += 1
        return self.line.client_end, protocol

    def crash(self) -> None:
        """Kill the program; its system closes the connection."""
        self.task.cancel()

    def command(self, command: commands.AnyCommand) -> int:
        """Give a command."""
        number = self.link.command(command, self.person.loop.now_ms)
        self.person.sent.setdefault(number, set()).add(command)
        self.person.meant_for.setdefault(number, set()).add(self.link.life)
        self.connection.flush()
        return number

    def on_messages(self, messages: list[FromServer]) -> None:
        """Handle what arrived."""
        for message in messages:
            match message:
                case Died():
                    self.dead = True
                case Joined(kits=kits, beacons=beacons):
                    self.dead, self.trade, self.kits = False, NO_TRADE, len(kits)
                    self.beacons = tuple(each.depth for each in beacons)
                case TradeState():
                    self.trade = message
                case Answer():
                    self.person.hear(self.link.view, message)
                case Bye(code=code):
                    self.person.byes.append(code)
                case _:
                    pass

    def on_connected(self) -> None:
        """A connection begins; no one records it."""

    def on_cut(self, text: str, since_ms: int, retry_ms: int) -> None:
        """The connection is lost; the connection makes another."""

    def on_back(self, away_ms: int) -> None:
        """The connection is back."""

    async def _run(self) -> None:
        try:
            await self.connection.run()
        except (ConnectFailed, asyncio.CancelledError):
            pass
        finally:
            self._thinking.cancel()
            self.person.ended(self)

    def _think(self) -> None:
        chance, now_ms = self.person.chance, self.person.loop.now_ms
        if self.link.joined and self.person.rests:
            self._rest()
        elif self.link.joined and now_ms >= self._idle_until_ms:
            if (forger := self.person.forger) is not None and forger.comes:
                self._send(forger.message(self.link.life))
                self.command(forger.command(self.link.view))
            self._want_something()
        gap_s = chance.choice((0.06, 0.15, 0.3, 0.6))
        if now_ms >= self._busy_until_ms:  # after some time at the keyboard some time away from it
            self._idle_until_ms = now_ms + chance.randint(0, 9_000)
            self._busy_until_ms = self._idle_until_ms + chance.randint(5_000, 30_000)
        self._thinking = self.person.loop.call_later(0.2 if self.person.rests else gap_s, self._think)

    def _rest(self) -> None:
        """End what is under way."""
        if self.dead:
            self._begin_again(None)
        elif self.link.pace.plan and self.link.unanswered is None:
            self.command(commands.Stop())

    def _want_something(self) -> None:
        chance = self.person.chance
        luck = chance.random()
        if self.kits and not self.dead:
            self._send(
                ChooseKit(self.link.life, chance.randint(0, self.kits))
            )  # the last one is none of them
            self.kits = 0
        elif self.beacons and not self.dead:
            self._send(BeginAtBeacon(self.link.life, chance.choice((*self.beacons, *self.beacons, 3))))
            self.beacons = self.beacons if chance.random() < 0.6 else ()
        elif self.dead:
            if luck < 0.3:
                self._begin_again(chance.choice((None, 0, 1)))
        elif luck < self.person.sociable:
            self._send(self._party_request())
        elif self.link.view.place.depth and luck < (0.9 if self.link.unanswered is None else 0.1):
            word = trade_word(self.link.view, self.trade, chance)
            self.command(word or self.person.decide(self.link.view))
        elif luck > 0.999:
            self._send(Goodbye())
        elif luck > 0.97:
            name = f"Player{chance.randint(0, 5)}"
            others = Thinking(), Refresh(), AskMapMemory(1), Away()
            self._send(chance.choice((SendChat(f"{name}!"), *_words(name), *others)))

        elif luck > 0.94:
            self._send(self._party_request())

    def _party_request(self) -> parties.PartyRequest:
        """Return a request about parties, possible or not."""
        chance = self.person.chance
        name, yes = f"Player{chance.randint(0, 5)}", chance.random() < 0.8
        choices: tuple[parties.PartyRequest, ...] = (
            *(parties.InviteToParty(name),) * 4,
            *(parties.AnswerInvite(accept=yes),) * 6,
            parties.SetPartyChoices(yes, chance.randint(0, 2)),
            parties.LeadParty(),
            parties.LeaveParty(),
        )
        return chance.choice(choices)

    def _begin_again(self, keepsake: int | None) -> None:
        """Ask for the next life, any number of times."""
        self._send(NewLife(self.link.life, keepsake))

    def _send(self, message: Any) -> None:
        self.link.send(message)
        self.connection.flush()


def _words(name: str) -> tuple[FromClient, ...]:
    """Return what one player may say about another, or to them."""
    spoken = (
        Speak("whisper", "come", name),
        Speak("party", f"{name}, come"),
        Speak("emote", f"waves at {name}"),
    )
    return (*spoken, Ignore(name, "block"), Ignore(name, "hear"), Report(name, "spam"))
