"""The adventurer: seed by seed it gains levels and goes down, by what its view tells and nothing else."""

from functools import cache

import pytest
from msgspec.structs import replace

from gloam_lab.balance.run_stats import RunStats
from gloam_lab.balance.simulation import Simulation
from gloam_lab.bots import Adventurer, combat_estimate, item_knowledge, means
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import (
    Cast,
    Choose,
    Climb,
    Eat,
    Give,
    Move,
    Quaff,
    Read,
    Rest,
    Throw,
    Use,
    Wait,
)
from gloam_shared.protocol.messages.play import Answer
from gloam_shared.view.choices import GainKind, LevelGain
from gloam_shared.view.view import (
    Creature,
    CreatureFlag,
    Hunger,
    InventoryItem,
    Item,
    ItemFlag,
    MagicEffect,
    Spell,
    Stat,
    View,
)
from support.bots.bot_runs import Outing
from support.bots.drawn_views import view, with_friend
from support.content.campaigns import shipped

pytestmark = pytest.mark.unchecked

SEEDS = range(5)


def carried(slot: int, name: str, traits: ItemFlag, **fields: int | str) -> InventoryItem:
    """Return a thing in a slot, as a view tells of it."""
    return InventoryItem(slot, "!", "red", name, int(traits), *(0, 0, 0), **fields)  # type: ignore[arg-type]


def with_facts(seen: View, **facts: int) -> View:
    """Return a view with other numbers on the sheet."""
    sheet = list(seen.sheet)
    for name, value in facts.items():
        sheet[Stat[name.upper()]] = value
    return replace(seen, sheet=tuple(sheet))


@cache
def stats(seed: int) -> RunStats:
    return Simulation(shipped("jsrogue"), seed, 1, turns_max=1_000).play()


@pytest.mark.thorough
def test_most_go_down_and_gain_levels() -> None:
    lives = [stats(seed).lives[0] for seed in SEEDS]
    assert sum(life.depth >= 3 for life in lives) >= 4, lives
    assert sum(life.level >= 4 for life in lives) >= 4, lives


@pytest.mark.thorough
def test_plays_over_wire() -> None:
    """It plays over the wire and the same seed is the same adventure."""
    once, again = (Outing(shipped("jsrogue"), 3, Adventurer(), 120) for _ in range(2))
    assert again.given == once.given
    assert again.server.dungeon.state_hash() == once.server.dungeon.state_hash()
    assert not once.stuck
    assert once.died or once.server.body(once.client).actions > 80


def test_it_goes_where_nothing_is_known() -> None:
    seen = view()
    dark = replace(seen, terrain=seen.terrain[:6] + b"\x00" + seen.terrain[7:])
    assert Adventurer().decide(dark) == Move(1, -1)


def test_it_takes_a_choice_before_all_else() -> None:
    offered = (LevelGain(GainKind.ATTACK, 200), LevelGain(GainKind.HEALTH, 1_000))
    assert Adventurer().decide(view(18, gains=offered, level=1)) == Choose(0)
    assert Adventurer().decide(view(18, gains=offered, level=2)) == Choose(1)


def test_takes_choice_helps_against_last_foe() -> None:
    """It takes the choice that helps against the last foe."""
    offered = (
        LevelGain(GainKind.ATTACK, 200),
        LevelGain(GainKind.DEFENCE, 200),
        LevelGain(GainKind.HEALTH, 1_000),
        LevelGain(GainKind.SIGHT, 100),
    )
    seen = with_facts(view(gains=offered), attack=10, defence=4)

    assert combat_estimate.best_choice(seen, (8, 0, 6)) == 1, "what hits hard is parried"
    assert combat_estimate.best_choice(with_facts(seen, attack=14), (4, 10, 60)) == 0, (
        "what is armoured needs a harder blow"
    )
    assert combat_estimate.best_choice(with_facts(seen, hp_max=10), (4, 0, 6)) == 2, (
        "who is frail needs health"
    )


def test_it_strikes_what_holds_it() -> None:
    assert Adventurer().decide(view(18, hp=20)) == Move(1, 0)


def test_it_lets_a_foe_come_and_strikes_first() -> None:
    bot = Adventurer()
    assert bot.decide(view(19)) == Wait()
    assert isinstance(bot.decide(view(19)), Move), "but not for ever"


