"""A first life is asked for its kit, and one key takes it (rule F96)."""

from pathlib import Path

import pytest

from gloam_client.net.daily import today
from gloam_shared.protocol.messages.lives import ChooseKit, JoinFriend
from gloam_shared.protocol.messages.login import Error, Joined
from support.client.fake_client import FakeClient
from support.client.headless_client import HeadlessClient
from support.content.kits_campaign import kits_files
from support.processes.screen import attentive
from support.processes.server_process import ServerProcess

pytestmark = [pytest.mark.end_to_end, pytest.mark.rule("F96")]


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
def test_one_key_takes_a_kit(tmp_path: Path, size: tuple[int, int]) -> None:
    """The choice opens above the story; after it the inventory holds what was chosen."""
    folder = tmp_path / "kits"
    folder.mkdir()
    for name, raw in kits_files().items():
        (folder / name).write_bytes(raw)
    with (
        ServerProcess(tmp_path / "realm", campaign=f"{folder}/") as server,
        HeadlessClient(tmp_path / "home", server.port, "Ann", rows=size[1], cols=size[0]) as ann,
    ):
        attentive(ann, "Choose your kit")
        ann.wait_for("b - a wanderer's kit")
        ann.type("b")
        ann.wait_for("Your story")
        ann.type("\r")
        ann.type("i")
        ann.wait_for("sword")


@pytest.mark.thorough
def test_all_ways_into_a_life_of_gloam_offer_kits(tmp_path: Path) -> None:
    """Over TCP: at the entrance, and beside a friend, where the companion stands, too; a second choice is refused."""
    with (
        ServerProcess(tmp_path / "realm", campaign="gloam") as server,
        FakeClient(server.port, "Ann") as ann,
        FakeClient(server.port, "Bert") as bert,
    ):
        names = [kit.name for kit in ann.of_kind(Joined)[0].kits]
        assert names[0] == "slinger"
        ann.send(ChooseKit(1, names.index("digger")))
        ann.wait_for(lambda: any(item.name.startswith("hand axe") for item in ann.view.inventory))
        bert.wait_for(lambda: any(friend.name == "Ann" for friend in bert.view.party))
        bert.send(JoinFriend(1, None, "Ann"))
        bert.send(ChooseKit(1, names.index("wolf-friend")))
        bert.wait_for(lambda: bert.sees("old wolf"))
        bert.send(ChooseKit(1, 0))
        bert.wait_for(lambda: bert.of_kind(Error))
        assert bert.of_kind(Error)[0].code == "kit"
        assert ann.of_kind(Error) == []


@pytest.mark.thorough
@pytest.mark.parametrize("daily", [False, True])
def test_a_world_of_ones_own_offers_kits(home: Path, *, daily: bool) -> None:
    """`make play` and the seed of the day: the client's private server, one key, and the kit is there."""
    with HeadlessClient(home, None, "Ann", campaign="gloam", daily=today() if daily else "") as ann:
        attentive(ann, "Choose your kit")
        ann.type("e")
        ann.wait_for("Your story")
        ann.type("\r")
        ann.type("i")
        ann.wait_for("hand axe")
