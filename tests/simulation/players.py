"""Players of the swarm: real links with a mind, and all the bad luck that lines have."""

from collections.abc import Callable

from gloam_client.link import Link
from gloam_server.bots import Adventurer, Walker
from gloam_shared.commands import (
    AnyCommand,
    Choose,
    Climb,
    Explore,
    Fight,
    Move,
    Rest,
    Run,
    Stop,
    Travel,
    Wait,
)
from gloam_shared.messages import (
    Answer,
    Away,
    Bye,
    Died,
    FromServer,
    Goodbye,
    Joined,
    NewLife,
    Recall,
    Refresh,
    Say,
    Thinking,
)
from gloam_shared.view import View
from simulation.chance import Chance
from simulation.lines import Line
from support.realm import SimServer

NEVER_READS_MS = 25_000
EVERYTHING = 1 << 30


def wild_mind(chance: Chance) -> Callable[[View], AnyCommand]:
    """Return a mind that wants anything at all, possible or not."""

    def decide(view: View) -> AnyCommand:
        dx, dy = chance.randint(-1, 1), chance.randint(-1, 1)
        wishes: list[AnyCommand] = [Wait(), Climb(down=chance.random() < 0.5), Choose(chance.randint(0, 5))]
        wishes += [Explore(), Fight(), Run(dx, dy), Rest(), Stop()]
        wishes += [Travel(chance.randrange(max(1, len(view.terrain))))]
        wishes += [Move(dx, dy)] * 6
        return chance.choice(wishes)

    return decide


class SwarmPlayer:
    """One player, over as many lines as it takes."""

    def __init__(self, at: int, chance: Chance) -> None:
        self.name = f"Player{at}"
        self.chance = chance
        self.link = Link(self.name, self.name.encode().ljust(32, b"."), "swarm")
        self.line: Line | None = None
        self.dead = False
        self.sent: dict[int, AnyCommand] = {}
        self.byes: list[str] = []
        self.bot = Adventurer()
        minds = (self.bot.decide, Walker(at + 1).decide, wild_mind(chance))
        self._decide = minds[at % len(minds)]
        self._former: list[Line] = []
        self._stalled_until_ms = 0
        self._blind_until_ms = 0
        self._bytes_a_step = EVERYTHING

    def is_up(self) -> bool:
        """Return whether the player has a line that stands."""
        return self.line is not None and self.line.up

    def step(self, server: SimServer) -> list[FromServer]:
        """Live for a moment; return what came."""
        now_ms = server.now_ms
        self._end_former_lines()
        if not self.is_up():
            self.line = None
            if self.chance.random() < 0.2:
                self._dial(server)
            return []
        self._have_bad_luck(server, now_ms)
        if not self.is_up() or now_ms < self._stalled_until_ms:
            return []
        if self.link.joined:
            self._want_something(now_ms)
        self.link.tick(now_ms)
        return self._carry(now_ms)

    def rest(self, server: SimServer) -> list[FromServer]:
        """End what is under way and listen, on a line without faults."""
        self._end_former_lines()
        if not self.is_up():
            self._dial(server)
        assert self.line is not None
        self.link.tick(server.now_ms)
        if self.dead:
            self.link.send(NewLife())
            self.dead = False
        if self.link.joined and self.link.pace.plan and self.link.unanswered is None:
            self.sent[self.link.command(Stop(), server.now_ms)] = Stop()
        self.line.carry_up(self.link, all_of_it=True)
        return self._heed(self.line.carry_down(self.link, server.now_ms, EVERYTHING))

    def lose_everything(self) -> None:
        """The server is gone, and the line with it."""
        self.line = None
        self._former.clear()

    def _dial(self, server: SimServer) -> None:
        if self.line is not None:
            self._former.append(self.line)
        self.line = Line(server, self.chance)
        self.dead = False
        self._bytes_a_step = self.chance.choice((EVERYTHING, EVERYTHING, 60))
        self.link.connected(server.now_ms)

    def _end_former_lines(self) -> None:
        for line in self._former:
            if line.wire.aborted:
                line.cut()
        self._former = [line for line in self._former if line.up]

    def _have_bad_luck(self, server: SimServer, now_ms: int) -> None:
        assert self.line is not None
        luck = self.chance.random()
        if luck < 0.003:
            self.line.cut()
        elif luck < 0.005:  # a second login takes over, while the old line still stands
            self._dial(server)
        elif luck < 0.009:
            self._stalled_until_ms = now_ms + self.chance.randint(50, 4_000)
        elif luck < 0.01:
            self._blind_until_ms = now_ms + NEVER_READS_MS
        elif luck < 0.011 and self.link.joined:
            self.link.send(Goodbye())

    def _want_something(self, now_ms: int) -> None:
        if self.dead:
            if self.chance.random() < 0.1:
                self.link.send(NewLife())
            return
        luck = self.chance.random()
        if self.link.view.place.depth and luck < (0.5 if self.link.unanswered is None else 0.03):
            command = self._decide(self.link.view)
            self.sent[self.link.command(command, now_ms)] = command
        elif luck > 0.985:
            self.link.send(
                self.chance.choice(
                    (Say(f"Player{self.chance.randint(0, 5)}!"), Thinking(), Refresh(), Recall(1), Away())
                )
            )

    def _carry(self, now_ms: int) -> list[FromServer]:
        assert self.line is not None
        self.line.carry_up(self.link)
        at_most = 0 if now_ms < self._blind_until_ms else self._bytes_a_step
        return self._heed(self.line.carry_down(self.link, now_ms, at_most))

    def _heed(self, messages: list[FromServer]) -> list[FromServer]:
        for message in messages:
            match message:
                case Died():
                    self.dead = True
                case Joined():
                    self.dead = False
                case Answer():
                    self.bot.hear(self.link.view, message)
                case Bye(code=code):
                    self.byes.append(code)
                case _:
                    pass
        return messages