def test_badly_hurt_it_drinks_what_heals() -> None:
    potion = carried(3, "potion of healing", ItemFlag.QUAFFABLE, effect=MagicEffect.HEAL)
    hurt = replace(with_facts(view(18, hp=9), attack=5), inventory=(potion,))
    assert Adventurer().decide(hurt) == Quaff(3)
    assert Adventurer().decide(replace(with_facts(hurt, hp=40), inventory=(potion,))) == Move(1, 0)


def test_it_keeps_its_potions_from_a_beaten_foe() -> None:
    """A hurt bot strikes a foe that dies of the next blow, and drinks against one that does not."""
    potion = carried(3, "potion of healing", ItemFlag.QUAFFABLE, effect=MagicEffect.HEAL)
    hurt = replace(with_facts(view(18, hp=14), attack=10), inventory=(potion,))
    own, foe = hurt.creatures
    beaten = replace(hurt, creatures=(own, replace(foe, attack=2)))
    assert Adventurer().decide(beaten) == Move(1, 0)
    assert Adventurer().decide(strong(hurt)) == Quaff(3)


def test_badly_hurt_it_takes_the_stairs_up_underfoot() -> None:
    seen = strong(with_facts(view(18, hp=9), attack=5))
    terrain = bytearray(seen.terrain)
    terrain[seen.cell] = Terrain.STAIRS_UP
    assert Adventurer().decide(replace(seen, terrain=bytes(terrain))) == Climb(down=False)


def strong(seen: View) -> View:
    """Return a view in which all foes are dangerous."""
    foes = [
        each if each.marks & CreatureFlag.SELF else replace(each, attack=20, hp=60, hp_max=60)
        for each in seen.creatures
    ]
    return replace(seen, creatures=tuple(foes))


def test_reads_and_casts_dangerous() -> None:
    """It reads and casts at what is dangerous and not at what is not."""
    scroll = carried(
        2,
        "scroll of magic missile",
        ItemFlag.READABLE,
        effect=MagicEffect.HARM,
        target="creature",
        range=7,
    )
    weak = replace(with_facts(view(18), attack=10), inventory=(scroll,))

    assert Adventurer().decide(strong(weak)) == Read(2, 18)
    assert Adventurer().decide(weak) == Move(1, 0)

    dart = Spell(
        "dart", "magic dart", 3, "creature", 7, 0, "8 damage to one creature.", effect=MagicEffect.HARM
    )
    mage = with_facts(replace(strong(weak), inventory=(), spells=(dart,)), mana=3)
    assert Adventurer().decide(mage) == Cast("dart", 18)
    assert Adventurer().decide(with_facts(mage, mana=2)) == Move(1, 0)


def test_it_burns_neither_itself_nor_friends() -> None:
    blast = carried(
        2, "scroll of fireball", ItemFlag.READABLE, effect=MagicEffect.HARM, target="cell", range=6, radius=2
    )
    seen = strong(with_facts(view(18, 20), attack=10))
    assert means.aim_at(seen, blast, seen.creatures[1]) is None
    assert means.aim_at(seen, blast, seen.creatures[2]) == 20


def test_it_throws_what_it_has_for_that() -> None:
    rock = carried(1, "rock", ItemFlag(0), thrown=2)
    assert Adventurer().decide(replace(view(20), inventory=(rock,))) == Throw(1, 20)


def test_it_throws_nothing_at_a_corner() -> None:
    """A missile that flies into a wall falls at the thrower's feet: a bot once did so for 36,000 turns."""
    rock = carried(1, "rock", ItemFlag(0), thrown=2)
    walled = bytearray(view(20).terrain)
    walled[18] = Terrain.WALL
    assert not isinstance(
        Adventurer().decide(replace(view(20), inventory=(rock,), terrain=bytes(walled))), Throw
    )


def test_a_roving_bot_throws_nothing() -> None:
    """A bot that gave up its goals walks away; it does not stop to throw."""
    rock = carried(1, "rock", ItemFlag(0), thrown=2)
    bot = Adventurer()
    bot.memory.depth, bot.memory.roving_until = 1, 100
    assert not isinstance(bot.decide(replace(view(20), inventory=(rock,))), Throw)


