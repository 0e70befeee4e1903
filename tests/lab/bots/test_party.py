"""Bots in company: each explores, the leader goes down first, and no one is left alone in need."""

from msgspec.structs import replace

from gloam_lab.bots import Adventurer
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Climb, Move, Wait
from gloam_shared.view.view import Creature, Friend, Log
from support.bots.drawn_views import view, with_friend


def test_friends_explore_on_their_own() -> None:
    """A friend beside the bot does not keep it from its own way through the level."""
    follower = Adventurer()
    assert isinstance(follower.decide(with_friend(view(), 20)), Move)


def test_first_name_leads_down() -> None:
    """The first by name goes down, and the others wait beside them until then."""
    leader = Adventurer()
    assert leader.decide(with_friend(view(stairs=17), 20, name="Carl")) == Climb(down=True)
    follower = Adventurer()
    assert follower.decide(with_friend(view(stairs=17), 19)) == Wait(), "next to Anna no bot goes down alone"


def test_the_leader_waits_at_the_stairs_for_a_while() -> None:
    """The leader waits at the stairs for a friend who is out of sight, but not for ever."""
    leader = Adventurer()
    alone = replace(view(stairs=17), party=(Friend("Carl", 1, 9, 4, 0), Friend("Bot", 1, 9, 4, 0)))
    waits = [leader.decide(replace(alone, log=Log(at))) for at in range(61)]
    assert waits == [Wait()] * 60 + [Climb(down=True)]


def test_a_follower_goes_to_the_leader_when_done() -> None:
    """A follower who has explored the level goes to where it saw the leader last."""
    bot = Adventurer()
    together = with_friend(view(stairs=17), 20)
    bot.decide(together)
    apart = replace(together, creatures=together.creatures[:1])
    command = bot.decide(replace(apart, log=Log(1)))
    assert isinstance(command, Move)
    assert command.dx == 1


def test_who_is_hurt_out_of_sight_is_not_left_alone() -> None:
    bot = Adventurer()
    together = with_friend(view(), 20)
    bot.decide(together)
    hurt = (Friend("Anna", 1, 1, 3, 0), Friend("Bot", 1, 1, 4, 0))
    command = bot.decide(replace(together, creatures=together.creatures[:1], party=hurt))
    assert isinstance(command, Move)
    assert command.dx == 1


def test_who_leads_waits_for_the_hurt_but_not_for_ever() -> None:
    leader = Adventurer()
    seen = with_friend(view(stairs=17), 18, name="Carl")
    hurt, well = (
        replace(seen, party=(Friend("Carl", 1, 2, condition, 0), Friend("Bot", 1, 2, 1, 0)))
        for condition in (2, 3)
    )
    assert [leader.decide(hurt) for _ in range(60)] == [Wait()] * 60
    assert leader.decide(hurt) == leader.decide(well) == Climb(down=True)
    assert Adventurer().decide(well) == Climb(down=True)


def test_leads_stays_level_long_friend_green_next() -> None:
    """A leader stays on a level as long as a friend is too green for the next."""
    seen = with_friend(view(stairs=17), 18, name="Carl")
    green, ripe = (
        replace(seen, party=(Friend("Carl", 1, level, 4, 0), Friend("Bot", 1, 9, 4, 0))) for level in (1, 2)
    )
    leader = Adventurer()
    assert leader.decide(ripe) == Climb(down=True)
    assert isinstance(leader.decide(green), Move)
    leader.memory.arrived = -1_500
    assert leader.decide(green) == Climb(down=True), "but not for ever"


def test_not_change_places_friend_way() -> None:
    """It does not change places with a friend who is on their way."""
    bot = Adventurer()
    foe_beyond = view(20)
    barred, farther = (with_friend(foe_beyond, cell, name="Carl") for cell in (18, 19))
    corridor = bytes(Terrain.FLOOR if 14 <= cell < 21 else Terrain.WALL for cell in range(35))
    seen = [replace(each, terrain=corridor, log=Log(at)) for at, each in enumerate((farther, barred, barred))]
    assert [bot.decide(each) for each in seen][1:] == [Wait(), Move(1, 0)]


def test_who_was_left_behind_follows_down() -> None:
    assert Adventurer().decide(with_friend(view(stairs=17), 20, depth=2)) == Climb(down=True)


def test_a_bot_frees_a_captive_once() -> None:
    bot = Adventurer()
    at = view().cell + 2
    captive = Creature(9, at, 5, 5, 1, 0, "o", "red", "orc", 3, 1)
    held = view()
    held = replace(held, creatures=(*held.creatures, captive))
    command = bot.decide(held)
    assert isinstance(command, Move)
    assert command.dx == 1


def test_a_wait_for_a_friend_who_stands_ends() -> None:
    """No time passes while both wait, and the view stays the same: then one of them changes places."""
    bot = Adventurer()
    foe_beyond = view(20)
    barred, farther = (with_friend(foe_beyond, cell, name="Carl") for cell in (18, 19))
    corridor = bytes(Terrain.FLOOR if 14 <= cell < 21 else Terrain.WALL for cell in range(35))
    before, now = (replace(each, terrain=corridor) for each in (farther, barred))

    assert [bot.decide(each) for each in (before, now, now)][1:] == [Wait(), Move(1, 0)]
