"""The recap of a life on the screen of its end, and its dump."""

import pytest
from msgspec import structs
from msgspec.structs import replace

from gloam_client.linear.spoken_screen import read_screen
from gloam_client.screens.session.character_dump import character_dump, dump_text
from gloam_client.state.client_effects import WriteDump
from gloam_client.state.model import Model
from gloam_client.update import update
from gloam_shared.protocol.messages.lives import DamageTaken, Died, Forebear, Recap
from gloam_shared.protocol.messages.login import Joined
from gloam_shared.view.view import MagicEffect, Spell, Stat
from support.client.aiming_views import ready
from support.client.model_in_play import heard, picture, playing, press

LIFE = (
    "Ann II, of the line of Ann.",
    "Went down to depth 3 and rose to level 4 with 57 experience in 812 turns.",
    "Defeated 12 foes, the greatest an orc of level 3; dealt 140 damage and took 96.",
    "Had 60 health, attack 22 and defense 2, and carried 2 things, wielding a sword.",
    "Died on depth 3. Grim the ogre is level 6 now and is still there.",
)
DIED = Died("Grim the ogre", 3, 4, 57, 812, 12, 5, False, LIFE, ("sword", "apple"))
RECAP = Recap(
    10,
    (DamageTaken("Grim the ogre", 47, 4), DamageTaken("poisoned", 6, 3), DamageTaken("goblin", 2, 1)),
    ("2 healing potions", "blinking scroll"),
    "You carried what heals. Use it at half of your health, not at the last blow.",
    (Forebear("Ann", False, "rat", 2, 2, 300), Forebear("Ann II", False, "Grim the ogre", 3, 4, 812)),
)

GOLDEN_60 = """\
+= You are dead (1 of 3) ==============================+
| Ann was killed by Grim the ogre.                     |
| Died on depth 3. Grim the ogre is level 6 now and is |
| still there.                                         |
| Damage in the last 10 turns: Grim the ogre 47 in 4   |
| blows, poisoned 6 in 3 blows and goblin 2.           |
| Not used: 2 healing potions and blinking scroll.     |
| Next time: You carried what heals. Use it at half of |
| your health, not at the last blow.                   |
| A keepsake for your heir:                            |
| a > sword                                            |
| b - apple                                            |
| - - nothing                                          |
+======================================================+"""
GOLDEN_80 = """\
+= You are dead (1 of 3) ======================================================+
| Ann was killed by Grim the ogre.                                             |
| Died on depth 3. Grim the ogre is level 6 now and is still there.            |
| Damage in the last 10 turns: Grim the ogre 47 in 4 blows, poisoned 6 in 3    |
| blows and goblin 2.                                                          |
| Not used: 2 healing potions and blinking scroll.                             |
| Next time: You carried what heals. Use it at half of your health, not at the |
| last blow.                                                                   |
| A keepsake for your heir:                                                    |
| a > sword                                                                    |
| b - apple                                                                    |
| - - nothing                                                                  |
|                                                                              |
| Enter begins a new life under the same name.                                 |
+==============================================================================+"""


def ended(size: tuple[int, int] = (80, 24), recap: Recap = RECAP) -> Model:
    model, _ = update(playing(ready()), heard(DIED, recap, view=ready()), 0)
    return structs.replace(
        model,
        surface=structs.replace(model.surface, size=size),
        world=structs.replace(model.world, campaign="Gloam"),
    )


def box(model: Model) -> str:
    """Return the part of the picture that the window covers."""
    rows = picture(model).split("\n")
    first = next(at for at, row in enumerate(rows) if "+= You are dead" in row)
    left, right = rows[first].index("+="), rows[first].rindex("=+") + 2
    last = max(at for at, row in enumerate(rows) if row[left:right].startswith("+=="))
    return "\n".join(row[left:right] for row in rows[first : last + 1])


@pytest.mark.parametrize(("size", "golden"), [((60, 20), GOLDEN_60), ((80, 24), GOLDEN_80)])
def test_recap_in_a_small_and_a_usual_window(size: tuple[int, int], golden: str) -> None:
    """U47: killer, damage by source, what was unused and one lesson stand on the first page, at 60x20, too."""
    assert box(ended(size)) == golden


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (200, 60)])
def test_second_page_has_the_life_and_its_line(size: tuple[int, int]) -> None:
    """U47: the line of heirs."""
    shown = picture(press(ended(size), "TAB")[0])
    assert "You are dead (2 of 3)" in shown
    assert "Defeated 12 foes" in shown
    assert "Ann II was killed by Grim the ogre: depth 3, level 4" in shown


