"""Names that look like another player's, a creature's or a word of the game: a newcomer does not get them."""

import hashlib
from itertools import combinations
from pathlib import Path

import pytest

from gloam_server.gateway.login.invites import invite
from gloam_server.storage.open_store import open_store
from gloam_shared import limits
from gloam_shared.protocol.messages.login import Error
from gloam_shared.text import skeleton
from support.content.campaigns import shipped
from support.server.login_clients import HERE, OWN, PRIVATE, answer, code, knock, pass_s
from support.server.sim_server import SimServer
from support.storage.old_tables import make_old_world


def refusal(server: SimServer, name: str, *, invite_code: str = "") -> str:
    """Return the sentence that refuses a name."""
    reply = answer(knock(server, name, invite=invite_code))
    assert isinstance(reply, Error), reply
    assert reply.code == "name"
    return reply.text


@pytest.mark.rule("A26")
@pytest.mark.parametrize(
    ("owner", "name"),
    [
        ("Bill", "BiII"),
        ("Bill", "Bi1l"),
        ("Bill", "B1ll"),
        ("Bill", "BLLI"),
        ("Arnold", "Amold"),
        ("Wilma", "Vvilma"),
        ("Rose", "R0s3"),
        ("Susi", "Su51"),
        ("Tomb", "Tom8"),
        ("Lizzy", "L1z2y"),
        ("Bot10", "Bot1O"),
    ],
)
def test_name_like_another_players_is_refused(owner: str, name: str) -> None:
    server = SimServer()
    server.join(owner, OWN, HERE).leave()
    assert refusal(server, name) == (
        f'The name "{name}" looks too much like another player\'s; choose one that differs more.'
    )
    assert server.store.directory.account_by_name(name.casefold()) is None
    assert code(knock(server, owner.upper(), token=OWN)) == "joined", "the owner"


@pytest.mark.rule("A26")
def test_numbered_names_and_heirs_stay() -> None:
    """Two digits are never alike, and the number of an heir is no part of a name."""
    names = ["Ann", "Bert", "BertII", *(f"Bot{number}" for number in range(120))]
    assert [pair for pair in combinations(names, 2) if skeleton(pair[0]) == skeleton(pair[1])] == []
    server = SimServer()
    for name in ("Ann", "Ann2", "Bot1", "Bot2", "Bot10", "Bot11", "Bert", "BertII"):
        assert code(knock(server, name, token=name.encode().ljust(32))) == "joined", name


@pytest.mark.rule("A26")
@pytest.mark.parametrize(
    "name",
    "Goblin gob1in Rat WebSpider Gods G0ds Console Adm1n S3rver Moderat0r5 It lt Your Y0ur You AlI Som3one".split(),
)
def test_words_of_the_game_are_no_names(name: str) -> None:
    server = SimServer(shipped("gloam"))
    assert "choose another" in refusal(server, name)
    assert code(knock(server, "Ali")) == "joined", "a name of people"


@pytest.mark.rule("A26")
def test_refused_name_uses_up_no_invite() -> None:
    server = SimServer(rules=PRIVATE)
    two = invite(server.store.directory, 2, 0)
    assert code(knock(server, "Bill", invite=two, token=OWN)) == "joined"
    refusal(server, "BiII", invite_code=two)
    refusal(server, "C0nsole", invite_code=two)
    assert code(knock(server, "Carl", invite=two)) == "joined"


@pytest.mark.rule("A26")
def test_name_that_falls_free_is_not_like_itself() -> None:
    server = SimServer()
    server.join("Bill", OWN, HERE).leave()
    server.advance(500)
    pass_s(server, limits.NAME_FREE_S)
    assert code(knock(server, "bill")) == "joined"
    assert refusal(server, "B1ll")


@pytest.mark.rule("A26")
@pytest.mark.parametrize("name", ["BiII", "Goblin", "Console"])
def test_accounts_that_collide_already_stay(name: str) -> None:
    server = SimServer(shipped("gloam"))
    for taken in ("Bill", name):
        server.store.directory.create_account(taken, hashlib.sha256(OWN).digest(), 0)
    assert code(knock(server, name, token=OWN)) == "joined"


def test_accounts_of_older_world_get_their_skeletons(tmp_path: Path) -> None:
    """An account keeps its name, and a released name stays free for one that looks like it."""
    numbers = (1, 2, 3)
    names = ("Bill", "bill"), ("BiII", "biii"), ("Tomb", "tomb 3")  # the last one is released
    make_old_world(
        tmp_path / "world.db",
        "0011",
        "INSERT INTO realm (id, campaign, seed, rules, content, created_s) VALUES (1, 'gloam', '1', 1, 'ab', 0)",
        *(
            f"INSERT INTO accounts (id, name, folded, created_s) VALUES ({number}, '{name}', '{folded}', 5)"
            for number, (name, folded) in zip(numbers, names, strict=True)
        ),
    )

    store = open_store(tmp_path / "world.db")
    assert sorted(store.directory.accounts_alike("B1ll")) == [1, 2]
    assert store.directory.accounts_alike("Tom8") == []
    store.close()
