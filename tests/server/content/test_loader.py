"""A campaign is checked when it is loaded; each mistake gives one sentence with file, key and mend."""

import re
from typing import get_args

import pytest
from msgspec.structs import replace

from gloam_server.content.creatures import Behavior, CreatureKind
from gloam_server.content.loader import CampaignError, load
from support.content.shipped_files import changed, files

OUTLINE, LEVELS = "campaign.toml", "levels.toml"
CREATURES, ITEMS = "creatures.toml", "items.toml"


TASKS = ", ".join(sorted(get_args(Behavior)))
PICK_UP = "write never: only gear is better, only food can be short, and what is fixed stays"
FIELDS = ", ".join(sorted(field for field in CreatureKind.__struct_fields__ if field != "key"))


@pytest.mark.parametrize(
    ("file", "old", "new", "sentence"),
    [
        (CREATURES, "hp = 40", "hp = 0", "human.hp is 0: write a whole number from 1 to 100000."),
        (CREATURES, "hp = 40", "hp = 4.0", "human.hp is 4.0: write a whole number from 1 to 100000."),
        (CREATURES, "hp = 40", "hp = true", "human.hp is True: write a whole number from 1 to 100000."),
        (CREATURES, "hp = 40", 'hp = "40"', "human.hp is '40': write a whole number from 1 to 100000."),
        (CREATURES, "hp = 40", "hp = nan", "human.hp is nan: write a whole number from 1 to 100000."),
        (CREATURES, "hp = 40", 'hp = 40\npoints_per_level = 21', "human.points_per_level is 21: write a whole number from 0 to 20."),
        (CREATURES, "hp = 40", "hp = 40\nexperience = -1", "human.experience is -1: write a whole number from 0 to 100000."),
        (CREATURES, "hp = 40", "", "human.hp is missing: add a whole number from 1 to 100000."),
        (CREATURES, "sight = 6", "sight = 21", "human.sight is 21: write a whole number from 0 to 20."),
        (CREATURES, "speed = 250", "speed = 49", "fungus.speed is 49: write a whole number from 50 to 10000."),
        (CREATURES, "speed = 2000", "speed = 10001", "bat.speed is 10001: write a whole number from 50 to 10000."),
        (CREATURES, "attack = 10", "atack = 10", "human.atack is not known: did you mean attack?"),
        (CREATURES, "digs = true", "digs = 1", "human.digs is 1: write true or false."),
        (CREATURES, '"spread"', '"spred"', "fungus.tasks[0] is 'spred': did you mean spread?"),
        (CREATURES, '"spread"', '"sing"', f"fungus.tasks[0] is 'sing': write one of {TASKS}."),
        (CREATURES, '["spread"]', '"spread"', f"fungus.tasks is 'spread': write a list, each of it one of {TASKS}."),
        (CREATURES, "[human]", "[Human]", "rename the table [Human]: write a key of small letters, digits and underscores."),
        (CREATURES, '"F"', '"FF"', "fungus.glyph is 'FF': write one character."),
        (CREATURES, '"F"', '""', "fungus.glyph is '': write one character."),
        (CREATURES, '"F"', '"\u4e16"', "fungus.glyph is '\u4e16': write one printable character that is one column wide, such as a letter."),
        (CREATURES, '"F"', '"\\t"', "fungus.glyph is '\\t': write one printable character that is one column wide, such as a letter."),
        (CREATURES, '"green"', '"gren"', "fungus.colour is 'gren': did you mean green?"),
        (CREATURES, "[bat]", '[bat]\nhates = ["newtt"]', "bat.hates[0] is 'newtt': did you mean newt?"),
        (CREATURES, "spawns = false", "", "human.spawns is True: write false for the players' kind."),
        (CREATURES, "picks_points = true", "", "human.picks_points is False: write true for the players' kind."),
        (CREATURES, "sight = 5", "sight = 0", "kobold.sight is 0: write a whole number from 1 to 20, because a hunting creature must see."),
        (CREATURES, "spread_percent = 2", "", "fungus.spread_percent is 0: write a whole number from 1 to 100, because a spreading creature needs a chance to spread."),
        (CREATURES, "[bat]", '[bat]\nkey = "rat"', f"bat.key is not known: write one of {FIELDS}."),
        (CREATURES, "[human]", "stray = 1\n[human]", "stray stands outside of a table: put it below a line [its_kind]."),
        (OUTLINE, '"human"', '"humn"', "player is 'humn': did you mean human?"),
        (OUTLINE, '"square"', '"squar"', "experience.threshold is 'squar': did you mean square?"),
        (LEVELS, '"caves"', '"cave"', "caves.generator is 'cave': did you mean caves?"),
        (OUTLINE, '"eight"', '"six"', "movement is 'six': write one of eight, four."),
        (LEVELS, "width = 100", "width = 1000", "caves.width is 1000: write a whole number from 20 to 255."),
        (LEVELS, "width", "widht", "caves.widht is not known: did you mean width?"),
        (OUTLINE, "title", "titel", "titel is not known: did you mean title?"),
        (OUTLINE, 'key = "jsrogue"', "", "key is missing: add a key of small letters, digits and underscores."),
        (OUTLINE, "sight = 1", "sight = 1.5", "experience.gains.sight is 1.5: write a whole number from 0 to 20."),
        (OUTLINE, "wild_every = 1", "wild_every = 0", "time.wild_every is 0: write a whole number from 1 to 100."),
        (ITEMS, "{name}", "{nam}", "corpse.name is '{nam} corpse': write no braces but those of {name}, the name of the dead creature."),
        (ITEMS, "food = 75", 'colour = "whit"', "corpse.colour is 'whit': did you mean white?"),
        (ITEMS, "bites = 4", "bites = 0", "melon.bites is 0: write a whole number from 1 to 100."),
        (ITEMS, "food = 35", "", "melon.bites is 4: write 1, for it is no food."),
        (ITEMS, "attack = 5\nwieldable = true", "attack = 5", "dagger.attack is 5: write 0, or let it be wieldable or wearable."),
        (ITEMS, "defence = 2\nwearable = true", "defence = 2", "tunic.defence is 2: write 0, or let it be wieldable or wearable."),
        (ITEMS, '"once"', '"onse"', "dagger.found is 'onse': did you mean once?"),
        (ITEMS, "food = 75", 'found = "common"', "corpse.found is 'common': write never, for no player has died where it is found."),
        (ITEMS, 'colour = "red"', "", "apple.colour is '': write the name of a color."),
        (LEVELS, "items = 15", "items = 501", "caves.items is 501: write a whole number from 0 to 500."),
        (OUTLINE, '"starve_or_choke"', '"sleep"', "hunger.rule is 'sleep': write one of none, six_states, starve_or_choke, stuffed."),
        (OUTLINE, "start = 500", "start = 1001", "hunger.start is 1001: write a whole number from 1 to hunger.max, which is 1000."),
        (ITEMS, '"short"', '"shrt"', "apple.pick_up is 'shrt': did you mean short?"),
        (ITEMS, '"short"', '"often"', "apple.pick_up is 'often': write one of always, better, never, short."),
        (ITEMS, "[rock]", '[rock]\npick_up = "better"', f"rock.pick_up is 'better': {PICK_UP}."),
        (ITEMS, "[rock]", '[rock]\npick_up = "short"', f"rock.pick_up is 'short': {PICK_UP}."),
        (ITEMS, "fixed = true", 'fixed = true\npick_up = "always"', f"grave.pick_up is 'always': {PICK_UP}."),
        (OUTLINE, "stack = 1", "stack = 0", "stack is 0: write a whole number from 1 to 99."),
        (ITEMS, "[corpse]", "[carcass]", "corpse is missing: add a table [corpse], or corpse = false to every creature."),
    ],
)  # fmt: skip
def test_mistake_gives_sentence_file_key_and_mend(file: str, old: str, new: str, sentence: str) -> None:
    """Each mistake gives one sentence with file key and mend."""
    with pytest.raises(CampaignError) as raised:
        load(changed(file, old, new))
    text = str(raised.value)
    assert text == f"In {file}, {sentence}"
    assert "\n" not in text


