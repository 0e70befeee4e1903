"""Peoples, feuds and traits: each mistake gives one sentence, and the shipped campaign has what it promises."""

import re

import pytest

from gloam_server.content.checks.people_checks import one_sided_hates
from gloam_server.content.loader import CampaignError, load
from support.content.shipped_files import campaign, changed, files


@pytest.mark.parametrize(
    ("file", "old", "new", "sentence"),
    [
        ("peoples.toml", '"kobolds"', '"kobold"', "vermin.hates[0] is 'kobold': did you mean kobolds?"),
        ("peoples.toml", '"kobolds"', '"vermin"', "vermin.hates[0] is 'vermin': remove it, because no people hates itself."),
        ("peoples.toml", '"Nib"', '"N1b"', "vermin.syllables_first[0] is 'N1b': write a syllable of 1 to 12 letters from A to Z."),
        ("peoples.toml", 'name = "vermin"', "", "vermin.name is missing: add a text of 1 to 60 letters."),
        ("trophies.toml", 'people = "kobolds"', 'people = "kobold"', "kobold_tooth.people is 'kobold': did you mean kobolds?"),
        ("trophies.toml", 'trait = "hurler"', 'trait = "hurl"', "caught_stone.trait is 'hurl': did you mean hurler?"),
        ("trophies.toml", 'against = "kobolds"', 'against = "kobold"', "kobold_tooth.powers[0].against is 'kobold'"),
        ("trophies.toml", "[rat_tail]", "[fang]", "fang is not known"),
        ("traits.toml", "defence_percent = 18", "", "thick_hide is {}: write one of hp_percent,"),
        ("traits.toml", 'adds = ["track"]', 'adds = ["trak"]', "scent.adds[0] is 'trak': did you mean track?"),
        ("creatures.toml", 'people = "kobolds"', 'people = "kobold"', "kobold.people is 'kobold': did you mean kobolds?"),
        ("creatures.toml", '"thick_hide"', '"thick_hid"', "rat.learns[0] is 'thick_hid': did you mean thick_hide?"),
        ("campaign.toml", "credit_turns", "credit_turn", "learning.credit_turn is not known: did you mean credit_turns?"),
    ],
)  # fmt: skip
def test_each_mistake_gives_one_sentence(file: str, old: str, new: str, sentence: str) -> None:
    found = changed(file, old, new, "gloam") if old != "credit_turns" else {
        **files("gloam"), file: files("gloam")[file].replace(b"[learning]\n", b"[learning]\ncredit_turn = 3\n")
    }  # fmt: skip
    with pytest.raises(CampaignError, match=re.escape(sentence)):
        load(found)


def test_a_campaign_without_feuds_cannot_ask_for_them() -> None:
    found = files("jsrogue")
    found["campaign.toml"] = found["campaign.toml"].replace(b"[learning]", b"[learning]\nfeud_percent = 10")
    with pytest.raises(CampaignError, match="write 0, or let two peoples hate each other"):
        load(found)


def test_gloam_peoples_over_kinds_traits_kinds_learn() -> None:
    """Gloam has peoples over all kinds and traits that kinds learn."""
    gloam = campaign("gloam")
    without = {kind.key for kind in gloam.spawnable if not kind.people}
    assert len(gloam.peoples) >= 8
    assert without == {"fungus", "slime"}
    assert {kind.people for kind in gloam.spawnable} - {""} == set(gloam.peoples)
    assert len(gloam.traits) >= 12
    learnt = {trait for kind in gloam.creatures.values() for trait in kind.learns}
    assert learnt == {key for key, trait in gloam.traits.items() if trait.told}
    assert all(kind.learns for kind in gloam.spawnable if kind.grows)


def test_every_feud_of_gloam_has_both_of_its_sides() -> None:
    gloam = campaign("gloam")
    assert one_sided_hates(gloam) == []
    assert {key for pair in gloam.feuds for key in pair} == set(gloam.peoples)


def test_loaded_kind_hates_kinds_of_peoples_own_hates() -> None:
    """A loaded kind hates the kinds of the peoples that its own hates."""
    gloam = campaign("gloam")
    assert set(gloam.creatures["kobold"].hates) >= {"rat", "goblin", "archer", "shaman"}
    assert "kobold" not in gloam.creatures["kobold"].hates
    assert gloam.creatures["fungus"].hates == ()
    assert campaign("rltut").peoples == {}
