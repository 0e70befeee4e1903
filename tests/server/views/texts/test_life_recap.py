"""The lessons that a player learns from the end of a life."""

import pytest

from gloam_server.content.lessons import LESSONS
from gloam_server.views.texts.life_recap import RECENT_TURNS, life_recap, recent_wounds
from gloam_server.world.model.creature import Item
from gloam_server.world.model.events import DamageDealt, DroppedItem, PlayerDied
from gloam_server.world.realm.chronicle import ChronicleEntry
from gloam_server.world.realm.fame import NamedCreature
from gloam_server.world.realm.realm import Realm
from gloam_shared.protocol.messages.lives import DamageTaken, Forebear, Recap
from support.content.campaigns import arena, arena_with
from support.content.magic_campaign import academy
from support.content.shipped_files import campaign
from support.scenarios.scenario import Scenario

ANN, GOBLIN, SHAMAN, ORC = 1_024, 2_048, 3_072, 4_096


def hit(
    amount: int, by: int = GOBLIN, name: str = "goblin", turn: int = 40, source: str = "attack"
) -> DamageDealt:
    return DamageDealt(ANN, amount, source, by, name, turn)  # type: ignore[arg-type]  # one of its words


def fallen(by: str = "goblin", **more: object) -> PlayerDied:
    fields: dict[str, object] = {
        "account": 1, "number": ANN, "name": "Ann", "by": by, "partition": 3, "cell": 0, "level": 4,
        "experience": 57, "turns": 40, "kills": 12, "command": 99, "hp_max": 60, "killer": GOBLIN, "killer_level": 4,
        **more,
    }  # fmt: skip
    return PlayerDied(**fields)  # type: ignore[arg-type]  # the fields are those above


def recap(life: PlayerDied, *wounds: DamageDealt, realm: Realm | None = None, **lessons: str) -> Recap:
    outline = "[lessons]\n" + "\n".join(f'{cause} = "{text}"' for cause, text in lessons.items())
    campaign = arena_with(outline=outline) if lessons else arena()
    return life_recap(campaign, realm or Realm(0), None, life, wounds)


def test_damage_is_summed_by_source_most_first() -> None:
    wounds = (hit(3), hit(9, ORC, "orc"), hit(4), hit(1, 0, "poison", source="gradual"))
    assert recap(fallen(), *wounds).damage == (
        DamageTaken("orc", 9, 1),
        DamageTaken("goblin", 7, 2),
        DamageTaken("poison", 1, 0),
    )


def test_only_last_turns_of_this_body_count() -> None:
    old, new = hit(50, turn=40 - RECENT_TURNS), hit(2, turn=41 - RECENT_TURNS)
    other = DamageDealt(ANN + 1, 7, "attack", GOBLIN, "goblin", 40)
    assert recap(fallen(), old, other, new).damage == (DamageTaken("goblin", 2, 1),)
    assert recent_wounds((old, other), [new, hit(1)]) == (new, hit(1))
    assert recent_wounds((), []) == ()


def test_wounds_are_bounded() -> None:
    assert len(recent_wounds((), [hit(1)] * 5_000)) == 200


@pytest.mark.parametrize(
    ("life", "wounds", "cause"),
    [
        (fallen("starvation", killer=0), (), "starvation"),
        (fallen("cowardice", killer=0), (), "cowardice"),
        (fallen(killer_level=9), (hit(9),), "stronger"),
        (fallen(), (hit(3), hit(3, ORC, "orc"), hit(3, SHAMAN, "shaman")), "surrounded"),
        (fallen(), (hit(3), hit(9, SHAMAN, "shaman", source="spell")), "magic"),
        (fallen(), (hit(3, turn=34), hit(9, source="gradual", turn=35)), "slow"),
        (fallen("Bert", killer=0), (hit(3, 9, "Bert"),), "player"),
        (fallen(), (hit(45),), "sudden"),
        (fallen(remains=(DroppedItem(1, "apple", False, False, True),)), (hit(9),), "unarmed"),
        (fallen(), (hit(9),), "default"),
        (fallen("a falling rock", killer=0), (), "default"),
    ],
)
def test_every_end_has_one_lesson(life: PlayerDied, wounds: tuple[DamageDealt, ...], cause: str) -> None:
    """U47: for every kind of death the table has one sentence that fits."""
    assert recap(life, *wounds).lesson == LESSONS[cause]


