"""Players of one realm, each with the real client's view: bots give the commands, and at times a shown key does.

What they do follows from a seed. `refusals` asks the server of every key on the bottom line whether it would be refused.
"""

from collections.abc import Iterator
from random import Random  # noqa: TID251  # seeded
from string import ascii_lowercase
from typing import Final

from gloam_client.input import keymap
from gloam_client.screens.actions import act
from gloam_client.screens.play import Play
from gloam_client.screens.story import StoryScreen
from gloam_client.screens.suggested_actions import suggested_actions
from gloam_client.state import client_events
from gloam_client.state.client_effects import ClientEffect, SendCommand, SendMessage
from gloam_client.state.model import Model
from gloam_client.update import update
from gloam_lab.bots import Adventurer
from gloam_server.autopilot import plans
from gloam_server.engine.turns import plan_steps
from gloam_server.world.actions import plan
from gloam_server.world.combat.duels import plan_consent
from gloam_server.world.effects.regeneration import regeneration_rule
from gloam_server.world.growth.experience import gain_choices
from gloam_server.world.model.outcome import Impossible
from gloam_server.world.trading.trades import plan_offer, trade_of
from gloam_shared.protocol import commands
from gloam_shared.protocol.messages.lives import JoinFriend
from gloam_shared.protocol.messages.play import Answer
from gloam_shared.view.view import CreatureFlag, Stat
from support.content.campaigns import shipped
from support.server.sim_server import SimClient, SimServer

NAMES: Final = ("Ann", "Bert", "Cyd")
_WAITS_MAX: Final = 60
_FOLLOW_UPS: Final = 3
"""This many questions may follow a key before something is ordered."""


class Party:
    """Players in one realm of a campaign. One alone does as the bot does; several also meet, give, call and duel."""

    def __init__(self, campaign: str, seed: int, players: int = 1) -> None:
        self.server = SimServer(shipped(campaign), seed)
        self.chance = Random(seed)
        self.players = [Player(self.server, name) for name in NAMES[:players]]
        for player in self.players:
            player.heard()

    def moments(self, turns: int) -> Iterator["Player"]:
        """Play on for this many turns; yield each player when they may press a key."""
        for _ in range(turns):
            for player in self.players:
                if player.alive:
                    yield player
            for player in self.players:
                self._act(player)
            self._wait()

    def _act(self, player: "Player") -> None:
        """Have a player do something, or in company at times nothing: then the others wait for them."""
        if not player.alive:
            player.press("ENTER")
        elif len(self.players) == 1:
            player.command(player.bot.decide(player.client.view))
        else:
            self._act_in_company(player, self.chance.randrange(20))

    def _act_in_company(self, player: "Player", dice: int) -> None:
        friends = [
            one
            for one in player.client.view.creatures
            if one.marks & CreatureFlag.PLAYER and not one.marks & CreatureFlag.SELF
        ]
        shown = suggested_actions(player.model)
        if dice < 3:
            return
        if dice < 8 and shown:
            player.use(self.chance.choice(shown), self.chance)
        elif dice == 8 and friends:
            player.command(commands.Duel(friends[0].handle, agree=self.chance.randrange(3) < 2))
        elif dice < 11 and friends:
            view = player.client.view
            player.command(commands.Move(*view.place.grid.towards(view.cell, friends[0].cell)))
        else:
            wanted = player.bot.decide(player.client.view)
            if not isinstance(wanted, commands.Choose) or dice == 11:
                player.command(wanted)

    def _wait(self) -> None:
        """Let time pass until no plan is under way."""
        for _ in range(_WAITS_MAX):
            self.server.pass_time(100)
            for player in self.players:
                player.heard()
            if not any(player.client.link.pace.plan for player in self.players):
                break


