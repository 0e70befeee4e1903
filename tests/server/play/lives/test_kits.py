"""A new life chooses its kit, where the campaign offers one (rule F96)."""

from collections import Counter

import pytest

from gloam_lab.invariants import check_invariants
from gloam_server.content.loader import CampaignError
from gloam_server.world.combat.companions import companion_of
from gloam_server.world.model.inputs import TakeKit
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Climb, Wait
from gloam_shared.protocol.messages.lives import ChooseKit, JoinFriend, KitOffer
from gloam_shared.protocol.messages.login import Error, Joined, Welcome
from support.content.campaigns import arena, arena_with, shipped
from support.content.kits_campaign import arena_with_kits
from support.server.parties import SPACING_MS, clear, noticed, slain, turn
from support.server.sim_server import SimClient, SimServer


def begun(*names: str) -> tuple[SimServer, list[SimClient]]:
    """Return a server of a campaign with kits, and players who have joined it."""
    server = SimServer(campaign=arena_with_kits())
    players = [server.join(name) for name in names]
    server.advance(200)
    return server, players


def ask(server: SimServer, player: SimClient, kit: int, life: int = 1) -> None:
    player.send(ChooseKit(life, kit))
    server.advance(SPACING_MS)


def carried(server: SimServer, player: SimClient) -> list[str]:
    check_invariants(server.level_of(player))
    return sorted(item.kind for item in server.body(player).carried)


def errors(player: SimClient) -> list[tuple[str, str]]:
    return [(error.code, error.text) for error in player.of_kind(Error)]


@pytest.mark.rule("F96")
def test_a_first_life_chooses_its_kit() -> None:
    """The offer is sent with `Joined`; one message brings the kit, bound and in use, and the view shows it."""
    server, (ann, bert) = begun("Ann", "Bert")
    assert ann.of_kind(Joined)[0].kits[1] == KitOffer(
        "a wanderer's kit", "Food for a long way, and a sword in case of need."
    )
    assert carried(server, ann) == ["apple"]
    ask(server, ann, 1)
    body = server.body(ann)
    assert carried(server, ann) == ["apple", "apple", "sword"]
    assert {item.bound for item in body.carried} == {body.number}
    assert any(item.number == body.wielded and item.kind == "sword" for item in body.carried)
    assert sum("sword" in item.name for item in ann.view.inventory) == 1
    assert carried(server, bert) == ["apple"]
    assert errors(ann) == []


@pytest.mark.rule("F96")
def test_a_kit_is_chosen_once_and_at_the_start() -> None:
    """A second choice, one after the first command, a kit that is not there: one sentence each, and no change."""
    server, (ann, bert, carl) = begun("Ann", "Bert", "Carl")
    ask(server, ann, 0)
    ask(server, ann, 1)
    turn(server, bert, Wait())
    ask(server, bert, 0)
    ask(server, carl, 2)
    ask(server, carl, 0, life=2)

    assert errors(ann) == [("kit", "This life has chosen its kit; the next life can choose another.")]
    assert errors(bert) == [
        ("kit", "A kit is chosen before the first command of a life; the next life can choose again.")
    ]
    assert errors(carl) == [("kit", "There is no such kit; choose one of those that are offered.")]
    assert carried(server, ann) == ["sword"]
    assert carried(server, bert) == carried(server, carl) == ["apple"]


@pytest.mark.rule("F96")
def test_a_kit_that_is_not_whole_stays() -> None:
    """A kit from which a thief has taken something before the first command cannot be exchanged; play on with it."""
    server, (ann,) = begun("Ann")
    server.body(ann).slots[0] = None
    ask(server, ann, 0)
    assert errors(ann) == [
        ("kit", "The starting kit is no longer whole, so that it cannot be exchanged; play on with it.")
    ]
    assert carried(server, ann) == []


@pytest.mark.rule("F96")
def test_an_heir_chooses_again() -> None:
    server, (ann,) = begun("Ann")
    ask(server, ann, 0)
    slain(server, ann)
    ann.begin_again()
    server.advance(SPACING_MS)
    assert len(ann.of_kind(Joined)[-1].kits) == 2
    ask(server, ann, 1, life=2)
    assert carried(server, ann) == ["apple", "apple", "sword"]


@pytest.mark.rule("F96")
def test_the_last_choice_of_the_line_is_marked() -> None:
    """The last life that chose decides, over a life without a choice and a restart; others' choices do not."""
    server, (ann, bert) = begun("Ann", "Bert")
    ask(server, bert, 0)
    assert last(ann) == []
    ask(server, ann, 1)
    for _ in range(2):
        slain(server, ann)
        ann.begin_again()
        server.advance(SPACING_MS)
        assert last(ann) == ["a wanderer's kit"]
    server.crash()
    server = server.again()
    ann = server.join("Ann")
    server.advance(200)
    assert last(ann) == ["a wanderer's kit"]


