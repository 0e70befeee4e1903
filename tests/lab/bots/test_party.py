"""Bots in company keep together, the leader goes down first, and no one is left alone in need."""

from msgspec.structs import replace

from gloam_lab.bots import Adventurer, party
from gloam_lab.bots.bot_memory import BotMemory
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Climb, Move, Wait
from gloam_shared.view.place import Place
from gloam_shared.view.view import Creature, Friend, Item, Log, View
from support.bots.drawn_views import view, with_friend


def in_tunnel(friend: int, name: str = "Anna") -> View:
    """Return a view of a tunnel of 30 cells, whose west end is unknown, with the bot on its third cell and a friend on another."""
    hall = with_friend(view(), friend, name=name)
    own, other = hall.creatures
    sheet = bytes([Terrain.UNKNOWN, *[Terrain.FLOOR] * 28, Terrain.WALL])
    place = Place(1, 30, 1, "A tunnel")
    return replace(
        hall, place=place, terrain=sheet, sight=bytes([1] * 30), creatures=(replace(own, cell=2), other)
    )


def test_a_follower_explores_near_the_leader_only() -> None:
    """It looks into unknown cells within nine steps of the leader, and else stays beside them."""
    assert Adventurer().decide(in_tunnel(5)) == Move(-1, 0)
    assert Adventurer().decide(in_tunnel(20)) == Move(1, 0)


def test_a_follower_fetches_nothing_from_afar() -> None:
    seen = replace(in_tunnel(4), terrain=bytes([Terrain.FLOOR] * 30))
    near, far = (replace(seen, items=(Item(30, cell, 1, "!", "red", "potion"),)) for cell in (13, 14))
    assert Adventurer().decide(near) == Move(1, 0)
    assert Adventurer().decide(far) == Wait(), "farther than nine steps from the leader"


def test_a_leader_goes_on_with_friends_near() -> None:
    """A leader explores while all friends are near, and waits for a friend who is far behind."""
    assert Adventurer().decide(in_tunnel(5, name="Carl")) == Move(-1, 0)
    assert Adventurer().decide(in_tunnel(20, name="Carl")) == Wait()


def test_a_leader_goes_back_for_a_friend() -> None:
    """After ten waits it goes to where it saw the friend."""
    leader = Adventurer()
    seen = in_tunnel(20, name="Carl")
    assert [leader.decide(replace(seen, log=Log(at))) for at in range(11)] == [Wait()] * 10 + [Move(1, 0)]


def test_a_follower_who_is_deeper_climbs_back() -> None:
    deep = with_friend(view(), 20)
    terrain = bytearray(deep.terrain)
    terrain[17] = Terrain.STAIRS_UP
    deep = replace(
        deep, place=replace(deep.place, depth=2), creatures=deep.creatures[:1], terrain=bytes(terrain)
    )
    assert Adventurer().decide(deep) == Climb(down=False)


def test_no_follower_chases_far_from_the_leader() -> None:
    """It goes after a foe near its leader, and not after one that draws it away."""
    memory = BotMemory()
    seen = in_tunnel(5)
    memory.look(seen)
    foe = view(1).creatures[1]
    assert party.may_chase(seen, memory, replace(foe, cell=13))
    assert not party.may_chase(seen, memory, replace(foe, cell=14))
    below = replace(seen, party=tuple(replace(each, depth=each.depth + 1) for each in seen.party))
    assert not party.may_chase(below, memory, replace(foe, cell=13)), "its leader has gone down"
    assert party.may_chase(replace(seen, party=()), memory, replace(foe, cell=14))


def test_a_follower_lets_a_far_foe_be() -> None:
    seen = in_tunnel(4)
    near, far = (
        replace(seen, creatures=(*seen.creatures, replace(view(1).creatures[1], cell=cell)))
        for cell in (12, 13)
    )
    assert Adventurer().decide(near) == Move(1, 0)
    assert Adventurer().decide(far) == Move(-1, 0)


def test_a_bot_goes_beside_a_hurt_friend() -> None:
    """A friend two steps away may be fighting round a corner."""
    seen = in_tunnel(4)
    hurt = replace(seen, party=(Friend("Anna", 1, 2, 3, 0), seen.party[1]))
    assert Adventurer().decide(hurt) == Move(1, 0)


def test_a_follower_waits_for_a_leader_above() -> None:
    """It does not go deeper alone, also where it does not know the way back."""
    deep = with_friend(view(stairs=17), 20)
    deep = replace(deep, place=replace(deep.place, depth=2), creatures=deep.creatures[:1])
    assert Adventurer().decide(deep) == Wait()


def test_waits_are_counted_again_after_a_meeting() -> None:
    leader = Adventurer()
    near, far = in_tunnel(3, name="Carl"), in_tunnel(20, name="Carl")
    for meeting in range(3):
        assert isinstance(leader.decide(replace(near, log=Log(20 * meeting))), Move)
        waits = [leader.decide(replace(far, log=Log(20 * meeting + at))) for at in range(1, 11)]
        assert waits == [Wait()] * 10


def test_friends_out_of_sight_meet_at_the_stairs() -> None:
    """A follower who does not know where its leader is waits beside the stairs down."""
    alone = replace(with_friend(view(stairs=20), 19), creatures=view().creatures)
    command = Adventurer().decide(alone)
    assert isinstance(command, Move)
    assert command.dx == 1
    beside = replace(with_friend(view(stairs=18), 19), creatures=view().creatures)
    assert Adventurer().decide(beside) == Wait()


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
        for condition in (3, 4)
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