def test_refused_not_ask_at_once() -> None:
    """A refused command is not repeated immediately."""
    bot, seen = Adventurer(), replace(view(20), inventory=(carried(1, "rock", ItemFlag(0), thrown=2),))
    assert bot.decide(seen) == Throw(1, 20)
    bot.hear(seen, Answer(1, "cannot", "That is not possible here."))
    assert bot.decide(seen) != Throw(1, 20)


def test_it_eats_when_hungry_and_rests_when_hurt() -> None:
    apple = carried(0, "apple", ItemFlag.EDIBLE)
    apple = replace(apple, food=50)
    hungry = with_facts(replace(view(), inventory=(apple,)), hunger=Hunger.HUNGRY)
    assert Adventurer().decide(hungry) == Eat(0)
    assert Adventurer().decide(view(hp=10)) == Rest()


def test_where_rest_is_known_to_heal_it_rests_more() -> None:
    bot = Adventurer()
    assert bot.decide(view(hp=33)) != Rest()
    for turn in range(62):
        bot.decide(view(hp=3 + turn // 2))
    assert bot.decide(view(hp=33)) == Rest()
    assert bot.decide(view(hp=36)) != Rest()


def test_where_rest_heals_nothing_it_goes_on() -> None:
    bot = Adventurer()
    assert bot.decide(view(hp=10)) == Rest()
    bot.hear(view(hp=10), Answer(1, "ended", "Resting does not heal you here.", "no_healing"))
    assert bot.decide(view(hp=10)) != Rest()


def test_alone_it_waits_for_a_hurt_companion() -> None:
    wolf = Creature(2, 18, 10, 30, 1, int(CreatureFlag.ALLY), "w", "gray", "gray wolf")
    hurt = replace(view(stairs=20), creatures=(*view().creatures, wolf))
    bot = Adventurer()
    assert [bot.decide(replace(hurt)) for _ in range(60)] == [Wait()] * 60
    assert bot.decide(replace(hurt)) != Wait()
    well = replace(hurt, creatures=(*view().creatures, replace(wolf, hp=20)))
    assert bot.decide(well) != Wait()
    assert bot.decide(replace(hurt)) == Wait()


def test_when_all_is_seen_it_goes_down() -> None:
    bot = Adventurer()
    assert bot.decide(view(stairs=20)) == Move(1, -1)
    assert bot.decide(view(stairs=17)) == Climb(down=True)


def test_it_takes_other_stairs_when_it_comes_again() -> None:
    bot = Adventurer()
    terrain = bytearray(view().terrain)
    terrain[17] = terrain[19] = Terrain.STAIRS_DOWN
    seen = replace(view(), terrain=bytes(terrain))
    assert bot.decide(seen) == Climb(down=True)
    assert bot.decide(seen) == Move(1, -1), "the way to the others leads two steps east"


def test_healing_in_sight_of_a_foe_is_no_progress() -> None:
    """A bot once stepped to and fro before a centaur for 2,000 turns: it healed as fast as it was shot."""
    bot = Adventurer()
    far = bytes(Terrain.WALL if at % 7 == 5 else Terrain.FLOOR for at in range(35))
    for turn in range(60):
        bot.decide(replace(view(20, hp=30 + turn % 2), terrain=far))
    assert bot.memory.bored


def test_it_faces_the_last_foe_in_the_end() -> None:
    """A bot once went up and down between the last two levels for 30,000 turns; now it fights what is there."""
    bot = Adventurer()
    strong = replace(
        view(20),
        creatures=(
            view().creatures[0],
            replace(view(20).creatures[1], attack=90, marks=int(CreatureFlag.HOSTILE)),
        ),
    )
    below = replace(
        strong,
        terrain=bytes([Terrain.STAIRS_UP if at == 17 else each for at, each in enumerate(strong.terrain)]),
    )
    above = replace(view(), place=replace(view().place, depth=2))
    first = bot.decide(below)
    for _ in range(9):
        bot.decide(above)
        last = bot.decide(below)

    assert isinstance(first, Climb)
    assert isinstance(last, Move)
    assert last.dx == 1


def test_it_uses_the_prize() -> None:
    assert Adventurer().decide(replace(view(), inventory=(carried(4, "present", ItemFlag.USABLE),))) == Use(4)


def test_with_the_bear_it_goes_up_and_out() -> None:
    terrain = bytearray(view(stairs=20).terrain)
    terrain[14] = Terrain.STAIRS_UP
    seen = replace(view(), terrain=bytes(terrain), inventory=(carried(0, "teddy bear", ItemFlag.PRIZE),))
    assert Adventurer().decide(seen) in (Move(-1, -1), Move(-1, 0), Move(-1, 1))


def test_bot_treads_spot_goes_another_way() -> None:
    """A bot that treads on the spot goes another way."""
    bot = Adventurer()
    barred = replace(view(), items=(Item(9, 17, 1, "*", "gray", "rock"),))
    for _ in range(20):
        bot.decide(replace(barred))
    assert bot.memory.bored


@pytest.mark.parametrize(
    ("effect", "target", "use"),
    [
        (MagicEffect.HEAL, "", item_knowledge.ItemUse.HEAL),
        (MagicEffect.HEAL, "creature", item_knowledge.ItemUse.HEAL_OTHER),
        (MagicEffect.NONE, "", item_knowledge.ItemUse.UNKNOWN),
        (MagicEffect.HARM, "cell", item_knowledge.ItemUse.HARM),
        (MagicEffect.HARM, "", item_knowledge.ItemUse.BAD),
        (MagicEffect.BLINK, "self", item_knowledge.ItemUse.ESCAPE),
        (MagicEffect.BLOOD_TO_MANA, "self", item_knowledge.ItemUse.BAD),
        (MagicEffect.LEARN, "", item_knowledge.ItemUse.LEARN),
        (MagicEffect.STRENGTHEN, "self", item_knowledge.ItemUse.STRENGTHEN),
        (MagicEffect.WEAKEN, "creature", item_knowledge.ItemUse.HINDER),
        (99, "self", item_knowledge.ItemUse.OTHER),
    ],
)
def test_it_knows_by_the_effect_what_magic_is_for(
    effect: int, target: str, use: item_knowledge.ItemUse
) -> None:
    """Neither name nor words matter; an effect that a newer server adds is of no use."""
    spell = Spell("key", "Heals teleport damage", 1, target, 5, 0, "Heals teleport damage.", effect=effect)
    assert item_knowledge.classify_item(spell) is use


def test_it_hands_what_heals_to_a_friend_in_need() -> None:
    potion = carried(3, "potion of healing", ItemFlag.QUAFFABLE, effect=MagicEffect.HEAL)
    seen = with_friend(replace(view(), inventory=(potion,)), 18, 1)
    hurt = tuple(replace(each, hp=9) if each.name == "Anna" else each for each in seen.creatures)
    assert Adventurer().decide(replace(seen, creatures=hurt)) == Give(3, 9)


def test_it_flees_by_the_same_stairs_only_so_often() -> None:
    bot = Adventurer()
    seen = strong(with_facts(view(18, hp=9), attack=5))
    terrain = bytearray(seen.terrain)
    terrain[seen.cell] = Terrain.STAIRS_UP
    commands = [bot.decide(replace(seen, terrain=bytes(terrain))) for _ in range(4)]
    assert commands[:2] == [Climb(down=False)] * 2
    assert Climb(down=False) not in commands[2:]


def test_strikes_bars_way_and_cannot_harm() -> None:
    """It strikes through what bars the way and cannot harm."""
    corridor = bytearray([Terrain.WALL] * 35)
    corridor[17:21] = bytes([Terrain.FLOOR] * 4)
    corridor[13] = corridor[20] = Terrain.UNKNOWN
    fungus = Creature(2, 18, 10, 10, 1, int(CreatureFlag.HOSTILE), "F", "green", "fungus")
    seen = with_facts(replace(view(level=9), terrain=bytes(corridor)), attack=20)
    assert Adventurer().decide(replace(seen, creatures=(*seen.creatures, fungus))) == Move(1, 0)


def test_strikes_way_when_goes_without_aim() -> None:
    """It strikes its way out when it goes about without an aim."""
    corridor = bytearray([Terrain.WALL] * 35)
    corridor[15:21] = bytes([Terrain.FLOOR] * 6)  # to the east it ends, in the west one spread
    fungus = Creature(2, 16, 10, 10, 1, int(CreatureFlag.HOSTILE), "F", "green", "fungus")
    seen = with_facts(replace(view(level=9), terrain=bytes(corridor)), attack=20)
    bot = Adventurer()
    bot.memory.roving_until, bot.memory.roving_to = 1_000, 15
    assert bot.decide(replace(seen, creatures=(*seen.creatures, fungus))) == Move(-1, 0)
