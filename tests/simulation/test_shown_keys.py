"""No key stands on the bottom line of play that would be refused if it were pressed now: asked of bots' lives in all campaigns."""

from collections.abc import Iterator

import pytest

from gloam_client import inputs
from gloam_client.intents import Order
from gloam_client.model import Model
from gloam_client.screens.bottom import wishes
from gloam_client.screens.play import Play, act
from gloam_client.update import update
from gloam_server.app import planning
from gloam_server.bots import Adventurer
from gloam_server.sessions import plans
from gloam_server.world.actions import resolve
from gloam_server.world.outcome import Impossible
from gloam_shared.commands import Action, AnyCommand, Climb, Plan
from gloam_shared.messages import Answer, Died
from gloam_shared.view import Fact
from support.campaigns import shipped
from support.effort import effort
from support.realm import SimClient, SimServer

CAMPAIGNS = ("gloam", "jsrogue", "rltut", "ruggrogue")
SEEDS = range(effort(1, 2))
COMMANDS = effort(40, 120)
WAITS_MAX = 60


class Watched:
    """A bot's life, as the real client knows it."""

    def __init__(self, campaign: str, seed: int) -> None:
        self.server = SimServer(shipped(campaign), seed)
        self.client: SimClient = self.server.join("Bot")
        self.bot = Adventurer()
        joining = inputs.Joining("Bot", "here")
        self.model, _ = update(Model(screens=(Play(),), name="Bot"), joining, self.server.now_ms)
        self.died = False
        self.heard()

    def heard(self) -> None:
        """Tell the client's model, and the bot, what has come."""
        link = self.client.link
        messages = tuple(self.client.hear())
        self.died |= any(isinstance(message, Died) for message in messages)
        came = inputs.Heard(messages, link.view, link.pace, "Bot", None, self.server.now_ms, 0)
        self.model, _ = update(self.model, came, self.server.now_ms)
        for message in messages:
            if isinstance(message, Answer):
                self.bot.hear(link.view, message)

    def moments(self) -> Iterator[Model]:
        """Play on; yield the model whenever a command is due."""
        for _ in range(COMMANDS):
            if self.died:
                return
            yield self.model
            command = self.bot.decide(self.client.view)
            self.client.command(command)
            self.model, _ = update(self.model, inputs.Sent(command, self.server.now_ms), self.server.now_ms)
            for _ in range(WAITS_MAX):
                self.server.advance(100)
                self.heard()
                if not self.client.link.pace.plan:
                    break

    def refusal(self, wish: str) -> str:
        """Return why the key of an intent would be refused now, or ""."""
        reaction = act(self.model, wish)
        orders = [intent.command for intent in reaction.intents if isinstance(intent, Order)]
        if not orders and reaction.change is None:
            return f"the client: {reaction.intents}"
        return next((why for why in map(self.refused, orders) if why), "")

    def refused(self, command: AnyCommand) -> str:
        """Return why the server would refuse a command now, or ""."""
        level, body = self.server.level_of(self.client), self.server.body(self.client)
        view = planning.plain_view(level, body)
        wanted = plans.for_stairs(view, command) if isinstance(command, Climb) else command
        if isinstance(wanted, Plan):
            course = plans.begin(
                view,
                wanted,
                1,
                regeneration=planning.regeneration_rule(level, body),
                damage=level.campaign.combat.damage,
            )
            begun = course if isinstance(course, plans.Ended) else plans.proceed(view, course)
            if isinstance(begun, plans.Ended):
                return "" if begun.code == "explored" else begun.reason  # so the client learns of it
            wanted = begun[0]
        if isinstance(wanted, Action):
            outcome = resolve(level, body, wanted)
            return outcome.reason if isinstance(outcome, Impossible) else ""
        return ""


@pytest.mark.long
@pytest.mark.parametrize("campaign", CAMPAIGNS)
@pytest.mark.parametrize("seed", SEEDS)
def test_no_shown_key_would_be_refused(campaign: str, seed: int) -> None:
    watched = Watched(campaign, seed)
    refusals = []
    pressed = 0
    for model in watched.moments():
        for wish in wishes(model):
            why = watched.refusal(wish)
            pressed += 1
            if why:
                hp = f"{model.fact(Fact.HP)}/{model.fact(Fact.HP_MAX)}"
                refusals.append(f"{wish} at {hp} on depth {model.view.place.depth}: {why}")
    assert pressed
    assert not refusals, "\n".join(sorted(set(refusals)))
