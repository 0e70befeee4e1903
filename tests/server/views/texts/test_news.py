"""News: each entry of the chronicle is one sentence for all players, and a player who returns gets five of them."""

import pytest

from gloam_server.views.texts.news import missed_news, news_text
from gloam_server.world.realm import chronicle
from gloam_server.world.realm.realm import Realm


def ended(
    by: str = "ogre", *, won: bool = False, killer: int = 0, level: int = 0, grown: int = 0
) -> chronicle.LifeEnded:
    return chronicle.LifeEnded("Ann", 1, won, by, 2, 4, 812, killer, level, grown)


@pytest.mark.rule("F55", "F56")
@pytest.mark.parametrize(
    ("event", "words"),
    [
        (ended("slaying the giant zombie", won=True), "Ann has won by slaying the giant zombie!"),
        (ended(), "Ann was killed by an ogre on depth 2."),
        (ended("poison"), "Ann died of poison on depth 2."),
        (ended("Bert"), "Ann was killed by Bert on depth 2."),
        (ended("kobold", killer=9, level=2), "Ann was killed by a kobold on depth 2."),
        (
            ended("kobold", killer=9, level=3, grown=1),
            "Ann was killed by a kobold on depth 2. It is level 3 now.",
        ),
        (
            ended("Skarn the kobold", killer=9, level=4, grown=2),
            "Skarn the kobold slew Ann on depth 2 and is level 4 now.",
        ),
        (ended("the Gloam", killer=9, level=25), "The Gloam slew Ann on depth 2 and is level 25 now."),
        (chronicle.FirstAtDepth("Ann", 1, 3), "Ann is the first to reach depth 3."),
        (
            chronicle.NameRose(9, "Skarn the kobold", "kobold", 2, 3, ("Ann",)),
            "A kobold of level 3 on depth 2, which slew Ann, has made a name for itself: Skarn the kobold.",
        ),
        (
            chronicle.NameRose(9, "Usha the orc", "orc", 2, 3),
            "An orc of level 3 on depth 2 has made a name for itself: Usha the orc.",
        ),
        (
            chronicle.NameFell(9, "Skarn the kobold", 3, 5, "Bert", 2, ("Ann", "Ann II")),
            "Bert slew Skarn the kobold, level 5, on depth 3 and avenged Ann and Ann II.",
        ),
        (
            chronicle.NameFell(9, "Skarn the kobold", 3, 5, "goblin", 0, ("Ann",)),
            "Skarn the kobold, level 5, was killed by a goblin on depth 3.",
        ),
        (
            chronicle.NameForgotten(9, "Skarn the kobold", 3, 5),
            "Skarn the kobold has done nothing great for long, and the name is forgotten.",
        ),
    ],
)
def test_each_entry_is_one_sentence(event: chronicle.RealmEvent, words: str) -> None:
    assert news_text(event) == words


def test_player_comes_back_reads_newest_five_others() -> None:
    """A player who returns reads the newest five of what others did."""
    realm = Realm(arrival=0)
    realm.events.write(chronicle.FirstAtDepth("Bert", 2, 2))
    realm.left[1] = realm.events.written
    assert missed_news(realm, 1) == []
    for depth in range(3, 10):
        realm.events.write(chronicle.FirstAtDepth("Bert", 2, depth))
    realm.events.write(chronicle.FirstAtDepth("Ann", 1, 10))
    lines = [f"Bert is the first to reach depth {depth}." for depth in range(5, 10)]
    assert missed_news(realm, 1) == ["While you were away:", *lines]
    assert missed_news(realm, 2) == []
