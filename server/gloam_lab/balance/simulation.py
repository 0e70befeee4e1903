"""The simulation for balance: bots play a realm turn by turn. Each is asked when its turn is due, and no turn waits.

Bots give commands of players, and know only what their views hold; their plans are carried out as sessions do it. The
world runs by the same inputs as on a server. No wire, no journal, no clock: the seed decides everything.

Players begin together. When the last of their lives is over, their heirs begin together in the same realm.
"""

from collections.abc import Callable, Iterable
from typing import Final

from msgspec import UNSET

from gloam_lab.balance.measures import (
    SimulatedPlayer,
    count_first_items,
    note_choice,
    note_gear,
    note_turn,
    note_view,
    note_visit,
)
from gloam_lab.balance.observer import Killer, Observer
from gloam_lab.balance.outcome import best_by_outcome
from gloam_lab.balance.run_stats import Life, RunStats
from gloam_lab.balance.turn_limit import TURNS_MAX
from gloam_lab.bots import Adventurer, draw_kit, draw_style, style_of_bent
from gloam_server.autopilot import plans
from gloam_server.content.campaign import Campaign
from gloam_server.views.party_view import friend_of
from gloam_server.views.projection import RecordsOfLevels, project
from gloam_server.world.actions import plan
from gloam_server.world.effects.map_memory import known_from_maps
from gloam_server.world.effects.regeneration import regeneration_rule
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.events import PlayerDied
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import (
    EnterPlay,
    FreeAction,
    JoinParty,
    Leave,
    PlayerAction,
    TakeKit,
    Turn,
    UnattendedTurn,
)
from gloam_server.world.model.level import Level
from gloam_server.world.model.outcome import Impossible
from gloam_server.world.model.turn_group_data import TurnGroup
from gloam_server.world.population.chosen_kit import open_kits
from gloam_server.world.realm.realm import beacons_of
from gloam_server.world.transition.dungeon import Dungeon, new_dungeon, populate
from gloam_server.world.transition.turn import can_act
from gloam_server.world.transition.turn_groups import turn_groups
from gloam_shared.level_numbers import PartitionId, depth_of_level
from gloam_shared.limits import PARTY_MAX
from gloam_shared.protocol.answers import plan_end, refusal
from gloam_shared.protocol.commands import ActionCommand, Choose, Climb, Duel, Plan, Stop, TradeCommand, Wait
from gloam_shared.protocol.messages.play import Answer
from gloam_shared.view.view import CreatureFlag, Friend, Log, View

_TRIES_MAX: Final = 12
"""The number of failed commands in one turn after which a bot stands on guard."""


