"""Mistakes in `surfaces.toml`, and in what refers to surfaces: one sentence for each."""

import pytest

from gloam_server.content.loader import CampaignError, load
from support.content.surface_campaign import tinder_files


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("lasts = 6", "lasts = 0", "fire.lasts is 0: write a whole number from 1 to 200"),
        (
            'leaves = "smoke"',
            'leaves = "oil"',
            "fire.leaves is 'oil': name another, for so it would come back",
        ),
        ('leaves = "smoke"', 'leaves = "smoky"', "fire.leaves is 'smoky': did you mean smoke?"),
        ("grass = 60", "gras = 60", "fire.burns is 'gras': did you mean grass?"),
        ('spares = ["imp"]', 'spares = ["impp"]', "fire.spares[0] is 'impp': did you mean imp?"),
        ('unicode = "%"', 'unicode = "♠"', "smoke.unicode is '♠': write one printable character"),
        ('colour = "orange"', 'colour = "orang"', "fire.colour is 'orang': did you mean orange?"),
        ("drifts_percent = 50", "drifts_percent = 500", "smoke.drifts_percent is 500"),
        (
            'kindled_by = "cold"',
            'kindled_by = "cold"\nburns = { oil = 5 }',
            "ice.over_water is True: write false",
        ),
        ('sign = ":"', 'sign = ":"\nkindled_by = "fire"', "rubble.kindled_by is 'fire': remove it"),
    ],
)
def test_each_mistake_gives_one_sentence(old: str, new: str, sentence: str) -> None:
    files = tinder_files()
    text = files["surfaces.toml"].decode()
    assert old in text
    files["surfaces.toml"] = text.replace(old, new, 1).encode()
    with pytest.raises(CampaignError) as mistake:
        load(files)
    assert sentence in str(mistake.value)


@pytest.mark.parametrize(
    ("patch", "sentence"),
    [("oyl", "surfaces[0].surface is 'oyl': did you mean oil?"), ("fire", "name one that stays")],
)
def test_patches_are_of_surfaces_that_stay(patch: str, sentence: str) -> None:
    files = tinder_files()
    files["levels.toml"] += f'surfaces = [{{ surface = "{patch}" }}]\n'.encode()
    with pytest.raises(CampaignError) as mistake:
        load(files)
    assert sentence in str(mistake.value)


def test_only_laying_names_a_surface() -> None:
    files = tinder_files()
    files["spells.toml"] = files["spells.toml"].replace(b'damage_type = "fire"', b'surface = "oil"', 1)
    with pytest.raises(CampaignError) as mistake:
        load(files)
    assert "surface is 'oil': remove it" in str(mistake.value)
