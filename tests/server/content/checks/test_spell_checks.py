"""Spells that cannot be meant are named when a campaign is loaded: file, key, and how to mend it."""

import pytest

from gloam_server.content.loader import CampaignError, load
from support.content.magic_campaign import academy_files

SPELLS, ITEMS, OUTLINE = "spells.toml", "items.toml", "campaign.toml"


def spell(effect: str, head: str = "") -> str:
    return f'\n[odd]\nname = "odd"\nwords = "Odd."\n{head}\n[[odd.effects]]\n{effect}\n'


@pytest.mark.parametrize(
    ("file", "added", "sentence"),
    [
        (SPELLS, '\n[odd]\nname = "odd"\nwords = "Odd."\n', "odd.effects is []: add a table [[odd.effects]], for it does nothing."),
        (SPELLS, spell('does = "heel"\namount = 1'), "odd.effects[0].does is 'heel': did you mean heal?"),
        (SPELLS, spell('does = "heal"'), "odd.effects[0].amount is 0: write a whole number from 1 on, for heal of 0 does nothing."),
        (SPELLS, spell('does = "detect"\nword = "sensing"'), "odd.effects[0].turns is 0: write a whole number from 1 to 10000, for detect must last."),
        (SPELLS, spell('does = "blink"\namount = 3\nturns = 3'), "odd.effects[0].turns is 3: write 0, for blink does not last."),
        (SPELLS, spell('does = "heal"\namount = 3\nturns = 3'), "odd.effects[0].word is '': write what one then is, as poisoned."),
        (SPELLS, spell('does = "strengthen"\nturns = 3\nword = "odd"'), "odd.effects[0].attack is 0: write what it adds, to this or to another number."),
        (SPELLS, spell('does = "strengthen"\nturns = 3\nword = "odd"\nattack = 1\npercent = 5'), "odd.effects[0].amount is 0: write a whole number from 1 on, the health that the chance is for."),
        (SPELLS, spell('does = "heal"\namount = 3\nspeed = 3'), "odd.effects[0].speed is 3: write 0, or let it strengthen instead of heal."),
        (SPELLS, spell('does = "summon"'), "odd.effects[0].kind is '': write the key of a creature to summon."),
        (SPELLS, spell('does = "summon"\nkind = "bta"'), "odd.effects[0].kind is 'bta': did you mean bat?"),
        (SPELLS, spell('does = "heal"\namount = 1\nkind = "bat"'), "odd.effects[0].kind is 'bat': remove it."),
        (SPELLS, spell('does = "heal"\namount = 1', 'target = "creature"'), "odd.range is 0: write a whole number from 1 to 20, for it is aimed at something."),
        (SPELLS, spell('does = "harm"\namount = 1', 'target = "creature"\nrange = 5'), "odd.harms is False: write true, for no creature does harm to a friend."),
        (SPELLS, spell('does = "strengthen"\nspeed = -5\nturns = 3\nword = "slow"', 'target = "creature"\nrange = 5'), "odd.harms is False: write true, for no creature does this to a friend."),
        (SPELLS, spell('does = "swap"', "harms = true"), "odd.target is 'self': write creature, for no creature can swap itself."),
        (ITEMS, '\n[odd]\nname = "odd"\nglyph = "!"\nquaffs = "missile"\n', "odd.quaffs is 'missile': name a spell whose target is self; that of missile is creature."),
        (ITEMS, '\n[odd]\nname = "odd"\nglyph = "!"\nquaffs = "heallth"\n', "odd.quaffs is 'heallth': did you mean health?"),
        (ITEMS, '\n[odd]\nname = "odd"\nglyph = "!"\nlooks = true\n', "odd.looks is True: write false: only what is drunk, read, zapped or put on can hide its name."),
        (ITEMS, '\n[odd]\nname = "odd"\nglyph = "!"\nzaps = "missile"\n', "odd.charges is [0, 0]: write two numbers from 1 on, the smaller one first."),
        (ITEMS, '\n[odd]\nname = "odd"\nglyph = "!"\ncharges = [1, 2]\n', "odd.charges is [1, 2]: write [0, 0]."),
        (ITEMS, '\n[odd]\nname = "odd"\nglyph = "!"\ncarries = "health"\n', "odd.carries is 'health': name a spell whose effects all last."),
        (ITEMS, '\n[odd]\nname = "odd"\nglyph = "!"\ncarries = "detect"\nwearable = true\n', "odd.carries is 'detect': remove it, for a ring has no other use."),
        (ITEMS, '\n[odd]\nname = "odd"\nglyph = "!"\nwearable = true\npowers = [{ does = "resist", against = "fyre", percent = 5 }]\n', "odd.powers[0].against is 'fyre': did you mean fire?"),
        (ITEMS, '\n[odd]\nname = "odd"\nglyph = "!"\nwearable = true\npowers = [{ does = "resist", against = "fire" }]\n', "odd.powers[0].percent is 0: write a whole number from -400 to 75 that is not 0."),
        (ITEMS, '\n[odd]\nname = "odd"\nglyph = "!"\npowers = [{ does = "resist", percent = 5 }]\n', "odd.trophy is False: write true, for its powers hold neither in hand nor on the body."),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_named(file: str, added: str, sentence: str) -> None:
    files = academy_files()
    files[file] += added.encode()
    with pytest.raises(CampaignError) as found:
        load(files)
    assert str(found.value) == f"In {file}, {sentence}"


@pytest.mark.rule("TG.22")
@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('"red", ', "", None),
        ('"red", "yellow", "green", ', "", "write 7 different looks or more, because this number of kinds in one group hide their names."),
        ('"red"', '"rde"', "appearances[0] is 'rde': did you mean red?"),
    ],
)  # fmt: skip
def test_there_are_looks_enough(old: str, new: str, sentence: str | None) -> None:
    files = academy_files()
    files[OUTLINE] = files[OUTLINE].replace(old.encode(), new.encode(), 1)
    if sentence is None:
        assert len(load(files).appearances) == 8
        return
    with pytest.raises(CampaignError) as found:
        load(files)
    assert str(found.value).endswith(sentence)
