"""A finished life, described in five lines."""

import pytest

from gloam_server.app.campaign_files import read_campaign
from gloam_server.views.texts.life_summaries import death_summary, describe_life, keepsakes
from gloam_server.world.model.events import DroppedItem, PlayerDied
from gloam_shared.narration.rendering import end_of_life
from support.content.campaigns import arena, arena_with

PRESENT = '[present]\nname = "present"\nglyph = "!"\ncolour = "red"\nfound = "once"\n'
WORDS = "Your birthday present is saved!"


def life(by: str = "ogre", **more: object) -> PlayerDied:
    fields: dict[str, object] = {
        "account": 1, "number": 1_024, "name": "Ann", "by": by, "partition": 3, "cell": 40, "level": 4,
        "experience": 57, "turns": 812, "kills": 12, "command": 99, "family": "Ann II", "deepest": 5,
        "hp_max": 60, "attack": 22, "defence": 2, "dealt": 140, "taken": 96, "foe": "ogre", "foe_level": 3,
        "remains": (DroppedItem(1, "sword", True, False, True), DroppedItem(2, "old tunic", False, True, False)),
        **more,
    }  # fmt: skip
    return PlayerDied(**fields)  # type: ignore[arg-type]  # the fields are those above


@pytest.mark.rule("RG.30")
def test_life_reported_five_lines_whole_tally() -> None:
    """Five lines describe a life, with all its counts."""
    assert describe_life(arena(), life()) == (
        "Ann II, of the line of Ann.",
        "Went down to depth 5 and rose to level 4 with 57 experience in 812 turns.",
        "Defeated 12 foes, the greatest an ogre of level 3; dealt 140 damage and took 96.",
        "Had 60 health, attack 22 and defense 2, and carried 2 things, wielding a sword and wearing an old tunic.",
        "Died on depth 3.",
    )


@pytest.mark.rule("RG.30")
def test_all_worn_follows_one_verb() -> None:
    ring, leather = ("ring of toads", "studded leather of the toad")
    worn = tuple(DroppedItem(number, name, False, True, False) for number, name in enumerate((ring, leather)))
    sword = DroppedItem(9, "sword", True, False, True)
    words = "wearing a ring of toads and a suit of studded leather of the toad."
    assert describe_life(arena(), life(remains=worn))[3].endswith(f"2 things, {words}")
    assert describe_life(arena(), life(remains=(sword, *worn)))[3].endswith(f", wielding a sword and {words}")


@pytest.mark.rule("RG.30")
def test_first_line_met_and_carried_nothing() -> None:
    """The first of a line who met and carried nothing."""
    first = life(family="", kills=0, foe="", turns=1, remains=())
    assert describe_life(arena(), first)[0] == "Ann, the first of the line."
    assert describe_life(arena(), first)[1].endswith("in 1 turn.")
    assert describe_life(arena(), first)[2] == "Defeated 0 foes; dealt 140 damage and took 96."
    assert describe_life(arena(), first)[3].endswith("and carried 0 things.")


@pytest.mark.rule("TG.30", "F56")
@pytest.mark.parametrize(
    ("by", "words"),
    [
        ("ogre", "was killed by an ogre"),
        ("Bert", "was killed by Bert"),
        ("an overinflated ego", "was killed by an overinflated ego"),
        ("starvation", "died of starvation"),
        ("poison", "died of poison"),
        ("cowardice", "died while cowardly fleeing the caves"),
    ],
)
def test_every_end_has_its_words(by: str, words: str) -> None:
    assert end_of_life(by) == words


@pytest.mark.rule("RG.30")
def test_used_prize_dies_perfectly_natural_causes() -> None:
    """A player who used the prize dies of perfectly natural causes."""
    campaign = arena_with(
        outline=f'[victory]\nrule = "use"\nitem = "present"\nwords = "{WORDS}"', items=PRESENT
    )
    last = describe_life(campaign, life("using the present", won=True))[-1]
    assert last == f"Won by using the present. {WORDS} Died, long after, of perfectly natural causes."


def test_only_what_is_offered_is_a_keepsake() -> None:
    assert [left.name for left in keepsakes(arena(), life())] == ["sword"]
    assert death_summary(arena(), life()).keepsakes == ("sword",)


def test_no_more_keepsakes_offered_list_letters() -> None:
    """No more keepsakes are offered than a list has letters."""
    many = tuple(DroppedItem(at, f"thing {at}", False, False, True) for at in range(30))
    assert len(keepsakes(arena(), life(remains=many))) == 26


def test_shown_numbers_rounded_campaigns_scale() -> None:
    """The shown numbers are rounded to the campaigns scale."""
    campaign = arena_with(outline="[combat]\nscale = 100")
    assert "attack 7 and defense 4" in describe_life(campaign, life(attack=720, defence=360))[3]


def test_keepsakes_ordered_worth() -> None:
    """Keepsakes are ordered by worth and the best stands first."""
    campaign = read_campaign("gloam")
    names = [
        "kobold corpse",
        "rock",
        "loaf of bread",
        "torch",
        "milky potion",
        "club",
        "Ann corpse",
        "book of fire",
        "long sword",
    ]
    remains = tuple(DroppedItem(at, name, False, False, True) for at, name in enumerate(names, start=1))
    offered = [left.name for left in keepsakes(campaign, life(remains=remains))]
    assert offered[0] == "book of fire"
    assert offered[1:3] == ["long sword", "club"]
    assert offered[3:5] == ["milky potion", "torch"]
    assert set(offered[-2:]) == {"kobold corpse", "Ann corpse"}
    assert offered == list(death_summary(campaign, life(remains=remains)).keepsakes)