def test_third_page_shows_the_place() -> None:
    """U47: a map of the place where the life ended."""
    model = press(ended(), "TAB", "TAB")[0]
    shown = picture(model)
    assert "You are dead (3 of 3): this is where, on depth 3." in shown
    assert "@" in shown
    assert "+=" not in shown
    assert "Ann was killed by Grim the ogre." in box(press(model, "TAB")[0])


def test_recap_goes_with_the_next_life() -> None:
    model, _ = update(ended(), heard(Joined("Ann", 0, 2)), 0)
    assert model.top.state == "play"


def test_hostile_recap_is_shown_as_clean_text() -> None:
    """A73: nothing of a server's text reaches the terminal as it is."""
    bad = "\x1b[2J" + "\u202e" + "W" * 900
    recap = Recap(
        10,
        (DamageTaken(bad, 2**31 - 1, 2**31 - 1),) * 50,
        (bad,) * 50,
        bad,
        (Forebear(bad, True, bad, 1, 1, 1),) * 50,
    )
    for size in ((60, 20), (80, 24)):
        model = ended(size, recap)
        for keys in ((), ("TAB",), ("TAB", "TAB")):
            rows = picture(press(model, *keys)[0]).split("\n")
            assert [len(row) for row in rows] == [size[0]] * size[1]
            assert not any("\x1b" in row or "\u202e" in row for row in rows)
    assert "\x1b" not in dump_text(character_dump(model, "gloam"))


def test_recap_is_read_out_as_text() -> None:
    """U47: who plays by lines of text hears the same."""
    said = " ".join(read_screen(ended(), ended().top).lines)
    for words in (
        "Ann was killed by Grim the ogre.",
        "Damage in the last 10 turns",
        "Not used:",
        "Next time:",
    ):
        assert words in said


def test_key_on_grave_and_sheet_writes_the_dump() -> None:
    assert [WriteDump()] == press(ended(), "D")[1]
    assert [WriteDump()] == press(playing(ready()), "@", "D")[1]


def test_dump_has_the_life_as_text_and_values() -> None:
    """U47: what people paste, and the same for programs."""
    values = character_dump(ended(), "gloam 9")
    assert values["end"]["damage"][0] == {"source": "Grim the ogre", "amount": 47, "blows": 4}
    assert values["end"]["line"][-1]["name"] == "Ann"
    assert values["end"]["by"] == "Grim the ogre"
    text = dump_text(values)
    for words in (
        "Ann, life 1, Gloam  (gloam 9)",
        "Ann was killed by Grim the ogre.",
        *LIFE[:1],
        "Carried",
        "The map",
    ):
        assert words in text
    above = text.split("The map")[0]
    assert max(map(len, above.split("\n"))) <= 79


def test_dump_of_a_living_character_says_so() -> None:
    text = dump_text(character_dump(playing(ready()), "gloam"))
    assert "Alive on depth" in text
    assert "hp max" in text


def caster(mana: int, *spells: Spell) -> Model:
    """Return the end of a life that knew these spells and had this mana left."""
    view = ready()
    sheet = (*view.sheet[: Stat.MANA], mana, *view.sheet[Stat.MANA + 1 :])
    last = replace(view, sheet=sheet, spells=spells)
    return update(playing(last), heard(DIED, RECAP, view=last), 10)[0]


FIRE = Spell("fire", "fireball", 6, "cell", 7, 1, "It burns.", damage=12)
HEAL = Spell("heal", "minor heal", 4, "self", 0, 0, "It heals.", effect=int(MagicEffect.HEAL))
SIGHT = Spell("see", "detect creatures", 1, "self", 0, 0, "It shows.", effect=int(MagicEffect.DETECT))


def test_mana_that_was_left_is_named_with_its_spells() -> None:
    """Spells that could have ended or escaped the fight count, those that were too dear or only show things do not."""
    told = " ".join(picture(caster(7, FIRE, HEAL, SIGHT)).replace("|", " ").split())
    assert "2 healing potions, blinking scroll and 7 mana (for fireball and minor heal)." in told
    told = " ".join(picture(caster(5, FIRE, HEAL, SIGHT)).replace("|", " ").split())
    assert "and 5 mana (for minor heal)." in told
    assert " mana" not in picture(caster(3, FIRE, HEAL, SIGHT))
    assert " mana" not in picture(caster(90))


def test_dump_names_unused_mana() -> None:
    assert any(
        "7 mana (for fireball)" in line for line in character_dump(caster(7, FIRE), "test")["end"]["recap"]
    )
