"""Parties on a whole server: invites, members, the lead, shared maps, patience, and what each member is sent (F93, F94)."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from gloam_server.content.campaign_schema import FriendRules
from gloam_server.world.model.inputs import EnterPlay, Leave
from gloam_server.world.realm.realm import parties_of
from gloam_shared import limits
from gloam_shared.protocol.commands import Move
from gloam_shared.protocol.messages import parties
from gloam_shared.protocol.messages.chat import Speak, Spoken
from gloam_shared.protocol.messages.lives import JoinFriend
from gloam_shared.protocol.messages.login import Error
from gloam_shared.protocol.messages.watching import SetWatchable, Watching
from support.content.campaigns import arena, shipped
from support.server.parties import (
    SPACING_MS,
    company,
    noticed,
    slain,
    slay,
    threatened,
    turn,
    waiting_time,
)
from support.server.party_requests import (
    ask,
    errors,
    join,
    leader,
    member,
    names,
    party,
    player_of,
    state,
    stroll,
    words,
)
from support.server.sim_server import SimClient, SimServer


@pytest.mark.rule("F93")
def test_an_invite_makes_a_party() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    ask(server, anna, parties.InviteToParty("bERT"))
    assert bert.of_kind(parties.PartyInvite) == [parties.PartyInvite("Anna", limits.PARTY_INVITE_S)]
    assert not anna.of_kind(parties.PartyState)

    ask(server, bert, parties.AnswerInvite())
    assert bert.of_kind(parties.PartyInvite)[-1] == parties.PartyInvite("Anna", 0)
    assert names(anna) == names(bert) == ["Anna", "Bert"]
    assert leader(bert) == "Anna"
    assert "Bert joins the party." in words(anna)
    body = server.body(bert)
    shown = member(anna, "Bert")
    assert (shown.depth, shown.cell, shown.hp, shown.hp_max, shown.level) == (
        1,
        body.cell,
        body.hp,
        body.hp_max,
        1,
    )


@pytest.mark.rule("F93")
def test_members_are_told_where_each_is() -> None:
    """U41: a step, a wound and a foe reach the other members; who is cut off or dead is marked."""
    server, (anna, bert) = party("Anna", "Bert")
    ogre = threatened(server, bert)
    server.body(bert).hp = 3
    turn(server, bert, Move(1, 0))
    server.advance(3_000)
    shown = member(anna, "Bert")
    assert (shown.cell, shown.hp) == (server.body(bert).cell, server.body(bert).hp)
    assert shown.marks & parties.MemberMark.FOUGHT
    server.banish(ogre)
    slain(server, bert)
    server.advance(limits.PARTY_EVERY_MS)
    assert member(anna, "Bert").marks & parties.MemberMark.DEAD
    bert.cut()
    noticed(server)
    assert member(anna, "Bert").marks & parties.MemberMark.CUT_OFF


@pytest.mark.rule("F93")
def test_members_leave_and_a_party_of_one_is_over() -> None:
    server, (anna, bert, cora) = party("Anna", "Bert", "Cora")
    ask(server, anna, parties.LeaveParty("Cora"))
    assert names(anna) == ["Anna", "Bert"]
    assert names(cora) == []
    ask(server, anna, parties.LeaveParty())
    assert names(anna) == names(bert) == []
    assert not parties_of(server.dungeon.realm).parties
    assert "Anna is no longer in the party. The party is over." in words(bert)


@pytest.mark.rule("F190")
def test_a_party_that_becomes_a_crowd_learns_it() -> None:
    """From the fifth member on all learn how much more foes withstand; a campaign without the rule says nothing."""
    told = "Where all 5 of the party are on a level, foes withstand 30 % more."
    for percent in (0, 30):
        campaign = replace(arena(), friends=FriendRules(crowd_percent=percent))
        server, players = company(*(f"P{chr(65 + number)}" for number in range(5)), campaign=campaign)
        join(server, players[0], *players[1:4])
        assert told not in words(players[0])
        join(server, players[0], players[4])
        assert [told in words(player) for player in players] == [percent > 0] * 5


@pytest.mark.rule("F93")
def test_a_ninth_is_refused() -> None:
    """A party of eight is full: no further invite, and no joining by one that was open."""
    crowd = [f"P{chr(65 + number)}" for number in range(limits.PARTY_MAX + 1)]
    server, players = company(*crowd)
    join(server, players[0], *players[1 : limits.PARTY_MAX - 1])
    for late in players[limits.PARTY_MAX - 1 :]:
        ask(server, players[0], parties.InviteToParty(late.link.name))
    for late in players[limits.PARTY_MAX - 1 :]:
        ask(server, late, parties.AnswerInvite())
    assert len(names(players[0])) == limits.PARTY_MAX
    assert errors(players[-1]) == ["A party has at most 8 members; one has to leave first."]
    players[0].hear()
    ask(server, players[0], parties.InviteToParty(players[-1].link.name))
    assert errors(players[0]) == ["A party has at most 8 members; one has to leave first."]


@pytest.mark.rule("F93")
def test_the_lead_passes_on() -> None:
    """A leader hands it over; a lost leader is replaced by a member who asks, and a leader who leaves by the oldest."""
    server, (anna, bert, cora) = party("Anna", "Bert", "Cora")
    ask(server, anna, parties.LeadParty("Bert"))
    assert leader(cora) == "Bert"
    ask(server, cora, parties.LeadParty())
    assert errors(cora) == ["Bert leads the party; ask them."]
    bert.cut()
    ask(server, cora, parties.LeadParty())
    assert leader(anna) == "Cora"
    ask(server, cora, parties.LeaveParty("Bert"), parties.LeaveParty())
    assert not parties_of(server.dungeon.realm).parties


@pytest.mark.rule("F93")
def test_refusals_say_why() -> None:
    server, (anna, bert, cora, dora) = company("Anna", "Bert", "Cora", "Dora")
    join(server, anna, bert)
    join(server, cora, dora)
    requests = [
        (bert, parties.InviteToParty("Zoe"), "That player is not here; wait until they come."),
        (bert, parties.InviteToParty("Bert"), "You cannot invite yourself; name another player."),
        (bert, parties.InviteToParty("Anna"), "Anna is in your party already; invite another player."),
        (bert, parties.InviteToParty("Cora"), "Cora is in a party already; invite another player."),
        (bert, parties.AnswerInvite("Cora"), "Cora has not invited you; invite them yourself."),
        (bert, parties.AnswerInvite(), "No one has invited you; an invite is open for 5 minutes."),
        (bert, parties.LeaveParty("Anna"), "Only the leader of the party can do that; ask them."),
        (bert, parties.LeaveParty("Cora"), "Cora is not in your party; name one of its members."),
        (bert, parties.LeadParty("Bert"), "Only the leader of the party can do that; ask them."),
    ]
    for player, request, refusal in requests:
        player.hear()
        ask(server, player, request)
        assert errors(player) == [refusal]
    ask(server, anna, parties.LeaveParty())
    bert.hear()
    for request in (parties.LeaveParty(), parties.LeadParty(), parties.SetPartyChoices(True, 1)):
        ask(server, bert, request)
    assert errors(bert) == ["You are in no party; invite a player to make one."] * 3


@pytest.mark.rule("F93")
def test_a_party_outlasts_a_crash() -> None:
    """Membership, the lead, the choices and the charts are there again after the plug was pulled."""
    server, (_, bert) = party("Anna", "Bert")
    ask(server, bert, parties.SetPartyChoices(True, 2))
    before = server.dungeon.state_hash()
    server.crash()
    after = server.again()
    assert after.dungeon.state_hash() == before
    bert = after.join("Bert", b"Bert".ljust(32, b"."))
    after.advance(limits.PARTY_EVERY_MS)
    assert names(bert) == ["Anna", "Bert"]
    assert state(bert).patience == 2
    assert after.body(bert).party == 1


@pytest.mark.rule("F93")
def test_a_banned_member_is_out_of_the_party() -> None:
    """The host bans the leader: the party goes on under the oldest member, and nothing of the banned one is shared."""
    server, (anna, bert, cora) = party("Anna", "Bert", "Cora")
    ask(server, anna, parties.InviteToParty("Dora"))
    server.host.parties.expel(anna.connection.player)
    server.host.expel(player_of(server, anna), "banned", "The host has banned you.")
    server.advance(limits.PARTY_EVERY_MS + SPACING_MS)
    assert names(bert) == names(cora) == ["Bert", "Cora"]
    assert leader(bert) == "Bert"
    assert "Anna is no longer in the party." in words(bert)


@pytest.mark.rule("F94")
def test_a_missed_change_is_made_up_for() -> None:
    """A level that was closed by a fault missed that a player left: at the next login their body shares no more."""
    server, (anna, bert) = party("Anna", "Bert")
    ask(server, bert, parties.LeaveParty())
    server.body(bert).party = 1
    bert.cut()
    bert.dial()
    server.advance(SPACING_MS)
    assert server.body(bert).party is UNSET
    assert server.body(anna).party is UNSET


@pytest.mark.rule("A67")
def test_invites_are_few_and_a_refusal_lasts() -> None:
    """Three open invites from one player and to one player; after a no, ten minutes of silence."""
    server, players = company("Anna", "Bert", "Cora", "Dora", "Emma")
    anna, bert, cora, dora, emma = players
    ask(server, anna, *(parties.InviteToParty(name) for name in ("Bert", "Cora", "Dora")))
    ask(server, anna, parties.InviteToParty("Bert"), parties.InviteToParty("Emma"))
    assert errors(anna) == [
        "Bert has your invite already; wait for their answer.",
        "3 of your invites are open; wait until one is answered.",
    ]
    ask(server, cora, parties.InviteToParty("Bert"))
    ask(server, dora, parties.InviteToParty("Bert"))
    ask(server, emma, parties.InviteToParty("Bert"))
    assert errors(emma) == ["Bert has 3 invites to answer; try again later."]

    ask(server, bert, parties.AnswerInvite("Anna", False))
    bert.hear()
    ask(server, anna, parties.InviteToParty("Bert"))
    assert errors(anna) == ["Bert did not accept your invite; you can invite them again in 10 min."]
    assert not bert.of_kind(parties.PartyInvite)


@pytest.mark.rule("A67")
def test_invites_come_at_most_once_a_second() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    before = len(server.inputs(0))
    for _ in range(limits.PARTY_REQUESTS_BURST + 3):
        anna.send(parties.InviteToParty("Bert"))
    assert len([each for each in anna.of_kind(Error) if each.code == "slow"]) == 3
    assert len(bert.of_kind(parties.PartyInvite)) == 1
    assert len(server.inputs(0)) == before


@pytest.mark.rule("F93")
def test_a_party_shares_the_slowest_patience() -> None:
    """U40: turns of the party alone wait as long as its most patient member asks."""
    server, (anna, bert) = party("Anna", "Bert", patience_ms=300)
    threatened(server, anna, bert)
    assert waiting_time(server, anna) < 400
    ask(server, bert, parties.SetPartyChoices(True, 1))
    turn(server, bert)
    turn(server, anna)
    assert 850 < waiting_time(server, anna) < 1_000


@pytest.mark.rule("F93")
def test_strangers_are_not_made_to_wait() -> None:
    """U40: in a turn group with a player of no party the realm's patience holds."""
    server, (anna, bert, cora) = company("Anna", "Bert", "Cora", patience_ms=300)
    join(server, anna, bert)
    threatened(server, anna, bert, cora)
    ask(server, bert, parties.SetPartyChoices(True, 2))
    for client in (anna, bert, cora):
        turn(server, client)
    assert waiting_time(server, cora) < 400


