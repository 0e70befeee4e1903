"""Bots at play on a whole server, one seed after another."""

from typing import Protocol

from gloam_lab.bots import Adventurer
from gloam_server.autopilot.plans import STEPS_MAX
from gloam_server.content.campaign import Campaign
from gloam_shared.protocol.commands import AnyCommand
from gloam_shared.protocol.messages.lives import Died
from gloam_shared.protocol.messages.play import Answer
from gloam_shared.view.view import View
from support.server.sim_server import SimClient, SimServer


class Mind(Protocol):
    """The interface of a bot."""

    def decide(self, view: View) -> AnyCommand:
        """Return the next command for what the view shows."""


class Outing:
    """One bot's way through a dungeon, until it dies, is stuck in a plan, or has given this many commands."""

    def __init__(
        self, campaign: Campaign, seed: int, mind: Mind, commands: int, server: SimServer | None = None
    ) -> None:
        self.server = server or SimServer(campaign, seed)
        self.client: SimClient = self.server.join("Bot")
        self.mind = mind
        self.deepest = self.level = 1
        self.stuck = False
        self.given: list[AnyCommand] = []
        while len(self.given) < commands and not (self.died or self.stuck):
            self.step()

    @property
    def died(self) -> bool:
        """Whether the bot has met its end."""
        return bool(self.client.of_kind(Died))

    def step(self) -> None:
        """Give one command and wait for its answer, a whole plan's if it is one."""
        command = self.mind.decide(self.client.view)
        self.given.append(command)
        self.client.command(command)
        self.server.advance(60)
        for _ in range(STEPS_MAX // 2):
            if not self.client.link.pace.plan or self.died:
                break
            self.server.advance(60)
        else:
            self.stuck = True
        for message in self.client.hear() if not self.died else []:
            if isinstance(message, Answer) and isinstance(self.mind, Adventurer):
                self.mind.hear(self.client.view, message)
        if not self.died:
            self.deepest = max(self.deepest, self.client.view.place.depth)
            self.level = max(self.level, self.server.body(self.client).level)