def test_shots_have_their_lesson_before_crowds() -> None:
    scenario = Scenario("#1.a.a.a.k#", campaign=campaign("gloam"), a="archer", k="kobold")
    level = scenario.level
    archers = [body.number for body in level.monsters() if body.kind == "archer"]
    kobold = next(body.number for body in level.monsters() if body.kind == "kobold")
    shots = [hit(9, number, "archer") for number in archers]
    assert life_recap(level.campaign, Realm(0), level, fallen(), tuple(shots)).lesson == LESSONS["shot"]
    mixed = (*shots, hit(30, kobold, "kobold"))
    assert life_recap(level.campaign, Realm(0), level, fallen(), mixed).lesson == LESSONS["surrounded"]


def test_named_killer_has_its_lesson() -> None:
    realm = Realm(0)
    realm.fame.named[GOBLIN] = NamedCreature("Grim", "goblin", 3, 4, 2, ("Bert", "Ann"), 2)
    assert recap(fallen(), hit(9), realm=realm).lesson == LESSONS["named"]


def test_a_name_from_this_death_is_no_lesson() -> None:
    realm = Realm(0)
    realm.fame.named[GOBLIN] = NamedCreature("Grim", "goblin", 3, 4, 2, ("Ann",), 1)
    assert recap(fallen(), hit(9), realm=realm).lesson == LESSONS["default"]


def test_campaign_may_have_its_own_sentences() -> None:
    assert recap(fallen(), hit(9), default="Run.").lesson == "Run."
    assert recap(fallen(), hit(9), starvation="Eat.").lesson == LESSONS["default"]


def test_victory_needs_no_lesson() -> None:
    assert recap(fallen("the end", won=True)).lesson == ""


def test_line_has_the_newest_lives_of_this_player() -> None:
    realm = Realm(0)
    for at in range(20):
        realm.chronicle.append(ChronicleEntry(f"Ann {at}", at % 2, False, "rat", 2, 3, 4))
    line = recap(fallen(), realm=realm).line
    assert len(line) == 8
    assert line[-1] == Forebear("Ann 19", False, "rat", 2, 3, 4)


def test_unused_magic_is_named_and_gives_the_lesson() -> None:
    """U47: what the body carried unused is listed, and magic that heals is the lesson."""
    level = Scenario("1..", campaign=academy()).level
    cell = level.creatures[1_024].cell
    kinds = {"health_potion": "health potion", "mana_potion": "red potion"}
    left = []
    for at, (key, name) in enumerate(kinds.items(), 7):
        level.piles.setdefault(cell, []).append(Item(number=at, kind=key, name=name, colour="red"))
        left.append(DroppedItem(at, name, False, False, True))
    life = fallen(cell=cell, remains=(*left, DroppedItem(99, "long gone", False, False, True)))
    seen = life_recap(level.campaign, Realm(0), level, life, (hit(3),))
    assert seen.unused == ("health potion", "red potion")
    assert seen.lesson == LESSONS["healing"]


def test_unused_magic_that_is_gone_counts_by_its_name() -> None:
    """Bound items, such as the starting kit, vanish with the body; they were carried unused all the same."""
    level = Scenario("1..", campaign=academy()).level
    remains = (
        DroppedItem(7, "health potion", False, False, False),
        DroppedItem(8, "knife", True, False, False),
    )
    seen = life_recap(level.campaign, Realm(0), level, fallen(remains=remains), (hit(3),))
    assert seen.unused == ("health potion",)
    assert seen.lesson == LESSONS["healing"]