@pytest.mark.rule("F93")
def test_a_party_changes_no_experience() -> None:
    """Experience is as the campaign says: the same kill gives the same with a party and without."""

    def gained(*, together: bool) -> list[int]:
        server, players = company("Anna", "Bert")
        if together:
            join(server, *players)
        slay(server, players, 0)
        return [server.body(player).experience for player in players]

    assert gained(together=True) == gained(together=False)


@pytest.mark.rule("F93")
def test_the_party_hears_its_own_words() -> None:
    """Words to the party reach its members, and no others."""
    server, (anna, bert, cora) = company("Anna", "Bert", "Cora")
    join(server, anna, bert)
    anna.send(Speak("party", "this way"))
    assert [client.of_kind(Spoken) for client in (bert, cora)] == [[Spoken("party", "Anna", "this way")], []]


@pytest.mark.rule("F92", "F93")
def test_a_life_begins_beside_the_party() -> None:
    """U48: without a name, a life begins beside a member of the party, though a stranger is deeper."""
    server = SimServer(campaign=shipped("gloam"))
    anna, bert, cora, dora = (server.join(name) for name in ("Anna", "Bert", "Cora", "Dora"))
    join(server, anna, bert)
    server.engine.loop.submit(1, Leave(server.body(cora).number))
    server.settle()
    life = server.dungeon.realm.lives[cora.connection.player]
    life.partition = 3
    server.engine.loop.submit(0, EnterPlay(cora.connection.player, "Cora"))
    server.advance(SPACING_MS)
    for creature in server.level_of(cora).monsters():
        server.banish(creature, 3)
    noticed(server)
    bert.send(JoinFriend(1))
    server.advance(SPACING_MS)
    assert server.level_of(bert).partition == 1
    dora.send(JoinFriend(1, None, "Cora"))
    server.advance(SPACING_MS)
    assert server.level_of(dora).partition == 3


