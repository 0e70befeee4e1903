"""Loans of bound items to members of the party, as the list to give shows them (rule F131)."""

import pytest
from msgspec import structs
from msgspec.structs import replace

from gloam_client.state.client_effects import SendCommand
from gloam_client.state.model import Model
from gloam_client.state.players.party import PartyKnowledge
from gloam_shared.protocol.commands import Give
from gloam_shared.protocol.messages.parties import LENDS, PartyMember
from gloam_shared.view.view import Creature, CreatureFlag, InventoryItem, ItemFlag
from support.client.fake_server import level_view
from support.client.model_in_play import picture, playing, press

HERE = level_view().cell
AXE = InventoryItem(
    0, ")", "white", "hand axe", ItemFlag.WIELDABLE | ItemFlag.WIELDED | ItemFlag.BOUND, 4, 0, 0
)
APPLE = InventoryItem(1, "%", "red", "apple", ItemFlag.EDIBLE, 0, 0, 30)


def beside(*names: str, party: tuple[str, ...] = ("Ann", "Bert"), lends: bool = True) -> Model:
    """Return a client with a bound axe and an apple, beside these players, in this party."""
    view = level_view()
    others = [
        Creature(70 + at, HERE + 1 + 2 * -at, 9, 9, 1, int(CreatureFlag.PLAYER), "@", "cyan", name)
        for at, name in enumerate(names)
    ]
    model = playing(replace(view, creatures=(*view.creatures, *others), inventory=(AXE, APPLE)))
    members = PartyKnowledge(tuple(PartyMember(name, 1, HERE, 9, 9, 1, 0) for name in party))
    return structs.replace(
        model,
        world=structs.replace(model.world, abilities=frozenset({LENDS} if lends else ())),
        company=structs.replace(model.company, party=members),
    )


def test_bound_items_are_lent_to_a_member_beside() -> None:
    model, _ = press(beside("Bert"), "v")
    screen = picture(model)
    assert "a - hand axe" in screen
    assert screen.count("(lend)") == 1
    assert press(model, "a")[1][0] == SendCommand(Give(0, 70))


@pytest.mark.parametrize(
    "model",
    [beside("Carl"), beside("Bert", party=()), beside("Bert", lends=False)],
    ids=["stranger", "alone", "older"],
)
def test_strangers_and_older_servers_get_no_loan(model: Model) -> None:
    """Then the list has only the items that are not bound."""
    screen = picture(press(model, "v")[0])
    assert "hand axe" not in screen
    assert "b - apple" in screen


def test_of_two_beside_only_the_member_borrows() -> None:
    """A loan goes to the member without a question; a gift asks for the player."""
    model, _ = press(beside("Bert", "Carl"), "v")
    assert press(model, "a")[1][0] == SendCommand(Give(0, 70))
    assert "Give the apple to which player?" in picture(press(model, "b")[0])


def test_of_two_members_beside_one_is_chosen() -> None:
    model, _ = press(beside("Bert", "Carl", party=("Ann", "Bert", "Carl")), "v", "a")
    assert "Lend the hand axe to which player?" in picture(model)