def test_no_creature_to_spawn_is_named() -> None:
    found = files()
    creatures = found[CREATURES].decode().replace("\nhp =", "\nspawns = false\nhp =")
    found[CREATURES] = re.sub(
        r"(slots = 22\nspawns = false|boss = true\nspawns = false)",
        lambda found: found[0].split("\n")[0],
        creatures,
    ).encode()
    with pytest.raises(
        CampaignError, match=r"In levels.toml, caves.monsters is 15: write 0, or let a creature"
    ):
        load(found)


def test_no_thing_to_scatter_is_named() -> None:
    found = files()
    found[ITEMS] = found[ITEMS].replace(b'found = "common"', b"")
    with pytest.raises(
        CampaignError, match=r"In levels.toml, caves.items is 15: write 0, or let a thing be found common"
    ):
        load(found)


def test_a_file_too_many_or_too_few_is_named() -> None:
    with pytest.raises(CampaignError, match=r"The file monsters.toml is not known: remove it, or"):
        load({**files(), "monsters.toml": b""})
    with pytest.raises(CampaignError, match=r"The file items.toml is missing: add it"):
        load({name: body for name, body in files().items() if name != ITEMS})


def test_no_toml_or_no_utf8_reported_place() -> None:
    """The message about text that is not TOML or not UTF-8 names its place."""
    with pytest.raises(CampaignError, match=r"campaign.toml is not TOML: .*line \d+, column \d+"):
        load(changed(OUTLINE, "[experience]", "x =="))
    with pytest.raises(CampaignError, match=r"In items.toml, byte 0 is not UTF-8: save the file as UTF-8"):
        load({**files(), ITEMS: b"\xff\xfe"})


def test_a_long_wrong_value_is_shown_in_part() -> None:
    with pytest.raises(CampaignError, match=r"fungus.colour is 'x{50,60}\.\.\.: write one of") as raised:
        load(changed(CREATURES, '"green"', f'"{"x" * 5_000}"'))
    assert len(str(raised.value)) < 400


def test_digest_names_and_bytes_and_not_order() -> None:
    """The digest is of names and bytes and not of their order."""
    found = files()
    digest = load(found).digest
    assert len(digest) == 64
    assert digest == load(dict(reversed(found.items()))).digest
    assert digest != load({**found, ITEMS: found[ITEMS] + b"\n"}).digest
    assert (
        digest != load({**found, OUTLINE: found[OUTLINE] + b"#", CREATURES: found[CREATURES] + b"#"}).digest
    )


def test_a_campaign_edited_on_windows_is_read() -> None:
    """Editors there begin a file with a mark and end lines with two characters; only the digest differs."""
    edited = {name: b"\xef\xbb\xbf" + body.replace(b"\n", b"\r\n") for name, body in files().items()}
    assert replace(load(edited), digest="") == replace(load(files()), digest="")