class Simulation:
    """One realm and the bots that play in it, from their arrival until all their lives are over."""

    def __init__(
        self,
        campaign: Campaign,
        seed: int,
        players: int,
        turns_max: int = TURNS_MAX,
        heirs: int = 1,
        visitors: int = 0,
        *,
        beacons: bool = False,
        ground: bool = False,
        kit: str = "",
    ) -> None:
        """Found the realm and let its players in; `turns_max` bounds the actions of a life.

        `heirs` is the number of lives that each player has, one after another; `visitors` is the number of accounts that
        looked in before all of them, together, and left. With `beacons` heirs begin at the deepest lit beacon, and
        with `ground` bots fight with the ground, and work devices. All take the kit with the key `kit`, if it is not "". `after_input`, if it is set, is called with the dungeon and the place after each input that the table gives.
        """
        self.dungeon: Dungeon = new_dungeon(campaign, seed)
        self.stats = RunStats()
        self.players: dict[int, SimulatedPlayer] = {}
        self._seed, self._heirs = seed, heirs
        self._turns_max = turns_max
        self._beacons, self._ground, self._kit = beacons, ground, kit
        self._rounds = 0
        self._records = RecordsOfLevels()
        self._observer = Observer(self.dungeon, self.stats)
        self._keepsakes: dict[int, int] = {}
        self.after_input: Callable[[Dungeon, int], None] | None = None
        populate(self.dungeon)
        self.stats.items = count_first_items(self.dungeon)
        self._let_visit(range(players + 1, players + 1 + visitors))
        self._begin_lives(range(1, players + 1), 0)

    def play(self) -> RunStats:
        """Play to the end and return the results."""
        self._play_lives()
        for heir in range(1, self._heirs):
            self._let_out()
            self._begin_lives([account for account, player in self.players.items() if player.over], heir)
            self._play_lives()
        self.stats.lives.sort(key=lambda life: (life.player, life.heir))
        return self.stats

    def _play_lives(self) -> None:
        """Play until the present lives are over, and store their results."""
        self._rounds = 0
        while self.players and self.step():
            pass
        for player in self.players.values():
            player.life.met = len(player.met)
            self.stats.lives.append(player.life)
        self.stats.met = sorted(
            {*self.stats.met, *(kind for player in self.players.values() for kind in player.met)}
        )

    def _let_visit(self, accounts: range) -> None:
        """Let accounts look in at the entrance, and leave without an action."""
        for account in accounts:
            self.dungeon.apply_input(REALM_PARTITION, EnterPlay(account, f"Visitor{account}"))
        for account in accounts:
            self.dungeon.apply_input(1, Leave(self.dungeon.realm.lives[account].number))
        self.dungeon.take_batch()

    def _begin_lives(self, accounts: Iterable[int], heir: int) -> None:
        """Let players into the realm: each begins a life, an heir with a keepsake of the life before."""
        self.players = {}
        for account in accounts:
            self.players[account] = self._player(account, heir)
        beacon = self._lit_beacon() if heir and self._beacons else 0
        for account, player in self.players.items():
            keepsake = self._keepsakes.get(account, 0)
            self._run(REALM_PARTITION, EnterPlay(account, player.name, keepsake, beacon=beacon))
            if player.kit is not None:
                self.stats.choices.first.kits += 1
                life = self.dungeon.realm.lives[account]
                self._run(life.partition, TakeKit(life.number, player.kit))
        party = list(self.players.values())[:PARTY_MAX] if not heir else []
        for player in party[1:]:
            self._run(
                REALM_PARTITION, JoinParty(player.account, player.name, party[0].account, party[0].name)
            )

    def _lit_beacon(self) -> int:
        """Return the depth of the deepest lit beacon, 0 without one: each was lit by a life of these players."""
        return max(beacons_of(self.dungeon.realm).lit, default=0)

    def _player(self, account: int, heir: int) -> SimulatedPlayer:
        """Return a player with a new life: its kit decides its style, where there are kits, and its bent."""
        campaign = self.dungeon.campaign
        depths = [life.depth for life in self.stats.lives if life.player == account]
        kits = tuple([kit for kit in campaign.kits if kit.key == self._kit])
        kits = kits or open_kits(campaign, max(depths, default=0))
        if not kits:
            style = draw_style(self._seed, account, heir)
            life = Life(player=account, heir=heir, style=style)
            return SimulatedPlayer(
                account, f"Bot{account}", Adventurer(style, uses_ground=self._ground), life
            )
        at = draw_kit(self._seed, account, heir, len(kits))
        style, bent = style_of_bent(kits[at].bent), campaign.bents.get(kits[at].bent)
        life = Life(player=account, heir=heir, style=style, kit=kits[at].name)
        bot = Adventurer(style, "" if bent is None else bent.name, uses_ground=self._ground)
        return SimulatedPlayer(account, f"Bot{account}", bot, life, kit=campaign.kits.index(kits[at]))

    def _let_out(self) -> None:
        """Let the players who survived the last turn leave permanently."""
        for account, player in self.players.items():
            if not player.over:
                life = self.dungeon.realm.lives[account]
                self._run(life.partition, Leave(life.number))

    def step(self) -> bool:
        """Let every player act, at most twice if others draw them into a turn.

        Return whether any life continues.
        """
        self._rounds += 1
        acted: set[int] = set()
        lives = self.dungeon.realm.lives.values()
        for partition in sorted({life.partition for life in lives if life.kept is None}):
            self._round(self.dungeon.levels[partition], acted)
        playing = [player for player in self.players.values() if not player.over]
        return bool(playing) and self._rounds < self._turns_max

    def _round(self, level: Level, acted: set[int]) -> None:
        """Run the turn groups of a level one after another; they are computed again after each turn."""
        while any(body.number not in acted for body in level.players()):
            group = next(
                each
                for each in turn_groups(level, level.sequence).all_groups
                if not acted.issuperset(each.players)
            )
            acted.update(group.players)
            self._turn(level, group)
            if level.state.wild_due:
                self._run(level.partition, UnattendedTurn())

    def _turn(self, level: Level, group: TurnGroup) -> None:
        """Run one turn of a turn group, unless all its players only wait for friends elsewhere."""
        acts = []
        for number in group.players:
            body = level.creatures[number]
            player = self.players[body.account]
            player.number = number
            command = self._next_command(player, level, body) if can_act(level, group, body) else None
            player.commands += command is not None
            acts.append(
                (player, PlayerAction(number, player.commands if command is not None else 0, command))
            )
        if not group.held and all(self._stands_still(player, act) for player, act in acts):
            return
        for player, act in acts:
            note_gear(self.stats, player, level.creatures[act.player], act.command)
            note_turn(self.stats, player, level.depth, act.command, held=group.held)
        self._run(level.partition, Turn(tuple(act for _, act in acts)))

    def _stands_still(self, player: SimulatedPlayer, act: PlayerAction) -> bool:
        """Return whether a player in company waits for a friend: people press no key then, and no time passes for them."""
        return len(self.players) > 1 and player.course is None and isinstance(act.command, Wait)

    def _next_command(self, player: SimulatedPlayer, level: Level, body: Creature) -> ActionCommand | None:
        """Return the next command of a bot: the next step of its plan, or else its decision; None to stand on guard."""
        view = self._view(player, level, body)
        for _ in range(_TRIES_MAX):
            if player.course is None:
                command = player.bot.decide(view)
            else:
                following = plans.continue_plan(view, player.course, known_from_maps(level, body.number))
                if isinstance(following, plans.PlanEnded):
                    self._hear(player, view, plan_end(player.commands, following.text, following.reason))
                    continue
                command, player.course = following
            if isinstance(command, Choose):
                if body.bent is not UNSET:
                    foes = tuple(player.bot.memory.foes.values())
                    command = Choose(best_by_outcome(level, body, view, player.bot.style, foes))
                player.commands += 1
                note_choice(self.stats, player, view, command)
                self._run(level.partition, FreeAction(body.number, player.commands, command))
                view = self._view(player, level, body)
                continue
            if isinstance(command, Climb):
                command = plans.plan_for_stairs(view, command)
            if isinstance(command, Duel | TradeCommand | Stop):
                return None
            if isinstance(command, Plan):
                self._begin(player, view, command, level, body)
                continue
            outcome = plan(level, body, command)
            if not isinstance(outcome, Impossible):
                return command
            self.stats.refused += 1
            self._hear(player, view, refusal(player.commands, outcome.text, outcome.reason))
        return None

    def _begin(self, player: SimulatedPlayer, view: View, plan: Plan, level: Level, body: Creature) -> None:
        course = plans.begin_plan(
            view,
            plan,
            player.commands,
            regeneration=regeneration_rule(level, body),
            damage=level.campaign.combat.damage,
        )
        if isinstance(course, plans.PlanEnded):
            self._hear(player, view, refusal(player.commands, course.text, course.reason))
        else:
            player.course = course

    def _hear(self, player: SimulatedPlayer, view: View, answer: Answer) -> None:
        player.course = None
        player.bot.hear(view, answer)

    def _view(self, player: SimulatedPlayer, level: Level, body: Creature) -> View:
        records = self._records.of(level, {})
        view = project(
            level, body, marks={}, party=self._party(), log=Log(), records=records, kept=player.seen
        )
        note_view(self.stats, player, level, view, self._observer.grown)
        return view

    def _party(self) -> tuple[Friend, ...]:
        if len(self.players) == 1:
            return ()
        friends = []
        for player in self.players.values():
            life = self.dungeon.realm.lives.get(player.account)
            body = self.dungeon.levels[life.partition].creatures.get(life.number) if life else None
            if life is not None and body is not None:
                friends.append(
                    friend_of(player.name, self.dungeon.levels[life.partition], body, CreatureFlag(0))
                )
        return tuple(friends)

    def _run(
        self,
        partition: PartitionId,
        input_: EnterPlay | JoinParty | TakeKit | Turn | UnattendedTurn | FreeAction | Leave,
    ) -> None:
        """Apply an input with its consequences, and record the results."""
        self._observer.record_levels()
        if isinstance(input_, Turn):
            for act in input_.acts:
                self._observer.learn(self.dungeon.levels[partition].creatures[act.player])
        self.dungeon.apply_input(partition, input_)
        batch = self.dungeon.take_batch()
        self._observer.record_changes(batch.changed_levels())
        for _, event in batch.events:
            self._observer.record_event(event)
        for fallen in batch.deaths:
            self._end(fallen)
        self._note_lives()
        if self.after_input is not None:
            self.after_input(self.dungeon, partition)

    def _note_lives(self) -> None:
        for player in self.players.values():
            life = None if player.over else self.dungeon.realm.lives.get(player.account)
            body = None if life is None else self.dungeon.levels[life.partition].creatures.get(life.number)
            if life is not None and body is not None:
                player_life = player.life
                note_visit(self.stats, player, depth_of_level(life.partition))
                player_life.level, player_life.turns, player_life.kills = body.level, body.actions, body.kills

    def _end(self, fallen: PlayerDied) -> None:
        player = self.players[fallen.account]
        life, depth = player.life, depth_of_level(fallen.partition)
        note_visit(self.stats, player, depth)
        life.level, life.turns, life.kills = fallen.level, fallen.turns, fallen.kills
        self._keepsakes[fallen.account] = choose_keepsake(fallen)
        player.over = True
        self.stats.avenged += len(fallen.named_slain)
        if fallen.won:
            life.end = "won"
            return
        killer = self._observer.killers.get(fallen.number, Killer(fallen.by))
        life.end, life.cause, life.died_at = "died", killer.name, depth
        life.killer, life.killer_grown = killer.number, killer.grown
        counts = self.stats.depth(depth)
        counts.deaths += 1
        counts.deaths_by_grown += killer.grown > 0


def choose_keepsake(fallen: PlayerDied) -> int:
    """Return the item that an heir asks for: what the last life wore, else what it wielded; 0 for neither."""
    offered = [item for item in fallen.remains if item.offered and (item.worn or item.wielded)]
    return min(offered, key=lambda item: (not item.worn, item.item)).item if offered else 0
