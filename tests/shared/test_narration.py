"""Names and ends of lives in words."""

import pytest

from gloam_shared.narration import rendering
from gloam_shared.view.view import InventoryItem, ItemFlag, LogLine


@pytest.mark.rule("J10.2")
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("apple", "an apple"),
        ("melon", "a melon"),
        ("Ann corpse", "Ann's corpse"),
        ("kobold corpse", "a kobold corpse"),
        ("", ""),
        ("bread", "a loaf of bread"),
        ("dried meat", "a piece of dried meat"),
        ("loaf of bread", "a loaf of bread"),
        ("partly eaten bread", "a partly eaten loaf of bread"),
        ("chainmail", "a chainmail"),
        ("splint mail", "a suit of splint mail"),
        ("studded leather of the toad", "a suit of studded leather of the toad"),
        ("suit of splint mail", "a suit of splint mail"),
        ("studded leather", "a suit of studded leather"),
        ("a jet of fire", "a jet of fire"),
        ("a cold draught", "a cold draught"),
        ("spikes", "spikes"),
        ("sleeping gas", "sleeping gas"),
        ("the eyes of the bat", "the eyes of the bat"),
        ("ration", "a ration"),
        ("the Gloam", "the Gloam"),
    ],
)
def test_a_thing_takes_the_article_of_its_first_letter(name: str, words: str) -> None:
    assert rendering.with_article(name) == words


@pytest.mark.rule("RG.32")
@pytest.mark.parametrize(
    ("depth", "words"), [(0, "0"), (1, "1"), (100, "100"), (101, "1 of round 2"), (227, "27 of round 3")]
)
def test_depth_later_round_reported_within_round(depth: int, words: str) -> None:
    """A depth of a later round is counted within its round."""
    assert rendering.depth_text(depth) == words


@pytest.mark.rule("JG.19")
@pytest.mark.parametrize(
    ("traits", "words"),
    [
        (ItemFlag.WIELDABLE, "sword"),
        (ItemFlag.WIELDED, "sword (wielding)"),
        (ItemFlag.WEARABLE | ItemFlag.WORN, "sword (wearing)"),
    ],
)
def test_lists_tell_what_is_wielded_and_worn(traits: ItemFlag, words: str) -> None:
    assert rendering.inventory_name(InventoryItem(0, ")", "white", "sword", traits, 10, 0, 0)) == words


@pytest.mark.parametrize(
    ("by", "words"),
    [
        ("kobold", "was killed by a kobold"),
        ("Ann", "was killed by Ann"),
        ("starvation", "died of starvation"),
        ("choking", "choked to death"),
        ("", "died"),
    ],
)
def test_the_end_of_a_life_in_words(by: str, words: str) -> None:
    assert rendering.end_of_life(by) == words


def test_crumbling_is_reported_without_an_actor() -> None:
    assert (
        rendering.render_line(LogLine("crumbles", object="partly eaten melon"))
        == "The partly eaten melon crumbles to dust."
    )


def test_a_corpse_of_a_player_is_the_players_corpse() -> None:
    assert (
        rendering.render_line(LogLine("gives", "you", "Cyd corpse", source="Cyd"))
        == "You give Cyd's corpse to Cyd."
    )
    assert rendering.render_line(LogLine("picks_up", "you", "Cyd corpse")) == "You pick up Cyd's corpse."
    assert (
        rendering.inventory_name(InventoryItem(0, "%", "red", "Cyd corpse", ItemFlag.EDIBLE, 0, 0, 0))
        == "Cyd's corpse"
    )


def test_venom_is_spat_and_no_spell() -> None:
    assert rendering.render_line(LogLine("casts", "snake", source="venom")) == "The snake spits venom."
    assert rendering.render_line(LogLine("casts", "imp", source="web")) == "The imp casts web."