@pytest.mark.rule("A56")
def test_who_is_in_the_party_watches_without_delay() -> None:
    """U46: the delay of watching is for those outside the party."""
    server, (anna, _) = party("Anna", "Bert")
    anna.send(SetWatchable(True))
    for name, delay_s in (("Bert", 0), ("Dora", limits.WATCH_DELAY_S)):
        watcher = SimClient(server, name, name.encode().ljust(32, b"."), watches=True)
        server.clients.append(watcher)
        server.advance(SPACING_MS)
        watcher.link.watch("Anna")
        server.advance(SPACING_MS)
        assert watcher.of_kind(Watching) == [Watching("Anna", delay_s)]


@pytest.mark.rule("F93")
def test_an_older_client_is_left_alone() -> None:
    """A client without the ability is sent nothing of parties; who invites its player reads why that cannot be."""
    server, (anna, bert) = company("Anna", "Bert")
    bert.link._abilities = tuple(each for each in bert.link._abilities if each != "parties")
    bert.cut()
    bert.dial()
    server.advance(SPACING_MS)
    ask(server, anna, parties.InviteToParty("Bert"))
    assert errors(anna) == ["Bert's client is older and knows no parties; they can upgrade it."]
    assert not bert.of_kind(parties.PartyInvite)


@pytest.mark.rule("F93")
def test_without_parties_nothing_is_sent_or_written() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    stroll(server, anna)
    assert not anna.of_kind(parties.PartyState)
    assert b"parties" not in server.dungeon.serialize(0)
    assert b"charts" not in server.dungeon.serialize(1)
    assert bert.of_kind(parties.PartyState) == []