def last(player: SimClient) -> list[str]:
    return [kit.name for kit in player.of_kind(Joined)[-1].kits if kit.last]


@pytest.mark.rule("F105")
def test_kits_of_gloam_beside_a_friend_and_for_heirs() -> None:
    """Each kit is taken whole beside a friend, with what catching up brings, and by heirs; one brings a wolf."""
    server = SimServer(campaign=shipped("gloam"))
    ann, bert = server.join("Ann"), server.join("Bert")
    server.advance(200)
    body = server.body(ann)
    body.hp = body.hp_max = 900
    body.level = 6
    clear(server, ann)
    server.walk_to(ann, Terrain.STAIRS_DOWN)
    turn(server, ann, Climb(down=True))
    noticed(server)
    for life, kit in enumerate(shipped("gloam").kits[:6], start=1):
        if life > 1:
            server.body(bert).hp = 1
            slain(server, bert)
        clear(server, ann)
        bert.send(JoinFriend(max(life - 1, 1), None, "Ann"))
        server.advance(200)
        assert bert.of_kind(Joined)[-1].life == life
        assert server.level_of(bert) is server.level_of(ann)
        ask(server, bert, life - 1, life=life)
        body = server.body(bert)
        assert errors(bert) == []
        assert not Counter(kit.items) - Counter(carried(server, bert)), kit.key
        assert body.level == 3
        assert (companion_of(server.level_of(bert), body) is not None) == bool(kit.companion)


@pytest.mark.rule("F96")
def test_a_kit_and_its_wolf_go_to_a_friend() -> None:
    """A player with a kit from the entrance goes to a friend with the kit and the companion; nothing is doubled."""
    server = SimServer(campaign=shipped("gloam"))
    ann, bert = server.join("Ann"), server.join("Bert")
    server.advance(200)
    clear(server, ann)
    server.walk_to(ann, Terrain.STAIRS_DOWN)
    turn(server, ann, Climb(down=True))
    noticed(server)
    clear(server, ann)
    [wolf_kit] = [at for at, kit in enumerate(shipped("gloam").kits) if kit.companion]
    ask(server, bert, wolf_kit)
    before = carried(server, bert)
    bert.send(JoinFriend(1, None, "Ann"))
    server.advance(200)
    assert server.level_of(bert) is server.level_of(ann)
    assert carried(server, bert) == before
    assert companion_of(server.level_of(bert), server.body(bert)) is not None


@pytest.mark.rule("F96")
def test_a_choice_survives_a_crash() -> None:
    """The choice is in the journal once; after a restart the life has its kit, and none is offered."""
    server, (ann,) = begun("Ann")
    ask(server, ann, 1)
    partition, before = server.level_of(ann).partition, [item.number for item in server.body(ann).carried]
    taken = [each for each in server.inputs(partition) if isinstance(each, TakeKit)]
    assert taken == [TakeKit(server.body(ann).number, 1)]
    server.crash()
    server = server.again()
    ann = server.join("Ann")
    server.advance(200)
    assert [item.number for item in server.body(ann).carried] == before
    assert ann.of_kind(Joined)[-1].kits == ()
    ask(server, ann, 0)
    assert [code for code, _ in errors(ann)] == ["kit"]


@pytest.mark.rule("F96")
def test_other_campaigns_offer_no_kit() -> None:
    """The ability is not offered there, and a message sent all the same gets a sentence."""
    server = SimServer(campaign=arena())
    ann = server.join("Ann")
    server.advance(200)
    ask(server, ann, 0)
    assert "kits" not in ann.of_kind(Welcome)[0].abilities
    assert ann.of_kind(Joined)[0].kits == ()
    assert errors(ann) == [("kit", "In this campaign every life begins with the same kit; play on with it.")]


@pytest.mark.rule("F96")
def test_an_older_client_gets_the_usual_kit() -> None:
    """A client without the ability gets no offer, in a second life neither, and plays with the starting kit."""
    server, _ = begun()
    ann = server.join("Ann", lacks="kits")
    slain(server, ann)
    ann.begin_again()
    server.advance(SPACING_MS)
    assert ann.of_kind(Joined)[-1] == Joined("Ann", 0, 2)
    assert carried(server, ann) == ["apple"]


@pytest.mark.rule("F96")
def test_a_wrong_item_in_a_kit_is_named() -> None:
    kits = '[[kits]]\nname = "k"\nwords = "w"\nitems = ["apple", "sworf"]'
    with pytest.raises(CampaignError) as raised:
        arena_with(outline=kits)
    assert str(raised.value).startswith("In campaign.toml, kits[0].items[1] is 'sworf': did you mean sword?")