class Player:
    """One of them."""

    def __init__(self, server: SimServer, name: str) -> None:
        self.server = server
        self.client: SimClient = server.join(name)
        self.bot = Adventurer()
        self.model, _ = update(
            Model(screens=(Play(),), name=name), client_events.JoinStarted(name, "here"), server.now_ms
        )

    @property
    def alive(self) -> bool:
        """Whether they have a body."""
        return not self.model.dead

    def heard(self) -> None:
        """Tell the client's model, and the bot, what has arrived."""
        link = self.client.link
        messages = tuple(self.client.hear())
        came = client_events.MessagesReceived(
            messages, link.view, link.pace, self.model.name, None, self.server.now_ms, 0
        )
        self._take(came)
        if isinstance(self.model.top, StoryScreen):
            self.press("ESC")
        for message in messages:
            if isinstance(message, Answer):
                self.bot.hear(link.view, message)

    def command(self, command: commands.AnyCommand) -> None:
        """Send a command."""
        self.client.command(command)
        self._take(client_events.CommandSent(command, self.server.now_ms))

    def press(self, key: str) -> None:
        """Press a key as soon as the screen takes keys, and send the result."""
        # A screen that opened unasked takes no key for a while: without this, time would stand still before it.
        self.server.pass_time(max(0, self.model.keys.quiet_until_ms - self.server.now_ms))
        for intent in self._take(client_events.KeyPressed(key)):
            self._perform(intent)

    def use(self, action: str, chance: Random) -> None:
        """Do what a shown key does, and answer the questions that follow; everything open then is closed."""
        reaction = act(self.model, action)
        if reaction.change is None:
            for intent in reaction.intents:
                self._perform(intent)
            return
        self.model = opened(self.model, action)
        for intent in reaction.intents:
            self._perform(intent)
        for _ in range(_FOLLOW_UPS):
            if self.model.top.state != "play":
                self.press(chance.choice(["ENTER", "a", "b", "c", "UP", "LEFT"]))
        while self.model.top.state != "play" and self.alive:
            self.press("ESC")

    def refusals(self) -> list[str]:
        """Return what of the bottom line would be refused now, each with the reason."""
        health = f"{self.model.fact(Stat.HP)}/{self.model.fact(Stat.HP_MAX)}"
        where = f"at {health} on depth {self.model.view.place.depth}"
        reasons = [(action, self._refusal(action)) for action in suggested_actions(self.model)]
        return [f"{action} {where}: {why}" for action, why in reasons if why]

    def _refusal(self, action: str) -> str:
        """Return why the key of an intent would be refused now, or ""; of a list any line may be taken."""
        reaction = act(self.model, action)
        orders = _orders(reaction.intents)
        sent = [each.message for each in reaction.intents if isinstance(each, SendMessage)]
        if joining := [message for message in sent if isinstance(message, JoinFriend)]:
            return self._refused_to_join(joining[0])
        if not orders and reaction.change is None:
            return f"the client: {reaction.intents}"
        if reaction.change is None:
            return next(filter(None, map(self._refused, orders)), "")
        why = ""
        for order in _within(opened(self.model, action), self.server.now_ms):
            why = self._refused(order)
            if not why:
                return ""
        return why

    def _refused_to_join(self, message: JoinFriend) -> str:
        """Return why a friend cannot be joined, or "". That a foe holds the friend, only the answer can say."""
        names = [player.name for player, *_ in self.server.engine.players.in_play()]
        able = self.server.dungeon.campaign.catch_up.levels_below and message.friend in names
        return "" if able else f"{message.friend} cannot be joined"

    def _refused(self, command: commands.AnyCommand) -> str:
        """Return why the server would refuse a command now, or ""."""
        level, body = self.server.level_of(self.client), self.server.body(self.client)
        match command:
            case commands.Stop():
                return ""
            case commands.Choose(option):
                offered = body.points > 0 and option < len(gain_choices(level, body))
                return "" if offered else "no such choice"
            case commands.Duel(handle, agree):
                met = plan_consent(level, body, handle, agree=agree)
                return met.text if isinstance(met, Impossible) else ""
            case commands.OfferTrade():
                offered_items = plan_offer(level, body, command)
                return offered_items.text if isinstance(offered_items, Impossible) else ""
            case commands.ConfirmTrade() | commands.EndTrade():
                return "" if trade_of(level, body.number) else "no trade is open"
        view = plan_steps.plain_view(level, body)
        wanted = plans.plan_for_stairs(view, command) if isinstance(command, commands.Climb) else command
        if isinstance(wanted, commands.Plan):
            course = plans.begin_plan(
                view,
                wanted,
                1,
                regeneration=regeneration_rule(level, body),
                damage=level.campaign.combat.damage,
            )
            begun = course if isinstance(course, plans.PlanEnded) else plans.continue_plan(view, course)
            if isinstance(begun, plans.PlanEnded):
                return "" if begun.reason == "explored" else begun.text  # so the client learns of it
            wanted = begun[0]
        assert isinstance(wanted, commands.ActionCommand)
        outcome = plan(level, body, wanted)
        return outcome.text if isinstance(outcome, Impossible) else ""

    def _take(self, happened: client_events.ClientEvent) -> tuple[ClientEffect, ...]:
        self.model, wanted = update(self.model, happened, self.server.now_ms)
        return wanted

    def _perform(self, intent: ClientEffect) -> None:
        match intent:
            case SendCommand(command):
                self.command(command)
            case SendMessage(message):
                self.client.send(message)


def opened(model: Model, action: str) -> Model:
    """Return the model after the key of an action, with the list or the question that it opens."""
    key = next(row.keys[0] for row in keymap.rows(model.options.keys, "play") if row.intent == action)
    return update(model, client_events.KeyPressed(key), model.now_ms)[0]


def _within(model: Model, now_ms: int) -> Iterator[commands.AnyCommand]:
    """Yield what the lines of the list that is open would order, including orders of questions that follow."""
    enter = ["ENTER"] if "Enter" in [key for key, _ in model.top.hints(model)] else []
    for key in (*enter, *ascii_lowercase[:9]):
        after, wanted = update(model, client_events.KeyPressed(key), now_ms)
        yield from _orders(wanted)
        if after.top.state not in ("play", model.top.state, "help"):
            yield from _orders(update(after, client_events.KeyPressed("ENTER"), now_ms)[1])


def _orders(wanted: tuple[ClientEffect, ...]) -> list[commands.AnyCommand]:
    return [intent.command for intent in wanted if isinstance(intent, SendCommand)]
