"""What the player feels and remembers of fights: U27, U39."""

from dataclasses import replace as changed
from itertools import chain, pairwise

from msgspec.structs import replace

from gloam_client.render.bars import bar_signs, share
from gloam_client.render.damage_summary import damage_summary, summary_words
from gloam_client.render.frame import draw
from gloam_client.render.next_redraw import next_change_ms
from gloam_client.state import client_events
from gloam_client.state.fights import FLASH_GAP_MS, FLASH_MS, FOES_MAX, NO_FIGHTS, note_fights
from gloam_client.state.model import Blow, Entry, Model
from gloam_client.state.options import Options
from gloam_client.update import update
from gloam_shared.protocol.commands import Wait
from gloam_shared.protocol.messages import Joined
from gloam_shared.view.view import Creature, CreatureFlag, Log, LogLine, Stat, View
from support.client.fake_server import level_view
from support.client.model_in_play import heard, picture, playing

HOSTILE = CreatureFlag.HOSTILE


def fight(hp: int, rat_hp: int) -> View:
    """Return a view of a player with so much health next to a rat with so much."""
    view = level_view()
    rat = Creature(20, view.cell + 1, rat_hp, 9, 1, HOSTILE, "r", "brown", "rat", 4)
    sheet = (*view.sheet[: Stat.HP], hp, *view.sheet[Stat.HP + 1 :])
    return replace(view, creatures=(*view.creatures, rat), sheet=sheet)


def seen(model: Model, view: View, now_ms: int) -> Model:
    return update(model, heard(view=view), now_ms)[0]


def rat_cell(model: Model) -> tuple[str, bool]:
    """Return the rat's glyph on the canvas and whether it is reversed."""
    for char, style in chain.from_iterable(draw(model).cells):
        if char == "r" and style.colour == "brown":
            return char, style.reverse
    raise AssertionError(picture(model))


def test_a_struck_creature_flashes_for_120_ms() -> None:
    model = seen(playing(fight(40, 9)), fight(40, 5), 1_000)
    assert rat_cell(model) == ("r", True)
    assert next_change_ms(model) == 1_000 + FLASH_MS == 1_120
    model, _ = update(model, client_events.TimerFired(), 1_120)
    assert rat_cell(model) == ("r", False)
    assert (next_change_ms(model) or 9_999) > 1_120


def test_nothing_flashes_with_reduced_motion() -> None:
    """With reduced motion the numbers change and nothing flashes: U39."""
    still = changed(playing(fight(40, 9)), options=Options(motion="reduced"))
    model = seen(still, fight(34, 5), 1_000)
    assert rat_cell(model) == ("r", False)
    assert model.fights.lost_in(model.turn) == 6


def test_flashes_are_fewer_than_three_a_second() -> None:
    """However fast blows follow each other, flashes begin at most three times a second: U39."""
    fights, begun = NO_FIGHTS, []
    for at in range(40):
        now_ms = 50 * at
        fights = note_fights(fights, (fight(40, 100 - at), fight(40, 99 - at)), at, now_ms)
        begun += [now_ms] if fights.flash_ms == now_ms else []
    assert len(begun) > 1
    assert all(later - first >= FLASH_GAP_MS for first, later in pairwise(begun))


def test_health_just_lost_shows_until_next_command() -> None:
    """The bar shows what was lost since the player's last command."""
    model = seen(seen(playing(fight(40, 9)), fight(34, 9), 0), fight(30, 9), 10)
    assert model.fights.lost_in(model.turn) == 10
    assert "[#########===]" in picture(model)
    model, _ = update(model, client_events.CommandSent(Wait(), 0), 20)
    assert "[#########---]" in picture(model)


def test_another_level_is_no_blow() -> None:
    """A creature with the same number on another level has not been struck, and neither has one that healed."""
    below = replace(fight(40, 1), place=replace(level_view().place, depth=2))
    assert not note_fights(NO_FIGHTS, (fight(40, 9), below), 0, 0).struck
    assert not note_fights(NO_FIGHTS, (fight(30, 5), fight(40, 9)), 0, 0).struck


def test_the_last_foes_met_are_remembered() -> None:
    fights = NO_FIGHTS
    for at in range(FOES_MAX + 5):
        view = level_view()
        foe = Creature(20, view.cell + 1, 9, 9, at, HOSTILE, "f", "red", f"foe {at}", 4)
        fights = note_fights(fights, (view, replace(view, creatures=(*view.creatures, foe))), 0, 0)
    assert [foe.name for foe in fights.met] == [f"foe {at}" for at in range(5, FOES_MAX + 5)]


def test_a_new_life_begins_unhurt() -> None:
    model = seen(playing(fight(40, 9)), fight(34, 9), 0)
    heir, _ = update(model, heard(Joined("Ann", 0, 2), view=level_view()), 10)
    assert heir.fights.lost_in(heir.turn) == 0
    assert [foe.name for foe in heir.fights.met] == ["rat"]


def test_bars_show_the_ends_only_at_the_ends() -> None:
    assert [share(part, 40, 8) for part in (0, 1, 20, 39, 40)] == [0, 1, 4, 7, 8]
    assert bar_signs(0, 40, 40, 8) == "========"
    assert bar_signs(20, 40, 0, 8) == "####----"
    assert bar_signs(5, 0, 0, 4) == "----"


def test_shots_and_magic_count_as_damage() -> None:
    """The sums hold what was thrown, shot and cast, too: U27."""
    lines = (
        LogLine("throws_at", "you", "rat", 4, "dagger"),
        LogLine("spits", "kobold slinger", "you", 3),
        LogLine("shoots", "orc", "you", 5, "bow"),
        LogLine("blasted", "you", "", 6, "fireball"),
        LogLine("spits", "orc", "rat", 50),
        LogLine("blasted", "rat", "", 60, "fireball"),
    )
    view = level_view()
    end = view.log.first + len(view.log.lines)
    model, _ = update(playing(view), heard(view=replace(view, log=Log(end, lines))), 10)
    words = summary_words(damage_summary(model.log, model.turn))
    sources = "the fireball 6, the orc 5, the kobold slinger 3"
    assert words == f"Last 10 turns: 4 dealt, 14 taken ({sources})"


def test_damage_is_summed_over_ten_turns() -> None:
    """The sums leave out older turns, and name the worst foes first: U27."""
    log = [
        Entry("old", "hurt", 1, Blow("the orc", mine=False, damage=99)),
        Entry("a", "fight", 12, Blow("the orc", mine=True, damage=7)),
        Entry("b", "hurt", 13, Blow("the rat", mine=False, damage=2)),
        Entry("c", "hurt", 14, Blow("the orc", mine=False, damage=8)),
        Entry("d", "hurt", 15, Blow("the orc", mine=False, damage=0)),
    ]
    words = summary_words(damage_summary(log, 15))
    assert words == "Last 10 turns: 7 dealt, 10 taken (the orc 8, the rat 2)"
    assert summary_words(damage_summary(log, 40)) == ""
